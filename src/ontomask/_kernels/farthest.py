"""Exact farthest tuples, each distance counting once for every record of the tuple.

The mirror image of `nearest.py`: classes of equal weight are looked through from the heaviest, within a class the buckets
from the far end; a search stops where weight times the largest distance that is still possible falls below the best.
Small classes are looked through tuple by tuple.

Far away nearly everything is equally far, so one bound for all buckets would exclude few of them. The second codes are
therefore dealt into 64 groups by their mean distance; a bucket knows which groups it holds, a query how far each group reaches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import kernel
from .nearest import LOW, ONE, SIX, _find
from .small import falling

GROUPS = 64
SHARE = 32
MANY = 32  # cells of a bucket from which on walking them from the far end beats looking at each


class FarIndex(NamedTuple):
    """Points by class, a large class also by bucket and cell. Distances and orders are those of an `Index` of candidates.

    Grid g is that of a large class; its bucket b (first code) has the cells bucket[g·B + b] … cell_end[g·B + b].
    """

    weight: Any  # int64[classes], falling
    begin: Any  # int64[classes + 1]: the places of each
    live: Any  # int64[classes]: points that are still there
    grid: Any  # int32[classes]: number of its grid, −1: none
    bucket: Any  # int64[grids · B + 1]
    cell_end: Any  # int64[grids · B]
    cell_code: Any  # int32[cells]: code of the second attribute, ascending within a bucket
    cell: Any  # int64[cells]: first place
    cell_live: Any  # int32[cells]
    bits: Any  # uint64[grids · B, words]: which second codes are in use; no words: not kept
    group: Any  # int8[second codes]: which of 64 groups
    mask: Any  # uint64[grids · B]: the groups that have a cell in this bucket
    first: Any  # int32[grids · B]: no point in this bucket has a smaller number
    cells: Any  # int32[grids · B, 64]: how many cells of each group
    in_grid: Any  # int32[grids, 64]: the same for the whole grid
    farther: Any  # int8[query codes of the second attribute, 64]: the groups, the one that reaches farthest first
    how_far: Any  # int32[query codes of the second attribute, 64]: the largest distance to a code of that group
    points: Any  # int32[p, m]: by place
    number: Any  # int32[p]: by place
    place: Any  # int32[p]: by number
    of: Any  # int32[p]: class, by number
    reach: Any  # int64[…]: largest distance from query code a of attribute j to any point code, at reach_at[j] + a
    reach_at: Any  # int64[m]


@kernel(inner=True)
def _look(index, far, x, before, w, begin, end, skip, best, point):  # type: ignore[no-untyped-def]
    """Places begin … end−1, the first `skip` attributes being at distance `before`, against the best so far."""
    for place in range(begin, end):
        d = before
        for j in range(skip, len(index.at)):
            d += index.distance[index.at[j] + x[j] * index.width[j] + far.points[place, j]]
        n = far.number[place]
        if w * d > best or (w * d == best and n < point):
            best, point = w * d, np.int64(n)
    return best, point


@kernel(inner=True)
def _look_in_grid(index, far, x, w, g, rest, best, point):  # type: ignore[no-untyped-def]
    """A large class; `rest` bounds the distance in all attributes from the third on."""
    row1 = index.at[0] + x[0] * index.width[0]
    row2 = index.at[1] + x[1] * index.width[1]
    words = far.bits.shape[1]
    last = index.near2.shape[1] - 1
    top = 0
    while far.in_grid[g, far.farther[x[1], top]] == 0:
        top += 1
    most2 = np.int64(far.how_far[x[1], top])
    for i in range(index.near1.shape[1] - 1, -1, -1):
        b = index.near1[x[0], i]
        first = np.int64(index.distance[row1 + b])
        if w * (first + most2 + rest) < best:
            break
        at = g * (len(index.bucket) - 1) + b
        low, high = far.bucket[at], far.cell_end[at]
        cells = high - low
        if cells == 0:
            continue
        here = top
        while (far.mask[at] >> np.uint64(far.farther[x[1], here])) & ONE == 0:
            here += 1
        possible = w * (first + far.how_far[x[1], here] + rest)
        if possible < best or (possible == best and far.first[at] > point):
            continue
        # Invariant: cells that come after (stop, code) in the order (distance of the second attribute, code) are done.
        stop, code = most2 + 1, np.int64(0)
        if cells > MANY and words > 0:
            done = False
            for step in range(last, max(last - cells, -1), -1):
                code = np.int64(index.near2[x[1], step])
                stop = np.int64(index.distance[row2 + code])
                if w * (first + stop + rest) < best:
                    done = True
                    break
                u = np.uint64(code)
                if (far.bits[at, u >> SIX] >> (u & LOW)) & ONE:
                    s = _find(far.cell_code, low, high, code)
                    end = far.cell[s] + far.cell_live[s]
                    best, point = _look(index, far, x, first + stop, w, far.cell[s], end, np.int64(2), best, point)
            if done or cells > last:
                continue
        for s in range(low, high):
            c = np.int64(far.cell_code[s])
            d = np.int64(index.distance[row2 + c])
            if d > stop or (d == stop and c >= code) or w * (first + d + rest) < best:
                continue
            end = far.cell[s] + far.cell_live[s]
            best, point = _look(index, far, x, first + d, w, far.cell[s], end, np.int64(2), best, point)
    return best, point


@kernel(inner=True)
def farthest(index, far, x):  # type: ignore[no-untyped-def]
    """The point with the greatest weight·distance from candidate codes `x` (arranged): its number. Ties: the smallest."""
    best, point = np.int64(-1), np.int64(-1)
    rest = np.int64(0)
    for j in range(2, len(index.at)):
        rest += far.reach[far.reach_at[j] + x[j]]
    most = rest + far.reach[far.reach_at[0] + x[0]] + far.reach[far.reach_at[1] + x[1]]
    for c in range(len(far.weight)):
        w = far.weight[c]
        if w * most < best:
            break
        if far.live[c] == 0:
            continue
        if far.grid[c] < 0:
            begin = far.begin[c]
            best, point = _look(index, far, x, np.int64(0), w, begin, begin + far.live[c], np.int64(0), best, point)
        else:
            best, point = _look_in_grid(index, far, x, w, np.int64(far.grid[c]), rest, best, point)
    return point


@kernel(inner=True)
def forget(index, far, n):  # type: ignore[no-untyped-def]
    """Point number n is no longer there."""
    c = far.of[n]
    place = far.place[n]
    g = np.int64(far.grid[c])
    far.live[c] -= 1
    if g < 0:
        last = far.begin[c] + far.live[c]
    else:
        b, code = far.points[place, 0], np.int64(far.points[place, 1])
        at = g * (len(index.bucket) - 1) + b
        s = _find(far.cell_code, far.bucket[at], far.cell_end[at], code)
        far.cell_live[s] -= 1
        last = far.cell[s] + far.cell_live[s]
        if far.cell_live[s] == 0:
            if far.bits.shape[1] > 0:
                u = np.uint64(code)
                far.bits[at, u >> SIX] &= ~(ONE << (u & LOW))
            group = far.group[code]
            far.in_grid[g, group] -= 1
            far.cells[at, group] -= 1
            if far.cells[at, group] == 0:
                far.mask[at] &= ~(ONE << np.uint64(group))
            for r in range(s, far.cell_end[at] - 1):  # close the gap: buckets have few cells
                far.cell_code[r] = far.cell_code[r + 1]
                far.cell[r] = far.cell[r + 1]
                far.cell_live[r] = far.cell_live[r + 1]
            far.cell_end[at] -= 1
    if place != last:
        far.number[place] = far.number[last]
        for j in range(far.points.shape[1]):
            far.points[place, j] = far.points[last, j]
        far.place[far.number[place]] = place
    far.place[n] = -1


@kernel(inner=True)
def lightest(far, start):  # type: ignore[no-untyped-def]
    """The last class up to `start` that has points: its number, 0 if there is none."""
    while start > 0 and far.live[start] == 0:
        start -= 1
    return start


@kernel(inner=True)
def rank(index, far, x, number, key):  # type: ignore[no-untyped-def]
    """The points farthest from x, weighted, in the order in which `farthest` would give them: how many.

    They are written to `number` int32[p]; `key` int64[p] is scratch. At least one in SHARE, so that a query that is asked
    over and over costs one look at all points per so many answers.
    """
    found = 0
    for c in range(len(far.weight)):
        if far.live[c] == 0:
            continue
        begin, end = far.begin[c], far.begin[c + 1]
        for place in range(begin, begin + far.live[c] if far.grid[c] < 0 else end):
            n = far.number[place]
            if far.place[n] != place:  # the end of a cell that has shrunk
                continue
            d = np.int64(0)
            for j in range(len(index.at)):
                d += index.distance[index.at[j] + x[j] * index.width[j] + far.points[place, j]]
            number[found], key[found] = n, far.weight[c] * d
            found += 1
    step = max(1, found // 1024)
    looked = (found + step - 1) // step
    some, nobody = np.empty(looked, np.int64), np.zeros(looked, np.int32)
    for i in range(looked):
        some[i] = key[i * step]
    falling(some, nobody, looked)
    least = some[looked // SHARE]
    chosen = np.int64(0)
    for i in range(found):
        if key[i] >= least:
            number[chosen], key[chosen] = number[i], key[i]
            chosen += 1
    falling(key, number, chosen)
    return chosen
