"""A bag of tuples whose centroid is asked for after every change: the sums are kept up to date, not recomputed.

For each attribute the bag holds the records of every value and, for each candidate that is an ancestor-or-self of some
value ("touched"), how many distinct values lie below it, the links up from them, and Σ w·sd against the whole bag. Adding or
removing a tuple costs one pass over the touched candidates; so does picking the centroid.

Everything is integer, so that sums kept up to date equal sums made anew. `centroid.py` has the same for a bag that is
looked at once; both follow the rules of `semantics.operators.centroids_of`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import kernel
from .centroid import CONSENSUS, LCS, MODE, VALUES, below, confusion, preferred


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


@kernel()
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


@kernel()
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


@kernel()
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
    _shift(layout, toward, bag, j, v, w)


@kernel()
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


@kernel()
def take_out(layout, toward, bag, j, v, w):  # type: ignore[no-untyped-def]
    """`w` ≥ 1 records with value v of attribute j less; there are as many."""
    base = layout.first[j]
    _shift(layout, toward, bag, j, v, -w)
    if bag.own[base + v] == 0:
        bag.distinct[j] -= 1
        for e in range(layout.up_ptr[base + v], layout.up_ptr[base + v + 1]):
            bag.cover[base + layout.up[e]] -= 1
            bag.climbed[base + layout.up[e]] -= layout.links[e]


@kernel()
def _shift(layout, toward, bag, j, v, w):  # type: ignore[no-untyped-def]
    base = layout.first[j]
    bag.own[base + v] += w
    row = layout.at[j] + np.int64(v) * layout.h[j]
    for t in range(base, base + bag.found[j]):
        c = bag.touched[t]
        bag.total[base + c] += w * toward[row + c]


@kernel()
def pick(layout, bag, j, kind, work):  # type: ignore[no-untyped-def]
    """The centroid of attribute j of a bag that is not empty: kinds and ties as in `centroid.choose`; `work` as there."""
    base = layout.first[j]
    begin, end = base, base + bag.found[j]
    if kind in (MODE, CONSENSUS):
        return _of_values(layout, bag, j, kind, work)
    lcs = -1
    if kind != VALUES:
        for t in range(begin, end):
            a = bag.touched[t]
            if bag.cover[base + a] != bag.distinct[j]:
                continue
            if lcs < 0:
                lcs = a
                continue
            deeper = layout.depth[base + a] - layout.depth[base + lcs]
            nearer = bag.climbed[base + lcs] - bag.climbed[base + a]
            last = layout.tie[base + a] < layout.tie[base + lcs]
            if deeper > 0 or (deeper == 0 and (nearer > 0 or (nearer == 0 and last))):
                lcs = a
    if kind == LCS:
        return layout.top[j] if lcs < 0 else np.int32(lcs)
    best = np.int32(-1)
    for t in range(begin, end):
        a = bag.touched[t]
        if (bag.own[base + a] == 0) if lcs < 0 else (bag.cover[base + a] == 0):
            continue
        if best >= 0:
            more = bag.total[base + a] - bag.total[base + best]
            if more > 0 or (more == 0 and not preferred(layout, j, a, best, bag.own[base:])):
                continue
        if lcs < 0 or below(layout, j, a, lcs):
            best = a
    return best


@kernel()
def _of_values(layout, bag, j, kind, work):  # type: ignore[no-untyped-def]
    """The most frequent value, or the one with the least Σ w·confusion."""
    base = layout.first[j]
    best, least = np.int32(-1), np.int64(0)
    size = bag.listed[j]
    values = bag.values[base : base + size]
    weights = bag.own[base + values] if kind == CONSENSUS else bag.own[:0]
    for x in range(size):
        v = values[x]
        if bag.own[base + v] == 0:
            continue
        cost = -bag.own[base + v] if kind == MODE else confusion(layout, j, v, values, weights, size, work)
        if best >= 0 and cost == least:
            ours, theirs = bag.own[base + v], bag.own[base + best]
            if ours > theirs or (ours == theirs and v < best):
                best = v
        elif best < 0 or cost < least:
            best, least = v, cost
    return best
