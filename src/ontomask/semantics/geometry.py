"""The spaces of a table as the kernels see them: flat typed arrays, distances in fixed point.

Why fixed point. Methods add, subtract and compare sums of distances all the time, and break ties by rule. In floating
point the result would depend on the order of additions, on the number of threads, and on whether a sum was recomputed or
kept up to date by subtraction. As integers (30 bits for the mean distance of two records) sums are exact: the same table
gives the same release, always, and equal distances are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._kernels.layout import Layout
from .spaces.base import Floats, Ints, Longs, Space

BITS = 30
MOST_BYTES = 1 << 31  # of distances for which the whole table is searched; the searches need about three times as much again


def table_bytes(spaces: Sequence[Space]) -> int:
    """What the fixed-point distances of these attributes take."""
    return 4 * sum(int(s.h) * int(s.q) for s in spaces)


@dataclass(frozen=True, eq=False)
class Geometry:
    """m attributes laid end to end.

    Distance of candidate c and value v of attribute j, already weighted with the attribute's share:
    `distance[at[j] + c * q[j] + v]`, an int32. The distance of two records is the sum over attributes; times `unit`
    it is the (weighted) mean semantic distance.
    Candidate c of attribute j has number `first[j] + c` in `depth`, `tie` and `up_ptr`; its ancestors-or-self, as
    candidate codes of the same attribute, are `up[up_ptr[i]:up_ptr[i+1]]`, `links` beside them. `top[j]` is the candidate
    that stands for anything.
    """

    m: int
    q: Ints  # int32[m]
    h: Ints  # int32[m]
    at: Longs  # int64[m]
    distance: Ints  # int32[Σ h·q]
    first: Longs  # int64[m+1]
    up_ptr: Longs  # int64[Σh + 1]
    up: Ints
    links: Ints
    depth: Ints  # int32[Σh]
    tie: Ints  # int32[Σh]
    top: Ints  # int32[m]
    unit: float

    @cached_property
    def layout(self) -> Layout:
        """The arrays as kernels take them."""
        return Layout(*(getattr(self, name) for name in Layout._fields))

    def table(self, j: int) -> Ints:
        """int32[h, q]: the fixed-point distances of attribute j (a view)."""
        size = int(self.h[j]) * int(self.q[j])
        return self.distance[self.at[j] : self.at[j] + size].reshape(int(self.h[j]), int(self.q[j]))


def shares(weights: Sequence[float] | Floats | None, m: int) -> Floats:
    """Attribute weights as shares that add up to 1."""
    w = np.ones(m) if weights is None else np.asarray(weights, np.float64)
    share: Floats = w / w.sum()
    return share


def build_geometry(spaces: Sequence[Space], weights: Sequence[float] | Floats | None = None) -> Geometry:
    """The geometry of some attributes; `weights` weigh them in the record distance (default: all alike)."""
    m = len(spaces)
    share = shares(weights, m)
    largest = max(float(s.largest) for s in spaces)
    scale = (1 << BITS) / largest
    q = np.asarray([s.q for s in spaces], np.int32)
    h = np.asarray([s.h for s in spaces], np.int32)
    sizes = h.astype(np.int64) * q
    at = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    distance = np.empty(int(at[-1]), np.int32)
    for j, space in enumerate(spaces):
        part = distance[at[j] : at[j + 1]].reshape(space.h, space.q)
        for rows, distances in space.in_rows():
            np.rint(distances * (scale * share[j]), out=part[rows], casting="unsafe")
    first = np.concatenate([[0], np.cumsum(h)]).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum([len(s.up) for s in spaces])]).astype(np.int64)
    up_ptr = np.concatenate([*(s.up_ptr[:-1] + starts[j] for j, s in enumerate(spaces)), starts[-1:]])
    return Geometry(
        m=m,
        q=q,
        h=h,
        at=at[:-1],
        distance=distance,
        first=first,
        up_ptr=up_ptr.astype(np.int64),
        up=np.concatenate([s.up for s in spaces]).astype(np.int32),
        links=np.concatenate([s.links for s in spaces]).astype(np.int32),
        depth=np.concatenate([s.depth for s in spaces]).astype(np.int32),
        tie=np.concatenate([s.tie for s in spaces]).astype(np.int32),
        top=np.asarray([s.top for s in spaces], np.int32),
        unit=1.0 / scale,
    )
