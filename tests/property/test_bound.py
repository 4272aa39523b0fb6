"""No masking is better than the bound: against the best of all, found by integer programming, on small tables."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask._kernels.bound import least_detour, raise_prices
from ontomask.evaluation import bound as bounds
from ontomask.evaluation.bound import lower_bound
from ontomask.evaluation.case import Case
from ontomask.evaluation.loss import sse
from ontomask.flow import Tuples
from ontomask.methods.microaggregation import Microaggregation
from ontomask.semantics.spaces.flat import FlatSpace
from tests.exact import least_sse, representatives, squares
from tests.strategies import tables


@settings(max_examples=25)
@given(tables(most_attributes=2, most_tuples=6, most_count=3), st.integers(2, 5))
def test_bound_optimum_and_refined_stand_in_this_order(tuples: Tuples, k: int) -> None:
    if k > tuples.n or np.prod([s.h for s in tuples.spaces]) > 150:
        return
    bound = lower_bound(tuples, k)
    assert bound.sse is not None
    best, _ = least_sse(tuples, k)
    assert bound.sse <= best + 1e-6
    flow = Microaggregation(k, "refined").mask(tuples, np.random.default_rng(0))
    assert best <= sse(Case(tuples=tuples, flow=flow)) + 1e-6


def test_bounds_worked_out_by_hand() -> None:
    """Four values equally far from each other, nothing half way: two classes of two cost 1 each. Pairs say ½."""
    tuples = Tuples(np.arange(4, dtype=np.int32)[:, None], np.ones(4, np.int64), (FlatSpace("f", list("abcd")),))
    assert bounds._by_pairs(tuples, 2) == pytest.approx(1.0, rel=1e-5)
    assert least_sse(tuples, 2)[0] == pytest.approx(2.0, rel=1e-6)
    bound = lower_bound(tuples, 2)
    assert bound.sse is not None
    assert 1.5 < bound.sse <= 2.0
    assert bound.above(2 * bound.sse) == pytest.approx(100.0)
    assert lower_bound(tuples, 2).above(1.0) == 0.0


@settings(max_examples=25)
@given(tables(most_attributes=1, most_tuples=5, most_count=3), st.integers(2, 4), st.integers(0, 10**6))
def test_prices_are_paid_by_every_class(tuples: Tuples, k: int, seed: int) -> None:
    """Every choice of at least k records is worth its prices to every representative, and no single price could be higher."""
    square = squares(tuples, representatives(tuples))
    counts = tuples.counts.astype(np.int64)
    price = np.zeros(tuples.p)
    for share in (0.5, 1.0):
        raise_prices(square, counts, k, np.random.default_rng(seed).permutation(tuples.p), share, price)
    choices = np.asarray([b for b in product(*(range(w + 1) for w in counts)) if sum(b) >= k], np.float64)
    if not len(choices):
        return
    worth = choices @ square
    assert (worth - (choices @ price)[:, None] >= -1e-9).all()
    for t in range(tuples.p):
        higher = price.copy()
        higher[t] += 1e-6
        assert (worth - (choices @ higher)[:, None] < 0).any()


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_least_detour(seed: int) -> None:
    table = np.random.default_rng(seed).integers(0, 1000, (5, 3)).astype(np.int32)
    ways = [
        (int(table[c, u]) + int(table[c, v])) / max(int(table[u, v]), int(table[v, u]))
        for u in range(3)
        for v in range(3)
        for c in range(5)
        if max(table[u, v], table[v, u]) > 0 and table[c, u] + table[c, v] + 2 < max(table[u, v], table[v, u])
    ]
    assert least_detour(table) == pytest.approx(min([1.0, *ways]))


def test_says_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    tuples = Tuples(np.asarray([[0], [1]], np.int32), np.asarray([1, 1]), (FlatSpace("f", ["a", "b"]),))
    said = "The loss (sum of squared distances) is at most {} % above the best possible at this k."
    assert lower_bound(tuples, 2).said(1.0) == said.format("0.1")  # rounded up, else it were no bound
    assert bounds.Bound(1.0).said(1.0) == said.format(0)
    assert bounds.Bound(1.0).said(1.1512) == said.format(16)
    assert bounds.Bound(1.0).said(13.5) == said.format("1,250")
    assert "fewer than 3 records" in lower_bound(tuples, 3).said(1.0)
    monkeypatch.setattr(bounds, "MOST_NEIGHBOURS", 1)
    assert lower_bound(tuples, 2).above(1.0) == pytest.approx(0.0, abs=1e-3)  # a small table has its prices
    monkeypatch.setattr(bounds, "MOST_PRICED", 1)
    assert "too much work" in lower_bound(tuples, 2).reason
    assert lower_bound(tuples, 2).above(1.0) is None
