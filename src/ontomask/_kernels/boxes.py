"""Exact nearest tuples in three and more attributes: a tree of boxes.

A box holds, of each attribute, a group of codes; groups are the nodes of a binary tree over the codes of the attribute,
numbered so that a group is followed by its first half, and all of that by its second half. The distance of a query from a
box is at least the sum over attributes of its distance from the nearest code of the group, which `low` holds. A search goes
into the nearer half first and leaves out boxes that are farther than the best found: pruning, not approximation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import kernel

LEAF = 8  # points of a box that is not divided


class Boxes(NamedTuple):
    """Points in boxes; box 0 holds all. `m` counts the attributes."""

    low: Any  # int32[…]: from query code a to the nearest code of group s of attribute j, at [at[j] + a * width[j] + s]
    at: Any  # int64[m]
    width: Any  # int64[m]: groups of each attribute
    group: Any  # int32[boxes, m]: the group of each attribute
    first: Any  # int32[boxes]: the box of the first half; the other one follows it; −1: not divided
    begin: Any  # int32[boxes]: the points, from begin to end − 1
    end: Any  # int32[boxes]
    points: Any  # int32[p, m]: the groups of one code each that the points are
    size: Any  # int64[p]: records of the points
    depth: Any  # int64: boxes that wait at once are at most as many


@kernel()
def divide(points, number, second, start, spread, group, first, begin, end):  # type: ignore[no-untyped-def]
    """Divide points int32[p, m] into boxes: (how many, the most that wait at once). `points` and `number` are reordered.

    Group s of attribute j has its second half at `second[start[j] + s]` (int32; −1: one code), its first half at s + 1, and
    `spread[start[j] + s]` int64 tells how far apart its codes are: the widest group is halved. `group` int32[≥2p, m],
    `first`, `begin`, `end` int32[≥2p] are written.
    """
    p, m = points.shape
    waiting = np.empty(2 * p + 1, np.int32)
    waiting[0] = 0
    waits, boxes, most = 1, 1, np.int64(1)
    begin[0] = 0
    end[0] = p
    for j in range(m):
        group[0, j] = 0
    while waits > 0:
        waits -= 1
        b = waiting[waits]
        first[b] = -1
        widest, which = np.int64(-1), -1
        for j in range(m):
            s = group[b, j]
            while second[start[j] + s] >= 0:  # a group whose codes all lie in one half is that half
                half = second[start[j] + s]
                here = 0
                for i in range(begin[b], end[b]):
                    if points[i, j] < half:
                        here += 1
                if here == end[b] - begin[b]:
                    s += 1
                elif here == 0:
                    s = half
                else:
                    break
            group[b, j] = s
            if second[start[j] + s] >= 0 and spread[start[j] + s] > widest:
                widest = spread[start[j] + s]
                which = j
        if which < 0 or end[b] - begin[b] <= LEAF:
            continue
        s = group[b, which]
        half = second[start[which] + s]
        i = begin[b]
        k = end[b] - 1
        while i <= k:  # invariant: points before i lie in the first half, those behind k in the second
            if points[i, which] < half:
                i += 1
                continue
            for j in range(m):
                kept = points[i, j]
                points[i, j] = points[k, j]
                points[k, j] = kept
            moved = number[i]
            number[i] = number[k]
            number[k] = moved
            k -= 1
        first[b] = boxes
        for c in range(2):
            for j in range(m):
                group[boxes, j] = group[b, j]
            group[boxes, which] = half if c else s + 1
            begin[boxes] = i if c else begin[b]
            end[boxes] = end[b] if c else i
            waiting[waits] = boxes
            waits += 1
            boxes += 1
        most = max(most, np.int64(waits))
    return boxes, most


@kernel()
def nearest_in_boxes(boxes, xs, limit, begin, end, distance, total):  # type: ignore[no-untyped-def]
    """For the rows begin … end−1 of `xs` int32[u, m]: the least distance of a point, and the records at that distance.

    Into distance int64[u] and total int64[u]. Nothing beyond `limit` int64[u] is looked for: distance = limit and total = 0
    where there is nothing within it.
    """
    m = xs.shape[1]
    waiting = np.empty(boxes.depth + 2, np.int32)
    bounds = np.empty(boxes.depth + 2, np.int64)
    row = np.empty(m, np.int64)
    far = np.empty(2, np.int64)
    for i in range(begin, end):
        best, records = limit[i], np.int64(0)
        for j in range(m):
            row[j] = boxes.at[j] + xs[i, j] * boxes.width[j]
        waiting[0] = 0
        bounds[0] = 0
        waits = 1
        while waits > 0:
            waits -= 1
            if bounds[waits] > best:
                continue
            b = waiting[waits]
            c = boxes.first[b]
            if c < 0:
                for place in range(boxes.begin[b], boxes.end[b]):
                    d = np.int64(0)
                    for j in range(m):
                        d += boxes.low[row[j] + boxes.points[place, j]]
                    if d < best:
                        best = d
                        records = np.int64(0)
                    if d == best:
                        records += boxes.size[place]
                continue
            for h in range(2):
                far[h] = 0
                for j in range(m):
                    far[h] += boxes.low[row[j] + boxes.group[c + h, j]]
            nearer = 1 if far[1] < far[0] else 0
            for h in range(2):  # the nearer one last: it is taken first
                which = 1 - nearer if h == 0 else nearer
                if far[which] <= best:
                    waiting[waits] = c + which
                    bounds[waits] = far[which]
                    waits += 1
        distance[i] = best
        total[i] = records
