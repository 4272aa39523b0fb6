"""How time and memory grow: with the records n (10⁴ … 10⁸) and with the distinct tuples p (10³ … 3·10⁶), on DuckDB and on
Spark in local mode; what is lost when a table is masked in parts; and what that lets expect of a cluster.

Every point is a process of its own, so that its peak of memory is its own, and is stored as soon as it is measured: a run
that was interrupted goes on where it ended. A point that fails, or takes longer than it may, is shown as such. Files are
made in a temporary folder (some 15 GB at most, Spark's own included; TMPDIR names another disk) and removed. The plots go
to docs/.

`SCALE=small python -m bench scale` tries every kind of point in little time and writes nothing but what it prints.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from . import scale_page

ROOT = Path(__file__).parents[1]
STORED = ROOT / "bench" / "results" / "scale.tmp"  # points of a run that is not finished
SMALL = os.environ.get("SCALE") == "small"
ENGINES = ("duckdb", "spark")
METHODS = ("recoding", "sa-mdav")
K = 5
LONGEST = 900  # seconds that a point may take
DRIVER = "4g"  # memory of Spark's driver, which in local mode is all there is

RECORDS = (10_000, 100_000, 1_000_000) if SMALL else (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
# Records and words of each of two columns: about 10³, 10⁴, 10⁵, 5·10⁵ and 3·10⁶ distinct tuples.
TUPLES = ((2_000, 200), (20_000, 500), (200_000, 1_000), (2_000_000, 2_000), (20_000_000, 4_000))[: 3 if SMALL else 5]
MADE = {"mask_file": "make_file", "mask_many": "make_many"}  # points that read a file, and what makes it
MOST_IN_A_PART = (50_000, 10_000) if SMALL else (1_000_000, 250_000)  # tuples; the first is masked by processes and by Spark


def points() -> list[tuple[str, list[Any]]]:
    """Every point: the function that measures it, and its arguments; the quick ones first."""
    all_of = [("mask_file", [engine, n]) for n in RECORDS for engine in ENGINES]
    all_of += [("mask_many", [engine, *size]) for size in TUPLES for engine in ENGINES]
    all_of += [("mask_tuples", [method, *size]) for size in TUPLES for method in METHODS]
    largest = list(TUPLES[-1])
    all_of += [("mask_parts", [*largest, None, "processes"])]
    all_of += [("mask_parts", [*largest, most, "processes"]) for most in MOST_IN_A_PART]
    all_of += [("mask_parts", [*largest, MOST_IN_A_PART[0], "spark"])]
    return all_of


def run() -> dict[str, Any]:
    """Seconds and megabytes of every point, and what they let expect of a cluster."""
    known: dict[str, Any] = json.loads(STORED.read_text()) if STORED.exists() and not SMALL else {}
    with tempfile.TemporaryDirectory(prefix="ontomask-bench-") as folder:
        for name, arguments in points():
            key = f"{name} {json.dumps(arguments)}"
            if "seconds" not in known.get(key, {}):
                if name in MADE:
                    _point(MADE[name], [folder, *arguments[1:]])  # in a process of its own: its memory is not the point's
                known[key] = {"point": name, "arguments": arguments, **_point(name, [folder, *arguments])}
                print(key, {k: v for k, v in known[key].items() if k not in ("point", "arguments")}, flush=True)
                if not SMALL:
                    STORED.write_text(json.dumps(known))
    result = scale_page.result(list(known.values()))
    if SMALL:
        print(scale_page.table(result))
        raise SystemExit
    scale_page.plot(result, ROOT / "docs")
    STORED.unlink()
    return result


def table(result: dict[str, Any]) -> str:
    return scale_page.table(result)


def _point(name: str, arguments: list[Any]) -> dict[str, Any]:
    """What one point gives; {"failed": why} where it gives nothing."""
    if "spark" in arguments and not shutil.which("java"):
        return {"failed": "Java is not installed"}
    code = f"import json, sys; from bench.scale import {name}; print('@' + json.dumps({name}(*json.loads(sys.argv[1]))))"
    environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": f"--driver-memory {DRIVER} --conf spark.log.level=ERROR pyspark-shell"}
    try:
        ran = subprocess.run(
            [sys.executable, "-c", code, json.dumps(arguments)],
            capture_output=True, text=True, cwd=ROOT, env=environment, timeout=LONGEST, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"failed": f"more than {LONGEST:,} s"}
    if ran.returncode:
        last = [line for line in ran.stderr.splitlines() if line.strip()]
        return {"failed": last[-1][:200] if last else f"ended with {ran.returncode}"}
    found: dict[str, Any] = json.loads(ran.stdout[ran.stdout.rindex("@") + 1 :])
    return found


# --- in processes of their own ---------------------------------------------------------------------------------------


def make_file(folder: str, n: int) -> dict[str, Any]:
    """n records of 200 tuples."""
    import duckdb

    source = Path(folder) / f"records-{n}.parquet"
    if not source.exists():
        for old in Path(folder).glob("records-*.parquet"):
            old.unlink()
        duckdb.execute(
            "COPY (SELECT n AS id, hash(n) AS z, 'a' || (hash(n) % 20) AS x, "
            f"'a' || ((hash(n + 7) % 7) * (hash(n + 9) % 3)) AS y FROM range({n}) r(n)) TO '{source}' (FORMAT parquet)"
        )
    return {}


def mask_file(folder: str, engine: str, n: int) -> dict[str, Any]:
    """n records of 200 tuples, Parquet to verified Parquet, by SA-MDAV."""
    edges = [(f"a{i}", f"kind {i % 5}") for i in range(20)] + [(f"kind {i}", "all") for i in range(5)]
    return _from_file_to_file(Path(folder), f"records-{n}.parquet", edges, engine, "sa-mdav", n)


def make_many(folder: str, n: int, words: int) -> dict[str, Any]:
    """n records of very many tuples: pairs of words drawn by Zipf's law."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = Path(folder) / f"pairs-{n}.parquet"
    if not source.exists():
        for old in Path(folder).glob("pairs-*.parquet"):
            old.unlink()
        rng = np.random.default_rng(0)
        chance = 1 / np.arange(1, words + 1)
        upto = np.cumsum(chance / chance.sum())
        named = pa.array([f"w{i}" for i in rng.permutation(words)])
        drawn = [pa.array(np.minimum(np.searchsorted(upto, rng.random(n)), words - 1)) for _ in range(2)]
        pq.write_table(pa.table({"id": np.arange(n), "x": named.take(drawn[0]), "y": named.take(drawn[1])}), source)
    return {}


def mask_many(folder: str, engine: str, n: int, words: int) -> dict[str, Any]:
    """n records of very many tuples, Parquet to verified Parquet, by recoding."""
    edges = [(f"w{i}", f"kind {i // 20}") for i in range(words)]  # twenty below each, level by level
    edges += [(f"kind {i}", f"sort {i // 20}") for i in range(-(-words // 20))]
    edges += [(f"sort {i}", "all") for i in range(-(-words // 400))]
    return _from_file_to_file(Path(folder), f"pairs-{n}.parquet", edges, engine, "recoding", n)


def _from_file_to_file(work: Path, name: str, edges: list[tuple[str, str]], engine: str, method: str, n: int) -> dict[str, Any]:
    """The second run of the process, so that nothing is compiled or started: the first masks a small part of the table."""
    import time

    import duckdb

    import ontomask as om

    source, few, tree = work / name, work / "few.parquet", work / "tree.csv"
    tree.write_text("child,parent\n" + "".join(f"{c},{p}\n" for c, p in edges))
    duckdb.execute(f"COPY (SELECT * FROM '{source}' LIMIT 5000) TO '{few}' (FORMAT parquet)")
    quasi, out = {"x": str(tree), "y": str(tree)}, work / f"out-{engine}.parquet"
    seconds, steps, p = 0.0, {}, 0
    for path in (few, source):
        start = time.perf_counter()
        masked = om.mask(path, quasi, method, k=K, seed=1, engine=engine, threads=2)
        masked.write(out, force=True)
        seconds, steps, p = time.perf_counter() - start, dict(masked.about["seconds"]), masked._tuples.p
        masked.close()
    peak = _peak()
    shutil.rmtree(out) if out.is_dir() else out.unlink()
    return {"engine": engine, "n": n, "p": p, "seconds": seconds, "steps": steps, "peak_mb": peak}


def mask_tuples(folder: str, name: str, records: int, concepts: int) -> dict[str, Any]:
    """The method alone, on pairs of WordNet nouns drawn by Zipf's law."""
    import time

    import numpy as np

    from ontomask.methods.base import make_method

    from .data import zipf_pairs

    make_method(name, K).mask(zipf_pairs(1_000, 50), np.random.default_rng(0))
    tuples = zipf_pairs(records, concepts)
    start = time.perf_counter()
    make_method(name, K).mask(tuples, np.random.default_rng(0))
    return {"method": name, "n": records, "p": tuples.p, "seconds": time.perf_counter() - start, "peak_mb": _peak()}


def mask_parts(folder: str, records: int, concepts: int, most: int | None, where: str) -> dict[str, Any]:
    """SA-MDAV on the whole table (`most` None), or in parts of at most so many tuples; what was lost."""
    import time

    import numpy as np

    from ontomask._processes import each_part
    from ontomask.engines.spark import Spark
    from ontomask.evaluation.case import Case
    from ontomask.evaluation.loss import loss_percent
    from ontomask.methods.base import make_method
    from ontomask.methods.parts import mask_in_parts, split

    from .data import zipf_pairs

    method = make_method("sa-mdav", K)
    method.mask(zipf_pairs(1_000, 50), np.random.default_rng(0))
    spark = Spark(master="local[2]") if where == "spark" else None
    if spark is not None:
        spark._start()
    tuples = zipf_pairs(records, concepts)
    start = time.perf_counter()
    found: dict[str, Any] = {"most": most, "where": where, "n": records, "p": tuples.p, "parts": 1}
    if most is None:
        flow = method.mask(tuples, np.random.default_rng(0))
    else:
        parts = split(tuples, K, most)
        found |= {"parts": len(parts), "split_s": time.perf_counter() - start}
        each = each_part if spark is None else spark.each_part
        flow = mask_in_parts(method, tuples, np.random.default_rng(0), parts, workers=2, each=each)
    found |= {"seconds": time.perf_counter() - start, "peak_mb": _peak()}
    return found | {"loss": loss_percent(Case(tuples=tuples, flow=flow)), "classes": len(flow.targets)}


def _peak() -> float:
    """Megabytes of this process at most, and of the processes that it has started, Java's among them."""
    import resource

    import psutil

    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ended = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # the largest of those that have ended
    running = 0
    for child in psutil.Process().children(recursive=True):
        said = Path(f"/proc/{child.pid}/status")
        if said.exists():
            held = [line.split()[1] for line in said.read_text().splitlines() if line.startswith("VmHWM")]
            running += int(held[0]) if held else 0
    return (own + max(ended, running)) / 1024
