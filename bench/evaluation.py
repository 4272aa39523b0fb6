"""What evaluating a masking costs: the discharge survey's pairs of diagnoses, and three million tuples made like them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ontomask import Tuples, load_taxonomy
from ontomask._registry import LOSSES, RISKS
from ontomask.evaluation.case import Case
from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.flow import Flow, make_flow
from ontomask.methods.recoding import Recoding
from ontomask.semantics.spaces.taxonomy import TaxonomySpace

from .tables import nhds

K = 5
MANY = 3_000_000
VALUES = 4_000


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
    found["three"] = three()
    return found


def three() -> dict[str, Any]:
    """Record linkage of three attributes of 4,000 WordNet concepts each, drawn apart from each other by Zipf's law."""
    rng = np.random.default_rng(0)
    tax, chance = load_taxonomy("wordnet"), 1 / np.arange(1, VALUES + 1)
    spaces = tuple(TaxonomySpace(name, tax, rng.choice(len(tax), VALUES, replace=False)) for name in "abc")
    drawn = np.column_stack([rng.choice(VALUES, 2 * MANY, p=chance / chance.sum()) for _ in spaces])
    codes = rng.permutation(np.unique(drawn, axis=0))[:MANY].astype(np.int32)
    tuples = Tuples(codes, rng.geometric(0.5, len(codes)).astype(np.int64), spaces)
    case = Case(tuples=tuples, flow=neighbours_together(tuples), k=K)
    return {"records": tuples.n, "tuples": tuples.p, "linkage": _linkage(case, warm=False)}


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


def _linkage(case: Case, warm: bool = True) -> dict[str, float]:
    """Seconds, of the clock and of the processors, and percent of both record linkages (warm: the second of two runs)."""
    case.tuples.geometry.layout  # noqa: B018
    found = {}
    for name in ("mrl", "srl"):
        measure = RISKS.load(name)
        if warm:
            measure(case)
        start, used = time.perf_counter(), time.process_time()
        found[name] = measure(case)
        found[f"{name}_seconds"] = time.perf_counter() - start
        found[f"{name}_cpu_seconds"] = time.process_time() - used
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
        "| record linkage, exact | records | tuples | MRL | seconds | SRL | seconds | of processor |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    names = {"pair": "pairs of diagnoses", "made": "made like them", "three": f"three columns of {VALUES:,} concepts"}
    for key, name in names.items():
        if key not in result:
            continue
        row, link = result[key], result[key]["linkage"]
        used = f"{link['srl_cpu_seconds']:.2f}" if "srl_cpu_seconds" in link else ""
        lines.append(
            f"| {name} | {row['records']:,} | {row['tuples']:,} | {link['mrl']:.2f} % | {link['mrl_seconds']:.2f} | "
            f"{link['srl']:.2f} % | {link['srl_seconds']:.2f} | {used} |"
        )
    lines += ["", "Seconds of the clock grow with what else the machine does, those of the processors (all threads) hardly."]
    return "\n".join(lines)
