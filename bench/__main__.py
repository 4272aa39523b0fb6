"""Measure and write down: `python -m bench [NAME …]` runs the benchmarks, all or those named. With `--tables` nothing is
measured: the tables are written again from the results that are there.

A benchmark is a module of this package with `run() -> dict` (plain JSON) and `table(result: dict) -> str` (Markdown). Its
result goes to bench/results/NAME.json and its table into docs/performance.md (or the page that it names as `PAGE`), between
two comments that carry its name.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from importlib import import_module
from pathlib import Path

from . import BENCHMARKS

ROOT = Path(__file__).parents[1]
PAGE = "docs/performance.md"  # unless the module names another one


def insert(page: str, name: str, table: str) -> str:
    """The page with this benchmark's table in its place, or at the end where it has none yet."""
    begin, end = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    part = f"{begin}\n{table.strip()}\n{end}"
    if begin in page:
        return re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: part, page, flags=re.DOTALL)
    return page.rstrip() + f"\n\n{part}\n"


def main() -> None:
    only_tables = "--tables" in sys.argv
    names = [a for a in sys.argv[1:] if a != "--tables"] or list(BENCHMARKS)
    unknown = [n for n in names if n not in BENCHMARKS]
    if unknown:
        sys.exit(f"There is no benchmark {', '.join(unknown)}. Known: {', '.join(BENCHMARKS)}.")
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    for name in names:
        print(f"== {name}: {BENCHMARKS[name]}", flush=True)
        module = import_module(f"bench.{name}")
        kept = results / f"{name}.json"
        if not only_tables:
            result = {"python": platform.python_version(), **module.run()}
            kept.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        elif not kept.exists():
            continue
        result = json.loads(kept.read_text(encoding="utf-8"))  # as it was kept: a table does not depend on what is lost there
        table = module.table(result)
        page = ROOT / getattr(module, "PAGE", PAGE)
        page.write_text(insert(page.read_text(encoding="utf-8"), name, table), encoding="utf-8")
        print(table, flush=True)


if __name__ == "__main__":
    main()
