"""Clusters grown from the outside in: the loops of the MDAV family (THESIS, algorithms 3 and 4).

`codes` int32[p, m], `counts` int64[p]; `toward` int32: the distances of the layout by value, then candidate. Farthest and
nearest tuples: of equal ones the first in the table.
"""

from __future__ import annotations

import numpy as np

from . import kernel
from .bag import empty, new_bag, pick, put_in, take_out
from .centroid import scratch


@kernel()
def _apart(layout, centre, row):  # type: ignore[no-untyped-def]
    d = np.int64(0)
    for j in range(len(centre)):
        d += layout.distance[layout.at[j] + np.int64(centre[j]) * layout.q[j] + row[j]]
    return d


@kernel()
def _extreme(layout, codes, weight, left, size, centre, sign):  # type: ignore[no-untyped-def]
    """Place in left[:size] of the tuple with the greatest sign·weight·sd from the centre."""
    best, most = -1, np.int64(0)
    for i in range(size):
        t = left[i]
        d = sign * weight[t] * _apart(layout, centre, codes[t])
        if best < 0 or d > most:
            best, most = i, d
    return best


@kernel()
def _extreme_record(layout, codes, rest, left, size, centre, sign):  # type: ignore[no-untyped-def]
    """The same without weights, of the tuples that have records left."""
    best, most = -1, np.int64(0)
    for i in range(size):
        t = left[i]
        if rest[t] == 0:
            continue
        d = sign * _apart(layout, centre, codes[t])
        if best < 0 or d > most:
            best, most = i, d
    return best


@kernel()
def _drop(left, size, i):  # type: ignore[no-untyped-def]
    for x in range(i, size - 1):
        left[x] = left[x + 1]


@kernel()
def adaptive(layout, toward, codes, counts, weight, k, kind, static):  # type: ignore[no-untyped-def]
    """SA-MDAV: the cluster of each tuple, int32[p], numbered in the order in which they were formed.

    `weight` int64[p]: what distances to a tuple are multiplied with. `static`: clusters grow around their first tuple
    instead of their current centroid. There are at least k records.
    """
    p, m = codes.shape
    cluster = np.full(p, -1, np.int32)
    left = np.arange(p).astype(np.int32)
    size = p
    records = np.sum(counts)
    work = scratch(layout)
    rest, grown = new_bag(layout), new_bag(layout)
    for t in range(p):
        for j in range(m):
            put_in(layout, toward, rest, j, codes[t, j], counts[t])
    centre = np.empty(m, np.int32)
    first = np.empty(m, np.int32)
    formed = 0
    while records >= k:
        for j in range(m):
            centre[j] = pick(layout, rest, j, kind, work)
        for turn in range(2):
            if records < k:
                break
            at = _extreme(layout, codes, weight, left, size, centre if turn == 0 else first, 1)
            held = np.int64(0)
            while True:
                t = left[at]
                _drop(left, size, at)
                size -= 1
                cluster[t] = formed
                held += counts[t]
                records -= counts[t]
                for j in range(m):
                    take_out(layout, toward, rest, j, codes[t, j], counts[t])
                if held == counts[t]:
                    first[:] = codes[t]
                    if held >= k:
                        break
                if held >= k:
                    break
                for j in range(m):
                    put_in(layout, toward, grown, j, codes[t, j], counts[t])
                    centre[j] = first[j] if static else pick(layout, grown, j, kind, work)
                at = _extreme(layout, codes, weight, left, size, centre, -1)
            empty(layout, grown)
            formed += 1
    return cluster, formed


@kernel()
def of_k(layout, toward, codes, counts, k, kind):  # type: ignore[no-untyped-def]
    """MDAV: (tuple int32[f], cluster int32[f], records int64[f], clusters), in the order in which they were taken.

    What it does with records, done with tuples: of equal records any may be taken. There are at least k records.
    """
    p, m = codes.shape
    left = np.arange(p).astype(np.int32)
    size = p
    rest = counts.copy()
    records = np.sum(counts)
    most = p + 2 * (records // k) + 2  # what is taken exhausts a tuple, or begins or ends a cluster
    source, cluster, taken = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int64)
    work = scratch(layout)
    bag = new_bag(layout)
    for t in range(p):
        for j in range(m):
            put_in(layout, toward, bag, j, codes[t, j], counts[t])
    centre = np.empty(m, np.int32)
    first = np.empty(m, np.int32)
    formed, end = 0, 0
    while records >= 2 * k:
        both = records >= 3 * k
        for j in range(m):
            centre[j] = pick(layout, bag, j, kind, work)
        r = left[_extreme_record(layout, codes, rest, left, size, centre, 1)]
        s = np.int32(-1)
        if both:
            rest[r] -= 1  # s is another record than r
            first[:] = codes[r]
            s = left[_extreme_record(layout, codes, rest, left, size, first, 1)]
            rest[r] += 1
            rest[s] -= 1  # and not for r's cluster to take
        for turn in range(2 if both else 1):
            seed = r if turn == 0 else s
            if turn == 1:
                rest[s] += 1
            first[:] = codes[seed]
            need = np.int64(k)
            at = 0
            while left[at] != seed:
                at += 1
            amount = np.int64(1)
            while True:
                t = left[at]
                source[end], cluster[end], taken[end] = t, formed, amount
                end += 1
                need -= amount
                rest[t] -= amount
                records -= amount
                for j in range(m):
                    take_out(layout, toward, bag, j, codes[t, j], amount)
                if rest[t] == 0 and not (turn == 0 and t == s):
                    _drop(left, size, at)
                    size -= 1
                if need == 0:
                    break
                at = _extreme_record(layout, codes, rest, left, size, first, -1)
                amount = min(need, rest[left[at]])
            formed += 1
    for i in range(size):
        t = left[i]
        source[end], cluster[end], taken[end] = t, formed, rest[t]
        end += 1
    return source[:end], cluster[:end], taken[:end], formed + 1
