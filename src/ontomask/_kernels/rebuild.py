"""Neighbourhoods taken apart and rebuilt: how refined microaggregation leaves a local optimum.

A few clusters that lie together are copied into a small problem of their own, in which everyone is everyone's neighbour. There
they are broken up at random, improved like the whole table, and copied back if they have become cheaper.
"""

from __future__ import annotations

import numpy as np

from . import kernel
from .clusters import NONE, add, all_free, apart, drop, new_clusters, open_cluster, recentre, square
from .refine import LAST, dissolve, moves, open_new, total_cost
from .small import copy, numbers, total

MOST = 96  # entries of a neighbourhood
TURNS = 8


@kernel(inner=True)
def _random(state, below):  # type: ignore[no-untyped-def]
    """The next whole number from 0 to below − 1; `state` uint64[1] (a linear congruence, its high bits)."""
    state[0] = state[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return np.int64((state[0] >> np.uint64(33)) % np.uint64(below))


@kernel(inner=True)
def _region(s, near, start, wanted, state, chosen, inside):  # type: ignore[no-untyped-def]
    """`start` and up to `wanted` − 1 clusters around it, of at most MOST entries: (how many, their entries).

    They are written to `chosen` and marked in `inside` bool[C]. Nearest first, one in four being passed over.
    """
    chosen[0] = start
    inside[start] = True
    found, held = 1, np.int64(s.members[start])
    for x in range(near.shape[1]):
        e = s.head[start]
        while e != NONE and found < wanted:
            u = near[s.source[e], x]
            if u != NONE:
                f = s.of[u]
                while f != NONE and found < wanted:
                    c = s.cluster[f]
                    if not inside[c] and held + s.members[c] <= MOST and _random(state, np.int64(4)) > 0:
                        inside[c] = True
                        chosen[found] = c
                        found += 1
                        held += s.members[c]
                    f = s.along[f]
            e = s.after[e]
    return found, held


@kernel(inner=True)
def _grow_anew(layout, codes, counts, sub, k, state):  # type: ignore[no-untyped-def]
    """Clusters grown around tuples drawn at random, or far from the one before."""
    p = len(codes)
    free = np.ones(p, np.bool_)
    seeds = np.empty(p, np.int64)
    records = total(counts)
    formed = 0
    seed = _random(state, p)
    while records >= k:
        c = open_cluster(sub)
        seeds[formed] = seed
        formed += 1
        held = np.int64(0)
        t = seed
        while True:
            free[t] = False
            add(sub, np.int64(t), np.int64(c), counts[t])
            held += counts[t]
            records -= counts[t]
            if held >= k:
                break
            t, least = -1, 0.0
            for u in range(p):
                if free[u]:
                    d = apart(layout, codes[seed], codes[u])
                    if t < 0 or d < least:
                        t, least = u, d
        copy(codes[seed], sub.centre[c])
        before, most, left = seed, -1.0, np.int64(0)
        for u in range(p):
            left += free[u]
        if left == 0:
            break
        any_one = _random(state, np.int64(2)) == 0
        skip = _random(state, left)
        for u in range(p):
            if free[u]:
                d = apart(layout, codes[before], codes[u])
                if (any_one and skip == 0) or (not any_one and d > most):
                    seed, most = u, d
                skip -= 1
    for u in range(p):
        if free[u]:
            best, least = 0, np.inf
            for i in range(formed):
                d = apart(layout, codes[seeds[i]], codes[u])
                if d < least:
                    best, least = i, d
            add(sub, np.int64(u), np.int64(sub.cluster[sub.of[seeds[best]]]), counts[u])


@kernel(inner=True)
def _without_one(layout, codes, sub, victim):  # type: ignore[no-untyped-def]
    """Give up one cluster of several, whatever that costs."""
    e = sub.head[victim]
    while e != NONE:
        following, t, amount = sub.after[e], sub.source[e], sub.amount[e]
        best, least = NONE, np.inf
        for c in range(len(sub.head)):
            if c != victim and sub.members[c] > 0:
                cost = square(layout, sub.centre[c], codes[t])
                if cost < least:
                    best, least = np.int32(c), cost
        drop(sub, e, amount)
        add(sub, np.int64(t), np.int64(best), amount)
        e = following


@kernel(apart=True)
def rebuild(layout, codes, s, near, k, starts, state, place):  # type: ignore[no-untyped-def]
    """Take the neighbourhood of each cluster of `starts` apart once; how many became cheaper.

    `state` uint64[1]: of the random numbers. `place` int32[p]: all NONE, and left so.
    """
    m = codes.shape[1]
    inside = np.zeros(len(s.head), np.bool_)
    chosen = np.empty(16, np.int32)
    done = 0
    for start in starts:
        if s.members[start] == 0 or s.cost[start] == 0.0 or s.members[start] > MOST:
            continue
        wanted = 2 + _random(state, np.int64(5))
        found, held = _region(s, near, start, wanted, state, chosen, inside)
        tuples = np.empty(held, np.int32)
        counts = np.zeros(held, np.int64)
        p, cost, records = np.int64(0), 0.0, np.int64(0)
        for i in range(found):
            inside[chosen[i]] = False
            cost += s.cost[chosen[i]]
            records += s.size[chosen[i]]
            e = s.head[chosen[i]]
            while e != NONE:
                t = s.source[e]
                if place[t] == NONE:
                    place[t] = p
                    tuples[p] = t
                    p += 1
                counts[place[t]] += s.amount[e]
                e = s.after[e]
        own = np.empty((p, m), np.int32)
        everyone = np.empty((p, p - 1 if p > 1 else 1), np.int32)
        for i in range(p):
            copy(codes[tuples[i]], own[i])
            everyone[i, 0] = NONE
            for x in range(p - 1):
                everyone[i, x] = (i + 1 + x) % p
        most = int(min(records // k, 2 * p + 8)) + 1
        sub = new_clusters(s.work, m, p, 4 * p + 4 * most + 16, most)
        all_free(sub)
        mark, stamp, dirty = np.zeros(most, np.int64), np.int64(0), np.zeros(most, np.bool_)
        order, clusters = numbers(p), numbers(most)
        if found == 1 or _random(state, np.int64(2)) == 0:
            _grow_anew(layout, own, counts[:p], sub, k, state)
        else:
            for i in range(found):
                c = open_cluster(sub)
                e = s.head[chosen[i]]
                while e != NONE:
                    add(sub, np.int64(place[s.source[e]]), np.int64(c), s.amount[e])
                    e = s.after[e]
                copy(s.centre[chosen[i]], sub.centre[c])
            victim = _random(state, found)
            _without_one(layout, own, sub, np.int32(victim))
        for i in range(p):
            place[tuples[i]] = NONE
        for c in range(most):
            if sub.members[c] > 0:
                recentre(layout, own, sub, c)
        now = np.inf
        for turn in range(TURNS + 1):
            after = total_cost(layout, own, sub)
            if (turn > 0 and after >= now) or turn == TURNS:
                break
            now = after
            open_new(layout, own, sub, everyone, k, order, dirty, LAST)
            _, stamp = moves(layout, own, sub, everyone, k, order, mark, stamp, dirty, LAST)
            _, stamp = dissolve(layout, own, sub, everyone, clusters, mark, stamp, dirty, LAST)
        if after < cost * (1 - 1e-9):
            used = 0
            for c in range(most):
                used += sub.members[c] > 0
            if s.free[1] + found < used or s.free[0] < len(sub.source) - sub.free[0]:
                continue
            _replace(layout, codes, s, chosen[:found], sub, tuples)
            done += 1
    return done


@kernel(inner=True)
def _replace(layout, codes, s, chosen, sub, tuples):  # type: ignore[no-untyped-def]
    """The clusters of a small problem take the place of those that it was made of."""
    for c in chosen:
        while s.members[c] > 0:
            drop(s, s.head[c], s.amount[s.head[c]])
    for c in range(len(sub.head)):
        if sub.members[c] == 0:
            continue
        new = open_cluster(s)
        e = sub.head[c]
        while e != NONE:
            add(s, np.int64(tuples[sub.source[e]]), np.int64(new), sub.amount[e])
            e = sub.after[e]
        copy(sub.centre[c], s.centre[new])
        s.cost[new] = sub.cost[c]
