"""The pruned search equals looking at every point, ties and removals included."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask._kernels import nearest as kernels
from ontomask._kernels.nearest import PLAIN, WEIGHTED, compact
from ontomask.flow import Tuples
from ontomask.semantics import nearest as building
from ontomask.semantics.nearest import NOWHERE, arrange, build_index, by_place, search_many
from ontomask.semantics.spaces.flat import FlatSpace
from tests.kernels import outer
from tests.strategies import tables

records_around, remove, search = outer(kernels.records_around), outer(kernels.remove), outer(kernels.search)


def distances(tuples: Tuples, points: np.ndarray, queries: np.ndarray, centroids: bool = False) -> np.ndarray:
    """int64[queries, points], one attribute after the other."""
    g = tuples.geometry
    total = np.zeros((len(queries), len(points)), np.int64)
    for j in range(g.m):
        if centroids:
            total += g.table(j)[np.ix_(queries[:, j], points[:, j])]
        else:
            total += g.table(j)[np.ix_(points[:, j], queries[:, j])].T
    return total


def naive(row: np.ndarray, alive: set[int], me: int, size: np.ndarray, weighted: bool, limit: int) -> tuple[int, int, int]:
    cost = {n: int(row[n]) * (int(size[n]) if weighted else 1) for n in alive if n != me}
    within = {n: c for n, c in cost.items() if c <= limit}
    if not within:
        return limit, -1, 0
    best = min(within.values())
    tied = [n for n, c in within.items() if c == best]
    return best, min(tied, key=lambda n: (size[n], n)), int(sum(size[n] for n in tied))


@st.composite
def crowded(draw: st.DrawFn) -> Tuples:
    """Tables with buckets of more cells than FEW, so that the walk outward is taken."""
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    qs = [draw(st.integers(1, 3)), draw(st.integers(kernels.FEW + 2, 24)), draw(st.integers(1, 3))]
    m = draw(st.integers(2, 3))
    spaces = tuple(FlatSpace("f", range(q)) for q in qs[:m])
    for s in spaces:  # distances with many ties
        table = rng.integers(0, 4, (s.h, s.h))
        s.__dict__["distances"] = np.triu(table, 1) + np.triu(table, 1).T * 1.0
        s.__dict__["distances"] = s.distances[:, : s.q] / 3
    p = draw(st.integers(1, 60))
    codes = np.unique(np.column_stack([rng.integers(0, s.q, p) for s in spaces]).astype(np.int32), axis=0)
    codes = codes[rng.permutation(len(codes))]
    return Tuples(codes, rng.integers(1, 4, len(codes)), spaces)


either = st.one_of(tables(most_tuples=24), crowded())


@settings(max_examples=40)
@given(either, st.booleans(), st.integers(0, 10**6))
def test_search_equals_looking_at_every_point(tuples: Tuples, weighted: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    index = build_index(tuples.geometry, tuples.codes)
    queries = np.column_stack([rng.integers(0, s.q, 12) for s in tuples.spaces]).astype(np.int32)
    xs, truth, alive = arrange(index, queries), distances(tuples, tuples.codes, queries), set(range(tuples.p))
    limits = rng.choice([NOWHERE, 0, 1 << 28, 1 << 29], len(queries))
    for i in range(len(queries)):
        me = int(rng.integers(-1, tuples.p))
        least = int(tuples.counts.min()) if weighted else 1
        got = search(index.arrays, xs[i], me, tuples.counts, WEIGHTED if weighted else PLAIN, least, limits[i])
        assert got == naive(truth[i], alive, me, tuples.counts, weighted, int(limits[i]))
        if alive and rng.random() < 0.7:
            gone = int(rng.choice(sorted(alive)))
            alive.remove(gone)
            remove(index.arrays, gone)
        if rng.random() < 0.2:
            compact(index.arrays)


@settings(max_examples=10)
@given(tuples=crowded())
def test_without_a_map_of_cells_the_answer_is_the_same(tuples: Tuples) -> None:
    most = building.MOST_BITS
    building.MOST_BITS = 0
    try:
        index = build_index(tuples.geometry, tuples.codes)
    finally:
        building.MOST_BITS = most
    assert index.arrays.bits.size == 0
    xs, truth = arrange(index, tuples.codes), distances(tuples, tuples.codes, tuples.codes)
    for i in range(tuples.p):
        got = search(index.arrays, xs[i], i, tuples.counts, PLAIN, 1, NOWHERE)
        assert got == naive(truth[i], set(range(tuples.p)), i, tuples.counts, False, NOWHERE)


@settings(max_examples=30)
@given(either, st.booleans(), st.integers(0, 10**6))
def test_many_searches_among_candidates_or_from_centroids(tuples: Tuples, centroids: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = tuples.codes if centroids else np.column_stack([rng.integers(0, s.h, 30) for s in tuples.spaces]).astype(np.int32)
    queries = np.column_stack([rng.integers(0, s.h if centroids else s.q, 20) for s in tuples.spaces]).astype(np.int32)
    size = rng.integers(1, 4, len(points))
    index = build_index(tuples.geometry, points, "candidates" if centroids else "values")
    xs, truth = arrange(index, queries), distances(tuples, points, queries, centroids)
    limit = rng.choice([NOWHERE, 1 << 29], len(queries))
    order = by_place(index, xs)
    me = np.full(len(xs), -1, np.int32)
    got = search_many(index, xs[order], me, size, limit[order])
    for at, i in enumerate(order):
        expected = naive(truth[i], set(range(len(points))), -1, size, False, int(limit[i]))
        assert (got[0][at], got[1][at], got[2][at]) == expected


@settings(max_examples=40)
@given(either, st.integers(1, 9), st.integers(0, 10**6))
def test_records_around_a_query(tuples: Tuples, need: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    index = build_index(tuples.geometry, tuples.codes)
    alive = set(range(tuples.p))
    for gone in rng.choice(tuples.p, tuples.p // 3, replace=False):
        remove(index.arrays, gone)
        alive.remove(int(gone))
    queries = np.column_stack([rng.integers(0, s.q, 6) for s in tuples.spaces]).astype(np.int32)
    xs, truth = arrange(index, queries), distances(tuples, tuples.codes, queries)
    number, distance = np.empty(need + 1, np.int32), np.empty(need + 1, np.int64)
    for i in range(len(queries)):
        me = int(rng.integers(-1, tuples.p))
        ranked = sorted((int(truth[i, n]), n) for n in alive if n != me)
        expected, held = [], 0
        for d, n in ranked:
            if held >= need:
                break
            expected.append((d, n))
            held += int(tuples.counts[n])
        found = records_around(index.arrays, xs[i], me, tuples.counts, need, number, distance)
        assert list(zip(distance[:found].tolist(), number[:found].tolist(), strict=True)) == expected
