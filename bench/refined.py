"""Refined microaggregation: what it loses beside other methods, what that does to risk, and how far the optimum is."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from tests.exact import least_sse

from ontomask.evaluation.bound import lower_bound
from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.flow import Flow, Tuples
from ontomask.methods.base import Method, make_method

from .peers import stated
from .tables import adult, nhds

# At most this share of SA-MDAV's loss.
BARS = {"adult": {5: 0.57, 20: 0.38, 100: 0.41, 500: 0.49}, "nhds": {5: 0.88, 25: 0.65}}
OTHERS = {
    "adult": ("sa-mdav", "sa-mdav-static", "mdav", "mdav-wup", "mdav-equality", "recoding", "generalisation"),
    "nhds": ("sa-mdav", "recoding"),
}
EFFORTS = {"adult": ("fast", "normal", "thorough"), "nhds": ("fast", "normal")}  # thorough takes minutes there
TITLES = {
    "adult": "Adult, occupation × native-country on WordNet (30,162 records, 394 tuples)",
    "nhds": "Discharge survey 2010, two diagnoses on ICD-9-CM (143,817 records, 56,454 tuples)",
}
SMALL = 12  # small tables whose optimum is found


def run() -> dict[str, Any]:
    make_method("refined", 5).mask(adult(), np.random.default_rng(0))  # compiles
    found: dict[str, Any] = {"published": stated()}
    for name, tuples in (("adult", adult()), ("nhds", nhds())):
        for k in BARS[name]:
            rows = {other: _row(make_method(other, k), tuples) for other in OTHERS[name]}
            rows |= {f"refined, {e}": _row(make_method("refined", k, effort=e), tuples) for e in EFFORTS[name]}
            bound = lower_bound(tuples, k)
            for row in rows.values():
                row["share"] = row["loss"] / rows["sa-mdav"]["loss"]
                row["above_bound"] = bound.above(row["sse"])
            found[f"{name} {k}"] = rows
    found["optimum"] = [_gap(seed) for seed in range(SMALL)]
    return found


def _row(method: Method, tuples: Tuples) -> dict[str, Any]:
    start = time.perf_counter()
    flow = method.mask(tuples, np.random.default_rng(0))
    seconds = time.perf_counter() - start
    return _measured(tuples, flow, method.k) | {"seconds": seconds, "k": flow.k}


def _measured(tuples: Tuples, flow: Flow, k: int) -> dict[str, Any]:
    found = evaluate_flow(tuples, flow, k=k)
    return {
        "sse": found.loss["sse"],
        "loss": found.loss["loss_percent"],
        "mrl": found.risk["mrl"],
        "srl": found.risk["srl"],
    }


def _gap(seed: int) -> dict[str, Any]:
    """Twelve tuples of Adult drawn at random, their rarer ones more often, k = 3 to 6: how far each is from the optimum."""
    rng = np.random.default_rng(seed)
    whole = adult()
    chance = 1 / np.sqrt(whole.counts)
    some = np.sort(rng.choice(whole.p, 12, replace=False, p=chance / chance.sum()))
    k = 3 + seed % 4
    small = Tuples(whole.codes[some], np.minimum(whole.counts[some], 2 * k), whole.spaces)
    best, proven = least_sse(small, k, only_ancestors=True, seconds=120.0)
    gaps = {}
    for name, method in (("sa-mdav", make_method("sa-mdav", k)), ("refined", make_method("refined", k, effort="thorough"))):
        sse = float(evaluate_flow(small, method.mask(small, np.random.default_rng(0)), k=k).loss["sse"])
        gaps[name] = 100 * (sse / best - 1) if best > 0 else 0.0
    bound = lower_bound(small, k).sse or 0.0
    return {"k": k, "best": best, "proven": proven, "bound_share": bound / best if best > 0 else 1.0, **gaps}


def table(result: dict[str, Any]) -> str:
    lines = [
        "## Refined microaggregation",
        "",
        "*Loss* is L = 100·SSE/SST, *share* that of SA-MDAV's. *At most above* is how many percent above the best possible "
        "k-anonymous masking the SSE may be, by the bound of `evaluation/bound.py`. MRL and SRL: records linked to their "
        "original, by equality and by meaning, in percent.",
        "",
    ]
    for name, title in TITLES.items():
        lines += [f"**{title}**", ""]
        lines += ["| k | method | loss | share | at most above | MRL | SRL | seconds |", "|---|---|---|---|---|---|---|---|"]
        for k, bar in BARS[name].items():
            for method, row in result[f"{name} {k}"].items():
                share = f"{row['share']:.2f}" + (f" (aim ≤ {bar})" if method == "refined, normal" else "")
                above = "–" if row["above_bound"] is None else f"{math.ceil(row['above_bound']):,} %"
                lines.append(
                    f"| {k} | {method} | {row['loss']:.4g} | {share} | {above} | {row['mrl']:.2f} | {row['srl']:.2f} | "
                    f"{row['seconds']:.2f} |"
                )
            for tool, losses in result["published"].items() if name == "adult" else ():
                if str(k) in losses:
                    share = losses[str(k)] / result[f"adult {k}"]["sa-mdav"]["loss"]
                    lines.append(f"| {k} | *{tool}* | {losses[str(k)]:.4g} | {share:.2f} | – | – | – | – |")
        lines.append("")
    gaps = result["optimum"]
    refined, sa = np.asarray([g["refined"] for g in gaps]), np.asarray([g["sa-mdav"] for g in gaps])
    exact = sum(g["best"] <= g["proven"] * (1 + 1e-6) + 1e-9 for g in gaps)
    lines += [
        f"**The optimum of small tables.** {len(gaps)} times twelve tuples of Adult, k = 3 to 6, solved by integer "
        f"programming ({exact} of them to the end): SA-MDAV's SSE is {np.median(sa):.0f} % above the optimum in the median, "
        f"{sa.max():.0f} % at most; refined {np.median(refined):.1f} %, {refined.max():.1f} % at most "
        f"({int((refined < 0.01).sum())} times it is the optimum). The bound is "
        f"{100 * np.median([g['bound_share'] for g in gaps]):.0f} % of the optimum in the median.",
    ]
    return "\n".join(lines)
