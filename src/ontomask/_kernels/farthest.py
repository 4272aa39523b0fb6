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
SHARE = 32
LOOKED = 1024


class FarIndex(NamedTuple):
    """Points by class and tile. Distances are those of an `Index` of candidates.

    A small class has one tile; a large one has tile[c] + g · GROUPS + h for the groups g and h of the first two attributes.
    """

    weight: Any  # int64[classes], falling
    live: Any  # int64[classes]: points that are still there
    tile: Any  # int64[classes + 1]: the tiles of each
    begin: Any  # int64[tiles + 1]: the places of each
    held: Any  # int32[tiles]: how many of them are in use, from the first on
    first: Any  # int32[tiles]: no point in this tile has a smaller number
    of: Any  # int32[p, 3]: class, tile and place, −1 where it was removed; by number
    points: Any  # int32[p, m + 1]: the codes of a point and its number, by place
    reach: Any  # int32[Σ query codes, GROUPS]: how far each group reaches, the farthest first; from the third attribute on
    # only the first column counts, the largest distance there is. Query code a of attribute j is row `row[j]` + a.
    group: Any  # int8[Σ query codes, GROUPS]: which group this is
    row: Any  # int64[m]


@kernel(inner=True)
def _look(index, far, x, w, tile, best, point):  # type: ignore[no-untyped-def]
    """The points of a tile, each of weight w, against the best so far."""
    m = len(index.at)
    row1 = index.at[0] + x[0] * index.width[0]
    row2 = index.at[1] + x[1] * index.width[1]
    least = (best + w - 1) // w
    for place in range(far.begin[tile], far.begin[tile] + far.held[tile]):
        d = np.int64(index.distance[row1 + far.points[place, 0]]) + index.distance[row2 + far.points[place, 1]]
        for j in range(2, m):
            d += index.distance[index.at[j] + x[j] * index.width[j] + far.points[place, j]]
        if d < least:
            continue
        n = np.int64(far.points[place, m])
        if w * d > best or n < point:
            best, point, least = w * d, n, d
    return best, point


@kernel(inner=True)
def farthest(index, far, x):  # type: ignore[no-untyped-def]
    """The point with the greatest weight·distance from candidate codes `x` (arranged): its number. Ties: the smallest."""
    best, point = np.int64(-1), np.int64(-1)
    rest = np.int64(0)
    for j in range(2, len(index.at)):
        rest += far.reach[far.row[j] + x[j], 0]
    a, b = far.row[0] + x[0], far.row[1] + x[1]
    most = rest + far.reach[a, 0] + far.reach[b, 0]
    for c in range(len(far.weight)):
        w = far.weight[c]
        if w * most < best:
            break
        if far.live[c] == 0:
            continue
        tile = far.tile[c]
        if far.tile[c + 1] - tile == 1:
            best, point = _look(index, far, x, w, tile, best, point)
            continue
        for g in range(GROUPS):
            for h in range(GROUPS):
                possible = w * (rest + far.reach[a, g] + far.reach[b, h])
                if possible < best:
                    break
                t = tile + far.group[a, g] * GROUPS + far.group[b, h]
                if far.held[t] > 0 and (possible > best or far.first[t] < point):
                    best, point = _look(index, far, x, w, t, best, point)
            if w * (rest + far.reach[a, g] + far.reach[b, 0]) < best:
                break
    return point


@kernel(inner=True)
def forget(far, n):  # type: ignore[no-untyped-def]
    """Point number n is no longer there."""
    tile, place = far.of[n, 1], far.of[n, 2]
    far.of[n, 2] = -1
    far.live[far.of[n, 0]] -= 1
    far.held[tile] -= 1
    last = far.begin[tile] + far.held[tile]
    if place != last:
        for j in range(far.points.shape[1]):
            far.points[place, j] = far.points[last, j]
        far.of[far.points[place, j], 2] = place  # the last column is the number


@kernel(inner=True)
def lightest(far, start):  # type: ignore[no-untyped-def]
    """The last class up to `start` that has points: its number, 0 if there is none."""
    while start > 0 and far.live[start] == 0:
        start -= 1
    return start


@kernel(inner=True)
def rank(index, far, x, number, key):  # type: ignore[no-untyped-def]
    """The points farthest from x, weighted, in the order in which `farthest` would give them: how many.

    They are written to `number` int32[p + LOOKED]; `key` int64[p + LOOKED] is scratch. At least one in SHARE, so that a
    query that is asked over and over costs one look at all points per so many answers.
    """
    found = 0
    for n in range(len(far.of)):
        place = far.of[n, 2]
        if place < 0:
            continue
        d = np.int64(0)
        for j in range(len(index.at)):
            d += index.distance[index.at[j] + x[j] * index.width[j] + far.points[place, j]]
        number[found], key[found] = n, far.weight[far.of[n, 0]] * d
        found += 1
    p, looked = len(far.of), min(found, LOOKED)
    for i in range(looked):
        key[p + i], number[p + i] = key[i * found // looked], 0
    falling(key[p:], number[p:], looked)
    least = key[p + looked // SHARE]
    chosen = np.int64(0)
    for i in range(found):
        if key[i] >= least:
            number[chosen], key[chosen] = number[i], key[i]
            chosen += 1
    falling(key, number, chosen)
    return chosen
