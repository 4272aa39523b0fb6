"""THESIS figures 10 and 11: centroids of the whole table, and of clusters of it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ontomask import Recoding, Tuples
from ontomask.evaluation.case import Case
from ontomask.evaluation.clustering import _clusters
from ontomask.semantics.operators import centroid_of

from .findings import Claim, Finding, always, said, table
from .tables import VISITORS, same_measured_by, size, visitors

TITLE = "Centroids"
CLUSTERS = 7
DRAWN = 20  # random centroids, of which the mean counts
NAMES = ("semantic, logsc", "semantic, wup", "semantic, path", "random", "most frequent tuple", "LCS", "consensus")


def study() -> list[Finding]:
    tuples = visitors("logsc")
    data = f"{VISITORS}: {size(tuples)}; sum over records of the logsc distance to the centroid"
    everyone = np.arange(tuples.p)
    whole = _distances(tuples, everyone)
    case = Case(tuples=tuples, flow=Recoding(2).mask(tuples, np.random.default_rng(0)), clusters=CLUSTERS)
    number = _clusters(case, tuples.codes, tuples.counts)
    parts = [everyone[number == c] for c in range(CLUSTERS)]
    rows = [(f"{c + 1} ({int(tuples.counts[p].sum())} records)", _distances(tuples, p)) for c, p in enumerate(parts)]
    sums = [sum(row[i] for _, row in rows) for i in range(len(NAMES))]
    others = [[r[i] for _, r in rows] for i in range(len(NAMES))]
    ties = sum(abs(r[0] - min(r[3], r[4], r[6])) < 1e-9 for _, r in rows)
    return [
        Finding(
            "THESIS figure 10",
            "one centroid for the whole table",
            data,
            table("", NAMES, [("all records", whole)], 4),
            [
                Claim(
                    "the semantic centroid is nearer to the records than any other strategy's",
                    all(whole[0] <= x + 1e-9 for x in whole[3:]),
                ),
                Claim(
                    "so it is when it is built with wup, which gives the same, or with path, slightly worse",
                    abs(whole[1] - whole[0]) < 1e-9 and all(whole[2] <= x for x in whole[3:]),
                    f"{said(whole[1], 4)}, {said(whole[2], 4)}",
                    "A centroid has the least sum of the distances it is built with; judged by another measure it may be "
                    "beaten. In the Delta survey one value dominates each attribute, and all measures agree on what is near "
                    "to it; over answers that are spread as here, wup and path prefer a more general concept, which logsc "
                    "finds far from everything.",
                ),
                Claim("the LCS, here close to the root, is the worst", max(whole) == whole[5]),
                Claim("the most frequent tuple does reasonably well, since it is so frequent", whole[4] < 0.75 * whole[5]),
            ],
        ),
        Finding(
            "THESIS figure 11",
            f"a centroid for each of {CLUSTERS} clusters (Ward)",
            data,
            table("cluster", NAMES, [*rows, ("**sum**", sums)], 4),
            [
                Claim("the semantic centroid is best in every cluster", all(always(others[0], x) for x in others[1:])),
                Claim("in homogeneous clusters all but the LCS come to the same", ties >= 1, f"in {ties} of {CLUSTERS}"),
                Claim("the LCS is the worst in sum", max(sums) == sums[5]),
                Claim("the semantic centroid is best in sum", min(sums) == sums[0]),
            ],
        ),
    ]


def _distances(tuples: Tuples, part: npt.NDArray[np.int64]) -> list[float]:
    """The sum of distances by each strategy (`NAMES`), of some of the tuples."""
    codes, counts = np.ascontiguousarray(tuples.codes[part]), tuples.counts[part]

    def far(centroid: npt.NDArray[np.int32]) -> float:
        return float(sum(counts @ s.distances[centroid[j]][codes[:, j]] for j, s in enumerate(tuples.spaces)) / tuples.m)

    by = [centroid_of(same_measured_by(tuples, m).geometry, codes, counts) for m in ("logsc", "wup", "path")]
    rng = np.random.default_rng(1)
    drawn = [far(codes[rng.choice(len(codes), p=counts / counts.sum())]) for _ in range(DRAWN)]
    return [
        *(far(c) for c in by),
        float(np.mean(drawn)),
        far(codes[int(np.argmax(counts))]),
        far(centroid_of(tuples.geometry, codes, counts, kind="lcs")),
        far(centroid_of(tuples.geometry, codes, counts, kind="consensus")),
    ]
