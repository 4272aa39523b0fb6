"""Tuples whose centroid is asked for while they change: what `_kernels/bag.py` keeps up to date."""

from __future__ import annotations

import numpy as np

from .._kernels.bag import CLIMBED, COVER, DISTINCT, LARGEST, LOST, OWN, STALE, TOUCHED, VALUES, Bag, Rest
from .geometry import Geometry
from .spaces.base import Ints, Longs

FEW = 64  # candidates of a whole table that are followed


def empty_bag(geometry: Geometry) -> Bag:
    """No tuple."""
    size, m = int(geometry.first[-1]), geometry.m
    return Bag(of=np.zeros((size, 4), np.int64), listed=np.zeros((2, size), np.int32), size=np.zeros((m, 3), np.int64))


def whole_table(geometry: Geometry, codes: Ints, counts: Longs) -> Rest:
    """All tuples: `codes` int32[p, m], `counts` int64[p]."""
    bag, m = empty_bag(geometry), geometry.m
    value = np.zeros((3, len(bag.of)), np.int64)
    for j in range(m):
        base, h, q = int(geometry.first[j]), int(geometry.h[j]), int(geometry.q[j])
        own = np.zeros(q, np.int64)
        np.add.at(own, codes[:, j], counts)
        present = np.flatnonzero(own)
        bag.of[base : base + q, OWN] = own
        begin, end = geometry.up_ptr[base + present], geometry.up_ptr[base + present + 1]
        links = np.concatenate([np.arange(b, e) for b, e in zip(begin, end, strict=True)])
        np.add.at(bag.of[:, COVER], base + geometry.up[links], 1)
        np.add.at(bag.of[:, CLIMBED], base + geometry.up[links], geometry.links[links])
        bag.listed[TOUCHED, base : base + h] = np.arange(h)
        bag.listed[VALUES, base : base + q] = np.arange(q)
        bag.size[j, [TOUCHED, VALUES, DISTINCT]] = h, q, len(present)
        value[LOST, base : base + q] = -own  # sums are 0 so far
        value[LARGEST, base : base + q] = geometry.table(j).max(axis=0)
    state = np.zeros((m, 4), np.int64)
    state[:, STALE] = 1
    return Rest(bag=bag, value=value, few=np.zeros((m, FEW, 2), np.int64), state=state)


def work_space(geometry: Geometry) -> tuple[Ints, Longs, Longs, Ints]:
    """Clean work space as `_kernels.centroid.scratch` makes it."""
    most = int(geometry.h.max())
    return np.zeros(most, np.int32), np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int32)
