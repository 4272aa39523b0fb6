"""A bag of tuples whose centroid is asked for after every change: the sums are kept up to date, not recomputed.

For each attribute a `Bag` holds the records of every value and, for each candidate that is an ancestor-or-self of some
value ("touched"), how many distinct values lie below it, the links up from them, and Σ w·sd against the whole bag. Adding a
tuple costs one pass over the touched candidates; so does picking the centroid. A `Rest` is the same for a whole table
from which tuples are taken.

Everything is integer, so that sums kept up to date equal sums made anew. `centroid.py` has the same for a bag that is
looked at once; both follow the rules of `semantics.operators.centroids_of`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import kernel
from .centroid import CONSENSUS, LCS, MODE, below, confusion, preferred

FEW = 16  # candidates of a whole table that are followed
NEVER = np.int64(1) << 62


class Bag(NamedTuple):
    """Candidate c of attribute j stands at first[j] + c in the arrays of length H = Σ h."""

    cover: Any  # int32[H]: distinct values of the bag below a candidate
    climbed: Any  # int64[H]: the sum of their links up to it
    own: Any  # int64[H]: records of the bag that have this value
    total: Any  # int64[H]: Σ w·sd, right for touched candidates
    touched: Any  # int32[H]: from first[j] on, the touched candidates of attribute j
    found: Any  # int64[m]: how many these are
    values: Any  # int32[H]: from first[j] on, the values that were ever added since the bag was empty
    listed: Any  # int64[m]: how many these are
    distinct: Any  # int64[m]: how many of them are in the bag now
    seen: Any  # bool[H]: is it touched
    known: Any  # bool[H]: is it listed as a value


@kernel(inner=True)
def new_bag(layout):  # type: ignore[no-untyped-def]
    """An empty bag."""
    size, m = layout.first[-1], len(layout.q)
    return Bag(
        np.zeros(size, np.int32),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.empty(size, np.int32),
        np.zeros(m, np.int64),
        np.empty(size, np.int32),
        np.zeros(m, np.int64),
        np.zeros(m, np.int64),
        np.zeros(size, np.bool_),
        np.zeros(size, np.bool_),
    )


@kernel(inner=True)
def empty(layout, bag):  # type: ignore[no-untyped-def]
    """Take everything out."""
    for j in range(len(layout.q)):
        base = layout.first[j]
        for t in range(base, base + bag.found[j]):
            c = base + bag.touched[t]
            bag.cover[c] = 0
            bag.climbed[c] = 0
            bag.own[c] = 0
            bag.seen[c] = False
            bag.known[c] = False
        bag.found[j] = 0
        bag.listed[j] = 0
        bag.distinct[j] = 0


@kernel(inner=True)
def put_in(layout, toward, bag, j, v, w):  # type: ignore[no-untyped-def]
    """`w` ≥ 1 more records with value v of attribute j. `toward` int32: distances by value, then candidate."""
    base = layout.first[j]
    if bag.own[base + v] == 0:
        bag.distinct[j] += 1
        if not bag.known[base + v]:
            bag.known[base + v] = True
            _touch(layout, bag, j, v)
            bag.values[base + bag.listed[j]] = v
            bag.listed[j] += 1
        for e in range(layout.up_ptr[base + v], layout.up_ptr[base + v + 1]):
            bag.cover[base + layout.up[e]] += 1
            bag.climbed[base + layout.up[e]] += layout.links[e]
    bag.own[base + v] += w
    row = layout.at[j] + np.int64(v) * layout.h[j]
    for t in range(base, base + bag.found[j]):
        c = bag.touched[t]
        bag.total[base + c] += w * toward[row + c]


@kernel(inner=True)
def _touch(layout, bag, j, v):  # type: ignore[no-untyped-def]
    """Make the ancestors-or-self of v candidates: their sums run over the values listed so far."""
    base = layout.first[j]
    for e in range(layout.up_ptr[base + v], layout.up_ptr[base + v + 1]):
        a = layout.up[e]
        if bag.seen[base + a]:
            continue
        bag.seen[base + a] = True
        bag.touched[base + bag.found[j]] = a
        bag.found[j] += 1
        row = layout.at[j] + np.int64(a) * layout.q[j]
        total = np.int64(0)
        for x in range(base, base + bag.listed[j]):
            total += bag.own[base + bag.values[x]] * layout.distance[row + bag.values[x]]
        bag.total[base + a] = total


@kernel(inner=True)
def pick(layout, bag, j, kind, work):  # type: ignore[no-untyped-def]
    """The centroid of attribute j of a bag that is not empty: kinds and ties as in `centroid.choose`; `work` as there."""
    base = layout.first[j]
    if bag.listed[j] == 1 and kind != LCS:
        return bag.values[base]
    if kind in (MODE, CONSENSUS):
        values = bag.values[base : base + bag.listed[j]]
        return _of_values(layout, j, bag.own[base : base + layout.h[j]], values, kind, work)
    touched = bag.touched[base : base + bag.found[j]]
    return _least(layout, j, bag, touched, kind)


@kernel(inner=True)
def _subsumer(layout, j, cover, climbed, distinct, among):  # type: ignore[no-untyped-def]
    """The candidate above all values: deepest, then fewest links, then smallest tie; −1 if there is none."""
    base = layout.first[j]
    lcs = -1
    for a in among:
        if cover[base + a] != distinct:
            continue
        if lcs < 0:
            lcs = a
            continue
        deeper = layout.depth[base + a] - layout.depth[base + lcs]
        nearer = climbed[base + lcs] - climbed[base + a]
        last = layout.tie[base + a] < layout.tie[base + lcs]
        if deeper > 0 or (deeper == 0 and (nearer > 0 or (nearer == 0 and last))):
            lcs = a
    return lcs


@kernel(inner=True)
def _admitted(layout, j, cover, own, a, lcs):  # type: ignore[no-untyped-def]
    """Whether candidate a is one of H(V): above a value and below the subsumer; without a subsumer, H(V) = V."""
    i = layout.first[j] + a
    if lcs < 0:
        return own[i] > 0
    return cover[i] > 0 and below(layout, j, a, lcs)


@kernel(inner=True)
def _least(layout, j, bag, touched, kind):  # type: ignore[no-untyped-def]
    """The candidate of H(V) with the least sum, or the subsumer."""
    base = layout.first[j]
    lcs = _subsumer(layout, j, bag.cover, bag.climbed, bag.distinct[j], touched)
    if kind == LCS:
        return layout.top[j] if lcs < 0 else np.int32(lcs)
    best = np.int32(-1)
    for a in touched:
        if best >= 0 and bag.total[base + a] > bag.total[base + best]:
            continue
        if not _admitted(layout, j, bag.cover, bag.own, a, lcs):
            continue
        if best < 0 or bag.total[base + a] < bag.total[base + best] or preferred(layout, j, a, best, bag.own[base:]):
            best = a
    return best


@kernel(inner=True)
def _of_values(layout, j, own, values, kind, work):  # type: ignore[no-untyped-def]
    """The most frequent value, or the one with the least Σ w·confusion. `own` int64[h]: records of each value."""
    best, least = np.int32(-1), np.int64(0)
    weights = np.empty(len(values) if kind == CONSENSUS else 0, np.int64)
    for x in range(len(weights)):
        weights[x] = own[values[x]]
    for v in values:
        if own[v] == 0:
            continue
        cost = -own[v] if kind == MODE else confusion(layout, j, v, values, weights, len(values), work)
        if best >= 0 and cost == least:
            if own[v] > own[best] or (own[v] == own[best] and v < best):
                best = v
        elif best < 0 or cost < least:
            best, least = v, cost
    return best


class Rest(NamedTuple):
    """What is left of a whole table. Candidate c of attribute j stands at first[j] + c, as in a `Bag`.

    The sums of all candidates are only brought up to date now and then. In between a few of them, those that were least, are
    followed record by record, and the others have a floor: a record that goes takes from a sum no more than the distance
    of its value to the candidate that is farthest from it. While the least of the few lies below the floor, it is the least.
    """

    cover: Any  # int32[H]
    climbed: Any  # int64[H]
    own: Any  # int64[H]
    total: Any  # int64[H]: Σ w·sd when all were last looked at
    lost: Any  # int64[H]: records of each value that have gone since
    largest: Any  # int32[H]: the largest distance from each value to a candidate
    distinct: Any  # int64[m]
    few: Any  # int32[m, FEW]
    sums: Any  # int64[m, FEW]: Σ w·sd of those now
    followed: Any  # int64[m]: how many these are, 0 where a value has gone: others may be admitted or not
    floor: Any  # int64[m]


@kernel(inner=True)
def whole(layout, toward, codes, counts):  # type: ignore[no-untyped-def]
    """All tuples."""
    size, m = layout.first[-1], len(layout.q)
    rest = Rest(
        np.zeros(size, np.int32),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int32),
        np.zeros(m, np.int64),
        np.zeros((m, FEW), np.int32),
        np.zeros((m, FEW), np.int64),
        np.zeros(m, np.int64),
        np.zeros(m, np.int64),
    )
    for j in range(m):
        base, h = layout.first[j], np.int64(layout.h[j])
        for t in range(len(codes)):
            v = codes[t, j]
            if rest.own[base + v] == 0:
                rest.distinct[j] += 1
                for e in range(layout.up_ptr[base + v], layout.up_ptr[base + v + 1]):
                    rest.cover[base + layout.up[e]] += 1
                    rest.climbed[base + layout.up[e]] += layout.links[e]
            rest.own[base + v] += counts[t]
            rest.lost[base + v] -= counts[t]
        for v in range(layout.q[j]):
            row = layout.at[j] + v * h
            for c in range(row, row + h):
                rest.largest[base + v] = max(rest.largest[base + v], toward[c])
    return rest


@kernel(inner=True)
def lose(layout, toward, rest, j, v, w):  # type: ignore[no-untyped-def]
    """`w` ≥ 1 records with value v of attribute j less; there are as many."""
    base = layout.first[j]
    row = layout.at[j] + v * np.int64(layout.h[j])
    for i in range(rest.followed[j]):
        rest.sums[j, i] -= w * toward[row + rest.few[j, i]]
    rest.floor[j] -= w * rest.largest[base + v]
    rest.lost[base + v] += w
    rest.own[base + v] -= w
    if rest.own[base + v] == 0:
        rest.followed[j] = 0
        rest.distinct[j] -= 1
        for e in range(layout.up_ptr[base + v], layout.up_ptr[base + v + 1]):
            rest.cover[base + layout.up[e]] -= 1
            rest.climbed[base + layout.up[e]] -= layout.links[e]


@kernel(inner=True)
def pick_of_rest(layout, toward, rest, j, kind, work, everything):  # type: ignore[no-untyped-def]
    """The centroid of attribute j, as `pick`. `everything` int32[≥ h]: 0, 1, 2 …"""
    base, h = layout.first[j], layout.h[j]
    if kind in (MODE, CONSENSUS):
        values = everything[: layout.q[j]]
        return _of_values(layout, j, rest.own[base : base + h], values, kind, work)
    best, least = np.int32(-1), np.int64(0)
    for i in range(rest.followed[j]):
        c, d = rest.few[j, i], rest.sums[j, i]
        if best < 0 or d < least or (d == least and preferred(layout, j, c, best, rest.own[base:])):
            best, least = c, d
    if best < 0 or least >= rest.floor[j]:
        best = _look_anew(layout, toward, rest, j, kind, everything[:h])
    return best


@kernel(inner=True)
def _look_anew(layout, toward, rest, j, kind, everything):  # type: ignore[no-untyped-def]
    """The centroid of attribute j from the sums of all candidates, brought up to date; the few are chosen anew."""
    base, h = layout.first[j], np.int64(layout.h[j])
    total = rest.total[base : base + h]
    for v in range(layout.q[j] if kind != LCS else 0):
        w = rest.lost[base + v]
        if w != 0:
            row = toward[layout.at[j] + v * h : layout.at[j] + (v + 1) * h]
            for c in range(h):
                total[c] -= w * row[c]
            rest.lost[base + v] = 0
    lcs = _subsumer(layout, j, rest.cover, rest.climbed, rest.distinct[j], everything)
    if kind == LCS:
        return layout.top[j] if lcs < 0 else np.int32(lcs)
    best, found, floor = np.int32(-1), 0, NEVER
    for c in everything:
        d = total[c]
        if d > floor or not _admitted(layout, j, rest.cover, rest.own, c, lcs):
            continue
        if best < 0 or d < total[best] or (d == total[best] and preferred(layout, j, c, best, rest.own[base:])):
            best = c
        if found == FEW:  # the greater of this and the last of the few is not followed
            floor = max(d, rest.sums[j, FEW - 1])
            if d == floor:
                continue
            found -= 1
        at = found
        while at > 0 and rest.sums[j, at - 1] > d:
            rest.few[j, at], rest.sums[j, at] = rest.few[j, at - 1], rest.sums[j, at - 1]
            at -= 1
        rest.few[j, at], rest.sums[j, at] = c, d
        found += 1
    rest.followed[j], rest.floor[j] = found, floor
    return best
