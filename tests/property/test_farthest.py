"""The pruned farthest search equals looking at every point, ties and removals included."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask._kernels import farthest as kernels
from ontomask.flow import Tuples
from ontomask.semantics import farthest as building
from ontomask.semantics.farthest import build_far
from ontomask.semantics.nearest import arrange, build_index
from tests.kernels import outer
from tests.property.test_nearest import crowded, distances
from tests.strategies import tables

farthest, forget = outer(kernels.farthest), outer(kernels.forget)


@settings(max_examples=40)
@given(st.one_of(tables(most_tuples=24), crowded()), st.integers(0, 10**6), st.sampled_from([1, 4, 2048]))
def test_farthest_equals_looking_at_every_point(tuples: Tuples, seed: int, large: int) -> None:
    rng = np.random.default_rng(seed)
    before = building.LARGE
    building.LARGE = large
    try:
        index = build_index(tuples.geometry, tuples.codes, queries="candidates")
        far = build_far(index, arrange(index, tuples.codes), tuples.counts)
    finally:
        building.LARGE = before
    queries = np.column_stack([rng.integers(0, s.h, 2 * tuples.p) for s in tuples.spaces]).astype(np.int32)
    xs = arrange(index, queries)
    truth = distances(tuples, tuples.codes, queries, centroids=True) * tuples.counts
    alive = set(range(tuples.p))
    for x, row in zip(xs, truth, strict=True):
        if alive:
            assert farthest(index.arrays, far, x) == min(alive, key=lambda n: (-row[n], n))
            gone = int(rng.choice(sorted(alive)))
            alive.remove(gone)
            forget(far, gone)
