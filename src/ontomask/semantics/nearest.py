"""Tuples arranged for exact nearest searches: what `_kernels/nearest.py` walks through.

    index = build_index(geometry, points)             # points: int32[p, m], candidate codes (value codes are such, too)
    queries = arrange(index, values)                  # int32[u, m], value codes
    distance, number, records = search_many(index, queries, me, size, limit)

Distances are the fixed-point integers of the geometry: those of `points` as what a record may become (the candidate side)
from the query as what it is (the value side). `queries="candidates"` turns this round: value points around centroids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from .._kernels.nearest import Index, outward, search_each
from .._kernels.threads import in_parts
from .geometry import Geometry
from .spaces.base import Ints, Longs

MOST_BITS = 1 << 32  # of the map of cells: half a gigabyte
NOWHERE = np.iinfo(np.int64).max  # a limit that excludes nothing
SAMPLE = 64
PART = 256  # queries that are worth handing to another thread


@dataclass(frozen=True, eq=False)
class TupleIndex:
    """The arrays for the kernels, and the order in which they take the attributes."""

    arrays: Index
    order: Ints  # int32[m]: the attributes, most telling first


def build_index(geometry: Geometry, points: npt.ArrayLike, queries: Literal["values", "candidates"] = "values") -> TupleIndex:
    """Bucket `points` int32[p, m] (p ≥ 1) so that those nearest to a query are found quickly."""
    codes = np.asarray(points, np.int32)
    tables = [geometry.table(j).T if queries == "values" else geometry.table(j) for j in range(geometry.m)]
    order = _most_telling_first(tables, codes)
    tables = [tables[j] for j in order]
    codes = codes[:, order]
    if len(order) == 1:  # the kernels bucket by two attributes: the second says nothing
        tables.append(np.zeros((1, 1), np.int32))
        codes = np.column_stack([codes, np.zeros(len(codes), np.int32)])
    at = np.concatenate([[0], np.cumsum([t.size for t in tables])]).astype(np.int64)
    width = np.asarray([t.shape[1] for t in tables], np.int64)
    distance = np.empty(at[-1], np.int32)
    for j, table in enumerate(tables):
        tables[j] = distance[at[j] : at[j + 1]].reshape(table.shape)
        tables[j][:] = table

    cell_of = codes[:, 0].astype(np.int64) * width[1] + codes[:, 1]
    number = np.argsort(cell_of, kind="stable").astype(np.int32)
    place = np.empty(len(number), np.int32)
    place[number] = np.arange(len(number), dtype=np.int32)
    ordered = np.ascontiguousarray(codes[number])
    in_order = cell_of[number]
    cell = np.flatnonzero(np.r_[True, in_order[1:] != in_order[:-1]])
    cell_code = ordered[cell, 1]
    bucket = np.searchsorted(ordered[cell, 0], np.arange(width[0] + 1)).astype(np.int64)
    words = int(width[1] + 63) // 64
    bits = np.zeros((int(width[0]), words if int(width[0]) * words * 64 <= MOST_BITS else 0), np.uint64)
    if bits.size:
        mark = np.uint64(1) << (cell_code.astype(np.uint64) & np.uint64(63))
        np.bitwise_or.at(bits, (ordered[cell, 0], cell_code >> 6), mark)
    arrays = Index(
        distance=distance,
        at=at[:-1].copy(),
        width=width,
        near1=outward(tables[0], np.unique(ordered[cell, 0])),
        near2=outward(tables[1], np.unique(cell_code)),
        bucket=bucket,
        cell_end=bucket[1:].copy(),
        cell_code=cell_code,
        cell=cell.astype(np.int64),
        cell_live=np.diff(np.append(cell, len(number))).astype(np.int32),
        bits=bits,
        points=ordered,
        number=number,
        place=place,
    )
    return TupleIndex(arrays, order)


def arrange(index: TupleIndex, queries: npt.ArrayLike) -> Ints:
    """Queries int32[u, m] in the order of attributes of the index."""
    codes = np.asarray(queries, np.int32)[:, index.order]
    if len(index.order) == 1:
        codes = np.column_stack([codes, np.zeros(len(codes), np.int32)])
    arranged: Ints = np.ascontiguousarray(codes)
    return arranged


def search_many(index: TupleIndex, xs: Ints, me: Ints, size: Longs, limit: Longs) -> tuple[Longs, Ints, Longs]:
    """The point nearest to each of the arranged queries `xs` int32[u, m]: (distance, number, records at that distance).

    `me` int32[u]: a number that the query does not look at, or −1; `size` int64 by number: records; `limit` int64[u]:
    nothing beyond it is looked for. Queries in the order of `by_place` are answered faster.
    """
    u = len(xs)
    distance, number, records = np.empty(u, np.int64), np.empty(u, np.int32), np.empty(u, np.int64)
    in_parts(
        lambda begin, end: search_each(index.arrays, xs, me, size, limit, begin, end, distance, number, records),
        u,
        max(PART, u >> 8),
    )
    return distance, number, records


def by_place(index: TupleIndex, arranged: Ints) -> Longs:
    """An order of arranged queries in which neighbours follow each other: int64[u]."""
    order: Longs = np.argsort(arranged[:, 0].astype(np.int64) * index.arrays.near2.shape[0] + arranged[:, 1], kind="stable")
    return order


def _most_telling_first(tables: list[Ints], points: Ints) -> Ints:
    """Attributes by falling mean distance among some points: the one that tells points apart prunes most."""
    some = points[np.linspace(0, len(points) - 1, min(len(points), SAMPLE)).astype(np.int64)]
    spread = []
    for j, table in enumerate(tables):
        side = some[:, j]
        of_queries = side[side < min(table.shape)]
        spread.append(float(table[np.ix_(of_queries, of_queries)].mean()) if len(of_queries) else 0.0)
    order: Ints = np.argsort(-np.asarray(spread), kind="stable").astype(np.int32)
    return order
