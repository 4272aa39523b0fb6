"""A bag of tuples whose centroid is asked for after every change: the sums are kept up to date, not recomputed.

For each attribute a `Bag` holds the records of every value and, for each candidate that is an ancestor-or-self of some
value ("touched"), how many distinct values lie below it, the links up from them, and Σ w·sd against the whole bag. Adding a
tuple costs one pass over the touched candidates; so does picking the centroid. A `Rest` is the same for a whole table
from which tuples are taken. Both are made by `semantics.bags`.

Everything is integer, so that sums kept up to date equal sums made anew. `centroid.py` has the same for a bag that is
looked at once; both follow the rules of `semantics.operators.centroids_of`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import kernel
from .centroid import CONSENSUS, LCS, MODE, SEMANTIC, below, confusion

# Columns of the arrays of a bag.
COVER, CLIMBED, OWN, TOTAL = range(4)
TOUCHED, VALUES, DISTINCT = range(3)
# And of a rest.
LOST, LARGEST, SUMS = range(3)
CANDIDATE, SUM = range(2)
FOLLOWED, FLOOR, SUBSUMER, STALE = range(4)
NEVER = np.int64(1) << 62


class Bag(NamedTuple):
    """Candidate c of attribute j is number first[j] + c of H = Σ h.

    `of`, by number: COVER, distinct values of the bag below a candidate; CLIMBED, the sum of their links up to it; OWN,
    records of the bag that have this value; TOTAL, Σ w·sd, right for touched candidates.
    `listed`, from first[j] on: TOUCHED, the touched candidates; VALUES, the values of the bag. `size`: how many these are,
    and DISTINCT, how many of the values have records (of a `Rest` they may have none left).
    """

    of: Any  # int64[H, 4]
    listed: Any  # int32[2, H]
    size: Any  # int64[m, 3]


@kernel(inner=True)
def empty(layout, bag):  # type: ignore[no-untyped-def]
    """Take everything out."""
    for j in range(len(layout.q)):
        base = layout.first[j]
        for t in range(base, base + bag.size[j, TOUCHED]):
            i = base + bag.listed[TOUCHED, t]
            bag.of[i, COVER] = 0
            bag.of[i, CLIMBED] = 0
            bag.of[i, OWN] = 0
        bag.size[j, TOUCHED] = 0
        bag.size[j, VALUES] = 0
        bag.size[j, DISTINCT] = 0


@kernel(inner=True)
def put_in(layout, toward, bag, j, v, w):  # type: ignore[no-untyped-def]
    """`w` ≥ 1 more records with value v of attribute j. `toward` int32: distances by value, then candidate."""
    base = layout.first[j]
    if bag.of[base + v, OWN] == 0:
        for e in range(layout.up_ptr[base + v], layout.up_ptr[base + v + 1]):
            a = layout.up[e]
            if bag.of[base + a, COVER] == 0:  # touched for the first time: the sum runs over the values so far
                bag.listed[TOUCHED, base + bag.size[j, TOUCHED]] = a
                bag.size[j, TOUCHED] += 1
                row = layout.at[j] + np.int64(a) * layout.q[j]
                total = np.int64(0)
                for s in range(base, base + bag.size[j, VALUES]):
                    u = bag.listed[VALUES, s]
                    total += bag.of[base + u, OWN] * layout.distance[row + u]
                bag.of[base + a, TOTAL] = total
            bag.of[base + a, COVER] += 1
            bag.of[base + a, CLIMBED] += layout.links[e]
        bag.listed[VALUES, base + bag.size[j, VALUES]] = v
        bag.size[j, VALUES] += 1
        bag.size[j, DISTINCT] += 1
    bag.of[base + v, OWN] += w
    row = layout.at[j] + np.int64(v) * layout.h[j]
    for t in range(base, base + bag.size[j, TOUCHED]):
        c = bag.listed[TOUCHED, t]
        bag.of[base + c, TOTAL] += w * toward[row + c]


@kernel(apart=True)
def pick(layout, bag, j, kind, work):  # type: ignore[no-untyped-def]
    """The centroid of attribute j of a bag that is not empty: kinds and ties as in `centroid.choose`; `work` as there."""
    if bag.size[j, VALUES] == 1 and kind != LCS:
        return bag.listed[VALUES, layout.first[j]]
    if kind in (MODE, CONSENSUS):
        return _of_values(layout, j, bag, kind, work)
    return _least(layout, j, bag, kind)


@kernel(inner=True)
def _subsumer(layout, j, bag):  # type: ignore[no-untyped-def]
    """The candidate above all values: deepest, then fewest links, then smallest tie; −1 if there is none."""
    base = layout.first[j]
    lcs = np.int64(-1)
    for t in range(base, base + bag.size[j, TOUCHED]):
        a = np.int64(bag.listed[TOUCHED, t])
        if bag.of[base + a, COVER] != bag.size[j, DISTINCT]:
            continue
        if lcs < 0:
            lcs = a
            continue
        deeper = layout.depth[base + a] - layout.depth[base + lcs]
        nearer = bag.of[base + lcs, CLIMBED] - bag.of[base + a, CLIMBED]
        last = layout.tie[base + a] < layout.tie[base + lcs]
        if deeper > 0 or (deeper == 0 and (nearer > 0 or (nearer == 0 and last))):
            lcs = a
    return lcs


@kernel(inner=True)
def _admitted(layout, j, bag, a, lcs):  # type: ignore[no-untyped-def]
    """Whether candidate a is one of H(V): above a value and below the subsumer; without a subsumer, H(V) = V."""
    i = layout.first[j] + a
    if lcs < 0:
        return bag.of[i, OWN] > 0
    return bag.of[i, COVER] > 0 and below(layout, j, a, lcs)


@kernel(inner=True)
def _better(layout, j, bag, a, more, b):  # type: ignore[no-untyped-def]
    """Whether candidate a, whose sum is greater by `more`, beats b ≥ 0: ties as `centroid.preferred`. −1 is beaten."""
    if b < 0 or more < 0:
        return True
    a, b = layout.first[j] + a, layout.first[j] + b
    records = bag.of[a, OWN] - bag.of[b, OWN]
    deeper = layout.depth[a] - layout.depth[b]
    if more > 0 or records < 0 or (records == 0 and deeper < 0):
        return False
    return records > 0 or deeper > 0 or layout.tie[a] < layout.tie[b]


@kernel(inner=True)
def _least(layout, j, bag, kind):  # type: ignore[no-untyped-def]
    """The candidate of H(V) with the least sum, or the subsumer."""
    base = layout.first[j]
    lcs = _subsumer(layout, j, bag)
    if kind == LCS:
        return layout.top[j] if lcs < 0 else np.int32(lcs)
    best, least = np.int32(-1), NEVER
    for t in range(base, base + bag.size[j, TOUCHED]):
        a = bag.listed[TOUCHED, t]
        total = bag.of[base + a, TOTAL]
        if total <= least and _admitted(layout, j, bag, a, lcs) and _better(layout, j, bag, a, total - least, best):
            best, least = a, total
    return best


@kernel(inner=True)
def _of_values(layout, j, bag, kind, work):  # type: ignore[no-untyped-def]
    """The most frequent value, or the one with the least Σ w·confusion."""
    base, values = layout.first[j], bag.size[j, VALUES]
    listed, weights = bag.listed[VALUES][base : base + values], work[2]
    for s in range(values if kind == CONSENSUS else 0):
        weights[s] = bag.of[base + listed[s], OWN]
    best, least, most = np.int32(-1), np.int64(0), np.int64(0)
    for s in range(values):
        v = listed[s]
        own = bag.of[base + v, OWN]
        if own == 0:
            continue
        cost = -own if kind == MODE else confusion(layout, j, v, listed, weights, values, work)
        if best < 0 or cost < least or (cost == least and (own > most or (own == most and v < best))):
            best, least, most = v, cost, own
    for s in range(values if kind == CONSENSUS else 0):
        weights[s] = 0
    return best


class Rest(NamedTuple):
    """What is left of a whole table: a bag that all candidates have touched, and that lists all values.

    The sums of all candidates are only brought up to date now and then. In between a few of them, those that were least, are
    followed record by record, and the others have a floor: a record that goes takes from a sum no more than the distance
    of its value to the candidate that is farthest from it. While the least of the few lies below the floor, it is the least.
    """

    bag: Any  # Bag; TOTAL is Σ w·sd when all candidates were last looked at
    value: Any  # int64[3, H]: LOST, records of each value that have gone since; LARGEST, its distance to any candidate;
    # SUMS, the same as TOTAL, side by side
    few: Any  # int64[m, few, 2]: CANDIDATE and SUM, Σ w·sd now
    state: (
        Any  # int64[m, 4]: FOLLOWED, how many the few are; FLOOR; SUBSUMER of all values; STALE, 1 where a value has gone since
    )


@kernel(inner=True)
def lose(layout, toward, rest, j, v, w):  # type: ignore[no-untyped-def]
    """`w` ≥ 1 records with value v of attribute j less; there are as many."""
    base = layout.first[j]
    row = layout.at[j] + np.int64(v) * layout.h[j]
    for i in range(rest.state[j, FOLLOWED]):
        rest.few[j, i, SUM] -= w * toward[row + rest.few[j, i, CANDIDATE]]
    rest.state[j, FLOOR] -= w * rest.value[LARGEST, base + v]
    rest.value[LOST, base + v] += w
    rest.bag.of[base + v, OWN] -= w
    if rest.bag.of[base + v, OWN] == 0:
        rest.state[j, STALE] = 1
        rest.bag.size[j, DISTINCT] -= 1
        for e in range(layout.up_ptr[base + v], layout.up_ptr[base + v + 1]):
            rest.bag.of[base + layout.up[e], COVER] -= 1
            rest.bag.of[base + layout.up[e], CLIMBED] -= layout.links[e]


@kernel(inner=True)
def pick_of_rest(layout, toward, rest, j, kind, work):  # type: ignore[no-untyped-def]
    """The centroid of attribute j, as `pick`."""
    if rest.state[j, STALE] == 1 and kind == SEMANTIC:
        # H(V) only loses what has no value below it any more, unless the subsumer is another.
        lcs = _subsumer(layout, j, rest.bag)
        if lcs != rest.state[j, SUBSUMER]:
            rest.state[j, FOLLOWED], rest.state[j, SUBSUMER] = 0, lcs
        rest.state[j, STALE] = 0
    needed = OWN if rest.state[j, SUBSUMER] < 0 else COVER
    for looked in range(2 if kind == SEMANTIC else 0):
        best, least = np.int32(-1), NEVER
        for i in range(rest.state[j, FOLLOWED]):
            c, total = np.int32(rest.few[j, i, CANDIDATE]), rest.few[j, i, SUM]
            if rest.bag.of[layout.first[j] + c, needed] > 0 and _better(layout, j, rest.bag, c, total - least, best):
                best, least = c, total
        if best >= 0 and least < rest.state[j, FLOOR]:
            return best
        if looked == 0:
            _look_anew(layout, toward, rest, j)
    return pick(layout, rest.bag, j, kind, work)


@kernel(inner=True)
def _look_anew(layout, toward, rest, j):  # type: ignore[no-untyped-def]
    """Bring the sums of all candidates of attribute j up to date and choose the few."""
    base, h = layout.first[j], np.int64(layout.h[j])
    sums = rest.value[SUMS][base : base + h]  # in two steps numba knows that they lie side by side
    for v in range(layout.q[j]):
        w = rest.value[LOST, base + v]
        if w != 0:
            row = toward[layout.at[j] + v * h : layout.at[j] + (v + 1) * h]
            for c in range(h):
                sums[c] -= w * row[c]
            rest.value[LOST, base + v] = 0
    lcs, few = rest.state[j, SUBSUMER], rest.few.shape[1]
    found, floor = 0, NEVER
    for c in rest.bag.listed[TOUCHED][base : base + h]:
        total = sums[c]
        rest.bag.of[base + c, TOTAL] = total
        if total >= floor or not _admitted(layout, j, rest.bag, c, lcs):
            continue
        if found == few:  # the greater of this and the last of the few is not followed
            floor = max(total, rest.few[j, few - 1, SUM])
            if total == floor:
                continue
            found -= 1
        at = found
        while at > 0 and rest.few[j, at - 1, SUM] > total:
            rest.few[j, at, CANDIDATE], rest.few[j, at, SUM] = rest.few[j, at - 1, CANDIDATE], rest.few[j, at - 1, SUM]
            at -= 1
        rest.few[j, at, CANDIDATE], rest.few[j, at, SUM] = c, total
        found += 1
    rest.state[j, FOLLOWED], rest.state[j, FLOOR] = found, floor
