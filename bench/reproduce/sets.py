"""SETS table 1: microaggregation of sets by five distances, with and without the meaning of their items."""

from __future__ import annotations

from typing import Any

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
    return [_table_1(name, sets.study(*make())) for name, make in PLACES.items()]


def _table_1(name: str, result: dict[str, Any]) -> Finding:
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
        f"{SAID[name]}: {result['records']:,} records, {result['items']:.1f} items each, {result['concepts']:,} concepts",
        table("", [f"k = {k}" for k in KS], rows),
        [
            Claim("loss grows with k", all(always(x[:-1], x[1:], 0.005) for x in loss.values())),
            Claim(
                "every distance loses less with meaning than without, at every k",
                all(always(loss[d, True], loss[d, False]) for d in sets.DISTANCES),
                f"less by {shown}",
                "Where meaning does not help, items decide: without a shared word equality knows nothing and takes records in the "
                "order of the table, while a distance of meanings always prefers something. Which of the two is nearer by "
                "`average` depends on how sets differ in size, to which `min` and the sums pay no heed.",
            ),
            Claim(
                "`average` loses least",
                order[0] == "average",
                ", ".join(f"{d} {means[d]:,.0f}" for d in order),
                "L is made of `average`, whose centroid is the record of least sum by the same distance; another distance can only "
                "come first where clusters grown by it happen to be better.",
            ),
            Claim(
                "`max` and `maxsum` lose most",
                set(order[-2:]) == {"max", "maxsum"},
                ", ".join(order),
                "The largest distance between two sets is nearly always that of two unrelated items: for long sets it is the same "
                "for all pairs, for short ones it says as much as the others.",
            ),
            Claim(
                "`minsum` loses less than `min`, which does not see how many items have nothing in common",
                mostly(loss["minsum", True], loss["min", True]),
                f"not above it in {wins(loss['minsum', True], loss['min', True])}",
            ),
        ],
    )
