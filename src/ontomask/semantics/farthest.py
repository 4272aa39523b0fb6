"""Tuples arranged for exact farthest searches: what `_kernels/farthest.py` looks through."""

from __future__ import annotations

import numpy as np

from .._kernels.farthest import GROUPS, FarIndex
from .nearest import TupleIndex
from .spaces.base import Ints, Longs

SAMPLE = 256
ROUNDS = 4
LARGE = 2048  # points of a class from which on tiles are worth their while


def build_far(index: TupleIndex, arranged: Ints, weight: Longs) -> FarIndex:
    """For the points of an index made with queries="candidates"; `arranged` are the points in its order of attributes."""
    kinds, kind, sizes = np.unique(-weight, return_inverse=True, return_counts=True)
    kind = kind.reshape(-1)
    large = sizes >= LARGE
    tile = np.concatenate([[0], np.cumsum(np.where(large, GROUPS * GROUPS, 1))]).astype(np.int64)
    of_point = tile[kind]
    groups = []
    for j, table in enumerate(_tables(index)):
        farther = np.zeros((len(table), GROUPS), np.int32)
        if j < 2 and large.any():
            group = _alike(table)
            of_point += np.where(large[kind], group[arranged[:, j]] * (GROUPS if j == 0 else 1), 0)
            reach, farther = _reach(table, group)
        else:
            reach = np.broadcast_to(table.max(axis=1)[:, None], farther.shape)
        groups.append(np.stack([reach, farther], axis=2))
    number = np.argsort(of_point, kind="stable").astype(np.int32)
    begin = np.searchsorted(of_point[number], np.arange(tile[-1] + 1))
    of = np.empty((len(number), 3), np.int32)
    of[:, 0], of[:, 1] = kind, of_point
    of[number, 2] = np.arange(len(number), dtype=np.int32)
    first = number[np.minimum(begin[:-1], len(number) - 1)]  # within a tile numbers ascend; an empty one is not asked
    return FarIndex(
        classes=np.column_stack([np.append(-kinds, 0), np.append(sizes, 0), tile]).astype(np.int64),
        tiles=np.column_stack([begin[:-1], np.diff(begin), first]).astype(np.int32),
        points=np.column_stack([arranged[number], number]),
        of=of,
        groups=np.concatenate(groups),
        row=np.concatenate([[0], np.cumsum([len(g) for g in groups[:-1]])]).astype(np.int64),
    )


def _tables(index: TupleIndex) -> list[Ints]:
    """int32[query codes, point codes] of each attribute, in the order of the index."""
    near = index.arrays
    ends = [*near.at[1:], len(near.distance)]
    return [near.distance[a:b].reshape(-1, w) for a, b, w in zip(near.at, ends, near.width, strict=True)]


def _alike(table: Ints) -> Longs:
    """The group of each point code: codes that are about equally far from what is far from them (k-means).

    Distances from some queries count, none as less than the median from there: how near a code is to what is near does
    not matter to a search for the farthest, and would tear apart codes that are equally far from all others.
    """
    some = table[np.linspace(0, len(table) - 1, min(len(table), SAMPLE)).astype(np.int64)].T.astype(np.float32)
    some = np.maximum(some, np.median(some, axis=0))
    some /= max(float(some.max()), 1.0)
    by_mean = np.argsort(some.sum(axis=1), kind="stable")
    centre = some[by_mean[np.linspace(0, len(some) - 1, GROUPS).astype(np.int64)]]
    for _ in range(ROUNDS):
        group = np.argmin((centre**2).sum(axis=1) - 2 * some @ centre.T, axis=1)
        order = np.argsort(group, kind="stable")
        held, start = np.unique(group[order], return_index=True)
        sums = np.add.reduceat(some[order], start, axis=0)
        centre[held] = sums / np.diff(np.append(start, len(group)))[:, None]
    found: Longs = group.astype(np.int64)
    return found


def _reach(table: Ints, group: Longs) -> tuple[Ints, Ints]:
    """From each query the largest distance to a code of each group, falling, and which group that is."""
    reach = np.full((len(table), GROUPS), -1, np.int32)
    for g in np.unique(group):
        reach[:, g] = table[:, group == g].max(axis=1)
    farther = np.argsort(-reach, axis=1, kind="stable").astype(np.int32)
    return np.take_along_axis(reach, farther.astype(np.int64), axis=1), farther
