"""Clusters of parts of tuples that change all the time: membership, sizes, representatives, costs.

Invariants, between any two calls of the functions here: the amounts of a tuple's entries add up to its records; a cluster's
size is the sum of its entries' amounts; no entry is empty and no cluster without entries is in use; the two chains of an
entry (of its cluster, of its tuple) are doubly linked. `cost` is right after `recentre`, not before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import kernel
from .small import copy

NONE = np.int32(-1)


class Clusters(NamedTuple):
    """An entry e says that cluster[e] holds amount[e] records of tuple source[e]."""

    source: Any  # int32[E]
    cluster: Any  # int32[E]; NONE: a free slot
    amount: Any  # int64[E]
    after: Any  # int32[E]: next entry of the same cluster
    before: Any  # int32[E]
    along: Any  # int32[E]: next entry of the same tuple
    back: Any  # int32[E]
    of: Any  # int32[p]: first entry of a tuple
    head: Any  # int32[C]: first entry of a cluster; NONE: not in use
    size: Any  # int64[C]: records
    members: Any  # int32[C]: entries
    centre: Any  # int32[C, m]: candidate codes of the representative
    cost: Any  # float64[C]: Σ amount · distance², distances in fixed point
    free: Any  # int64[2]: how many entries and clusters are free
    free_entry: Any  # int32[E]: stack of free slots
    free_cluster: Any  # int32[C]
    work: Any  # Work


class Work(NamedTuple):
    """Scratch arrays of `recentre`, H = max h, Q = max q."""

    seen: Any  # int32[H]: the stamp of the last look at a candidate
    stamp: Any  # int32[1]
    touched: Any  # int32[H]
    values: Any  # int32[Q]
    slot: Any  # int32[Q]: where a value stands in `values`
    weight: Any  # float64[Q]: Σ amount by place in `values`
    moment: Any  # float64[Q]: Σ amount · distance in the other attributes


@kernel(inner=True)
def new_work(layout):  # type: ignore[no-untyped-def]
    """Clean scratch arrays."""
    most_h, most_q = 1, 1
    for j in range(len(layout.q)):
        most_h, most_q = max(most_h, layout.h[j]), max(most_q, layout.q[j])
    return Work(
        np.zeros(most_h, np.int32),
        np.zeros(1, np.int32),
        np.empty(most_h, np.int32),
        np.empty(most_q, np.int32),
        np.full(most_q, NONE, np.int32),
        np.zeros(most_q, np.float64),
        np.zeros(most_q, np.float64),
    )


@kernel(inner=True)
def new_clusters(work, m, p, entries, clusters):  # type: ignore[no-untyped-def]
    """Arrays for p tuples with m attributes, so many entries and clusters; `all_free` makes them ready."""
    return Clusters(
        np.full(entries, NONE, np.int32),
        np.full(entries, NONE, np.int32),
        np.zeros(entries, np.int64),
        np.full(entries, NONE, np.int32),
        np.full(entries, NONE, np.int32),
        np.full(entries, NONE, np.int32),
        np.full(entries, NONE, np.int32),
        np.full(p, NONE, np.int32),
        np.full(clusters, NONE, np.int32),
        np.zeros(clusters, np.int64),
        np.zeros(clusters, np.int32),
        np.zeros((clusters, m), np.int32),
        np.zeros(clusters, np.float64),
        np.zeros(2, np.int64),
        np.empty(entries, np.int32),
        np.empty(clusters, np.int32),
        work,
    )


@kernel(inner=True)
def all_free(s):  # type: ignore[no-untyped-def]
    """No cluster yet."""
    entries, clusters = len(s.free_entry), len(s.free_cluster)
    s.free[0], s.free[1] = entries, clusters
    for e in range(entries):
        s.free_entry[e] = entries - 1 - e
    for c in range(clusters):
        s.free_cluster[c] = clusters - 1 - c


@kernel(inner=True)
def entry_of(s, t, c):  # type: ignore[no-untyped-def]
    """The entry of tuple t in cluster c (int64 both), or NONE."""
    e = s.of[t]
    while e != NONE and s.cluster[e] != c:
        e = s.along[e]
    return e


@kernel(apart=True)
def add(s, t, c, amount):  # type: ignore[no-untyped-def]
    """`amount` records of tuple t come to cluster c: all three int64, so that this is compiled once."""
    e = entry_of(s, t, c)
    if e == NONE:
        s.free[0] -= 1
        e = s.free_entry[s.free[0]]
        s.source[e], s.cluster[e], s.amount[e] = t, c, 0
        s.after[e], s.before[e] = s.head[c], NONE
        if s.head[c] != NONE:
            s.before[s.head[c]] = e
        s.head[c] = e
        s.along[e], s.back[e] = s.of[t], NONE
        if s.of[t] != NONE:
            s.back[s.of[t]] = e
        s.of[t] = e
        s.members[c] += 1
    s.amount[e] += amount
    s.size[c] += amount


@kernel(apart=True)
def drop(s, e, amount):  # type: ignore[no-untyped-def]
    """`amount` records leave entry e; an entry or a cluster that has nothing left is free again."""
    t, c = s.source[e], s.cluster[e]
    s.amount[e] -= amount
    s.size[c] -= amount
    if s.amount[e] > 0:
        return
    if s.before[e] == NONE:
        s.head[c] = s.after[e]
    else:
        s.after[s.before[e]] = s.after[e]
    if s.after[e] != NONE:
        s.before[s.after[e]] = s.before[e]
    if s.back[e] == NONE:
        s.of[t] = s.along[e]
    else:
        s.along[s.back[e]] = s.along[e]
    if s.along[e] != NONE:
        s.back[s.along[e]] = s.back[e]
    s.cluster[e] = NONE
    s.free_entry[s.free[0]] = e
    s.free[0] += 1
    s.members[c] -= 1
    if s.members[c] == 0:
        s.cost[c] = 0.0
        s.free_cluster[s.free[1]] = c
        s.free[1] += 1


@kernel(inner=True)
def open_cluster(s):  # type: ignore[no-untyped-def]
    """The number of a cluster that was free (there is one); it must receive something before anything else happens."""
    s.free[1] -= 1
    return s.free_cluster[s.free[1]]


@kernel(inner=True)
def apart(layout, centre, row):  # type: ignore[no-untyped-def]
    """Fixed-point distance of a representative and a tuple, as a float: squares do not fit 64 bits."""
    d = np.int64(0)
    for j in range(len(row)):
        d += layout.distance[layout.at[j] + np.int64(centre[j]) * layout.q[j] + row[j]]
    return np.float64(d)


@kernel(inner=True)
def square(layout, centre, row):  # type: ignore[no-untyped-def]
    """What one record of this tuple costs in a cluster with this representative."""
    d = apart(layout, centre, row)
    return d * d


@kernel(apart=True)
def recentre(layout, codes, s, c):  # type: ignore[no-untyped-def]
    """Give cluster c (int64) the representative with the least Σ amount·distance², one attribute after the other; its cost.

    Candidates of an attribute: the values of the cluster and their ancestors. With the other attributes fixed, a record
    costs (e + d)² = e² + 2·e·d + d², so only Σ amount and Σ amount·e of each value are needed. Ties: most records of its
    own, then the deepest, then the smallest number.
    """
    m = codes.shape[1]
    centre = s.centre[c]
    if s.members[c] == 1:
        copy(codes[s.source[s.head[c]]], centre)
        s.cost[c] = 0.0
        return 0.0
    for _ in range(4):
        changed = False
        for j in range(m):
            best = _best(layout, codes, s, c, j)
            changed = changed or best != centre[j]
            centre[j] = best
        if not changed or m == 1:
            break
    total = 0.0
    e = s.head[c]
    while e != NONE:
        total += s.amount[e] * square(layout, centre, codes[s.source[e]])
        e = s.after[e]
    s.cost[c] = total
    return total


@kernel(inner=True)
def _best(layout, codes, s, c, j):  # type: ignore[no-untyped-def]
    w = s.work
    m = codes.shape[1]
    base = layout.first[j]
    w.stamp[0] += 1
    stamp = w.stamp[0]
    distinct, found = 0, 0
    e = s.head[c]
    while e != NONE:
        row = codes[s.source[e]]
        other = np.int64(0)
        for i in range(m):
            if i != j:
                other += layout.distance[layout.at[i] + np.int64(s.centre[c, i]) * layout.q[i] + row[i]]
        v = row[j]
        x = w.slot[v]
        if x < 0:
            x = distinct
            w.slot[v] = x
            w.values[x] = v
            w.weight[x] = 0.0
            w.moment[x] = 0.0
            distinct += 1
            for u in range(layout.up_ptr[base + v], layout.up_ptr[base + v + 1]):
                a = layout.up[u]
                if w.seen[a] != stamp:
                    w.seen[a] = stamp
                    w.touched[found] = a
                    found += 1
        w.weight[x] += s.amount[e]
        w.moment[x] += 2.0 * s.amount[e] * other
        e = s.after[e]
    best, least, own = NONE, 0.0, 0.0
    for i in range(found):
        a = w.touched[i]
        row_at = layout.at[j] + np.int64(a) * layout.q[j]
        total = 0.0
        for x in range(distinct):
            d = np.float64(layout.distance[row_at + w.values[x]])
            total += (w.weight[x] * d + w.moment[x]) * d
            if best != NONE and total > least:
                break
        if best != NONE and total > least:
            continue
        mine = w.weight[w.slot[a]] if a < layout.q[j] and w.slot[a] >= 0 else 0.0
        if best != NONE and total == least:
            deeper = layout.depth[base + a] - layout.depth[base + best]
            later = layout.tie[base + a] > layout.tie[base + best]
            if mine < own or (mine == own and (deeper < 0 or (deeper == 0 and later))):
                continue
        best, least, own = a, total, mine
    for x in range(distinct):
        w.slot[w.values[x]] = NONE
    return best
