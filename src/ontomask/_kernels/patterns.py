"""Sets of rows that agree or are split: the loops of the patterns method (PATTERN, figure 4).

Many sets at once: set i holds the rows rows[ptr[i]:ptr[i+1]] (int64, int64[sets+1]) of `codes` int32[p, m] ≥ 0.
"""

from __future__ import annotations

import numpy as np

from . import kernel


@kernel()
def values_in(codes, rows, ptr):  # type: ignore[no-untyped-def]
    """How many values each attribute has in each set: int32[sets, m]."""
    sets, m = len(ptr) - 1, codes.shape[1]
    out = np.zeros((sets, m), np.int32)
    last = np.full(np.max(codes) + 1, -1, np.int64)  # the last set in which a value was seen
    for j in range(m):
        last[:] = -1
        for i in range(sets):
            for x in range(ptr[i], ptr[i + 1]):
                v = codes[rows[x], j]
                if last[v] != i:
                    last[v] = i
                    out[i, j] += 1
    return out


@kernel()
def split(codes, counts, rows, ptr, which, attribute, k):  # type: ignore[no-untyped-def]
    """The parts of at least k records of set which[s] by the values of attribute[s], for each s: (rows, ptr) of new sets.

    `counts` int64[p]: records of a row. Parts stand in the order of their first rows, and rows in the order they had.
    """
    entries, most = 0, 0
    for i in which:
        entries += ptr[i + 1] - ptr[i]
        most = max(most, ptr[i + 1] - ptr[i])
    last = np.full(np.max(codes) + 1, -1, np.int64)
    part = np.empty(len(last), np.int64)  # of the split at hand: the part of each value
    size = np.empty(most, np.int64)
    place = np.empty(most, np.int64)
    out = np.empty(entries, np.int64)
    ends = np.zeros(entries + 1, np.int64)
    sets = 0
    for s in range(len(which)):
        begin, end, j = ptr[which[s]], ptr[which[s] + 1], attribute[s]
        parts = 0
        for x in range(begin, end):
            v = codes[rows[x], j]
            if last[v] != s:
                last[v] = s
                part[v] = parts
                size[parts] = 0
                place[parts] = 0
                parts += 1
            size[part[v]] += counts[rows[x]]
            place[part[v]] += 1  # its length, to begin with
        for i in range(parts):
            length = place[i]
            place[i] = ends[sets] if size[i] >= k else -1
            if size[i] >= k:
                ends[sets + 1] = ends[sets] + length
                sets += 1
        for x in range(begin, end):
            i = part[codes[rows[x], j]]
            if place[i] >= 0:
                out[place[i]] = rows[x]
                place[i] += 1
    return out[: ends[sets]].copy(), ends[: sets + 1].copy()
