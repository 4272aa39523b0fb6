"""Refined microaggregation: clusters that are improved until nothing gets better.

The objective is the SSE of the loss L (THESIS 6.2): Σ over records of the squared distance to what they become. docs/methods/
refined.md tells how it works; the loops are in `_kernels/refine.py`, the moving parts in `_kernels/clusters.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .._kernels import refine as kernels
from ..flow import Flow, Tuples, make_flow
from ..semantics.geometry import Geometry
from ..semantics.nearest import arrange, build_index
from ..semantics.spaces.base import Ints, Longs

Effort = Literal["fast", "normal", "thorough"]

ROUNDS: dict[Effort, int] = {"fast": 2, "normal": 40, "thorough": 40}
NEIGHBOURS = 24
FEW = 512  # tuples up to which everyone is everyone's neighbour


@dataclass(frozen=True, eq=False)
class Solution:
    """Which records form which cluster, what each cluster becomes, and what that costs."""

    source: Ints  # int32[f]
    cluster: Ints  # int32[f]
    records: Longs  # int64[f]
    centre: Ints  # int32[clusters, m]
    cost: float  # Σ records · (fixed-point distance)²

    def flow(self, notes: dict[str, object]) -> Flow:
        return make_flow(self.source, self.centre[self.cluster], self.records, notes=notes)


def refine(
    tuples: Tuples, geometry: Geometry, k: int, start: Ints, effort: Effort, rng: np.random.Generator
) -> tuple[Solution, dict[str, object]]:
    """Improve the clusters of `start` int32[p], each of at least k records; what was done, for the notes of the flow."""
    codes = np.ascontiguousarray(tuples.codes, np.int32)
    counts = tuples.counts.astype(np.int64)
    p, formed = tuples.p, int(start.max()) + 1
    most = int(min(tuples.n // k, formed + p)) + 1
    each = np.arange(p, dtype=np.int32)
    state = kernels.build(geometry.layout, codes, each, start, counts, formed, most, 2 * p + 2 * most)
    best = _solution(geometry, codes, state)
    first = best.cost
    near = _neighbours(geometry, codes)
    mark, dirty, stamp = np.zeros(most, np.int64), np.zeros(most, np.bool_), 0
    done = {"opened": 0, "moved": 0, "dissolved": 0}
    rounds = 0
    while rounds < ROUNDS[effort] and best.cost > 0:
        rounds += 1
        opened = kernels.open_new(geometry.layout, codes, state, near, k, each, dirty)
        moved, stamp = kernels.moves(geometry.layout, codes, state, near, k, each, mark, stamp, dirty)
        clusters = np.arange(most)
        dissolved, stamp = kernels.dissolve(geometry.layout, codes, state, near, clusters, mark, stamp, dirty)
        for what, number in zip(done, (opened, moved, dissolved), strict=True):
            done[what] += int(number)
        now = kernels.total_cost(geometry.layout, codes, state)
        if now >= best.cost:
            break
        best = _solution(geometry, codes, state)
    return best, {"rounds": rounds, **done, "gain_on_start": 1 - best.cost / first if first else 0.0}


def _neighbours(geometry: Geometry, codes: Ints) -> Ints:
    """int32[p, L]: the nearest other tuples of each."""
    p = len(codes)
    if p == 1:
        return np.full((1, 1), -1, np.int32)
    index = build_index(geometry, codes)
    near: Ints = kernels.neighbours(index.arrays, arrange(index, codes), p - 1 if p <= FEW else NEIGHBOURS)
    return near


def _solution(geometry: Geometry, codes: Ints, state: Any) -> Solution:
    source, cluster, records = kernels.entries(state)
    cost = kernels.total_cost(geometry.layout, codes, state)
    return Solution(source, cluster, records, state.centre.copy(), float(cost))
