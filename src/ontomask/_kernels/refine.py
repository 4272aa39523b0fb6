"""Clusters that are improved until nothing gets better: moves, swaps, loans, dissolving and opening clusters.

Every change is accepted only if Σ distance² falls while representatives stay as they are; giving the clusters that changed
their best representative afterwards can only lower it further. No cluster in use ever has less than k records.

`near` int32[p, L]: tuples near each tuple, nearest first, −1 where there are no more: the clusters of a tuple's neighbours
are the clusters that it may go to. `last`: the round ends with what is given; it may be given in parts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import kernel
from .clusters import NONE, Clusters, add, drop, open_cluster, recentre, square
from .nearest import records_around
from .small import falling

LAST = np.bool_(True)  # typed: numba would compile anew for a literal
LARGE = 64  # entries of a cluster from which on its representative waits for the end of the round


@kernel()
def neighbours(index, xs, ones, most, begin, end, near):  # type: ignore[no-untyped-def]
    """The `most` nearest other points of the points at places begin … end−1, into near int32[p, most] by number.

    By (distance, number); −1 where there are no more. `xs` int32[p, m]: all points, arranged; `ones` int64[p].
    """
    number = np.empty(most + 2, np.int32)
    distance = np.empty(most + 2, np.int64)
    for i in range(begin, end):
        t = np.int64(index.number[i])
        found = records_around(index, xs[t], t, ones, most, number, distance)
        for x in range(most):
            near[t, x] = number[x] if x < found else NONE


@kernel(apart=True)
def total_cost(layout, codes, s):  # type: ignore[no-untyped-def]
    """Σ amount·distance² over all clusters, made anew."""
    total = 0.0
    for e in range(len(s.source)):
        if s.cluster[e] != NONE:
            total += s.amount[e] * square(layout, s.centre[s.cluster[e]], codes[s.source[e]])
    return total


@kernel(inner=True)
def _settle(layout, codes, s, c, dirty):  # type: ignore[no-untyped-def]
    """Cluster c has changed."""
    if s.members[c] == 0:
        return
    if s.members[c] < LARGE:
        recentre(layout, codes, s, np.int64(c))
    else:
        dirty[c] = True


@kernel(inner=True)
def _settle_all(layout, codes, s, dirty):  # type: ignore[no-untyped-def]
    for c in range(len(dirty)):
        if dirty[c]:
            dirty[c] = False
            if s.members[c] > 0:
                recentre(layout, codes, s, c)


@kernel(inner=True)
def _target(layout, codes, s, near, t, own, mine, mark, stamp):  # type: ignore[no-untyped-def]
    """The cluster in which a record of t costs least among those of t's neighbours, `own` left out: (cluster, cost).

    t and own are int64.
    """
    best, least = NONE, mine
    for x in range(near.shape[1]):
        u = near[t, x]
        if u == NONE:
            break
        e = s.of[u]
        while e != NONE:
            c = s.cluster[e]
            if c != own and mark[c] != stamp:
                mark[c] = stamp
                cost = square(layout, s.centre[c], codes[t])
                if cost < least:
                    best, least = c, cost
            e = s.along[e]
    e = s.of[t]
    while e != NONE:  # the clusters that have part of t already
        c = s.cluster[e]
        if c != own and mark[c] != stamp:
            mark[c] = stamp
            cost = square(layout, s.centre[c], codes[t])
            if cost < least:
                best, least = c, cost
        e = s.along[e]
    return best, least


@kernel(inner=True)
def _loan(layout, codes, s, near, a, b, k, leaver, gain):  # type: ignore[no-untyped-def]
    """The entry that may best send a record to cluster a, where one of `leaver` goes to b for `gain`.

    It comes from b, which grows by the one that goes there, or from a neighbour's cluster that has more than k. NONE if
    there is none that loses less than is gained.
    """
    best, least = NONE, gain
    e = s.head[b]
    while e != NONE:
        u = s.source[e]
        if u != leaver:
            loss = square(layout, s.centre[a], codes[u]) - square(layout, s.centre[b], codes[u])
            if loss < least:
                best, least = e, loss
        e = s.after[e]
    own = s.head[a]
    looked = 0
    while own != NONE and looked < 8:
        looked += 1
        t = s.source[own]
        for x in range(near.shape[1]):
            u = near[t, x]
            if u == NONE:
                break
            e = s.of[u]
            while e != NONE:
                c = s.cluster[e]
                if c != a and c != b and s.size[c] > k and u != leaver:
                    loss = square(layout, s.centre[a], codes[u]) - square(layout, s.centre[c], codes[u])
                    if loss < least:
                        best, least = e, loss
                e = s.along[e]
        own = s.after[own]
    return best


@kernel(apart=True)
def moves(layout, codes, s, near, k, order, mark, stamp, dirty, last):  # type: ignore[no-untyped-def]
    """One round: every tuple, in `order`, goes where it is nearer, if its clusters can spare it or get a substitute."""
    done = 0
    for t in order:
        e = s.of[t]
        while e != NONE:
            following = s.along[e]
            a = s.cluster[e]
            mine = square(layout, s.centre[a], codes[t])
            if mine > 0.0 and s.free[0] > 4:
                stamp += 1
                b, cost = _target(layout, codes, s, near, t, np.int64(a), mine, mark, stamp)
                if b != NONE:
                    spare = s.size[a] - k
                    if spare > 0 or s.amount[e] == s.size[a]:
                        amount = s.amount[e] if s.amount[e] == s.size[a] else min(spare, s.amount[e])
                        drop(s, e, amount)
                        add(s, np.int64(t), np.int64(b), amount)
                        _settle(layout, codes, s, a, dirty)
                        _settle(layout, codes, s, b, dirty)
                        done += 1
                    else:
                        f = _loan(layout, codes, s, near, a, b, k, t, mine - cost)
                        if f != NONE:
                            u, c = s.source[f], s.cluster[f]
                            amount = min(s.amount[e], s.amount[f])
                            if c != b:
                                amount = min(amount, s.size[c] - k)
                            drop(s, e, amount)
                            drop(s, f, amount)
                            add(s, np.int64(t), np.int64(b), amount)
                            add(s, np.int64(u), np.int64(a), amount)
                            following = NONE  # the chain may have changed
                            _settle(layout, codes, s, a, dirty)
                            _settle(layout, codes, s, b, dirty)
                            if c != b:
                                _settle(layout, codes, s, c, dirty)
                            done += 1
            e = following
    if last:
        _settle_all(layout, codes, s, dirty)
    return done, stamp


@kernel(apart=True)
def dissolve(layout, codes, s, near, clusters, mark, stamp, dirty, last):  # type: ignore[no-untyped-def]
    """Clusters all of whose records fit elsewhere, for less than they cost together, are given up."""
    done = 0
    goal = np.empty(len(s.source), np.int32)
    for c in clusters:
        if s.members[c] == 0 or s.cost[c] == 0.0:
            continue
        left = s.cost[c]
        e, i = s.head[c], 0
        while e != NONE and left > 0.0:
            stamp += 1
            b, cost = _target(layout, codes, s, near, np.int64(s.source[e]), c, np.inf, mark, stamp)
            goal[i] = b
            left = left - s.amount[e] * cost if b != NONE else -1.0
            i += 1
            e = s.after[e]
        if left <= 0.0:
            continue
        e, i = s.head[c], 0
        while e != NONE:
            following, t, amount, b = s.after[e], s.source[e], s.amount[e], goal[i]
            drop(s, e, amount)
            add(s, np.int64(t), np.int64(b), amount)
            _settle(layout, codes, s, b, dirty)
            e = following
            i += 1
        done += 1
    if last:
        _settle_all(layout, codes, s, dirty)
    return done, stamp


@kernel(apart=True)
def open_new(layout, codes, s, near, k, order, dirty, last):  # type: ignore[no-untyped-def]
    """A tuple becomes the representative of a cluster of its own where records around it gain more than those it needs lose.

    Records come from clusters that can spare them: first those that gain, then, up to k, those that lose least.
    """
    done = 0
    most = 4 * near.shape[1] + 64
    entry = np.empty(most, np.int32)
    gain, key = np.empty(most, np.float64), np.empty(most, np.float64)
    by = np.empty(most, np.int32)  # entries by falling gain
    granted = np.zeros(len(s.size), np.int64)
    amount = np.zeros(most, np.int64)
    for t in order:
        e = s.of[t]
        exact = False
        while e != NONE:
            exact = exact or square(layout, s.centre[s.cluster[e]], codes[t]) == 0.0
            e = s.along[e]
        if exact or s.free[1] == 0:
            continue
        found = np.int64(0)
        for x in range(-1, near.shape[1]):
            u = t if x < 0 else near[t, x]
            if u == NONE:
                break
            here = square(layout, codes[t], codes[u])
            e = s.of[u]
            while e != NONE and found < most:
                if s.size[s.cluster[e]] > k:
                    entry[found] = e
                    gain[found] = square(layout, s.centre[s.cluster[e]], codes[u]) - here
                    found += 1
                e = s.along[e]
        if found == 0 or s.free[0] < found + 1:
            continue
        total, held = 0.0, np.int64(0)
        for i in range(found):
            key[i], by[i] = gain[i], i
        falling(key, by, found)
        taken = 0
        for turn in range(found):
            i = by[turn]
            if gain[i] <= 0.0 and held >= k:
                break
            c = s.cluster[entry[i]]
            some = min(s.amount[entry[i]], s.size[c] - k - granted[c])
            if gain[i] <= 0.0:
                some = min(some, k - held)
            amount[taken] = some
            granted[c] += some
            held += some
            total += some * gain[i]
            taken += 1
        for i in range(taken):
            granted[s.cluster[entry[by[i]]]] = 0
        if held < k or total <= 0.0:
            continue
        new = open_cluster(s)
        for i in range(taken):
            if amount[i] > 0:
                e = entry[by[i]]
                u, c = s.source[e], s.cluster[e]
                drop(s, e, amount[i])
                add(s, np.int64(u), np.int64(new), amount[i])
                _settle(layout, codes, s, c, dirty)
        _settle(layout, codes, s, new, dirty)
        if s.members[new] >= LARGE:
            recentre(layout, codes, s, np.int64(new))
        done += 1
    if last:
        _settle_all(layout, codes, s, dirty)
    return done


def entries(s: Clusters) -> tuple[Any, Any, Any]:
    """(source, cluster, amount) of all entries in use."""
    used = np.flatnonzero(s.cluster != NONE)
    return s.source[used], s.cluster[used], s.amount[used]
