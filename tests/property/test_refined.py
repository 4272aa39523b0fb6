"""What refined microaggregation promises, on random tables; its parts against naive twins."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask._kernels import clusters as parts
from ontomask._kernels import refine as kernels
from ontomask._kernels.improve import empty_clusters, fill
from ontomask.evaluation.case import Case
from ontomask.evaluation.loss import sse
from ontomask.flow import Flow, Tuples
from ontomask.methods.microaggregation import Microaggregation
from ontomask.methods.refined import nearest_others
from ontomask.semantics.nearest import arrange, build_index
from tests import twins_centroid as twin
from tests.kernels import outer
from tests.strategies import tables

NONE = -1
add, drop, entry_of, open_cluster = (outer(part) for part in (parts.add, parts.drop, parts.entry_of, parts.open_cluster))
into_clusters = outer(fill)


def loss(tuples: Tuples, flow: Flow) -> float:
    return sse(Case(tuples=tuples, flow=flow))


@settings(max_examples=60)
@given(tables(most_tuples=30, most_count=5), st.integers(2, 9))
def test_keeps_k_and_never_loses_more_than_its_start(tuples: Tuples, k: int) -> None:
    k = min(k, tuples.n)
    if k < 2:
        return
    start = Microaggregation(k).mask(tuples, np.random.default_rng(0))
    losses = [loss(tuples, start)]
    for effort in ("fast", "normal", "thorough"):
        flow = Microaggregation(k, "refined", effort=effort).mask(tuples, np.random.default_rng(1))
        flow.check(tuples)
        assert flow.k >= k
        losses.append(loss(tuples, flow))
        again = Microaggregation(k, "refined", effort=effort).mask(tuples, np.random.default_rng(1))
        assert np.array_equal(flow.targets, again.targets)
        assert np.array_equal(flow.count, again.count)
    assert all(after <= before * (1 + 1e-7) + 1e-12 for before, after in pairwise(losses))


def test_a_table_that_is_anonymous_stays_as_it_is() -> None:
    from ontomask.semantics.spaces.flat import FlatSpace

    tuples = Tuples(np.asarray([[0], [1]], np.int32), np.asarray([5, 9]), (FlatSpace("sex", ["f", "m"]),))
    flow = Microaggregation(5, "refined").mask(tuples, np.random.default_rng(0))
    assert flow.targets.tolist() == [[0], [1]]


def test_a_tuple_lends_records_where_that_costs_least() -> None:
    """Four records of one value and many of another, k = 5: one record moves, not four."""
    from ontomask.semantics.spaces.flat import FlatSpace

    tuples = Tuples(np.asarray([[0], [1]], np.int32), np.asarray([4, 90]), (FlatSpace("sex", ["f", "m"]),))
    flow = Microaggregation(5, "refined").mask(tuples, np.random.default_rng(0))
    assert sorted(flow.sizes.tolist()) == [5, 89]
    assert loss(tuples, flow) == 1.0


@settings(max_examples=40)
@given(tables(most_tuples=12), st.integers(0, 10**6))
def test_representatives_are_best_in_every_attribute(tuples: Tuples, seed: int) -> None:
    """No other candidate of one attribute lowers Σ amount·distance² of a cluster, and the cost is that sum."""
    g, rng = tuples.geometry, np.random.default_rng(seed)
    cluster = rng.integers(0, 3, tuples.p).astype(np.int32)
    _, cluster = np.unique(cluster, return_inverse=True)
    formed = int(cluster.max()) + 1
    state = empty_clusters(g.layout, tuples.p, tuples.p, formed)
    into_clusters(g.layout, tuples.codes, state, cluster.astype(np.int32), tuples.counts)
    rows = [tuple(row) for row in tuples.codes.tolist()]
    for c in range(formed):
        members = [t for t in range(tuples.p) if cluster[t] == c]

        def cost(centre: tuple[int, ...], members: list[int] = members) -> float:
            return float(sum(int(tuples.counts[t]) * twin.distance(g, centre, rows[t]) ** 2 for t in members))

        centre = tuple(state.centre[c].tolist())
        assert np.isclose(state.cost[c], cost(centre), rtol=1e-9)
        for j in range(tuples.m):
            for a in {a for t in members for a in twin.above(g, j, rows[t][j])}:
                other = (*centre[:j], a, *centre[j + 1 :])
                assert cost(centre) <= cost(other) * (1 + 1e-9)


@settings(max_examples=25)
@given(tables(most_tuples=10), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(1, 4)), max_size=40))
def test_the_books_balance(tuples: Tuples, changes: list[tuple[int, int, int]]) -> None:
    """Entries, sizes and chains after any row of moves equal a dictionary's."""
    g = tuples.geometry
    s = empty_clusters(g.layout, tuples.p, 4 * tuples.p + 4, 4)
    into_clusters(g.layout, tuples.codes, s, np.zeros(tuples.p, np.int32), tuples.counts)
    while s.free[1] > 0:
        open_cluster(s)
    books = {(t, 0): int(w) for t, w in enumerate(tuples.counts)}
    for t, c, amount in changes:
        t %= tuples.p
        e = s.of[t]
        a, some = int(s.cluster[e]), min(amount, int(s.amount[e]))
        drop(s, e, some)
        s.free[1] = 0  # an emptied cluster stays in use here: `add` does not open any
        add(s, t, c, some)
        books[t, a] -= some
        books[t, c] = books.get((t, c), 0) + some
    source, cluster, records = kernels.entries(s)
    got = dict(zip(zip(source.tolist(), cluster.tolist(), strict=True), records.tolist(), strict=True))
    assert got == {at: w for at, w in books.items() if w}
    for c in range(4):
        chain, e = [], s.head[c]
        while e != NONE:
            chain.append(int(s.source[e]))
            e = s.after[e]
        assert sorted(chain) == sorted(t for (t, b), w in books.items() if b == c and w)
        assert s.members[c] == len(chain)
        assert s.size[c] == sum(w for (_, b), w in books.items() if b == c)
    for t, c in product(range(tuples.p), range(4)):
        assert (entry_of(s, t, c) != NONE) == ((t, c) in got)


@settings(max_examples=15)
@given(tables(most_tuples=24), st.integers(1, 6))
def test_neighbours(tuples: Tuples, most: int) -> None:
    index = build_index(tuples.geometry, tuples.codes)
    near = nearest_others(index, arrange(index, tuples.codes), most)
    rows = [tuple(row) for row in tuples.codes.tolist()]
    for t in range(tuples.p):
        others = [u for u in range(tuples.p) if u != t]
        others.sort(key=lambda u: (twin.distance(tuples.geometry, rows[u], rows[t]), u))
        expected = (others + [NONE] * most)[:most]
        assert near[t].tolist() == expected
