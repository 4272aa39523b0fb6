"""Rank swapping equals its definition, record by record, when both draw from the same random numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask._kernels.swapping import swap_along
from ontomask.flow import Tuples
from ontomask.methods.rank_swapping import RankSwapping, Variant, _swap_nearest

from ..strategies import tables

VARIANTS: tuple[Variant, ...] = ("joint", "dynamic", "static", "distributional", "unrestricted")


def naive_swap_nearest(tuples: Tuples, k: int, rng: np.random.Generator) -> list[list[int]]:
    """SWAP, algorithm 3, over a list of records; what it leaves open is settled as the kernel's docstrings say."""
    of = [t for t in range(tuples.p) for _ in range(tuples.counts[t])]
    n, m = len(of), tuples.m
    table = [tuples.geometry.table(j) for j in range(m)]
    d = [[sum(int(table[j][a[j], b[j]]) for j in range(m)) for b in tuples.codes] for a in tuples.codes]  # d[point][query]
    start = [of.index(t) for t in range(tuples.p)]
    circle = rng.permutation(tuples.p).tolist()
    partner = [[-1] * m for _ in range(n)]

    def ring(t: int, after: int) -> list[int]:
        """The records of tuple t in the order of its circle, from number `after` on."""
        size = int(tuples.counts[t])
        return [start[t] + (after + i) % size for i in range(size)]

    t = max(range(tuples.p), key=lambda a: (sum(d[a][of[r]] for r in range(n)), -a))
    while True:
        r = next(r for r in ring(t, 0) if -1 in partner[r])
        interval = ring(t, r - start[t] + 1)[:-1][:k]
        for other in sorted((o for o in range(tuples.p) if o != t), key=lambda o: (d[o][t], o)):
            need, size = k - len(interval), int(tuples.counts[other])
            if need > 0:
                interval += ring(other, int(rng.random() * size) if need < size else 0)[:need]
        assert len(interval) == k
        for j in range(m):
            if partner[r][j] < 0:
                free = [s for s in interval if partner[s][j] < 0]
                partner[r][j] = free[int(rng.random() * len(free))] if free else r
                partner[partner[r][j]][j] = r
        unfinished = [s for s in range(n) if -1 in partner[s]]
        if not unfinished:
            return partner
        begin = int(rng.random() * tuples.p)
        gap = {o: (circle.index(o) - begin) % tuples.p for o in {of[s] for s in unfinished}}
        t = max(gap, key=lambda o: (d[o][t], -gap[o]))


@given(tables(most_tuples=10, most_count=4), st.integers(2, 7), st.integers(0, 2**32))
@settings(max_examples=40)
def test_swapping_with_the_nearest_equals_its_definition(table: Tuples, k: int, seed: int) -> None:
    if k >= table.n:
        return
    partner, told = _swap_nearest(table.geometry, table.codes, table.counts, k, np.random.default_rng(seed))
    assert partner.tolist() == naive_swap_nearest(table, k, np.random.default_rng(seed))
    assert told.interval == k
    assert told.largest <= k


@given(st.integers(1, 40), st.integers(1, 9), st.integers(0, 2**32))
@settings(max_examples=40)
def test_swapping_along_a_ranking_equals_its_definition(n: int, k: int, seed: int) -> None:
    partner, stayed, largest = swap_along(n, k, np.random.default_rng(seed))
    rng, naive = np.random.default_rng(seed), [-1] * n
    for i in range(n):
        if naive[i] < 0:
            free = [s for s in range(i + 1, min(i + k, n - 1) + 1) if naive[s] < 0]
            naive[i] = free[int(rng.random() * len(free))] if free else i
            naive[naive[i]] = i
    assert partner.tolist() == naive
    assert stayed == sum(naive[i] == i for i in range(n))
    assert largest == max(abs(naive[i] - i) for i in range(n)) <= k


@given(tables(), st.sampled_from(VARIANTS), st.integers(2, 6), st.integers(0, 2**32))
@settings(max_examples=40)
def test_no_value_is_lost_none_invented_and_none_swapped_twice(table: Tuples, variant: Variant, k: int, seed: int) -> None:
    if k >= table.n:
        return
    flow = RankSwapping(k, variant).mask(table, np.random.default_rng(seed))
    flow.check(table)
    for j, space in enumerate(table.spaces):
        moved = np.zeros((space.h, space.h), np.int64)
        np.add.at(moved, (table.codes[flow.source, j], flow.targets[flow.target, j]), flow.count)
        assert (moved.sum(axis=0) == moved.sum(axis=1)).all()
        assert (moved == moved.T).all()  # as many records go from a to b as from b to a: swaps, each value once
        assert moved.trace() >= flow.notes["stayed"][space.name]  # type: ignore[index]


@given(tables(most_attributes=1), st.integers(2, 6), st.integers(0, 2**32))
@settings(max_examples=15)
def test_one_attribute_joint_is_dynamic(table: Tuples, k: int, seed: int) -> None:
    """The same draws lead to the same swaps; only which of some equal records is concerned may differ."""
    if k >= table.n:
        return
    by_value = np.argsort(table.codes[:, 0])
    table = Tuples(table.codes[by_value], table.counts[by_value], table.spaces)
    joint, dynamic = (RankSwapping(k, v).mask(table, np.random.default_rng(seed)) for v in ("joint", "dynamic"))  # type: ignore[arg-type]
    for flow in (joint, dynamic):
        assert flow.notes["largest_rank_distance"] == joint.notes["largest_rank_distance"]
    at = [np.lexsort((f.targets[f.target, 0], f.source)) for f in (joint, dynamic)]
    assert np.array_equal(joint.source[at[0]], dynamic.source[at[1]])
    assert np.array_equal(joint.targets[joint.target, 0][at[0]], dynamic.targets[dynamic.target, 0][at[1]])
    assert np.array_equal(joint.count[at[0]], dynamic.count[at[1]])
    assert "dynamic" in str(joint.notes["equals"])
