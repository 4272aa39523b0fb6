"""What evaluating a masking costs: the discharge survey's pairs of diagnoses, and three million tuples made like them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ontomask import Tuples
from ontomask._registry import LOSSES, RISKS
from ontomask.evaluation.case import Case
from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.flow import Flow, make_flow
from ontomask.methods.recoding import Recoding

from .tables import nhds

K = 5
MANY = 3_000_000


def run() -> dict[str, Any]:
    pair = nhds()
    flow = Recoding(k=K).mask(pair, np.random.default_rng(0))
    pair.geometry.layout  # noqa: B018  masking made it: not part of the evaluation
    found: dict[str, Any] = {"pair": {"records": pair.n, "tuples": pair.p}}
    for turn in ("cold", "warm"):
        start = time.perf_counter()
        evaluate_flow(pair, flow, k=K)
        found["pair"][turn] = time.perf_counter() - start
    case = Case(tuples=pair, flow=flow, k=K)
    found["pair"]["linkage"] = _linkage(case)
    many = made_like(pair, MANY)
    linkage = _linkage(Case(tuples=many, flow=neighbours_together(many), k=K))
    found["made"] = {"records": many.n, "tuples": many.p, "linkage": linkage}
    return found


def made_like(pair: Tuples, p: int) -> Tuples:
    """p distinct pairs; the two values are drawn apart from each other, from flattened value counts of the pairs."""
    rng = np.random.default_rng(1)
    chances = [np.bincount(pair.codes[:, j], weights=pair.counts, minlength=s.q) ** 0.75 for j, s in enumerate(pair.spaces)]
    seen = np.zeros(0, np.int64)
    while len(seen) < p:
        first, second = (rng.choice(len(c), p, p=c / c.sum()).astype(np.int64) for c in chances)
        seen = np.unique(np.concatenate([seen, first * pair.spaces[1].q + second]))
    seen = rng.permutation(seen)[:p]
    codes = np.column_stack([seen // pair.spaces[1].q, seen % pair.spaces[1].q]).astype(np.int32)
    return Tuples(codes, rng.geometric(0.5, p).astype(np.int64), pair.spaces)


def neighbours_together(tuples: Tuples) -> Flow:
    """A quick masking: of K tuples that follow each other in the order of their codes, all become the middle one."""
    order = np.lexsort(tuples.codes.T[::-1])
    each = np.arange(tuples.p)
    becomes = np.empty(tuples.p, np.int64)
    becomes[order] = order[np.minimum(each // K * K + K // 2, tuples.p - 1)]
    return make_flow(each, tuples.codes[becomes], tuples.counts)


def _linkage(case: Case) -> dict[str, float]:
    """Seconds and percent of both record linkages (the second of two runs)."""
    case.tuples.geometry.layout  # noqa: B018
    found = {}
    for name in ("mrl", "srl"):
        measure = RISKS.load(name)
        measure(case)
        start = time.perf_counter()
        found[name] = measure(case)
        found[f"{name}_seconds"] = time.perf_counter() - start
    return found


def table(result: dict[str, Any]) -> str:
    pair = result["pair"]
    measures = f"{len(LOSSES) - 1} losses, {len(RISKS)} risks, all statistics"
    lines = [
        "## Evaluation",
        "",
        f"Everything but models ({measures}) of the pairs of diagnoses masked by "
        f"recoding, k = {K}: {pair['warm']:.1f} s, {pair['cold']:.1f} s the first time in a process.",
        "",
        "| record linkage, exact | records | tuples | MRL | seconds | SRL | seconds |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    names = {"pair": "pairs of diagnoses", "made": "made like them"}
    for key, name in names.items():
        row, link = result[key], result[key]["linkage"]
        lines.append(
            f"| {name} | {row['records']:,} | {row['tuples']:,} | {link['mrl']:.2f} % | {link['mrl_seconds']:.2f} | "
            f"{link['srl']:.2f} % | {link['srl_seconds']:.2f} |"
        )
    return "\n".join(lines)
