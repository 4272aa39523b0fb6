"""The search through boxes equals looking at every point, and semantic linkage of three attributes that of every pair."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask.evaluation.case import Case
from ontomask.evaluation.linkage import links
from ontomask.flow import Tuples, make_flow
from ontomask.semantics.boxes import build_boxes, search_boxes
from ontomask.semantics.nearest import NOWHERE
from ontomask.semantics.spaces.flat import FlatSpace
from tests.strategies import tables


@st.composite
def crowded(draw: st.DrawFn) -> Tuples:
    """More points than a box holds, at distances with many ties, from values and from concepts above them."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    m = draw(st.integers(1, 4))
    spaces = tuple(FlatSpace("f", range(draw(st.integers(1, 20)))) for _ in range(m))
    for s in spaces:
        s.__dict__["distances"] = (rng.integers(0, 5, (s.h, s.h)) / 4)[:, : s.q]
    p = draw(st.integers(1, 120))
    codes = np.unique(np.column_stack([rng.integers(0, s.q, p) for s in spaces]).astype(np.int32), axis=0)
    return Tuples(codes[rng.permutation(len(codes))], rng.integers(1, 4, len(codes)), spaces)


def by_hand(tuples: Tuples, points: np.ndarray, sizes: np.ndarray, limit: np.ndarray) -> tuple[list[int], list[int]]:
    """Point after point, attribute after attribute."""
    g = tuples.geometry
    least, records = [], []
    for x, most in zip(tuples.codes.tolist(), limit.tolist(), strict=True):
        far = [sum(int(g.table(j)[c[j], x[j]]) for j in range(g.m)) for c in points.tolist()]
        best = min([most, *far])
        least.append(best)
        records.append(int(sum(n for d, n in zip(far, sizes.tolist(), strict=True) if d == best)))
    return least, records


@settings(max_examples=40, deadline=None)
@given(crowded() | tables(most_attributes=4), st.data())
def test_search_equals_looking_at_every_point(tuples: Tuples, data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    points = np.unique(np.column_stack([rng.integers(0, s.h, tuples.p) for s in tuples.spaces]).astype(np.int32), axis=0)
    sizes = rng.integers(1, 9, len(points))
    limit = np.full(tuples.p, NOWHERE)
    if data.draw(st.booleans()):
        limit = rng.integers(0, 1 << 29, tuples.p)
    distance, records = search_boxes(build_boxes(tuples.geometry, points, sizes), tuples.codes, limit)
    least, found = by_hand(tuples, points, sizes, limit)
    assert distance.tolist() == least
    assert records.tolist() == found


@settings(max_examples=15, deadline=None)
@given(crowded(), st.integers(0, 10**6))
def test_links_of_any_number_of_attributes(tuples: Tuples, seed: int) -> None:
    rng = np.random.default_rng(seed)
    becomes = rng.integers(0, tuples.p, tuples.p)
    flow = make_flow(np.arange(tuples.p), tuples.codes[becomes], tuples.counts, suppressed=rng.random(tuples.p) < 0.1)
    least, number = links(Case(tuples=tuples, flow=flow))
    asked = flow.target[np.argsort(flow.source)] >= 0
    if not len(flow.targets):
        assert not number.any()
        return
    want, records = by_hand(tuples, flow.targets, flow.sizes, np.full(tuples.p, NOWHERE))
    assert least[asked].tolist() == np.asarray(want)[asked].tolist()
    assert number[asked].tolist() == np.asarray(records)[asked].tolist()
