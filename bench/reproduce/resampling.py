"""THESIS figure 30: k-anonymous resampling with and without meaning."""

from __future__ import annotations

from ontomask.methods.base import make_method

from .findings import Claim, Finding, always, curve, mostly, table, wins
from .tables import ADULT, adult, same_measured_by, size

TITLE = "Resampling"
KS = (2, 3, 4, 5, 6, 8, 10, 12, 15)
SEEDS = 5
SETTINGS = {
    "1: equality, mode": "resampling-equality",
    "2: Wu & Palmer, mode": "resampling-mode",
    "3: Wu & Palmer, LCS": "resampling-lcs",
    "4: semantic": "resampling",
}


def study() -> list[Finding]:
    tuples = same_measured_by(adult(), "wup")
    sse = {s: [r[0] for r in curve(tuples, lambda k, m=m: make_method(m, k), KS, ["sse"], SEEDS)] for s, m in SETTINGS.items()}
    one, two, three, four = sse.values()
    least = [min(x) for x in zip(one, two, three, strict=True)]
    return [
        Finding(
            "THESIS figure 30",
            "information loss (SSE) of four settings",
            f"{ADULT}: {size(tuples)}; Wu & Palmer in masking and in SSE; means of {SEEDS} runs",
            table("k", list(sse), [(k, [row[i] for row in sse.values()]) for i, k in enumerate(KS)]),
            [
                Claim(
                    "the semantic setting loses least at every k",
                    always(four, least),
                    f"in {wins(four, least)}",
                    "At k = 2 a set is two records. The centroid, which has the least *sum* of distances, is one of the two "
                    "values (0² + d²); a subsumer half way between them has the same sum and half the *squares* (2·(d/2)²), "
                    "and SSE adds squares.",
                ),
                Claim("without meaning (setting 1) most is lost for most k", mostly(two, one) and mostly(four, one)),
                Claim("comparing by meaning alone (setting 2) lowers the loss significantly", always(two, one)),
                Claim("the LCS is better than the mode at low k", three[0] < two[0]),
                Claim("and severely worse at high k", three[-1] > 1.2 * two[-1]),
            ],
        )
    ]
