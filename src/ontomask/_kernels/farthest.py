"""Exact farthest tuples, each distance counting once for every record of the tuple.

Classes of equal weight are looked through from the heaviest; a search stops where weight times the largest distance that
is still possible falls below the best. A small class is looked through point by point, a large one by tiles.

Far away nearly everything is equally far, so that walking from the far end would exclude little. The codes of the two most
telling attributes are therefore dealt into 64 groups each, of codes that look alike from afar; a tile holds the points of
one group of first and one of second codes, and a query knows how far each group reaches. Pruning, not approximation:
whatever the groups, every tile that may hold the farthest point is looked through.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import kernel
from .small import falling

GROUPS = 64
SHARE_BITS = 5
LOOKED_BITS = 10
LOOKED = 1 << LOOKED_BITS


WEIGHT, LIVE, TILE = range(3)  # of a class
BEGIN, HELD, LEAST = range(3)  # of a tile
CLASS, AT, PLACE = range(3)  # of a point
REACH, GROUP = range(2)


class FarIndex(NamedTuple):
    """Points by class and tile. Distances are those of an `Index` of candidates.

    A small class has one tile; a large one has TILE + g · GROUPS + h for the groups g and h of the first two attributes.
    """

    classes: Any  # int64[classes + 1, 3], by falling WEIGHT; LIVE: points that are still there; TILE: the first of its tiles
    tiles: Any  # int32[tiles, 3]: BEGIN, its first place; HELD, places in use; LEAST, no point in it has a smaller number
    points: Any  # int32[p, m + 1]: the codes of a point and its number, by place
    of: Any  # int32[p, 3]: CLASS, tile (AT) and PLACE, −1 where it was removed; by number
    groups: Any  # int32[Σ query codes, GROUPS, 2]: REACH, how far each group reaches, the farthest first, and which GROUP this
    # is; from the third attribute on only the first REACH counts, the largest distance there is
    row: Any  # int64[m]: query code a of attribute j is row[j] + a of `groups`


@kernel(inner=True)
def _look(index, far, x, w, tile, best, point):  # type: ignore[no-untyped-def]
    """The points of a tile, each of weight w, against the best so far."""
    m = len(index.at)
    row1 = index.at[0] + x[0] * index.width[0]
    row2 = index.at[1] + x[1] * index.width[1]
    for place in range(far.tiles[tile, BEGIN], far.tiles[tile, BEGIN] + far.tiles[tile, HELD]):
        d = np.int64(index.distance[row1 + far.points[place, 0]]) + index.distance[row2 + far.points[place, 1]]
        for j in range(2, m):
            d += index.distance[index.at[j] + x[j] * index.width[j] + far.points[place, j]]
        d *= w
        if d < best:
            continue
        n = np.int64(far.points[place, m])
        if d > best or n < point:
            best, point = d, n
    return best, point


@kernel(inner=True)
def farthest(index, far, x):  # type: ignore[no-untyped-def]
    """The point with the greatest weight·distance from candidate codes `x` (arranged): its number. Ties: the smallest."""
    best, point = np.int64(-1), np.int64(-1)
    rest = np.int64(0)
    for j in range(2, len(index.at)):
        rest += far.groups[far.row[j] + x[j], 0, REACH]
    a, b = far.row[0] + x[0], far.row[1] + x[1]
    most = rest + far.groups[a, 0, REACH] + far.groups[b, 0, REACH]
    for c in range(len(far.classes) - 1):
        w = far.classes[c, WEIGHT]
        if w * most < best:
            break
        if far.classes[c, LIVE] == 0:
            continue
        tile = far.classes[c, TILE]
        groups = GROUPS if far.classes[c + 1, TILE] - tile > 1 else 1
        for g in range(groups):
            for h in range(groups):
                possible = w * (rest + far.groups[a, g, REACH] + far.groups[b, h, REACH])
                if possible < best:
                    break
                t = tile
                if groups > 1:
                    t += far.groups[a, g, GROUP] * GROUPS + far.groups[b, h, GROUP]
                if far.tiles[t, HELD] > 0 and (possible > best or far.tiles[t, LEAST] < point):
                    best, point = _look(index, far, x, w, t, best, point)
            if w * (rest + far.groups[a, g, REACH] + far.groups[b, 0, REACH]) < best:
                break
    return point


@kernel(inner=True)
def forget(far, n):  # type: ignore[no-untyped-def]
    """Point number n is no longer there."""
    tile, place = far.of[n, AT], far.of[n, PLACE]
    far.of[n, PLACE] = -1
    far.classes[far.of[n, CLASS], LIVE] -= 1
    far.tiles[tile, HELD] -= 1
    last = far.tiles[tile, BEGIN] + far.tiles[tile, HELD]
    if place != last:
        m = far.points.shape[1] - 1
        for j in range(m + 1):
            far.points[place, j] = far.points[last, j]
        far.of[far.points[place, m], PLACE] = place


@kernel(inner=True)
def lightest(far, start):  # type: ignore[no-untyped-def]
    """The last class up to `start` that has points: its number, 0 if there is none."""
    while start > 0 and far.classes[start, LIVE] == 0:
        start -= 1
    return start


@kernel(inner=True)
def rank(index, far, x, number, key):  # type: ignore[no-untyped-def]
    """The points farthest from x, weighted, in the order in which `farthest` would give them: how many.

    They are written to `number` int32[p + LOOKED]; `key` int64[p + LOOKED] is scratch. About one in 32, so that a
    query that is asked over and over costs one look at all points per so many answers.
    """
    found = 0
    for n in range(len(far.of)):
        place = far.of[n, PLACE]
        if place < 0:
            continue
        d = np.int64(0)
        for j in range(len(index.at)):
            d += index.distance[index.at[j] + x[j] * index.width[j] + far.points[place, j]]
        number[found], key[found] = n, far.classes[far.of[n, CLASS], WEIGHT] * d
        found += 1
    # Twice the same: a sample is sorted, which says from where on points are chosen, then what was chosen.
    p = len(far.of)
    begin, size, chosen = p, np.int64(0), np.int64(0)
    step = max(found >> LOOKED_BITS, 1)
    for i in range(0, min(found, step * LOOKED), step):
        key[p + size], number[p + size] = key[i], 0
        size += 1
    for turn in range(2):
        falling(key[begin:], number[begin:], size)
        if turn == 1:
            break
        least = key[p + (size >> SHARE_BITS)]
        for i in range(found):
            if key[i] >= least:
                number[chosen], key[chosen] = number[i], key[i]
                chosen += 1
        begin, size = 0, chosen
    return chosen
