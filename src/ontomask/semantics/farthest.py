"""Tuples arranged for exact farthest searches: what `_kernels/farthest.py` looks through."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .._kernels.farthest import GROUPS, FarIndex
from . import nearest
from .nearest import TupleIndex
from .spaces.base import Ints, Longs

SAMPLE = 256
LARGE = 512  # points of a class from which on buckets are worth their while


def build_far(index: TupleIndex, arranged: Ints, weight: Longs) -> FarIndex:
    """For the points of an index made with queries="candidates"; `arranged` are the points in its order of attributes."""
    near = index.arrays
    width = near.width
    buckets = int(width[0])
    heavy = -weight
    kinds, of, sizes = np.unique(heavy, return_inverse=True, return_counts=True)
    of = of.reshape(-1).astype(np.int32)
    key = arranged[:, 0].astype(np.int64) * int(width[1]) + arranged[:, 1]
    number = np.lexsort((key, of)).astype(np.int32)
    place = np.empty(len(number), np.int32)
    place[number] = np.arange(len(number), dtype=np.int32)
    points = np.ascontiguousarray(arranged[number])
    begin = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    large = sizes >= LARGE
    grid = np.where(large, np.cumsum(large) - 1, -1).astype(np.int32)
    grids = int(large.sum())

    held = np.flatnonzero(large[of[number]])  # places, in the order (class, first, second code)
    row = grid[of[number[held]]].astype(np.int64) * buckets + points[held, 0]
    starts = np.flatnonzero(np.r_[True, (np.diff(row) != 0) | (np.diff(points[held, 1]) != 0)]) if len(held) else held
    cell_row, cell_code = row[starts], points[held[starts], 1]
    bucket = np.searchsorted(cell_row, np.arange(grids * buckets + 1)).astype(np.int64)
    words = int(width[1] + 63) // 64
    bits = np.zeros((grids * buckets, words if grids * buckets * words * 64 <= nearest.MOST_BITS else 0), np.uint64)
    if bits.size:
        np.bitwise_or.at(bits, (cell_row, cell_code >> 6), np.uint64(1) << (cell_code.astype(np.uint64) & np.uint64(63)))
    second = near.distance[near.at[1] : near.at[1] + near.near2.shape[0] * int(width[1])].reshape(-1, int(width[1]))
    group, farther, how_far = _groups(second)
    at, kind = cell_row, group[cell_code]
    cells = np.zeros((grids * buckets, GROUPS), np.int32)
    np.add.at(cells, (at, kind), 1)
    mask = np.zeros(grids * buckets, np.uint64)
    np.bitwise_or.at(mask, at, np.uint64(1) << kind.astype(np.uint64))
    first = np.full(grids * buckets, np.iinfo(np.int32).max, np.int32)
    np.minimum.at(first, row, number[held])
    reaches = []
    for j in range(len(width)):
        end = int(near.at[j + 1]) if j + 1 < len(width) else len(near.distance)
        reaches.append(near.distance[near.at[j] : end].reshape(-1, int(width[j])).max(axis=1).astype(np.int64))
    reach_at = np.concatenate([[0], np.cumsum([len(r) for r in reaches])]).astype(np.int64)
    return FarIndex(
        weight=-kinds.astype(np.int64),
        begin=begin,
        live=sizes.astype(np.int64),
        grid=grid,
        bucket=bucket,
        cell_end=bucket[1:].copy(),
        cell_code=cell_code.astype(np.int32),
        cell=held[starts].astype(np.int64),
        cell_live=np.diff(np.append(starts, len(held))).astype(np.int32),
        bits=bits,
        group=group,
        mask=mask,
        first=first,
        cells=cells,
        in_grid=cells.reshape(grids, buckets, GROUPS).sum(axis=1, dtype=np.int32),
        farther=farther,
        how_far=how_far,
        points=points,
        number=number,
        place=place,
        of=of,
        reach=np.concatenate(reaches),
        reach_at=reach_at[:-1].copy(),
    )


def _groups(table: Ints) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8], Ints]:
    """Point codes dealt into groups by their mean distance from some queries; from each query the groups and their reach."""
    queries, codes = table.shape
    some = table[np.linspace(0, queries - 1, min(queries, SAMPLE)).astype(np.int64)]
    group = np.empty(codes, np.int8)
    group[np.argsort(some.sum(axis=0, dtype=np.int64), kind="stable")] = np.arange(codes) * GROUPS // codes
    reach = np.full((queries, GROUPS), -1, np.int32)
    for g in range(GROUPS):
        members = np.flatnonzero(group == g)
        if len(members):
            reach[:, g] = table[:, members].max(axis=1)
    farther = np.argsort(-reach, axis=1, kind="stable").astype(np.int8)
    return group, farther, np.take_along_axis(reach, farther.astype(np.int64), axis=1)
