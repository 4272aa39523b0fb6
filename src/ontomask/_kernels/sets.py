"""Distances between sets of concepts (SETS 3.1.1), from one set to many at a time.

Sets come as CSR: set t holds the concepts `items[ptr[t]:ptr[t+1]]`, each once, all sets together p; an empty set is at
distance 0 from an empty one and at distance 1 from any other. `concept` int32[c, c] are the distances of the concepts in
fixed point, symmetric, ONE standing for 1; so are the distances of sets that come out, int64.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from . import kernel

AVERAGE, MIN, MAX, MINSUM, MAXSUM = 0, 1, 2, 3, 4
BITS = 24
ONE = 1 << BITS
INVERSE = 20  # bits of 1/size in the sums for centroids
COARSE = 4  # bits of a concept distance that these sums leave out, so that they fit


@kernel(inner=True)
def _divided(total, by):  # type: ignore[no-untyped-def]
    """Rounded to the nearest, halves up."""
    return (total + by // 2) // by


@kernel(parallel=True)
def extremes(concept, ptr, items, largest):  # type: ignore[no-untyped-def]
    """int32[c, p]: the least (or largest) distance from each concept to the concepts of each set; empty sets: 0."""
    c, p = len(concept), len(ptr) - 1
    found = np.zeros((c, p), np.int32)
    for a in prange(c):
        row = concept[a]
        for t in range(p):
            if ptr[t] == ptr[t + 1]:
                continue
            best = row[items[ptr[t]]]
            for i in range(ptr[t] + 1, ptr[t + 1]):
                d = row[items[i]]
                if (d > best) if largest else (d < best):
                    best = d
            found[a, t] = best
    return found


@kernel()
def from_set(kind, t, to, concept, extreme, ptr, items):  # type: ignore[no-untyped-def]
    """The distances of set `t` to the sets `to` int64[u]: int64[u].

    `kind`: AVERAGE …; `extreme` is what `extremes` gives (the largest for MAX and MAXSUM); AVERAGE does not look at it.
    """
    own = items[ptr[t] : ptr[t + 1]]
    out = np.zeros(len(to), np.int64)
    v = np.zeros(len(concept) if kind != MIN and kind != MAX else 0, np.int64)
    if kind == AVERAGE:
        for a in own:
            v += concept[a]
    elif len(v) and len(own):
        for c in range(len(v)):  # the nearest (farthest) of this set to each concept is known
            v[c] = extreme[c, t]
    for i in range(len(to)):
        begin, end = ptr[to[i]], ptr[to[i] + 1]
        if len(own) == 0 or begin == end:
            out[i] = 0 if len(own) == end - begin else ONE
            continue
        total = np.int64(0)
        if kind == AVERAGE:
            for b in range(begin, end):
                total += v[items[b]]
            out[i] = _divided(total, len(own) * (end - begin))
        elif kind in (MINSUM, MAXSUM):
            for a in own:
                total += extreme[a, to[i]]
            for b in range(begin, end):
                total += v[items[b]]
            out[i] = _divided(total, len(own) + end - begin)
        else:
            best = extreme[own[0], to[i]]
            for a in own[1:]:
                best = min(best, extreme[a, to[i]]) if kind == MIN else max(best, extreme[a, to[i]])
            out[i] = best
    return out


@kernel()
def equal_from_set(kind, t, to, mark, ptr, items):  # type: ignore[no-untyped-def]
    """`from_set` where concepts are equal (0) or different (1): how many the sets share says it all.

    `mark` bool[c], all False, is used and given back so.
    """
    size = ptr[t + 1] - ptr[t]
    for i in range(ptr[t], ptr[t + 1]):
        mark[items[i]] = True
    out = np.zeros(len(to), np.int64)
    for i in range(len(to)):
        begin, end = ptr[to[i]], ptr[to[i] + 1]
        other = end - begin
        if size == 0 or other == 0:
            out[i] = 0 if size == other else ONE
            continue
        shared = 0
        for b in range(begin, end):
            shared += mark[items[b]]
        if kind == AVERAGE:
            out[i] = _divided((size * other - shared) * ONE, size * other)
        elif kind == MIN:
            out[i] = 0 if shared else ONE
        elif kind == MAX:
            out[i] = 0 if size == 1 and other == 1 and shared else ONE
        elif kind == MINSUM:
            out[i] = _divided((size + other - 2 * shared) * ONE, size + other)
        else:  # a concept's farthest in a set is itself only where it is all the set
            alone = (shared if other == 1 else 0) + (shared if size == 1 else 0)
            out[i] = _divided((size + other - alone) * ONE, size + other)
    for i in range(ptr[t], ptr[t + 1]):
        mark[items[i]] = False
    return out


@kernel(parallel=True)
def all_sums(kind, semantic, counts, concept, extreme, ptr, items, concepts):  # type: ignore[no-untyped-def]
    """For each set the sum of its distances to all records (`counts` int64[p] of them hold each set): int64[p]."""
    p = len(counts)
    to = np.arange(p)
    sums = np.zeros(p, np.int64)
    for t in prange(p):
        if semantic:
            sums[t] = np.sum(from_set(kind, t, to, concept, extreme, ptr, items) * counts)
        else:
            sums[t] = np.sum(equal_from_set(kind, t, to, np.zeros(concepts, np.bool_), ptr, items) * counts)
    return sums


@kernel()
def add_rows(concept, own, amount, field):  # type: ignore[no-untyped-def]
    """field[a] += amount · Σ over b in `own` of the (coarse) distance of concepts a and b; `field` int64[c]."""
    for b in own:
        row = concept[b]
        for a in range(len(field)):
            field[a] += amount * (row[a] >> COARSE)


@kernel()
def average_sums(field, to, ptr, items):  # type: ignore[no-untyped-def]
    """Σ over the records behind `field` of their average distance to each set of `to`: int64[len(to)]; empty sets: 0.

    `field[a]` int64 is the sum over these records of the mean distance of their concepts to concept a, with INVERSE bits
    more and COARSE bits less than a distance has.
    """
    out = np.zeros(len(to), np.int64)
    for i in range(len(to)):
        begin, end = ptr[to[i]], ptr[to[i] + 1]
        total = np.int64(0)
        for b in range(begin, end):
            total += field[items[b]] >> INVERSE
        if end > begin:
            out[i] = _divided(total << COARSE, end - begin)
    return out


@kernel()
def nearest_positions(distance, need):  # type: ignore[no-untyped-def]
    """The positions of the `need` smallest distances, nearest first, ties: the first: int64[min(need, len)]."""
    best = np.empty(min(need, len(distance)), np.int64)
    found = 0
    for i in range(len(distance)):
        if found == len(best) and distance[i] >= distance[best[found - 1]]:
            continue
        at = found if found < len(best) else found - 1
        while at > 0 and distance[best[at - 1]] > distance[i]:
            best[at] = best[at - 1]
            at -= 1
        best[at] = i
        found = min(found + 1, len(best))
    return best
