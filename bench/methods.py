"""What masking costs: every method on real tables, from tuples to flow, and the largest ones on 20 million records."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import numpy as np

from ontomask import Tuples
from ontomask._registry import METHODS
from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.methods.base import Method, make_method

from .data import zipf_pairs
from .tables import adult, nhds

K = 5
OTHERS = ("patterns", "sets")  # patterns need a confidential class and sets a set: they have studies of their own
ON_MANY = ("recoding", "resampling", "sa-mdav", "sa-mdav-static", "mdav", "refined", "generalisation", "suppression")
ON_20_MILLION = ("recoding", "sa-mdav")
AT_MOST = {"adult": dict.fromkeys(METHODS, 0.3), "nhds": {"recoding": 2.0, "sa-mdav": 5.0, "resampling": 3.0}}
AT_MOST["zipf"] = {"recoding": 45.0, "sa-mdav": 120.0}


def run() -> dict[str, Any]:
    found: dict[str, Any] = {"k": K}
    small = adult()
    names = [name for name in METHODS if name not in OTHERS]
    for name in names:
        make_method(name, K).mask(small, np.random.default_rng(0))  # compiles
    found["adult"] = about(small) | {"methods": {name: _timed(make_method(name, K), small) for name in names}}
    found["nhds"] = about(nhds()) | {"methods": {name: _timed(make_method(name, K), nhds()) for name in ON_MANY}}
    found["zipf"] = {"methods": {}}
    for name in ON_20_MILLION:  # each in a process of its own, so that its memory is its own
        said = subprocess.run([sys.executable, "-m", "bench.methods", name], capture_output=True, text=True, check=True)
        records, tuples, seconds, cpu, peak = said.stdout.split()
        found["zipf"] |= {"records": int(records), "tuples": int(tuples)}
        found["zipf"]["methods"][name] = {"seconds": float(seconds), "cpu": float(cpu), "gigabytes": float(peak)}
    return found


def about(tuples: Tuples) -> dict[str, Any]:
    return {"records": tuples.n, "tuples": tuples.p, "unique": int((tuples.counts == 1).sum())}


def _timed(method: Method, tuples: Tuples) -> dict[str, float]:
    """The best of three, each with distances computed anew, as a call from a table would; and what was lost."""
    times, cpu = [], []
    while len(times) < 3 and sum(times) < 8:
        for space in tuples.spaces:
            for known in ("distances", "largest"):
                space.__dict__.pop(known, None)
        again = Tuples(tuples.codes, tuples.counts, tuples.spaces)
        start, busy = time.perf_counter(), time.process_time()
        flow = method.mask(again, np.random.default_rng(0))
        times.append(time.perf_counter() - start)
        cpu.append(time.process_time() - busy)
    loss = evaluate_flow(tuples, flow, k=K).loss
    return {
        "seconds": min(times),
        "cpu": min(cpu),
        "smallest": flow.k,
        "targets": len(flow.targets),
        "loss_percent": float(loss["loss_percent"]),
        "suppressed": flow.suppressed,
    }


def one(name: str) -> None:
    """Mask the synthetic table, compiled kernels warm: prints records, tuples, seconds, CPU seconds, gigabytes."""
    import resource

    make_method(name, K).mask(zipf_pairs(20_000, 40), np.random.default_rng(0))
    tuples = zipf_pairs()
    start, busy = time.perf_counter(), time.process_time()
    flow = make_method(name, K).mask(tuples, np.random.default_rng(0))
    seconds, cpu = time.perf_counter() - start, time.process_time() - busy
    assert flow.k >= K
    print(tuples.n, tuples.p, seconds, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)


def table(result: dict[str, Any]) -> str:
    lines = [
        "## Methods",
        "",
        f"From distinct tuples to flow, distances included, k = {result['k']}, compiled kernels warm, best of three (of fewer "
        "where that takes long). *Loss* is L = 100·SSE/SST (a suppressed record counts as lost altogether); that of "
        "resampling and rank swapping depends on the seed. CPU seconds are of all threads; other work on the machine leaves "
        "them as they are.",
        "",
    ]
    titles = {
        "adult": "Adult, occupation × native-country on WordNet",
        "nhds": "Discharge survey 2010, two diagnoses on ICD-9-CM",
    }
    for key, title in titles.items():
        part = result[key]
        lines += [
            f"**{title}**: {part['records']:,} records, {part['tuples']:,} tuples, {part['unique']:,} unique",
            "",
            "| method | seconds | at most | CPU seconds | smallest class | classes | loss | suppressed |",
            "|---|--:|--:|--:|--:|--:|--:|--:|",
        ]
        for name, row in part["methods"].items():
            seconds, allowed = f"{row['seconds']:.2f}", AT_MOST[key].get(name, "")
            lines.append(
                f"| {name} | {seconds} | {allowed} | {row['cpu']:.2f} | {row['smallest']} | {row['targets']:,} "
                f"| {row['loss_percent']:.1f} | {row['suppressed']:,} |"
            )
        lines.append("")
    part = result["zipf"]
    lines += [
        f"**Synthetic, 4,000 × 4,000 WordNet nouns by Zipf's law**: {part['records']:,} records, {part['tuples']:,} tuples",
        "",
        "| method | seconds | at most | CPU seconds | peak memory (GB) |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, row in part["methods"].items():
        seconds, allowed = f"{row['seconds']:.1f}", AT_MOST["zipf"].get(name, "")
        lines.append(f"| {name} | {seconds} | {allowed} | {row['cpu']:.1f} | {row['gigabytes']:.1f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    one(sys.argv[1])
