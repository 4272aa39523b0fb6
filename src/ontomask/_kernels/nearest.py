"""Exact nearest tuples among millions, without p × p distances.

Points lie in buckets by the code of their most telling attribute, and in cells (bucket, code of the second attribute). A
search walks the buckets outward from the query, within a bucket the cells outward, and stops where the distance of the
first attribute (of the first two) alone exceeds the best one found: pruning, not approximation. Removing a point clears
its cell's bit; `compact` closes the gaps now and then.

An `Index` is made by `ontomask.semantics.nearest.build_index`; queries must be brought into its order of attributes by
`arrange`. "Number" is a point's row in what the index was built from, "place" where the index keeps it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import kernel

FEW = 8  # cells of a bucket up to which looking at each of them beats walking outward
# Ways to weigh. Typed, as all constants that are handed to kernels: numba compiles a kernel anew for every literal number.
PLAIN, WEIGHTED = np.int64(0), np.int64(1)
FIRST = np.int64(2)  # distances are weighted, and ties go to the first point whatever its size
NOBODY = np.int64(-1)
ONE = np.uint64(1)
LOW = np.uint64(63)
SIX = np.uint64(6)


class Index(NamedTuple):
    """Points in buckets and cells. `m` counts the attributes, at least two (a dummy one is added to a single one)."""

    distance: Any  # int32[…]: of query code a and point code b of attribute j, at [at[j] + a * width[j] + b]
    at: Any  # int64[m]
    width: Any  # int64[m]
    near1: Any  # int32[query codes, occupied buckets]: buckets by (distance, code) from each query code
    near2: Any  # int32[query codes, second codes in use]: the same for the second attribute
    bucket: Any  # int64[point codes + 1]: the cells of each bucket
    cell_end: Any  # int64[point codes]: where the cells still in use end (they shrink towards the front)
    cell_code: Any  # int32[cells]: the code of the second attribute, ascending within a bucket
    cell: Any  # int64[cells]: the first place of each
    cell_live: Any  # int32[cells]: how many places are in use, from the first on
    bits: Any  # uint64[point codes, words]: which second codes are in use in a bucket; no words: not kept
    points: Any  # int32[p, m]: by place, in the order of attributes of this index
    number: Any  # int32[p]: by place
    place: Any  # int32[p]: by number, −1 where the point was removed


@kernel(inner=True)
def _scan(index, s, before, x, me, size, weighted, best, point, total):  # type: ignore[no-untyped-def]
    """The points of cell `s`, whose first two attributes are at distance `before`, against the best found so far."""
    for place in range(index.cell[s], index.cell[s] + index.cell_live[s]):
        n = index.number[place]
        if n == me:
            continue
        d = before
        for j in range(2, len(index.at)):
            d += index.distance[index.at[j] + x[j] * index.width[j] + index.points[place, j]]
        if weighted != PLAIN:
            d *= size[n]
        if d > best:
            continue
        if d < best:
            best, point, total = d, np.int64(-1), np.int64(0)
        total += size[n]
        if weighted == FIRST:
            if point < 0 or n < point:
                point = np.int64(n)
        elif point < 0 or size[n] < size[point] or (size[n] == size[point] and n < point):
            point = np.int64(n)
    return best, point, total


@kernel(inner=True)
def _find(codes, low, high, code):  # type: ignore[no-untyped-def]
    """Where `code` stands in codes[low:high] (ascending, and it is there)."""
    while high - low > 1:
        middle = (low + high) >> 1
        if codes[middle] <= code:
            low = middle
        else:
            high = middle
    return low


@kernel(inner=True)
def search(index, x, me, size, weighted, least, limit):  # type: ignore[no-untyped-def]
    """The point nearest to one query, exactly: (distance int64, number int64, records at that distance int64).

    `x` int32[m]: the query, arranged. `me` int64: a number that is not looked at (the query's own), or NOBODY. `size` int64[p]
    by number: records. Ties: the smallest size, then the smallest number. `weighted` = WEIGHTED: the distance times the
    point's size counts, `least` int64 ≥ 1 being at most the smallest size of a point; PLAIN: give least = 1. FIRST: as
    WEIGHTED, ties to the smallest number. `limit` int64: nothing beyond it is looked for; number −1 (and distance =
    limit) where there is nothing within it.
    """
    best, point, total = np.int64(limit), np.int64(-1), np.int64(0)
    row1 = index.at[0] + x[0] * index.width[0]
    row2 = index.at[1] + x[1] * index.width[1]
    words = index.bits.shape[1]
    for i in range(index.near1.shape[1]):
        b = index.near1[x[0], i]
        first = np.int64(index.distance[row1 + b])
        if first * least > best:
            break
        low, high = index.bucket[b], index.cell_end[b]
        cells = high - low
        if cells == 0:
            continue
        # First the cells outward from the query, as many steps as there are cells, then the others one by one.
        # Invariant: cells that come before (stop, code) in the order (distance of the second attribute, code) are done.
        stop, code = np.int64(-1), np.int64(-1)
        walk = min(cells, index.near2.shape[1]) if cells > FEW and words > 0 else 0
        for step in range(walk + cells if walk < index.near2.shape[1] else walk):
            if step < walk:
                code = np.int64(index.near2[x[1], step])
                stop = np.int64(index.distance[row2 + code])
                if (first + stop) * least > best:
                    break
                u = np.uint64(code)
                if (index.bits[b, u >> SIX] >> (u & LOW)) & ONE == 0:
                    continue
                s, second = _find(index.cell_code, low, high, code), stop
            else:
                s = low + step - walk
                c = np.int64(index.cell_code[s])
                second = np.int64(index.distance[row2 + c])
                if second < stop or (second == stop and c <= code) or (first + second) * least > best:
                    continue
            best, point, total = _scan(index, s, first + second, x, me, size, weighted, best, point, total)
    return best, point, total


@kernel()
def search_each(index, xs, me, size, limit, begin, end, distance, number, total):  # type: ignore[no-untyped-def]
    """`search` (PLAIN) for the rows begin … end−1 of `xs` int32[u, m]; `me` int32[u], `limit` int64[u].

    Into distance int64[u], number int32[u] and total int64[u], the records at that distance.
    """
    for i in range(begin, end):
        d, n, t = search(index, xs[i], np.int64(me[i]), size, PLAIN, np.int64(1), limit[i])
        distance[i] = d
        number[i] = n
        total[i] = t


@kernel()
def outward(table, codes):  # type: ignore[no-untyped-def]
    """Point codes by (distance, code) from each query code: int32[query codes, len(codes)].

    `table` int32[query codes, point codes], distances ≥ 0; `codes` int32, ascending. A sort by digits of 11 bits, the lowest
    first, each pass keeping the order of the one before; passes over a digit that all distances share are left out.
    """
    near = np.empty((len(table), len(codes)), np.int32)
    sorted_ = np.empty((2, len(codes)), np.int32)  # what one pass reads and the next one writes
    ends = np.empty((3, 2048), np.int64)
    for a in range(len(table)):
        row = table[a]
        for x in range(2048):
            ends[0, x] = 0
            ends[1, x] = 0
            ends[2, x] = 0
        for c in codes:
            d = row[c]
            ends[0, d & 2047] += 1
            ends[1, (d >> 11) & 2047] += 1
            ends[2, d >> 22] += 1
        now = 0
        for i in range(len(codes)):  # assigning an array would take numba a second to compile
            sorted_[now, i] = codes[i]
        for digit in range(3):
            shift = 11 * digit
            if len(codes) == 0 or ends[digit, (row[codes[0]] >> shift) & 2047] == len(codes):
                continue
            start = 0
            for x in range(2048):
                here = ends[digit, x]
                ends[digit, x] = start
                start += here
            for c in sorted_[now]:
                x = (row[c] >> shift) & 2047
                sorted_[1 - now, ends[digit, x]] = c
                ends[digit, x] += 1
            now = 1 - now
        for i in range(len(codes)):
            near[a, i] = sorted_[now, i]
    return near


@kernel(inner=True)
def records_around(index, x, me, size, need, number, distance):  # type: ignore[no-untyped-def]
    """The points nearest to a query that hold at least `need` records together, or all: how many points.

    They are written to the front of `number` int32[≥need+1] and `distance` int64[≥need+1], by (distance, number); without
    the last one they would hold less than `need`. `x`, `me`, `size` (≥ 1) as in `search`.
    """
    found, held = 0, np.int64(0)
    row1 = index.at[0] + x[0] * index.width[0]
    row2 = index.at[1] + x[1] * index.width[1]
    for i in range(index.near1.shape[1]):
        b = index.near1[x[0], i]
        first = np.int64(index.distance[row1 + b])
        if held >= need and first > distance[found - 1]:
            break
        for s in range(index.bucket[b], index.cell_end[b]):
            before = first + index.distance[row2 + index.cell_code[s]]
            if held >= need and before > distance[found - 1]:
                continue
            for place in range(index.cell[s], index.cell[s] + index.cell_live[s]):
                n = index.number[place]
                if n == me:
                    continue
                d = before
                for j in range(2, len(index.at)):
                    d += index.distance[index.at[j] + x[j] * index.width[j] + index.points[place, j]]
                if held >= need and (d > distance[found - 1] or (d == distance[found - 1] and n > number[found - 1])):
                    continue
                at = found
                while at > 0 and (distance[at - 1] > d or (distance[at - 1] == d and number[at - 1] > n)):
                    distance[at] = distance[at - 1]
                    number[at] = number[at - 1]
                    at -= 1
                distance[at] = d
                number[at] = n
                found += 1
                held += size[n]
                while held - size[number[found - 1]] >= need:
                    found -= 1
                    held -= size[number[found]]
    return found


@kernel(inner=True)
def remove(index, n):  # type: ignore[no-untyped-def]
    """Point number `n` is no longer there. Not while other threads search."""
    place = index.place[n]
    b = index.points[place, 0]
    s = _find(index.cell_code, index.bucket[b], index.cell_end[b], np.int64(index.points[place, 1]))
    last = index.cell[s] + index.cell_live[s] - 1
    if place != last:
        index.number[place] = index.number[last]
        for j in range(index.points.shape[1]):
            index.points[place, j] = index.points[last, j]
        index.place[index.number[place]] = place
    index.place[n] = -1
    index.cell_live[s] -= 1
    if index.cell_live[s] == 0 and index.bits.shape[1] > 0:
        u = np.uint64(index.cell_code[s])
        index.bits[b, u >> SIX] &= ~(ONE << (u & LOW))


@kernel()
def compact(index):  # type: ignore[no-untyped-def]
    """Forget the cells that hold no point any more: worth it when about half of the points are gone."""
    for b in range(len(index.cell_end)):
        end = index.bucket[b]
        for s in range(index.bucket[b], index.cell_end[b]):
            if index.cell_live[s] > 0:
                index.cell_code[end] = index.cell_code[s]
                index.cell[end] = index.cell[s]
                index.cell_live[end] = index.cell_live[s]
                end += 1
        index.cell_end[b] = end
