"""How time and memory grow: with the records n (10⁴ … 10⁸) and with the distinct tuples p (10³ … 3·10⁶), on DuckDB and Spark.

Every point is a process of its own, so that its peak of memory is its own. Files are made in a temporary folder (TMPDIR
names another disk) and removed. The plots go to docs/.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RECORDS = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
ON_SPARK = (10_000, 100_000, 1_000_000, 10_000_000)
TUPLES = ((2_000, 200), (20_000, 500), (200_000, 1_000), (2_000_000, 2_000), (20_000_000, 4_000))  # records, concepts
METHODS = ("recoding", "sa-mdav")
WORKERS = 16


def run() -> dict[str, Any]:
    """Seconds and megabytes of every point, and what they let expect of a cluster."""
    work = Path(tempfile.mkdtemp(prefix="ontomask-bench-"))
    try:
        by_records = [_point("mask_file", str(work), n, "duckdb") for n in RECORDS]
        if shutil.which("java"):
            by_records += [_point("mask_file", str(work), n, "spark") for n in ON_SPARK]
        by_tuples = [_point("mask_tuples", *size, method) for method in METHODS for size in TUPLES]
    finally:
        shutil.rmtree(work)
    result = {"by_records": by_records, "by_tuples": by_tuples, "cluster": _cluster(by_records)}
    _plot(result)
    return result


def _point(name: str, *arguments: Any) -> dict[str, Any]:
    code = f"import json, sys; from bench.scale import {name}; print('@' + json.dumps({name}(*json.loads(sys.argv[1]))))"
    ran = subprocess.run(
        [sys.executable, "-c", code, json.dumps(arguments)], check=True, capture_output=True, text=True, cwd=ROOT
    )
    found: dict[str, Any] = json.loads(ran.stdout[ran.stdout.rindex("@") + 1 :])
    print(found, flush=True)
    return found


def mask_file(folder: str, n: int, engine: str) -> dict[str, Any]:
    """n records of some 400 tuples, Parquet to Parquet, by SA-MDAV; the second run in a process: nothing is compiled."""
    import time

    import duckdb

    import ontomask as om

    work = Path(folder)
    source = work / f"records-{n}.parquet"
    if not source.exists():
        edges = [(f"a{i}", f"kind {i % 5}") for i in range(20)] + [(f"kind {i}", "all") for i in range(5)]
        (work / "tree.csv").write_text("child,parent\n" + "".join(f"{c},{p}\n" for c, p in edges))
        duckdb.execute(
            "COPY (SELECT n AS id, hash(n) AS z, "
            "'a' || (hash(n) % 20) AS x, 'a' || ((hash(n + 7) % 7) * (hash(n + 9) % 3)) AS y "
            f"FROM range({n}) r(n)) TO '{source}' (FORMAT parquet)"
        )
    quasi = {"x": str(work / "tree.csv"), "y": str(work / "tree.csv")}
    seconds, steps, p = 0.0, {}, 0
    for _ in range(2):
        start = time.perf_counter()
        masked = om.mask(source, quasi, om.Microaggregation(k=5, variant="sa-mdav"), seed=1, engine=engine)
        masked.write(work / f"out-{engine}.parquet", force=True)
        seconds, steps, p = time.perf_counter() - start, dict(masked.about["seconds"]), masked._tuples.p
        masked.close()
    return {"engine": engine, "n": n, "p": p, "seconds": seconds, "steps": steps, "peak_mb": _peak()}


def mask_tuples(records: int, concepts: int, name: str) -> dict[str, Any]:
    """The method alone, on pairs of WordNet nouns drawn by Zipf's law."""
    import time

    import numpy as np

    from ontomask.methods.base import make_method

    from .data import zipf_pairs

    warm = zipf_pairs(1_000, 50)
    make_method(name, 5).mask(warm, np.random.default_rng(0))
    tuples = zipf_pairs(records, concepts)
    start = time.perf_counter()
    make_method(name, 5).mask(tuples, np.random.default_rng(0))
    return {"method": name, "n": records, "p": tuples.p, "seconds": time.perf_counter() - start, "peak_mb": _peak()}


def _peak() -> float:
    """Of this process and, where Spark runs, of its Java process, in megabytes."""
    import resource

    import psutil

    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    java = sum(c.memory_info().rss for c in psutil.Process().children(recursive=True) if "java" in c.name())
    return float(own + java / 1e6)


def _cluster(points: list[dict[str, Any]]) -> dict[str, float]:
    """What 16 workers of two cores may do, from what one did: the records' part shared out, the driver's part as it is.

    Measured: seconds for each record beyond the smallest run on two local cores. Extrapolated: that n workers do n times
    as much, which leaves out the network and what the shuffle costs between machines.
    """
    spark = [x for x in points if x["engine"] == "spark"]
    if len(spark) < 2:
        return {}
    small, large = spark[0], spark[-1]
    slope = (large["seconds"] - small["seconds"]) / (large["n"] - small["n"])
    return {
        "fixed_s": small["seconds"],
        "seconds_per_million": slope * 1e6,
        "billion_one_machine_s": small["seconds"] + slope * 1e9,
        "billion_cluster_s": small["seconds"] + slope * 1e9 / WORKERS,
    }


def _plot(result: dict[str, Any]) -> None:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams.update({"svg.hashsalt": "ontomask", "font.size": 10})
    for name, key, who, label in (
        ("records", "by_records", "engine", "records n (400 tuples, Parquet to Parquet)"),
        ("tuples", "by_tuples", "method", "distinct tuples p (the method alone)"),
    ):
        figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
        x = "n" if name == "records" else "p"
        for kind in dict.fromkeys(point[who] for point in result[key]):
            points = [point for point in result[key] if point[who] == kind]
            for axis, what in zip(axes, ("seconds", "peak_mb"), strict=True):
                axis.plot([q[x] for q in points], [q[what] for q in points], marker="o", label=kind)
        for axis, title in zip(axes, ("seconds", "peak memory, MB"), strict=True):
            axis.set(xscale="log", yscale="log", xlabel=label, ylabel=title)
            axis.grid(True, alpha=0.3)
            axis.legend()
        figure.savefig(ROOT / "docs" / f"scale-{name}.svg", metadata={"Date": None})
        plt.close(figure)


def table(result: dict[str, Any]) -> str:
    lines = ["## Growth", "", "Time and peak memory of a process, two cores, everything compiled.", ""]
    lines += ["![Seconds and memory by the number of records](scale-records.svg)", ""]
    lines += ["| engine | records | tuples | seconds | peak MB |", "|---|--:|--:|--:|--:|"]
    for q in result["by_records"]:
        lines.append(f"| {q['engine']} | {q['n']:,} | {q['p']:,} | {q['seconds']:.2f} | {q['peak_mb']:,.0f} |")
    lines += ["", "![Seconds and memory by the number of tuples](scale-tuples.svg)", ""]
    lines += ["| method | records | tuples | seconds | peak MB |", "|---|--:|--:|--:|--:|"]
    for q in result["by_tuples"]:
        lines.append(f"| {q['method']} | {q['n']:,} | {q['p']:,} | {q['seconds']:.2f} | {q['peak_mb']:,.0f} |")
    c = result["cluster"]
    if c:
        lines += [
            "",
            f"A cluster of {WORKERS} such workers, on paper. Measured on one machine: {c['fixed_s']:.1f} s whatever the size, "
            f"and {c['seconds_per_million']:.2f} s for each million records. Extrapolated to a thousand million records: "
            f"{c['billion_one_machine_s']:,.0f} s on this machine, {c['billion_cluster_s']:,.0f} s on the cluster, if "
            f"{WORKERS} workers do {WORKERS} times the work; the network, and what a shuffle costs between machines, are "
            "not in it.",
        ]
    return "\n".join(lines)
