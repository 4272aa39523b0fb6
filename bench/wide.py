"""A taxonomy of 400,000 concepts and two columns of 60,000 distinct values each, within 8 GB: masked, measured, reported.

One table of all distances between such values would take 60 GB a column, so that the run splits the table into parts as its
plan says. Each method runs in a process of its own; memory is what that process and those that it starts have for themselves.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
CONCEPTS, EXTRA_LINKS, VALUES = 400_000, 200_000, 60_000
RECORDS = 3 * VALUES
K, LIMIT = 5, "7GB"
METHODS = ("recoding", "sa-mdav", "refined")
EVERY = 0.5  # seconds between two looks at the memory


def run() -> dict[str, Any]:
    return {"limit": LIMIT, "concepts": CONCEPTS, "values": VALUES, "records": RECORDS, **{m: _in_process(m) for m in METHODS}}


def _in_process(method: str) -> dict[str, Any]:
    code = f"import json; from bench.wide import masked; print('@' + json.dumps(masked({method!r})))"
    ran = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=ROOT)
    if ran.returncode:
        raise RuntimeError(f"{method} ended with {ran.returncode}:\n{ran.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(ran.stdout[ran.stdout.rindex("@") + 1 :])
    return found


def table(result: dict[str, Any]) -> str:
    rows = [
        f"A taxonomy of {result['concepts']:,} concepts, two columns of {result['values']:,} distinct values each, "
        f'{result["records"]:,} records, k = {K}, `memory_limit="{result["limit"]}"`; memory of all processes together. '
        "The report holds the evaluation.",
        "",
        "| method | distinct tuples | parts | planned | masking | peak | report | peak |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for method in METHODS:
        r = result[method]
        rows.append(
            f"| {method} | {r['tuples']:,} | {r['parts']} | {r['planned']} | {r['seconds']:.0f} s "
            f"| {r['peak_mb'] / 1000:.1f} GB | {r['report_s']:.0f} s | {r['report_peak_mb'] / 1000:.1f} GB |"
        )
    return "\n".join(rows)


# --- in a process of its own -----------------------------------------------------------------------------------------


def masked(method: str) -> dict[str, Any]:
    import pandas as pd

    import ontomask as om

    rng = np.random.default_rng(0)
    tax = taxonomy(rng)
    columns = {}
    for name in ("a", "b"):
        values = rng.choice(np.arange(1000, CONCEPTS), VALUES, replace=False)
        drawn = values[np.minimum(rng.zipf(1.2, RECORDS - VALUES) - 1, VALUES - 1)]
        columns[name] = [f"c{c}" for c in rng.permutation(np.concatenate([values, drawn]))]
    frame = pd.DataFrame(columns)
    with Memory() as memory, tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        made = om.mask(frame, {"a": tax, "b": tax}, method, k=K, memory_limit=LIMIT, seed=1, senses="first")
        seconds, peak = time.perf_counter() - begin, memory.taken()
        begin = time.perf_counter()
        made.report(f"{folder}/report.html")
        report_s = time.perf_counter() - begin
        return {
            "tuples": made.about["p"],
            "parts": made._flow.notes.get("parts", 1),
            "planned": re.search(r"[\d.,]+ [KMGT]?B", made.about["memory"])[0],  # type: ignore[index]
            "said": made.about["memory"],
            "seconds": seconds,
            "peak_mb": peak,
            "report_s": report_s,
            "report_peak_mb": memory.taken(),
        }


def taxonomy(rng: np.random.Generator) -> Any:
    """Some four children to a concept, half of the concepts with a second parent."""
    import ontomask as om

    child = np.arange(1, CONCEPTS)
    parent = np.maximum(0, ((child - 1) / 3.2).astype(np.int64) - rng.integers(0, 3, CONCEPTS - 1))
    second = rng.integers(11, CONCEPTS, EXTRA_LINKS)
    above = (rng.random(EXTRA_LINKS) * (second // 2)).astype(np.int64)
    links = zip(np.concatenate([child, second]).tolist(), np.concatenate([parent, above]).tolist(), strict=True)
    return om.Taxonomy.from_edges(list(dict.fromkeys((f"c{c}", f"c{p}") for c, p in links if c != p)), name="wide")


class Memory:
    """The most that this process and its children have had for themselves, in MB, looked at now and then."""

    def __enter__(self) -> Memory:
        self._most, self._over = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def taken(self) -> float:
        """Since the last time that this was asked."""
        most, self._most = self._most, 0.0
        return most

    def _watch(self) -> None:
        import psutil

        me = psutil.Process()
        while not self._over.wait(EVERY):
            total = 0.0
            for process in (me, *me.children(recursive=True)):
                with suppress(psutil.Error):  # it has ended meanwhile
                    total += process.memory_full_info().uss / 1e6
            self._most = max(self._most, total)
