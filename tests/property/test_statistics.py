"""Statistics from counts equal their definition, written out over all pairs of records."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontomask.evaluation.statistics import centred, correlation, covariance, mean, variance
from ontomask.flow import Tuples

from ..strategies import tables


def naive_centred(distances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """SWAP eq. 15 on the n × n matrix."""
    return distances - distances.mean(axis=1)[:, None] - distances.mean(axis=0)[None, :] + distances.mean()


def naive_covariance(left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> float:
    """SWAP eq. 14 on n × n matrices, before the root."""
    return float((naive_centred(left) * naive_centred(right)).sum() / len(left) ** 2)


@given(tables(most_attributes=2), st.booleans())
def test_statistics_equal_the_definition(table: Tuples, skewed: bool) -> None:
    """Also where a measure's distances depend on the direction (tversky)."""
    records = np.repeat(table.codes, table.counts, axis=0)
    sides, matrices = [], []
    for j in (0, table.m - 1):
        d = table.spaces[j].distances[: table.spaces[j].q].copy()
        if skewed:
            d *= 1 + np.arange(len(d))[:, None] / 7
        sides.append(centred(d, table.codes[:, j], table.counts))
        matrices.append(d[np.ix_(records[:, j], records[:, j])])
    square = naive_covariance(matrices[0], matrices[1])
    assert covariance(*sides) ** 2 == pytest.approx(max(0.0, square), abs=1e-9)
    squares = [naive_covariance(m, m) for m in matrices]
    assert [s.variance for s in sides] == pytest.approx([np.sqrt(max(0.0, s)) for s in squares], abs=1e-7)
    spread = np.sqrt(squares[0] * squares[1])
    if spread > 1e-9:
        assert correlation(*sides) ** 2 == pytest.approx(max(0.0, square) / spread, abs=1e-9)
    if not skewed:
        w = np.bincount(table.codes[:, 0], weights=table.counts, minlength=table.spaces[0].q)
        assert variance(table.spaces[0].distances[: table.spaces[0].q], w.astype(np.int64)) == pytest.approx(sides[0].variance)


@given(tables(most_attributes=1))
def test_the_mean_is_the_best_candidate_between_the_values(table: Tuples) -> None:
    space, values = table.spaces[0], table.codes[:, 0]
    over = [set(space.ancestors(int(v)).tolist()) for v in values]
    common = set.intersection(*over)
    sums = space.distances @ np.bincount(values, weights=table.counts, minlength=space.q)
    among = set(values.tolist())
    if common:
        links = {
            a: sum(int(space.links[space.up_ptr[v] : space.up_ptr[v + 1]][space.ancestors(int(v)) == a][0]) for v in values)
            for a in common
        }
        lowest = min(common, key=lambda a: (-space.depth[a], links[a], space.tie[a]))
        among = {c for c in set.union(*over) if lowest in space.ancestors(c)}
    found = mean(space, values, table.counts)
    assert found in among
    assert sums[found] == pytest.approx(min(sums[list(among)]), abs=1e-6)
