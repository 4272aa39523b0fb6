"""Swapping values between near records: every value changes its place at most once (SWAP, algorithms 1 to 3).

Records are laid out tuple by tuple: tuple t has the records start[t] … start[t+1]−1, in a circle and in no particular
order. What comes out is a partner for each record and attribute, the record itself where its value stays: an involution.
Random numbers come from a numpy Generator, which numba and Python read alike.
"""

from __future__ import annotations

import numpy as np

from . import kernel
from .nearest import compact, records_around, remove

PROBES = 48  # tuples looked at before the exact walk for the farthest one; the result does not depend on it


@kernel()
def swap_along(n, k, rng):  # type: ignore[no-untyped-def]
    """Algorithm 1 on n ranked records: each unswapped one swaps with a random unswapped one of the next k.

    Returns (partner int64[n] by rank, number of records that found nobody, largest difference of two swapped ranks).
    """
    partner = np.full(n, -1, np.int64)
    choice = np.empty(min(k, n), np.int64)
    stayed, largest = 0, 0
    for i in range(n):
        if partner[i] >= 0:
            continue
        free = 0
        for other in range(i + 1, min(i + k, n - 1) + 1):
            if partner[other] < 0:
                choice[free] = other
                free += 1
        if free == 0:
            partner[i] = i
            stayed += 1
            continue
        other = choice[int(rng.random() * free)]
        partner[i], partner[other] = other, i
        largest = max(largest, other - i)
    return partner, stayed, largest


@kernel(inner=True)
def _distance(index, x, t):  # type: ignore[no-untyped-def]
    """From the query `x` to point number `t`, which has not been removed."""
    d = np.int64(0)
    for j in range(len(index.at)):
        d += index.distance[index.at[j] + x[j] * index.width[j] + index.points[index.place[t], j]]
    return d


@kernel(inner=True)
def _interval(index, x, t, r, start, size, k, near, distance, records, rng):  # type: ignore[no-untyped-def]
    """The k records nearest to record `r` of tuple `t`, nearest first, into `records` int64[k]: how many.

    Equal ones first: those that follow in the circle. Then the other tuples by (distance, number); of the last one, where
    only a part is needed, those that follow a random one in its circle.
    """
    held = 0
    for i in range(1, min(size[t] - 1, k) + 1):
        records[held] = start[t] + (r - start[t] + i) % size[t]
        held += 1
    if held == k:
        return held
    for i in range(records_around(index, x, t, size, k - held, near, distance)):
        other = near[i]
        part = min(size[other], k - held)
        shift = int(rng.random() * size[other]) if part < size[other] else 0
        for s in range(part):
            records[held] = start[other] + (shift + s) % size[other]
            held += 1
    return held


@kernel()
def farthest(live, x, rest, turn, begin):  # type: ignore[no-untyped-def]
    """The point of `live` (not empty) farthest from the query `x`; ties: the first in the circle from place `begin` on.

    `turn` int64[p]: each point's place in the circle; `rest`: at least the distance in all attributes but the first.
    """
    best, point, gap = np.int64(-1), np.int64(-1), np.int64(0)
    row1 = live.at[0] + x[0] * live.width[0]
    row2 = live.at[1] + x[1] * live.width[1]
    p = len(turn)
    for i in range(live.near1.shape[1] - 1, -1, -1):
        b = live.near1[x[0], i]
        first = np.int64(live.distance[row1 + b])
        if first + rest < best:
            break
        for s in range(live.bucket[b], live.cell_end[b]):
            before = first + live.distance[row2 + live.cell_code[s]]
            for place in range(live.cell[s], live.cell[s] + live.cell_live[s]):
                d = before
                for j in range(2, len(live.at)):
                    d += live.distance[live.at[j] + x[j] * live.width[j] + live.points[place, j]]
                if d < best:
                    continue
                n = live.number[place]
                ahead = (turn[n] - begin) % p
                if d > best or ahead < gap:
                    best, point, gap = d, np.int64(n), ahead
    return point


@kernel()
def swap_around(index, live, xs, start, k, m, most, circle, turn, first, rng):  # type: ignore[no-untyped-def]
    """Algorithms 2 (one attribute) and 3: intervals of the k nearest records, built at opposite ends.

    `index`: all p tuples; `live`: a copy of it, used up. `xs` int32[p, ≥m]: the tuples arranged for it. `start`
    int64[p+1]. `most` int64[p, 2]: at least the distance from each tuple to any other, and the same without the first
    arranged attribute. `circle` int32[p] lists the tuples in random order, `turn` int64[p] gives each one's place in it.
    `first`: the tuple to begin with. 1 ≤ k < number of records.

    Each turn takes a record, swaps each of its unswapped attributes with a random record of its interval that is unswapped
    in that attribute (none: the value stays), and goes on to a record of the tuple farthest from this one among those with
    unswapped attributes; ties: the first tuple from a random place of the circle on.

    Returns (partner int64[n, m], values that stayed int64[m], fewest records in an interval, fewest that there were to
    choose from, largest rank at which one was chosen).
    """
    p, n = len(start) - 1, start[-1]
    size = start[1:] - start[:-1]
    partner = np.full((n, m), -1, np.int64)
    unswapped = np.full(n, m, np.int32)  # attributes of each record
    unfinished = size.copy()  # records of each tuple with unswapped attributes
    head = start[:-1].copy()  # Invariant: the records of a tuple before its head are finished.
    left, removed = p, 0
    stayed = np.zeros(m, np.int64)
    fewest, fewest_free, largest = n, n, 0
    records, choice = np.empty(k, np.int64), np.empty(k, np.int64)
    near, distance = np.empty(k + 1, np.int32), np.empty(k + 1, np.int64)
    finished = np.empty(m + 1, np.int64)
    t = first
    while True:
        while unswapped[head[t]] == 0:
            head[t] += 1
        r = head[t]
        held = _interval(index, xs[t], t, r, start, size, k, near, distance, records, rng)
        fewest = min(fewest, held)
        done = 0
        for j in range(m):
            if partner[r, j] >= 0:
                continue
            free = 0
            for i in range(held):
                if partner[records[i], j] < 0:
                    choice[free] = i
                    free += 1
            unswapped[r] -= 1
            if free == 0:
                partner[r, j] = r
                stayed[j] += 1
                continue
            rank = choice[int(rng.random() * free)]
            other = records[rank]
            partner[r, j], partner[other, j] = other, r
            fewest_free, largest = min(fewest_free, free), max(largest, rank + 1)
            unswapped[other] -= 1
            if unswapped[other] == 0:
                finished[done] = np.searchsorted(start, other, side="right") - 1
                done += 1
        finished[done] = t
        for i in range(done + 1):
            f = finished[i]
            unfinished[f] -= 1
            if unfinished[f] == 0:
                remove(live, f)
                left -= 1
                removed += 1
        if left == 0:
            break
        if removed > left:
            compact(live)
            removed = 0
        begin = int(rng.random() * p)
        found = np.int64(-1)
        for i in range(min(PROBES, p)):
            other = circle[(begin + i) % p]
            if unfinished[other] > 0 and _distance(index, xs[t], other) == most[t, 0]:
                found = np.int64(other)
                break
        t = found if found >= 0 else farthest(live, xs[t], most[t, 1], turn, begin)
    return partner, stayed, fewest, fewest_free, largest
