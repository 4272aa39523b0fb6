"""Recoding: groups of equal records are fused with their nearest until each has k records (FUSION 3, THESIS 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from .._kernels.fusion import fuse_at_random, fuse_in_order, fuse_nearest, roots
from .._kernels.nearest import compact
from .._progress import span, stages, watched
from ..flow import Flow, Tuples, make_flow
from ..semantics.nearest import NOWHERE, TupleIndex, arrange, build_index, search_many
from ..semantics.spaces.base import Ints, Longs
from .base import Method, check_choice, check_flag, check_k, check_k_of_table

Heuristics = Literal["all", "H1+H2", "H1", "none"]
Guide = Literal["semantic", "discernibility"]

LOOKED_AT = 10_000  # groups from which it is told how many have been fused


@dataclass(frozen=True)
class Recoding(Method):
    """The smallest group takes the values of its nearest group, until every group has k records (FUSION, algorithm of 3.2).

    Only tuples that occur in the table are ever used. Among the smallest groups (H1) those go first whose nearest other
    group is nearest (H2), among them those with the smallest union with it (H3), among them the first in the table. The
    nearest group: the smallest of those at the same distance, then the first in the table.

    heuristics: "all"; "H1+H2", "H1" and "none" leave some out, as in the ablation of FUSION, figure 2. Without H2 a
    group takes the values of a random record of another group; without H1 the groups go in alphabetical order.
    guide: "semantic", or "discernibility": the fusion that makes the sum of |g|² grow least (FUSION 4.2).
    weighted: the distance to a group counts once for each of its records, and the smallest groups go one after the other
    in the order of the table (THESIS, algorithm 2 with eq. 4.3).
    Without H2 nothing is near or far: `guide` and `weighted` then have no effect; `weighted` has none beside
    guide="discernibility", which knows no distances.
    """

    k: int
    heuristics: Heuristics = "all"
    guide: Guide = "semantic"
    weighted: bool = False

    def __post_init__(self) -> None:
        check_k(self.k, "Recoding")
        check_choice("heuristics", "Recoding", self.heuristics, get_args(Heuristics))
        check_choice("guide", "Recoding", self.guide, get_args(Guide))
        check_flag("weighted", "Recoding", self.weighted)

    def mask(self, tuples: Tuples, rng: np.random.Generator) -> Flow:
        check_k_of_table(self.k, "Recoding", tuples.n)
        size = tuples.counts.astype(np.int64)
        parent = np.arange(tuples.p, dtype=np.int32)
        fusing, _ = stages(6, 1)  # at last the flow is put together
        if size.min() < self.k:
            with fusing:
                if self.heuristics in ("none", "H1"):
                    self._at_random(tuples, size, parent, rng)
                elif self.guide == "discernibility":
                    self._smallest(size, parent)
                else:
                    self._nearest(tuples, size, parent)
        moved = int((parent != np.arange(tuples.p)).sum())
        each = np.arange(tuples.p, dtype=np.int32)
        return make_flow(each, tuples.codes[roots(parent)], tuples.counts, notes={"fusions": moved})

    def _nearest(self, tuples: Tuples, size: Longs, parent: Ints) -> None:
        arranging, by_level = stages(1, 6)
        with arranging:
            index = build_index(tuples.geometry, tuples.codes)
            xs = arrange(index, tuples.codes)
        with by_level:
            self._levels(index, xs, size, parent)

    def _levels(self, index: TupleIndex, xs: Ints, size: Longs, parent: Ints) -> None:
        """The groups of one record, then those of two, and so on."""
        small, reached = int((size < self.k).sum()), 0.0
        for level in range(1, self.k):  # groups only grow: a size that is done does not come back
            group = _of_size(level, size, parent)
            if len(group) == 0:
                continue
            compact(index.arrays)
            others = int(((size < self.k) & (parent == np.arange(len(parent)))).sum()) - len(group)
            begin, reached = reached, max(reached, 1 - others / small)
            with span(begin, reached):
                self._fuse(index, xs, size, parent, group)

    def _fuse(self, index: TupleIndex, xs: Ints, size: Longs, parent: Ints, group: Ints) -> None:
        """All groups of the smallest size."""
        level, some = int(size[group[0]]), group[:: 1 + len(group) // LOOKED_AT]

        def settled() -> float:
            return float(((size[some] != level) | (parent[some] != some)).mean())

        def stop() -> None:
            size[group] = level + 1  # as if all of them had grown: nothing is left to do

        if self.weighted:
            with watched(settled, stop):
                fuse_in_order(index.arrays, xs, size, parent, group)
            return
        looking, fusing = stages(2, 1)
        with looking:
            distance, near = _nearest_others(index, xs, size, group)
        with fusing, watched(settled, stop):
            fuse_nearest(index.arrays, xs, size, parent, group, distance, near, self.heuristics == "all")

    def _smallest(self, size: Longs, parent: Ints) -> None:
        """2·|r|·|s| is least where both are smallest: neighbours in the order (size, place in the table) pair up."""
        for level in range(1, self.k):
            group = _of_size(level, size, parent)
            pairs = len(group) // 2 * 2
            parent[group[0:pairs:2]] = group[1:pairs:2]
            size[group[1:pairs:2]] += level
            if len(group) > pairs:
                last = group[-1]
                others = np.flatnonzero(parent == np.arange(len(parent)))
                others = others[others != last]
                smallest = others[np.argmin(size[others])]
                parent[last] = smallest
                size[smallest] += level

    def _at_random(self, tuples: Tuples, size: Longs, parent: Ints, rng: np.random.Generator) -> None:
        chance = rng.random(tuples.p)
        if self.heuristics == "none":
            fuse_at_random(size, parent, alphabetical(tuples), self.k, chance)
            return
        for level in range(1, self.k):
            fuse_at_random(size, parent, _of_size(level, size, parent), level + 1, chance)


def alphabetical(tuples: Tuples) -> Ints:
    """The tuples in the alphabetical order of their words, attribute by attribute: int32[p]."""
    ranks: list[Any] = []
    for j, space in enumerate(tuples.spaces):
        words = ["" if w is None else str(w) for w in space.words(range(space.q))]
        rank = np.empty(space.q, np.int64)
        rank[sorted(range(space.q), key=words.__getitem__)] = np.arange(space.q)
        ranks.append(rank[tuples.codes[:, j]])
    order: Ints = np.lexsort(ranks[::-1]).astype(np.int32)
    return order


def _of_size(level: int, size: Longs, parent: Ints) -> Ints:
    """The groups of this size, in the order of the table."""
    group: Ints = np.flatnonzero((size == level) & (parent == np.arange(len(parent)))).astype(np.int32)
    return group


def _nearest_others(index: TupleIndex, xs: Ints, size: Longs, group: Ints) -> tuple[Longs, Ints]:
    """Distance and number of the nearest other group of each."""
    by_place = np.argsort(index.arrays.place[group])
    asked = group[by_place]
    limit = np.full(len(group), NOWHERE, np.int64)
    d, s, _ = search_many(index, xs[asked], asked, size, limit)
    distance, near = np.empty_like(d), np.empty_like(s)
    distance[by_place], near[by_place] = d, s
    return distance, near
