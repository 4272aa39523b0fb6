"""The MDAV family equals its definition on random tables, ties included: record by record, everything anew at each step."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask.flow import Tuples
from ontomask.methods.base import make_method
from ontomask.methods.microaggregation import Centroid, Microaggregation, Variant, measured_by
from ontomask.semantics import bags
from tests import twins_centroid as twin
from tests.strategies import tables

Released = Counter[tuple[int, tuple[int, ...]]]  # (tuple, what it becomes) → records


def clusters_of_tuples(tuples: Tuples, k: int, kind: str, weighted: bool, static: bool) -> list[list[int]]:
    """SA-MDAV: THESIS, algorithm 4."""
    g = tuples.geometry
    rows = [tuple(row) for row in tuples.codes.tolist()]
    w = tuples.counts.tolist()

    def held(some: list[int]) -> int:
        return sum(w[t] for t in some)

    def centroid(some: list[int]) -> tuple[int, ...]:
        return twin.centroid(g, [rows[t] for t in some for _ in range(w[t])], kind)

    def wsd(reference: tuple[int, ...], t: int) -> int:
        return twin.distance(g, reference, rows[t]) * (w[t] if weighted else 1)

    left = list(range(tuples.p))
    clusters: list[list[int]] = []

    def grow(seed: int) -> None:
        cluster = [seed]
        left.remove(seed)
        while held(cluster) < k:
            around = rows[seed] if static else centroid(cluster)
            near = min(left, key=lambda t: (wsd(around, t), t))
            cluster.append(near)
            left.remove(near)
        clusters.append(cluster)

    while held(left) >= k:
        middle = centroid(left)
        r = min(left, key=lambda t: (-wsd(middle, t), t))
        grow(r)
        if held(left) >= k:
            grow(min(left, key=lambda t: (-wsd(rows[r], t), t)))
    middles = [centroid(c) for c in clusters]
    chosen = [min(range(len(clusters)), key=lambda c: (twin.distance(g, middles[c], rows[t]), c)) for t in left]
    for t, c in zip(left, chosen, strict=True):
        clusters[c].append(t)
    return clusters


def clusters_of_records(tuples: Tuples, k: int, kind: str) -> list[list[int]]:
    """MDAV: THESIS, algorithm 3, on records (the tuple of each)."""
    g = tuples.geometry
    rows = [tuple(row) for row in tuples.codes.tolist()]
    left = [t for t, w in enumerate(tuples.counts.tolist()) for _ in range(w)]
    clusters: list[list[int]] = []

    def farthest(reference: tuple[int, ...], among: list[int]) -> int:
        return min(among, key=lambda t: (-twin.distance(g, reference, rows[t]), t))

    def take(seed: int, pool: list[int]) -> None:
        """The seed is in neither; its k−1 nearest leave the pool."""
        near = sorted(pool, key=lambda t: (twin.distance(g, rows[seed], rows[t]), t))[: k - 1]
        for t in near:
            pool.remove(t)
        clusters.append([seed, *near])

    while len(left) >= 2 * k:
        both = len(left) >= 3 * k
        r = farthest(twin.centroid(g, [rows[t] for t in left], kind), left)
        left.remove(r)
        if not both:
            take(r, left)
            break
        s = farthest(rows[r], left)
        left.remove(s)
        take(r, left)
        take(s, left)
    return [*clusters, left]


def released(tuples: Tuples, clusters: list[list[int]], kind: str, by_record: bool) -> Released:
    out: Released = Counter()
    for cluster in clusters:
        records = [(t, 1 if by_record else int(tuples.counts[t])) for t in cluster]
        rows = [tuple(tuples.codes[t].tolist()) for t, w in records for _ in range(w)]
        centre = twin.centroid(tuples.geometry, rows, kind)
        for t, w in records:
            out[t, centre] += w
    return out


@settings(max_examples=120)
@given(
    tables(most_tuples=18, most_count=4),
    st.integers(2, 7),
    st.sampled_from(["sa-mdav", "sa-mdav-static", "mdav"]),
    st.sampled_from(["semantic", "semantic", "semantic", "mode", "lcs", "consensus"]),
    st.booleans(),
    st.sampled_from([1, 2, bags.FEW]),
)
def test_equals_the_definition(tuples: Tuples, k: int, variant: Variant, centroid: Centroid, weighted: bool, few: int) -> None:
    k = min(k, tuples.n)
    if k < 2:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bags, "FEW", few)
        flow = Microaggregation(k, variant, centroid, weighted).mask(tuples, np.random.default_rng(0))
    flow.check(tuples)
    assert flow.k >= k
    if variant == "mdav":
        expected = released(tuples, clusters_of_records(tuples, k, centroid), centroid, True)
    else:
        clusters = clusters_of_tuples(tuples, k, centroid, weighted, variant == "sa-mdav-static")
        expected = released(tuples, clusters, centroid, False)
    got: Released = Counter()
    for s, t, w in zip(flow.source.tolist(), flow.target.tolist(), flow.count.tolist(), strict=True):
        got[s, tuple(flow.targets[t].tolist())] += w
    assert got == expected


@settings(max_examples=20)
@given(tables(), st.sampled_from(["equality", "jaccard", "logsc"]))
def test_another_distance(tuples: Tuples, distance: str) -> None:
    """Only what clusters are formed by changes; attributes without a taxonomy know no measure."""
    g = measured_by(tuples, distance)
    for j, space in enumerate(tuples.spaces):
        table = g.table(j) * g.unit * tuples.m
        if distance == "equality":
            assert np.allclose(table, np.arange(space.h)[:, None] != np.arange(space.q)[None, :], atol=1e-6)
        elif space.kind != "taxonomy" or distance == "logsc":
            assert np.allclose(table, space.distances, atol=1e-6)


def test_names_are_presets() -> None:
    assert make_method("mdav-wup", 3) == Microaggregation(3, "mdav", "lcs", distance="wup")
    assert make_method("sa-mdav-static", 3) == Microaggregation(3, "sa-mdav-static")


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"k": 1}, "The 'k' parameter of Microaggregation must be an int ≥ 2"),
        ({"k": 2, "variant": "samdav"}, "Did you mean 'sa-mdav'"),
        ({"k": 2, "centroid": "mean"}, "The 'centroid' parameter of Microaggregation must be one of 'semantic'"),
        ({"k": 2, "distance": "wu"}, "Did you mean 'wup'"),
        ({"k": 2, "variant": "refined", "centroid": "mode"}, "must be 'semantic' where variant='refined'"),
        ({"k": 2, "effort": "through"}, "Did you mean 'thorough'"),
        ({"k": 2, "weighted": 1}, "The 'weighted' parameter of Microaggregation must be True or False"),
    ],
)
def test_illegal_settings_are_refused(given_: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Microaggregation(**given_)  # type: ignore[arg-type]
