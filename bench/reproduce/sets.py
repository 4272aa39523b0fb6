"""SETS table 1: microaggregation of sets by five distances, with and without the meaning of their items."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import sets
from .findings import Claim, Finding, always, mostly, table, wins

TITLE = "Sets"
KS = sets.KS
WORDS = {True: "semantic", False: "equality"}
PLACES = {"queries": sets.queries, "patients": sets.patients}
SAID = {
    "queries": "search queries of one state and day as one user, over WordNet (SETS: AOL queries, over the Open Directory)",
    "patients": "patients of the literature as sets of HPO terms",
}


def study() -> list[Finding]:
    found = []
    for name, make in PLACES.items():
        texts, meant, tax = make()
        found.append(_table_1(name, sets.study(texts, meant, tax), shared(meant)))
    return found


def shared(rows: list[list[int]]) -> float:
    """The share of pairs of records, in percent, that have an item in common: at distance 0 by `min`."""
    numbers = {item: i for i, item in enumerate(dict.fromkeys(item for row in rows for item in row))}
    holds = np.zeros((len(rows), len(numbers)), np.float32)
    for i, row in enumerate(rows):
        holds[i, [numbers[item] for item in row]] = 1
    common = holds @ holds.T > 0
    return 100 * float(common[~np.eye(len(rows), dtype=bool)].mean())


def _table_1(name: str, result: dict[str, Any], common: float) -> Finding:
    loss = {(d, s): result["loss"][f"{d}, {WORDS[s]}"] for d in sets.DISTANCES for s in WORDS}
    rows: list[tuple[object, list[float]]] = []
    for key, ours in loss.items():
        rows += [(f"{key[0]}, {WORDS[key[1]]}", ours), (f"*SETS': {key[0]}, {WORDS[key[1]]}*", list(sets.SETS[key]))]
    means = {d: sum(loss[d, True]) / len(KS) for d in sets.DISTANCES}
    order = sorted(means, key=means.__getitem__)
    gains = {d: 100 * (1 - sum(loss[d, True]) / sum(loss[d, False])) for d in sets.DISTANCES}
    shown = ", ".join(f"{d} {g:.0f} %" for d, g in gains.items())
    return Finding(
        "SETS table 1",
        f"loss L = Σ average(A, A')²: {name}",
        f"{SAID[name]}: {result['records']:,} records, {result['items']:.1f} items each, {result['concepts']:,} concepts; "
        f"{common:.0f} % of all pairs of records share a concept",
        table("", [f"k = {k}" for k in KS], rows),
        [
            Claim(
                "loss grows with k",
                all(always(x[:-1], x[1:], 0.005) for x in loss.values()),
                "",
                f"Not by `max` and `min`, which tell few pairs apart: {common:.0f} % of the pairs share a concept, `min` is 0 "
                "for all of these, and `max` the same for most. Which records come together is then left to their order.",
            ),
            Claim(
                "every distance loses less with meaning than without, at every k",
                all(always(loss[d, True], loss[d, False]) for d in sets.DISTANCES),
                f"less by {shown}",
                "All but `min` do. By `min` two records that share one item are at distance 0, whatever else they hold, and "
                f"that is seen without meaning as well: here it is true of {common:.0f} % of all pairs, while in SETS' "
                "queries most terms are unique.",
            ),
            Claim(
                "`average` loses least",
                order[0] == "average",
                ", ".join(f"{d} {means[d]:,.0f}" for d in order),
            ),
            Claim(
                "`max` and `maxsum` lose most",
                set(order[-2:]) == {"max", "maxsum"},
                ", ".join(order),
                "They lose much, but `min` loses most where many records share an item (see above). In SETS' queries, whose "
                "terms are unique, it cannot go wrong like this.",
            ),
            Claim(
                "`minsum` loses less than `min`, which does not see how many items have nothing in common",
                mostly(loss["minsum", True], loss["min", True]),
                f"not above it in {wins(loss['minsum', True], loss['min', True])}",
            ),
        ],
    )
