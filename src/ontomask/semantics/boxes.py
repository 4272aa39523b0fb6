"""Tuples of three and more attributes arranged for exact nearest searches: what `_kernels/boxes.py` walks through.

    boxes = build_boxes(geometry, points, sizes)         # int32[p, m], candidate codes, all different
    distance, records = search_boxes(boxes, queries, limit)      # int32[u, m], value codes

With two attributes the walk of `nearest.py` looks at few points besides the nearest; a third one that it does not bound
makes it look at most of them.
"""

from __future__ import annotations

import numpy as np

from .._kernels.boxes import Boxes, divide, nearest_in_boxes
from .._kernels.threads import in_parts
from .geometry import Geometry
from .spaces.base import Ints, Longs

PART = 256  # queries that are worth handing to another thread
UNEVEN = 0.1  # a group of which a half would be smaller is divided in the middle


def build_boxes(geometry: Geometry, points: Ints, sizes: Longs) -> Boxes:
    """Divide `points` int32[p, m] (p ≥ 1) with `sizes` int64[p] records into boxes."""
    m, p = geometry.m, len(points)
    second, spread, low, leaves = [], [], [], np.empty((p, m), np.int32)
    for j in range(m):
        used, inverse = np.unique(points[:, j], return_inverse=True)
        halves, wide, nearest, leaf = _groups(geometry.table(j)[used], used)
        second.append(halves)
        spread.append(wide)
        low.append(nearest)
        leaves[:, j] = leaf[inverse.reshape(-1)]
    width = np.asarray([len(s) for s in second], np.int64)
    start = np.concatenate([[0], np.cumsum(width)[:-1]]).astype(np.int64)
    at = np.concatenate([[0], np.cumsum([x.size for x in low])[:-1]]).astype(np.int64)
    number = np.arange(p, dtype=np.int32)
    group, (first, begin, end) = np.empty((2 * p, m), np.int32), np.empty((3, 2 * p), np.int32)
    n, depth = divide(leaves, number, np.concatenate(second), start, np.concatenate(spread), group, first, begin, end)
    return Boxes(
        low=np.concatenate([x.reshape(-1) for x in low]),
        at=at,
        width=width,
        group=group[:n].copy(),
        first=first[:n].copy(),
        begin=begin[:n].copy(),
        end=end[:n].copy(),
        points=leaves,
        size=np.asarray(sizes, np.int64)[number],
        depth=np.int64(depth),
    )


def search_boxes(boxes: Boxes, queries: Ints, limit: Longs) -> tuple[Longs, Longs]:
    """The least distance from each of the `queries` int32[u, m] to a point, and the records at that distance.

    `limit` int64[u]: nothing beyond it is looked for. Queries that are alike are answered faster when they follow each other.
    """
    u = len(queries)
    xs, distance, total = np.ascontiguousarray(queries, np.int32), np.empty(u, np.int64), np.empty(u, np.int64)
    in_parts(lambda begin, end: nearest_in_boxes(boxes, xs, limit, begin, end, distance, total), u, max(PART, u >> 8))
    return distance, total


def _groups(table: Ints, codes: Ints) -> tuple[Ints, Longs, Ints, Ints]:
    """A binary tree over u codes of which like ones stand together: (second, spread, low, leaf).

    `table` int32[u, q]: their distances from all values. Group s is followed by its first half; `second` int32[s] is where its
    second half begins (−1: one code), `spread` the mean distance of its codes from one at its rim, `low` int32[q, s] the
    distance from each value to the nearest code, `leaf` int32[u] the group of each code alone. A group is divided by which
    of two codes far from each other is nearer.
    """
    u, q = table.shape
    second, spread = np.full(2 * u - 1, -1, np.int32), np.zeros(2 * u - 1, np.int64)
    low, leaf = np.empty((2 * u - 1, q), np.int32), np.empty(u, np.int32)

    def value(row: int) -> int:  # the value that stands for a code: itself, or, of a concept above the values, the nearest
        return int(codes[row]) if codes[row] < q else int(np.argmin(table[row]))

    waiting, made = [(np.arange(u), -1)], 0
    while waiting:
        rows, parent = waiting.pop()
        s, made = made, made + 1
        if s > parent + 1 and parent >= 0:
            second[parent] = s
        if len(rows) == 1:
            leaf[rows[0]] = s
            low[s] = table[rows[0]]
            continue
        rim = rows[np.argmax(table[rows, value(rows[0])])]
        one = table[rows, value(rim)]
        other = table[rows, value(rows[np.argmax(one)])]
        spread[s] = int(one.mean())
        nearer = one.astype(np.int64) - other
        here = nearer < 0
        if not UNEVEN <= here.mean() <= 1 - UNEVEN:
            here = np.zeros(len(rows), bool)
            here[np.argsort(nearer, kind="stable")[: len(rows) // 2]] = True
        waiting += [(rows[~here], s), (rows[here], s)]
    for s in range(2 * u - 2, -1, -1):  # halves have greater numbers than the whole
        if second[s] >= 0:
            np.minimum(low[s + 1], low[second[s]], out=low[s])
    return second, spread, np.ascontiguousarray(low.T), leaf
