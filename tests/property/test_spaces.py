"""What every space promises, whatever its values mean."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ontomask.semantics.spaces.base import Space
from ontomask.semantics.spaces.number import NumberSpace
from tests.strategies import spaces


@given(spaces())
def test_distances_are_symmetric_zero_to_oneself_and_the_same_however_asked(space: Space) -> None:
    every = np.arange(space.h)
    d = space.between(every, every)
    assert d.shape == (space.h, space.h)
    assert (d == d.T).all()
    assert (np.diag(d) == 0).all()
    assert (d >= 0).all()
    assert np.array_equal(space.distances, d[:, : space.q])
    assert space.largest >= max(1.0, d[:, : space.q].max(initial=0.0))
    left, right = np.repeat(every, space.h), np.tile(every, space.h)
    assert np.array_equal(space.along(left, right), d.reshape(-1))


@given(spaces())
def test_every_candidate_says_something_of_its_own_and_top_covers_all(space: Space) -> None:
    words = space.words(range(space.h))
    assert len({str(w) for w in words}) == space.h
    assert space.up_ptr[0] == 0
    assert space.up_ptr[-1] == len(space.up) == len(space.links)
    for c in range(space.h):
        above = space.ancestors(c)
        assert above[-1] == c
        assert space.links[space.up_ptr[c + 1] - 1] == 0
        assert len(set(above.tolist())) == len(above)


numbers = st.integers(-50, 50) | st.floats(-50, 50, allow_nan=False) | st.none()


@given(st.lists(st.tuples(numbers, st.integers(1, 9)), min_size=1, max_size=30), st.integers(1, 6))
def test_binned_numbers_are_near_their_values(rows: list[tuple[Any, int]], bins: int) -> None:
    values, counts = [v for v, _ in rows], [w for _, w in rows]
    space = NumberSpace("x", values, counts=counts, bins=bins)
    assert len(space.codes) == len(values)
    assert space.q <= bins + 1
    assert sorted(set(space.codes.tolist()), key=space.codes.tolist().index) == list(range(space.q))
    said = space.words(space.codes)
    assert all((a is None) == (b is None) for a, b in zip(values, said, strict=True))
    known = sorted((v, b) for v, b in zip(values, said, strict=True) if v is not None)
    # Bins are runs of the line: what is said grows with the value.
    assert all(x[1] <= y[1] for x, y in pairwise(known))
    assert {b for _, b in known} <= {v for v, _ in known}


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), min_size=1, max_size=12, unique_by=lambda r: r[0]))
def test_the_least_sum_of_distances_among_numbers_is_at_a_weighted_median(rows: list[tuple[int, int]]) -> None:
    space = NumberSpace("x", [v for v, _ in rows])
    counts = np.asarray([w for _, w in rows])
    sums = space.distances[: space.q] @ counts
    ordered = np.repeat(*zip(*sorted(rows), strict=True))
    medians = {ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]}
    least = {space.say(int(c)) for c in np.flatnonzero(sums <= sums.min() + 1e-9)}
    assert medians <= least
