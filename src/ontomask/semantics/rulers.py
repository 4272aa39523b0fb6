"""Distances from one tuple to many, for tables whose sets are too many for tables of distances.

A `Ruler` measures one attribute: `reach(t, to)` are the distances of tuple t to the tuples `to`, `sums(to)` those of each
tuple of `to` to all records that are left, summed up; `lose(t, amount)` says that some records of t are no longer left. All
in fixed point, as exact integers, so that neither order nor threads change a result.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from .._kernels import sets as kernels
from ..errors import illegal
from .geometry import shares
from .spaces.base import Floats, Ints, Longs, Space
from .spaces.flat import FlatSpace
from .spaces.sets import SetSpace

DISTANCES = {
    "average": kernels.AVERAGE,
    "min": kernels.MIN,
    "max": kernels.MAX,
    "minsum": kernels.MINSUM,
    "maxsum": kernels.MAXSUM,
}
SHARE_BITS = 12
LARGE = 1024  # items of a set whose sums of distances are remembered,
MOST_FAR = 64  # for so many sets at most
MOST_CONCEPTS = 16_384  # whose distances to each other are kept: a gigabyte
MOST_EXTREMES = 1 << 30  # concepts × sets for which the nearest are kept: four gigabytes
EMPTY = np.zeros((0, 0), np.int32)


class Ruler(ABC):
    """One attribute of a table."""

    @abstractmethod
    def reach(self, t: int, to: Longs) -> Longs:
        """Distances of tuple t to some tuples."""

    @abstractmethod
    def sums(self, to: Longs) -> Longs:
        """Sums of the distances of some tuples to all records that are left."""

    @abstractmethod
    def lose(self, t: int, amount: int) -> None:
        """So many records of tuple t are no longer left."""


class PlainRuler(Ruler):
    """An attribute with a table of distances."""

    def __init__(self, space: Space, codes: Longs, counts: Longs, semantic: bool) -> None:
        self.codes = codes
        self.table = np.empty((space.q, space.q), np.int64)
        if semantic:
            values = np.arange(space.q)
            self.table[:] = np.rint(space.between(values, values) * (kernels.ONE / space.largest))
        else:
            self.table[:] = kernels.ONE * (1 - np.eye(space.q, dtype=np.int64))
        self.field = self.table @ np.bincount(codes, weights=counts, minlength=space.q).astype(np.int64)

    def reach(self, t: int, to: Longs) -> Longs:
        found: Longs = self.table[self.codes[t]][self.codes[to]]
        return found

    def sums(self, to: Longs) -> Longs:
        found: Longs = self.field[self.codes[to]]
        return found

    def lose(self, t: int, amount: int) -> None:
        self.field -= self.table[:, self.codes[t]] * amount


class SetRuler(Ruler):
    """An attribute of sets, by one of SETS' five distances. `average` needs no pair of sets for its sums: it is bilinear."""

    def __init__(self, space: SetSpace, codes: Longs, counts: Longs, distance: str, semantic: bool) -> None:
        semantic = semantic and not isinstance(space.inner, FlatSpace)  # whose items are equal or different
        self.kind, self.semantic = DISTANCES[distance], semantic
        used, items = np.unique(space.items[: space.ptr[space.q]], return_inverse=True)
        self.space, self.used, self.codes = space, used, codes
        sizes = np.diff(space.ptr)[codes]
        self.ptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        at = np.repeat(space.ptr[codes] - self.ptr[:-1], sizes) + np.arange(int(self.ptr[-1]))
        self.items: Ints = np.ascontiguousarray(items.reshape(-1)[at], np.int32)
        self.empty = sizes == 0
        self.concepts = len(used)
        self.mark = np.zeros(self.concepts, np.bool_)
        self.concept = self.extreme = EMPTY
        self.kept = self.concepts <= MOST_CONCEPTS  # whether the distances of concepts are
        if semantic:
            self._measure(distance)
        self.records = int(counts.sum())
        self.without = int(counts[self.empty].sum())
        if self.kind == kernels.AVERAGE:
            self._begin(counts)
        else:
            self.total = kernels.all_sums(
                self.kind, semantic, counts, self.concept, self.extreme, self.ptr, self.items, self.concepts
            )

    def _measure(self, distance: str) -> None:
        if self.kept:
            self.concept = np.empty((self.concepts, self.concepts), np.int32)
            for begin in range(0, self.concepts, 256):
                self.concept[begin : begin + 256] = self._rows(self.used[begin : begin + 256])
            if not np.array_equal(self.concept, self.concept.T):  # a distance of sets has no direction
                self.concept = ((self.concept + self.concept.T) // 2).astype(np.int32)
        if self.kind == kernels.AVERAGE:
            return
        if not self.kept or self.concepts * (len(self.ptr) - 1) > MOST_EXTREMES:
            many = f"{self.concepts:,} different items in {len(self.ptr) - 1:,} sets"
            raise illegal("distance", "SetMicroaggregation", f"be 'average' for {many}", distance)
        largest = self.kind in (kernels.MAX, kernels.MAXSUM)
        self.extreme = kernels.extremes(self.concept, self.ptr, self.items, largest)

    def _rows(self, concepts: Ints) -> Longs:
        """Distances of some concepts to all that are used, in fixed point."""
        scale = kernels.ONE / self.space.inner.largest
        rows: Longs = np.rint(self.space.inner.between(concepts, self.used) * scale).astype(np.int64)
        return rows

    def _begin(self, counts: Longs) -> None:
        """The field that all records together make: for each concept the sum of their mean distances to it."""
        sizes = np.diff(self.ptr)
        share = counts * _inverse(sizes)
        self.field = np.zeros(self.concepts, np.int64)
        if self.semantic and not self.kept:
            for t in np.flatnonzero((sizes >= LARGE) & (share > 0)):
                self.field += share[t] * self._far(int(t))[1]
                share[t] = 0
        each = np.repeat(share, sizes)
        amount = np.bincount(self.items, weights=each, minlength=self.concepts).astype(np.int64)
        if not self.semantic:
            self.field += (kernels.ONE >> kernels.COARSE) * (amount.sum() - amount)
            return
        held = np.flatnonzero(amount)
        for begin in range(0, len(held), 256):
            some = held[begin : begin + 256]
            rows = self.concept[some] if self.kept else self._rows(self.used[some])
            self.field += (rows.astype(np.int64) >> kernels.COARSE).T @ amount[some]

    def _far(self, t: int) -> tuple[Longs, Longs]:
        """The sum of the distances from a set's items to each concept, int64[concepts], fine and coarse, where the distances of
        concepts are too many to be kept. Remembered with the space for large sets, of which there are few."""
        code, own = int(self.codes[t]), self._own(t)
        known = self.space.far.get(code)
        if known is None:
            fine, coarse = np.zeros(self.concepts, np.int64), np.zeros(self.concepts, np.int64)
            for begin in range(0, len(own), 256):
                rows = self._rows(self.used[own[begin : begin + 256]])
                fine += rows.sum(axis=0)
                coarse += (rows >> kernels.COARSE).sum(axis=0)
            known = fine, coarse
            if len(own) >= LARGE and len(self.space.far) < MOST_FAR:
                self.space.far[code] = known
        return known

    def _own(self, t: int) -> Ints:
        return self.items[self.ptr[t] : self.ptr[t + 1]]

    def reach(self, t: int, to: Longs) -> Longs:
        found: Longs
        if not self.semantic:
            found = kernels.equal_from_set(self.kind, t, to, self.mark, self.ptr, self.items)
        elif self.kept:
            found = kernels.from_set(self.kind, t, to, self.concept, self.extreme, self.ptr, self.items)
        else:
            found = self._far_reach(t, to)
        return found

    def _far_reach(self, t: int, to: Longs) -> Longs:
        """`reach` by average where the distances of concepts are too many to be kept."""
        own = self._own(t)
        sizes = np.diff(self.ptr)[to]
        if not len(own):
            return np.where(sizes == 0, 0, kernels.ONE)
        whole = np.concatenate([[0], np.cumsum(self._far(t)[0][self.items])])
        total = whole[self.ptr[to + 1]] - whole[self.ptr[to]]
        by = np.maximum(sizes * len(own), 1)
        return np.where(sizes == 0, kernels.ONE, (total + by // 2) // by)

    def sums(self, to: Longs) -> Longs:
        if self.kind != kernels.AVERAGE:
            found: Longs = self.total[to]
            return found
        full = kernels.average_sums(self.field, to, self.ptr, self.items) + self.without * kernels.ONE
        return np.where(self.empty[to], (self.records - self.without) * kernels.ONE, full)

    def lose(self, t: int, amount: int) -> None:
        self.records -= amount
        self.without -= amount if self.empty[t] else 0
        if self.kind != kernels.AVERAGE:
            self.total -= amount * self.reach(t, np.arange(len(self.total)))
            return
        own = self._own(t)
        if not len(own):
            return
        each = -amount * int(_inverse(np.asarray([len(own)]))[0])
        if not self.semantic:
            self.field += each * len(own) * (kernels.ONE >> kernels.COARSE)
            self.field[own] -= each * (kernels.ONE >> kernels.COARSE)
        elif self.kept:
            kernels.add_rows(self.concept, own, each, self.field)
        else:
            self.field += each * self._far(t)[1]


class RecordRuler:
    """The distance of records: the (weighted) mean over the attributes, in fixed point."""

    def __init__(
        self,
        spaces: Sequence[Space],
        codes: Ints,
        counts: Longs,
        weights: Floats | None,
        distance: str = "average",
        semantic: bool = True,
    ) -> None:
        """`codes` int32[p, m]: value codes of p tuples, of which `counts` int64[p] records are left."""
        share = shares(weights, len(spaces))
        left = counts.astype(np.int64)
        self.parts: list[tuple[int, Ruler]] = []
        for j, space in enumerate(spaces):
            column = np.ascontiguousarray(codes[:, j], np.int64)
            ruler = (
                SetRuler(space, column, left, distance, semantic)
                if isinstance(space, SetSpace)
                else PlainRuler(space, column, left, semantic)
            )
            self.parts.append((round(share[j] * (1 << SHARE_BITS)), ruler))

    def reach(self, t: int, to: Longs) -> Longs:
        """The distances of tuple t to some tuples."""
        return sum((share * ruler.reach(t, to) for share, ruler in self.parts), np.zeros(len(to), np.int64))

    def sums(self, to: Longs) -> Longs:
        """Sums of the distances of some tuples to all records that are left."""
        return sum((share * ruler.sums(to) for share, ruler in self.parts), np.zeros(len(to), np.int64))

    def lose(self, t: int, amount: int) -> None:
        """So many records of tuple t are no longer left."""
        for _, ruler in self.parts:
            ruler.lose(t, amount)


def _inverse(sizes: Longs) -> Longs:
    """1/size in fixed point; empty sets: 0."""
    inverse: Longs = np.where(sizes > 0, np.rint((1 << kernels.INVERSE) / np.maximum(sizes, 1)), 0).astype(np.int64)
    return inverse
