"""Centroids of groups of tuples: per attribute the candidate that stands best for the values of the group.

Sums of w·sd are int64 sums of fixed-point distances, so they are exact and equal sums are equal. Everything costs in the
distinct values of a group and their ancestors, never in the candidates of the whole attribute: scratch arrays over all
candidates are cleaned by walking what was touched.
"""

from __future__ import annotations

import numpy as np

from . import kernel

SEMANTIC, VALUES, MODE, LCS, CONSENSUS = range(5)


@kernel(inner=True)
def scratch(layout):  # type: ignore[no-untyped-def]
    """Clean work space for `choose`: (cover int32[H], climbed int64[H], own int64[H], touched int32[H]), H = max h."""
    most = 1
    for j in range(len(layout.h)):
        most = max(most, layout.h[j])
    return np.zeros(most, np.int32), np.zeros(most, np.int64), np.zeros(most, np.int64), np.empty(most, np.int32)


@kernel(inner=True)
def touch(layout, j, values, size, work):  # type: ignore[no-untyped-def]
    """Count under each candidate the given distinct values (int32, the first `size` count); number of those touched.

    Afterwards cover[c] is the number of values below candidate c and climbed[c] the sum of their links up to it.
    """
    cover, climbed, _, touched = work
    found = 0
    for x in range(size):
        i = layout.first[j] + values[x]
        for e in range(layout.up_ptr[i], layout.up_ptr[i + 1]):
            a = layout.up[e]
            if cover[a] == 0:
                touched[found] = a
                found += 1
            cover[a] += 1
            climbed[a] += layout.links[e]
    return found


@kernel(inner=True)
def subsumer(layout, j, size, found, work):  # type: ignore[no-untyped-def]
    """The touched candidate above all `size` values: deepest, then fewest links, then smallest tie; −1 if there is none."""
    cover, climbed, _, touched = work
    best = -1
    base = layout.first[j]
    for t in range(found):
        a = touched[t]
        if cover[a] != size:
            continue
        if best < 0:
            best = a
            continue
        deeper = layout.depth[base + a] - layout.depth[base + best]
        nearer = climbed[best] - climbed[a]
        if deeper > 0 or (deeper == 0 and (nearer > 0 or (nearer == 0 and layout.tie[base + a] < layout.tie[base + best]))):
            best = a
    return best


@kernel(inner=True)
def below(layout, j, a, top):  # type: ignore[no-untyped-def]
    """Whether candidate a is `top` or one of its descendants."""
    i = layout.first[j] + a
    level = layout.depth[layout.first[j] + top] - 1
    begin, end = layout.up_ptr[i], layout.up_ptr[i + 1]
    if begin + level < end and layout.up[begin + level] == top:  # where it stands in a tree
        return True
    found = False
    for e in range(begin, end):
        found = found or layout.up[e] == top
    return found


@kernel(inner=True)
def cost(layout, j, a, values, weights, size):  # type: ignore[no-untyped-def]
    """Σ w·sd of candidate a against the values, in fixed point."""
    row = layout.at[j] + np.int64(a) * layout.q[j]
    total = np.int64(0)
    for x in range(size):
        total += weights[x] * layout.distance[row + values[x]]
    return total


@kernel(inner=True)
def confusion(layout, j, a, values, weights, size, work):  # type: ignore[no-untyped-def]
    """Σ w·confusion(a → value): links down to each value from the ancestor of both that is nearest to it.

    Climbing is free, so among all ways over a common ancestor the one with the fewest links down counts; 0 where the value
    is an ancestor of a; 1 where nothing is above both.
    """
    mark = work[0]
    i = layout.first[j] + a
    for e in range(layout.up_ptr[i], layout.up_ptr[i + 1]):
        mark[layout.up[e]] = 1
    total = np.int64(0)
    for x in range(size):
        b = layout.first[j] + values[x]
        fewest = -1
        for e in range(layout.up_ptr[b], layout.up_ptr[b + 1]):
            if mark[layout.up[e]] == 1 and (fewest < 0 or layout.links[e] < fewest):
                fewest = layout.links[e]
        total += weights[x] * (1 if fewest < 0 else fewest)
    for e in range(layout.up_ptr[i], layout.up_ptr[i + 1]):
        mark[layout.up[e]] = 0
    return total


@kernel(inner=True)
def preferred(layout, j, a, b, own):  # type: ignore[no-untyped-def]
    """The last words on a tie of candidates a and b: more records of its own, then deeper, then the smaller `tie`."""
    if own[a] != own[b]:
        return own[a] > own[b]
    i, k = layout.first[j] + a, layout.first[j] + b
    if layout.depth[i] != layout.depth[k]:
        return layout.depth[i] > layout.depth[k]
    return layout.tie[i] < layout.tie[k]


@kernel(inner=True)
def choose(layout, j, values, weights, size, kind, work):  # type: ignore[no-untyped-def]
    """The candidate of attribute j that stands for distinct `values` (int32) with `weights` (int64 ≥ 1).

    Only the first `size` ≥ 1 of both count. `kind`: SEMANTIC: of H(V) the one with the least Σ w·sd; VALUES: the same
    among the values themselves; MODE: the value with most records, ties to the smallest code (the first in the table); LCS:
    the least common subsumer, `top` where there is none; CONSENSUS: the value with the least Σ w·confusion.
    `work` comes clean from `scratch` and is left clean.
    """
    cover, climbed, own, touched = work
    if size == 1 and kind != LCS:
        return values[0]
    if kind == MODE:
        most = 0
        for x in range(1, size):
            more = weights[x] - weights[most]
            if more > 0 or (more == 0 and values[x] < values[most]):
                most = x
        return values[most]
    if kind == CONSENSUS:
        first, least, most_own = values[0], np.int64(-1), np.int64(0)
        for x in range(size):
            total = confusion(layout, j, values[x], values, weights, size, work)
            better = least < 0 or total < least or (total == least and weights[x] > most_own)
            if better or (total == least and weights[x] == most_own and values[x] < first):
                first, least, most_own = values[x], total, weights[x]
        return first
    found = 0
    lcs = -1
    if kind != VALUES:
        found = touch(layout, j, values, size, work)
        lcs = subsumer(layout, j, size, found, work)
    best = np.int32(layout.top[j] if lcs < 0 else lcs)
    if kind != LCS:
        for x in range(size):
            own[values[x]] = weights[x]
        best, least = np.int32(-1), np.int64(-1)
        listed = found if lcs >= 0 else size  # without a common ancestor H(V) = V
        for t in range(listed):
            a = touched[t] if lcs >= 0 else values[t]
            if lcs >= 0 and not below(layout, j, a, lcs):
                continue
            total = cost(layout, j, a, values, weights, size)
            if best < 0 or total < least or (total == least and preferred(layout, j, a, best, own)):
                best, least = a, total
        for x in range(size):
            own[values[x]] = 0
    for t in range(found):
        cover[touched[t]] = 0
        climbed[touched[t]] = 0
    return best


@kernel()
def centroids(layout, codes, counts, rows, ptr, kind):  # type: ignore[no-untyped-def]
    """The centroid of every group, int32[g, m], as candidate codes.

    `codes` int32[p, m] of the tuples; group i holds the tuples rows[ptr[i]:ptr[i+1]] (int64, at least one). `counts` int64
    stand beside `rows`: a group may hold part of a tuple, and a tuple may stand in several groups.
    """
    groups, m = len(ptr) - 1, len(layout.q)
    out = np.empty((groups, m), np.int32)
    work = scratch(layout)
    most = 1
    for j in range(m):
        most = max(most, layout.q[j])
    weight = np.zeros(most, np.int64)
    values = np.empty(most, np.int32)
    weights = np.empty(most, np.int64)
    for g in range(groups):
        for j in range(m):
            size = np.int64(0)  # typed from the beginning, or `choose` is compiled for a literal 0, too
            for x in range(ptr[g], ptr[g + 1]):
                v = codes[rows[x], j]
                if weight[v] == 0:
                    values[size] = v
                    size += 1
                weight[v] += counts[x]
            for x in range(size):
                weights[x] = weight[values[x]]
                weight[values[x]] = 0
            out[g, j] = choose(layout, j, values, weights, size, kind, work)
    return out


@kernel()
def fixed_sums(distances, weights, scale):  # type: ignore[no-untyped-def]
    """Σ w·sd of each row of distances float64[c, q] with weights int64[q], in fixed point `scale`: int64[c]."""
    out = np.zeros(len(distances), np.int64)
    for c in range(len(distances)):
        for v in range(len(weights)):
            out[c] += weights[v] * np.int64(distances[c, v] * scale + 0.5)
    return out
