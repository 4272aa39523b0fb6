"""Refined microaggregation: clusters that are improved until nothing gets better.

The objective is the SSE of the loss L (THESIS 6.2): Σ over records of the squared distance to what they become. docs/methods/
refined.md tells how it works; the loops are in `_kernels/refine.py`, the moving parts in `_kernels/clusters.py`, and
`_kernels/improve.py` is how they are called.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .._kernels import refine as kernels
from .._kernels.clusters import Clusters
from .._kernels.improve import COST, DISSOLVE, FILL, MOVE, OPEN, REBUILD, empty_clusters, step
from .._kernels.threads import in_parts
from .._progress import along, span, stages
from ..flow import Flow, Tuples, make_flow
from ..semantics.geometry import Geometry
from ..semantics.nearest import PART, TupleIndex, arrange, build_index
from ..semantics.spaces.base import Ints, Longs

Effort = Literal["fast", "normal", "thorough"]

PASSES: dict[Effort, int] = {"fast": 0, "normal": 2, "thorough": 20}  # over all neighbourhoods, to rebuild them
FAST, ENOUGH = 2, 40  # rounds
IDLE = 3  # passes that gain nothing, after which to stop
NEIGHBOURS = 24
# How long the stages take beside each other, from which the share done is told: growing the clusters to begin with, finding
# the neighbours, the first rounds and those that follow, a pass.
GROWING, MEETING, FIRST, MORE, PASS = 8, 24, 10, 18, 24
STARTS, TURN = 2048, 1 << 17  # what is rebuilt, and what a round goes through, between two looks at whether to stop
FEW = 512  # tuples up to which everyone is everyone's neighbour


def work(effort: Effort) -> int:
    """How long refining takes, in the unit of GROWING."""
    return MEETING + FIRST + (MORE if PASSES[effort] else 0) + PASS * PASSES[effort]


def in_turn(items: Longs) -> Iterator[tuple[Longs, bool]]:
    """The items in parts, and whether a part is the last one."""
    return along([(items[i : i + TURN], i + TURN >= len(items)) for i in range(0, len(items), TURN)])


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
    state = empty_clusters(geometry.layout, p, 2 * p + 2 * most, most)
    passes = PASSES[effort]
    meeting, first_rounds, more_rounds, *passing = stages(MEETING, FIRST, MORE if passes else 0, *[PASS] * passes)
    with meeting:
        near = _neighbours(geometry, codes)
    search = Search(geometry, codes, counts, k, state, near, start)
    first = search.best.cost
    with first_rounds:
        search.rounds(FAST)
    if passes:
        with more_rounds:
            search.rounds(ENOUGH)
    chance = np.random.default_rng(rng.integers(1 << 62))
    idle = 0
    for stage in passing:
        if search.best.cost == 0.0 or idle == IDLE:
            break
        with stage:
            idle = 0 if search.rebuild(chance) else idle + 1
    return search.best, {**search.done, "gain_on_start": 1 - search.best.cost / first if first else 0.0}


class Search:
    """The clusters as they are now, and the best that they have been."""

    def __init__(
        self, geometry: Geometry, codes: Ints, counts: Longs, k: int, state: Clusters, near: Ints, start: Ints
    ) -> None:
        self.geometry, self.codes, self.counts, self.k, self.state, self.near = geometry, codes, counts, k, state, near
        self.tuples, self.clusters = np.arange(len(codes)), np.arange(len(state.head))  # int64: one type, one kernel
        self.mark, self.dirty, self.stamp = np.zeros(len(state.head), np.int64), np.zeros(len(state.head), np.bool_), 0
        self.place, self.random = start.astype(np.int32), np.zeros(1, np.uint64)
        self.done = {"rounds": 0, "opened": 0, "moved": 0, "dissolved": 0, "rebuilt": 0}
        self._step(FILL, self.tuples)
        self.place = np.full(len(codes), -1, np.int32)
        self.best = self._now()

    def _step(self, what: np.int64, order: Longs, last: bool = True) -> tuple[int, float]:
        """How many changed, and the cost where that is asked for."""
        done, self.stamp, cost = step(
            what,
            self.geometry.layout,
            self.codes,
            self.state,
            self.near,
            self.k,
            order,
            self.mark,
            self.stamp,
            self.dirty,
            last,
            self.place,
            self.counts,
            self.random,
        )
        return int(done), float(cost)

    def rounds(self, most: int) -> None:
        """Open, move, dissolve, until a round makes nothing better."""
        for turn in range(most):
            # How many rounds there will be is not known: each is taken for a fifth of what is left.
            with span(1 - 0.8**turn, 1 - 0.8 ** (turn + 1)):
                opening, moving, dissolving = stages(4, 4, 2)
                for stage, what, order, name in (
                    (opening, OPEN, self.tuples, "opened"),
                    (moving, MOVE, self.tuples, "moved"),
                    (dissolving, DISSOLVE, self.clusters, "dissolved"),
                ):
                    with stage:
                        for part, last in in_turn(order):
                            self.done[name] += self._step(what, part, last)[0]
            self.done["rounds"] += 1
            if not self._better():
                break

    def rebuild(self, chance: np.random.Generator) -> bool:
        """One pass over the neighbourhoods of all clusters, a small table's several times; was anything gained?"""
        used = max(1, int((self.state.members > 0).sum()))
        starts = np.concatenate([chance.permutation(self.clusters) for _ in range(max(1, FEW // used))])
        self.random = chance.integers(0, 1 << 63, 1, dtype=np.uint64)
        rebuilding, then = stages(9, 15)
        with rebuilding:
            for part in along([starts[i : i + STARTS] for i in range(0, len(starts), STARTS)]):
                self.done["rebuilt"] += self._step(REBUILD, part)[0]
        if not self._better():
            return False
        with then:
            self.rounds(ENOUGH)
        return True

    def _better(self) -> bool:
        if self._step(COST, self.tuples)[1] >= self.best.cost:
            return False
        self.best = self._now()
        return True

    def _now(self) -> Solution:
        source, cluster, records = kernels.entries(self.state)
        return Solution(source, cluster, records, self.state.centre.copy(), self._step(COST, self.tuples)[1])


def _neighbours(geometry: Geometry, codes: Ints) -> Ints:
    """int32[p, L]: the nearest other tuples of each."""
    p = len(codes)
    if p == 1:
        return np.full((1, 1), -1, np.int32)
    index = build_index(geometry, codes)
    return nearest_others(index, arrange(index, codes), p - 1 if p <= FEW else NEIGHBOURS)


def nearest_others(index: TupleIndex, xs: Ints, most: int) -> Ints:
    """The `most` nearest other points of every point, int32[p, most], by (distance, number); −1 where there are no more.

    `xs`: the points, arranged.
    """
    near, ones = np.empty((len(xs), most), np.int32), np.ones(len(xs), np.int64)
    in_parts(lambda begin, end: kernels.neighbours(index.arrays, xs, ones, most, begin, end, near), len(xs), PART)
    return near
