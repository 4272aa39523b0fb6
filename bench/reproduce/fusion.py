"""FUSION figures 2-6 and table 2; THESIS figures 13-14 and table 11 repeat figures 2-3 and the table."""

from __future__ import annotations

import time

import numpy as np

from ontomask import Recoding, Tuples
from ontomask.evaluation.case import Case
from ontomask.evaluation.clustering import _clusters, partition_distance
from ontomask.flow import Flow

from .findings import Claim, Finding, always, curve, mostly, said, table, wins
from .tables import VISITORS, size, visitors

TITLE = "Recoding by record fusion"
KS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 15)
HEURISTICS = ("none", "H1", "H1+H2", "all")
RUNS = 5  # of what is drawn at random, as the source has it
CLUSTERS = (5, 7, 10)


def study() -> list[Finding]:
    tuples = visitors("wup-links")
    data = f"{VISITORS}: {size(tuples)}; Wu & Palmer"
    return [part(tuples, data) for part in (_heuristics, _guides, _clustering, _linkage, _runtime)]


def _heuristics(tuples: Tuples, data: str) -> Finding:
    lost = {}
    for h in HEURISTICS:
        runs = RUNS if h in ("none", "H1") else 1
        lost[h] = [r[0] for r in curve(tuples, lambda k, h=h: Recoding(k, heuristics=h), KS, ["distance"], runs)]
    gain = float(np.mean(np.asarray(lost["H1"]) - lost["H1+H2"]))
    first = float(np.mean(np.asarray(lost["none"]) - lost["H1"]))
    third = float(np.mean(np.asarray(lost["H1+H2"]) - lost["all"]))
    return Finding(
        "FUSION figure 2, THESIS figure 13",
        "what each heuristic of recoding contributes",
        data + f"; information loss = mean distance (eq. 9); the random variants are means of {RUNS} runs",
        table("k", HEURISTICS, [(k, [lost[h][i] for h in HEURISTICS]) for i, k in enumerate(KS)]),
        [
            Claim(
                "the first heuristic alone is a slight improvement on random substitution",
                0 < first < gain,
                f"on average {said(first)}",
                "Without it records go in alphabetical order; which order is better is chance where the partner is random.",
            ),
            Claim(
                "meaning (H2) brings the most significant improvement",
                gain > max(first, third) and always(lost["H1+H2"], lost["H1"]),
                f"on average {said(gain)}",
            ),
            Claim(
                "the third heuristic changes little, since it only breaks ties",
                abs(third) < 0.25 * gain,
                f"on average {said(third)}",
            ),
            Claim("all three beat random substitution at every k", always(lost["all"], lost["none"])),
        ],
    )


def _guides(tuples: Tuples, data: str) -> Finding:
    kept = curve(tuples, lambda k: Recoding(k), KS, ["similarity", "dm"])
    spread = curve(tuples, lambda k: Recoding(k, guide="discernibility"), KS, ["similarity", "dm"])
    rows = [(k, [a[0], b[0], a[1], b[1]]) for k, a, b in zip(KS, kept, spread, strict=True)]
    above = [i for i, k in enumerate(KS) if k > 5]
    gap = [kept[i][0] - spread[i][0] for i in range(len(KS))]
    return Finding(
        "FUSION figures 3 and 4, THESIS figure 14",
        "guided by meaning, or by the distribution",
        data,
        table("k", ["similarity, semantic", "similarity, discernibility", "DM, semantic", "DM, discernibility"], rows, 4),
        [
            Claim(
                "the semantic guide keeps more of the meaning at every k",
                always([r[0] for r in spread], [r[0] for r in kept]),
            ),
            Claim(
                "the difference is noticeable above k = 5",
                all(gap[i] > 0.01 for i in above),
                f"{said(min(gap[i] for i in above))} to {said(max(gap[i] for i in above))}",
            ),
            Claim(
                "the discernibility guide has the lower discernibility penalty, which does not keep meaning",
                mostly([r[1] for r in spread], [r[1] for r in kept]),
                f"lower in {wins([r[1] for r in spread], [r[1] for r in kept])}",
            ),
        ],
    )


def _clustering(tuples: Tuples, data: str) -> Finding:
    semantic = Recoding(5).mask(tuples, np.random.default_rng(0))
    spread = Recoding(5, guide="discernibility").mask(tuples, np.random.default_rng(0))
    rows = []
    for clusters in CLUSTERS:
        parts = [_partition(tuples, f, clusters) for f in (None, semantic, spread)]
        pairs = ((0, 1), (0, 2), (1, 2))
        rows.append((clusters, [partition_distance(parts[a], parts[b], tuples.counts) for a, b in pairs]))
    return Finding(
        "FUSION table 2, THESIS table 11",
        "do Ward's clusters survive?",
        data + "; k = 5. The source does not say how many clusters it cut (THESIS 4.3.5 has seven); it found 0.26, 0.57, 0.56",
        table("clusters", ["original, semantic", "original, discernibility", "semantic, discernibility"], rows),
        [
            Claim("clusters of the semantic masking are nearer to those of the original", all(r[0] < r[1] for _, r in rows)),
            Claim("the two maskings differ much from each other", all(r[2] > r[0] for _, r in rows)),
        ],
    )


def _partition(tuples: Tuples, flow: Flow | None, clusters: int) -> np.ndarray:
    """The cluster of each tuple's records, of the original (None) or of what they became: no tuple is split here."""
    some = flow if flow is not None else Recoding(2).mask(tuples, np.random.default_rng(0))
    case = Case(tuples=tuples, flow=some, clusters=clusters)
    rows = tuples.codes if flow is None else flow.targets[flow.target]
    return _clusters(case, rows, tuples.counts)


def _linkage(tuples: Tuples, data: str) -> Finding:
    one = [r[0] for r in curve(tuples, lambda k: Recoding(k), KS, ["mrl"])]
    two = [r[0] for r in curve(tuples, lambda k: Recoding(k, guide="discernibility"), KS, ["mrl"])]
    late = [i for i, k in enumerate(KS) if k >= 5]
    early = [i for i, k in enumerate(KS) if k < 5]
    return Finding(
        "FUSION figure 5",
        "record linkage by matching",
        data,
        table("k", ["semantic, %", "discernibility, %"], [(k, [a, b]) for k, a, b in zip(KS, one, two, strict=True)]),
        [
            Claim("linkage falls as k grows", always(one[1:], one[:-1], 0.02) and always(two[1:], two[:-1], 0.02)),
            Claim("it is quite stable from k = 5 on", one[late[0]] - one[late[-1]] < one[0] - one[late[0]]),
            Claim(
                "the semantic masking is linked less, above all for small k",
                mostly([one[i] for i in early], [two[i] for i in early]),
                f"lower in {wins(one, two)}",
            ),
        ],
    )


def _runtime(tuples: Tuples, data: str) -> Finding:
    tuples.geometry.layout  # noqa: B018 - made once for all methods
    rows = []
    for k in KS:
        times = []
        for _ in range(3):
            start = time.perf_counter()
            Recoding(k).mask(tuples, np.random.default_rng(0))
            times.append(time.perf_counter() - start)
        rows.append((k, [1000 * min(times)]))
    return Finding(
        "FUSION figure 6",
        "how long recoding takes",
        data + "; the source: 1.2 to 1.6 s at 2.4 GHz",
        table("k", ["milliseconds"], rows),
        [Claim("recoding takes seconds at most, whatever k", max(r[0] for _, r in rows) < 1600)],
    )
