"""Clusters grown from the outside in: the loops of the MDAV family (THESIS, algorithms 3 and 4).

`codes` int32[p, m], `counts` int64[p]; `toward` int32: the distances of the layout by value, then candidate. Farthest and
nearest tuples: of equal ones the first in the table.
"""

from __future__ import annotations

import numpy as np

from . import kernel
from .bag import empty, lose, pick, pick_of_rest, put_in
from .centroid import scratch
from .farthest import WEIGHT, farthest, forget, lightest, rank
from .nearest import FIRST, NOBODY, compact, remove, search
from .small import copy, numbers, total

NOWHERE = np.int64(1) << 62
UP, DOWN = np.int64(1), np.int64(-1)


@kernel(inner=True)
def _apart(layout, centre, row):  # type: ignore[no-untyped-def]
    d = np.int64(0)
    for j in range(len(centre)):
        d += layout.distance[layout.at[j] + np.int64(centre[j]) * layout.q[j] + row[j]]
    return d


@kernel(inner=True)
def _extreme_record(layout, codes, rest, left, size, centre, sign):  # type: ignore[no-untyped-def]
    """Place in left[:size] of the tuple with records left that has the greatest sign·sd from the centre."""
    best, most = -1, np.int64(0)
    for i in range(size):
        t = left[i]
        if rest[t] == 0:
            continue
        d = sign * _apart(layout, centre, codes[t])
        if best < 0 or d > most:
            best, most = i, d
    return best


@kernel(inner=True)
def _drop(left, size, i):  # type: ignore[no-untyped-def]
    for x in range(i, size - 1):
        left[x] = left[x + 1]


@kernel()
def adaptive(  # type: ignore[no-untyped-def]
    layout,
    toward,
    codes,
    counts,
    weight,
    k,
    kind,
    static,
    index,
    far,
    order,
    rest,
    grown,
    work,
    queries,
    ranking,
    key,
    cluster,
    counter,
):
    """SA-MDAV: writes the cluster of each tuple to `cluster` int32[p], all −1; they are numbered as formed. How many.

    `weight` int64[p]: what distances to a tuple are multiplied with. `static`: clusters grow around their first tuple
    instead of their current centroid. There are at least k records. `index` (queries: candidates) and `far` hold all
    tuples; `order` int32[m]: their order of attributes. `rest`: all tuples, `grown`: an empty bag, `work`: as `scratch`
    makes it. Scratch: `queries` int32[3, attributes of the index], all −1, but 0 where there is no such attribute; `ranking`
    int32 and `key` int64 as in `rank`. All of these are used up. `counter` int64[2]: tuples taken; not 0: leave early.
    """
    p, m = codes.shape
    records = total(counts)
    there, gone = p, 0
    light = len(far.classes) - 2
    x, last, first = queries[0], queries[1], queries[2]
    asked, at, ranked = 0, 0, 0
    formed = 0
    while records >= k and counter[1] == 0:
        counter[0] = p - there + gone
        asked += 1  # a centroid that stays is worth a ranking of all tuples
        for i in range(m):
            x[i] = pick_of_rest(layout, toward, rest, np.int64(order[i]), kind, work)
            if x[i] != last[i]:
                asked, at, ranked = 1, 0, 0
            last[i] = x[i]
        for turn in range(2):
            if records < k:
                break
            # x is the centroid of what is left, or, the second time, the tuple from which the first cluster grew.
            if turn == 0 and asked > 1:
                while at < ranked and cluster[ranking[at]] >= 0:
                    at += 1
                if at == ranked:
                    at, ranked = 0, rank(index, far, x, ranking, key)
                t = np.int64(ranking[at])
            else:
                t = farthest(index, far, x)
            for i in range(m):
                first[i] = codes[t, order[i]]
            copy(first, x)
            held = np.int64(0)
            while True:
                cluster[t] = formed
                held += counts[t]
                records -= counts[t]
                gone += 1
                remove(index, t)
                forget(far, t)
                for j in range(m):
                    lose(layout, toward, rest, j, codes[t, j], counts[t])
                if held >= k:
                    break
                if not static:
                    for i in range(m):
                        which = np.int64(order[i])
                        put_in(layout, toward, grown, which, codes[t, which], counts[t])
                        x[i] = pick(layout, grown, which, kind, work)
                light = lightest(far, light)
                t = search(index, x, NOBODY, weight, FIRST, far.classes[light, WEIGHT], NOWHERE)[1]
            empty(layout, grown)
            formed += 1
            copy(first, x)
            if 2 * gone > there:
                compact(index)
                there -= gone
                gone = 0
    return formed


@kernel()
def of_k(layout, toward, codes, counts, k, kind, bag, counter):  # type: ignore[no-untyped-def]
    """MDAV: (tuple int32[f], cluster int32[f], records int64[f], clusters), in the order in which they were taken.

    What it does with records, done with tuples: of equal records any may be taken. There are at least k records. `bag`: the
    `Rest` of all tuples, which is used up. `counter` int64[2]: tuples that are no longer left; not 0: leave early.
    """
    p, m = codes.shape
    left = numbers(p)
    size = p
    rest = counts.copy()
    records = total(counts)
    most = p + 2 * (records // k) + 2  # what is taken exhausts a tuple, or begins or ends a cluster
    source, cluster, taken = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int64)
    work = scratch(layout)
    centre = np.empty(m, np.int32)
    first = np.empty(m, np.int32)
    formed, end = 0, 0
    while records >= 2 * k and counter[1] == 0:
        counter[0] = p - size
        both = records >= 3 * k
        for j in range(m):
            centre[j] = pick_of_rest(layout, toward, bag, j, kind, work)
        r = left[_extreme_record(layout, codes, rest, left, size, centre, UP)]
        s = np.int32(-1)
        if both:
            rest[r] -= 1  # s is another record than r
            copy(codes[r], first)
            s = left[_extreme_record(layout, codes, rest, left, size, first, UP)]
            rest[r] += 1
            rest[s] -= 1  # and not for r's cluster to take
        for turn in range(2 if both else 1):
            seed = r if turn == 0 else s
            if turn == 1:
                rest[s] += 1
            copy(codes[seed], first)
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
                    lose(layout, toward, bag, j, codes[t, j], amount)
                if rest[t] == 0 and not (turn == 0 and t == s):
                    _drop(left, size, at)
                    size -= 1
                if need == 0:
                    break
                at = _extreme_record(layout, codes, rest, left, size, first, DOWN)
                amount = min(need, rest[left[at]])
            formed += 1
    for i in range(size):
        t = left[i]
        source[end], cluster[end], taken[end] = t, formed, rest[t]
        end += 1
    return source[:end], cluster[:end], taken[:end], formed + 1
