"""THESIS figures 33-35: linkage by meaning and by matching, of a table generalised along hierarchies of two and "
"three levels."""

from __future__ import annotations

import numpy as np

from ontomask import Generalisation, Taxonomy, Tuples
from ontomask.evaluation.clustering import ward
from ontomask.flow import Flow, make_flow
from ontomask.semantics.spaces.taxonomy import TaxonomySpace

from .findings import Claim, Finding, always, measured, mostly, said, table, wins
from .tables import VISITORS, same_measured_by, size, visitors

TITLE = "Semantic record linkage"
KS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20)
MEASURES = ("path", "wup-links", "logsc")
GROUPS = {"VGH2": (6,), "VGH3": (18, 6)}  # clusters of values on each level, from fine to coarse
Risks = dict[str, dict[str, list[float]]]  # hierarchy → MRL or measure → by k


def study() -> list[Finding]:
    tuples = visitors("logsc")
    by_measure = {m: same_measured_by(tuples, m) for m in MEASURES}
    risk: Risks = {}
    lost: dict[str, list[float]] = {}
    for name, groups in GROUPS.items():
        hierarchy = value_hierarchy(tuples, groups)
        flows = [generalised(tuples, hierarchy, k) for k in KS]
        risk[name] = {"MRL": [measured(tuples, f, "mrl") for f in flows]}
        risk[name] |= {m: [measured(by_measure[m], f, "srl") for f in flows] for m in MEASURES}
        lost[name] = [measured(tuples, f, "distance") for f in flows]
    data = (
        f"{VISITORS}: {size(tuples)}, masked by generalisation. The source's hierarchies were made by hand for its 25 values; "
        "ours are Ward clusters of the values, named by their least common subsumers in WordNet"
    )
    return [_linked(data, risk), _increment(data, risk), _lost(data, lost, risk)]


def _linked(data: str, risk: Risks) -> Finding:
    names = ("MRL", *MEASURES)
    heads = [f"{h}: {n if n == 'MRL' else 'SRL ' + n}" for h in GROUPS for n in names]
    rows = [(k, [risk[h][n][i] for h in GROUPS for n in names]) for i, k in enumerate(KS)]
    more = [always(risk[h]["MRL"], risk[h][m]) for h in GROUPS for m in MEASURES]
    middle = [i for i, k in enumerate(KS) if 4 <= k <= 8]
    ratio = [_times(risk[h]["logsc"][i], risk[h]["MRL"][i]) for h in GROUPS for i in middle]
    spread = [
        max(risk[h][m][i] for m in MEASURES) / max(min(risk[h][m][i] for m in MEASURES), 1e-9)
        for h in GROUPS
        for i in range(len(KS))
    ]
    return Finding(
        "THESIS figure 33",
        "records linked by meaning (SRL) and by matching (MRL), %",
        data,
        table("k", heads, rows),
        [
            Claim("linkage by meaning finds at least as many as matching at every k", all(more)),
            Claim(
                "for k from 4 to 8 almost twice as many, or more",
                float(np.median(ratio)) >= 1.8,
                f"{said(min(ratio), 2)} to {said(max(ratio), 2)} times",
                "How much is gained depends on how many records are generalised at all: those that are not are found by "
                "either.",
            ),
            Claim(
                "which measure links makes little difference",
                float(np.median(spread)) < 1.25,
                f"the best finds {said(float(np.median(spread)), 3)} times as many as the worst (median)",
            ),
            Claim(
                "linkage falls abruptly while k grows to 8",
                all(risk[h]["logsc"][KS.index(8)] < 0.6 * risk[h]["logsc"][0] for h in GROUPS),
            ),
        ],
    )


def _increment(data: str, risk: Risks) -> Finding:
    more = {h: [s - m for s, m in zip(risk[h]["logsc"], risk[h]["MRL"], strict=True)] for h in GROUPS}
    times = {h: [_times(s, m) for s, m in zip(risk[h]["logsc"], risk[h]["MRL"], strict=True)] for h in GROUPS}
    rows = [(k, [more["VGH2"][i], more["VGH3"][i], times["VGH2"][i], times["VGH3"][i]]) for i, k in enumerate(KS)]
    return Finding(
        "THESIS figure 34",
        "what meaning adds to matching (SRL with logsc − MRL, points; SRL / MRL)",
        data,
        table("k", ["VGH2, points", "VGH3, points", "VGH2, times", "VGH3, times"], rows),
        [
            Claim(
                "more is linked where the hierarchy is finer",
                mostly(risk["VGH2"]["logsc"], risk["VGH3"]["logsc"]),
                f"VGH3 not below VGH2 in {wins(risk['VGH2']['logsc'], risk['VGH3']['logsc'])}",
            ),
            Claim("the gain in proportion grows with k", all(t[-1] > t[0] for t in times.values())),
        ],
    )


def _lost(data: str, lost: dict[str, list[float]], risk: Risks) -> Finding:
    return Finding(
        "THESIS figure 35",
        "information loss (mean logsc distance) by hierarchy",
        data,
        table("k", list(lost), [(k, [lost[h][i] for h in lost]) for i, k in enumerate(KS)]),
        [
            Claim(
                "the finer hierarchy loses less", mostly(lost["VGH3"], lost["VGH2"]), f"in {wins(lost['VGH3'], lost['VGH2'])}"
            ),
            Claim(
                "loss and linkage go against each other: the hierarchy that loses less is linked more",
                mostly(lost["VGH3"], lost["VGH2"]) and mostly(risk["VGH2"]["logsc"], risk["VGH3"]["logsc"]),
            ),
            Claim("loss grows with k", all(row[0] < row[-1] for row in lost.values())),
        ],
    )


def _times(semantic: float, matching: float) -> float:
    return semantic / matching if matching else float("inf")


def value_hierarchy(tuples: Tuples, groups: tuple[int, ...]) -> Taxonomy:
    """Values below clusters of values, below all: each group is called by its least common subsumer."""
    tax = _space(tuples, 0).taxonomy
    concepts = np.unique(np.concatenate([_space(tuples, j).concepts[: _space(tuples, j).q] for j in range(tuples.m)]))
    ids = tax.ids(concepts)
    apart = tax.distances(ids)
    below = list(ids)
    edges: dict[tuple[str, str], None] = {}
    for number in (*groups, 1):
        cluster = ward(apart, np.ones(len(ids)), number)
        named = [tax.lcs(*(ids[i] for i in np.flatnonzero(cluster == c))) for c in range(cluster.max() + 1)]
        above = [named[c] for c in cluster]
        edges |= {(b, a): None for b, a in zip(below, above, strict=True) if a != b}
        below = above
    return Taxonomy.from_edges(edges, name="value hierarchy")


def generalised(tuples: Tuples, hierarchy: Taxonomy, k: int) -> Flow:
    """The flow of generalisation along the hierarchy, its targets as concepts of the table's own taxonomy."""
    spaces, back = [], []
    for j in range(tuples.m):
        space = _space(tuples, j)
        own = TaxonomySpace(space.name, hierarchy, hierarchy.indices(space.taxonomy.ids(space.concepts[: space.q])))
        code = {int(c): i for i, c in enumerate(space.concepts)}
        back.append(np.asarray([code[space.taxonomy.index(i)] for i in hierarchy.ids(own.concepts)], np.int32))
        spaces.append(own)
    flow = Generalisation(k).mask(Tuples(tuples.codes, tuples.counts, tuple(spaces)), np.random.default_rng(0))
    rows = np.stack([back[j][flow.targets[flow.target, j]] for j in range(tuples.m)], axis=1)
    return make_flow(flow.source, rows, flow.count)


def _space(tuples: Tuples, j: int) -> TaxonomySpace:
    space = tuples.spaces[j]
    assert isinstance(space, TaxonomySpace)
    return space
