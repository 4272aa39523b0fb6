"""Sums over the nearest records of every record: the loops of `evaluation.bound`."""

from __future__ import annotations

import numpy as np
from numba import prange

from . import kernel
from .nearest import records_around


@kernel(parallel=True)
def nearest_squares(index, xs, counts, k):  # type: ignore[no-untyped-def]
    """Σ over records of the mean squared fixed-point distance to the k−1 nearest other records, float64.

    `index`: all tuples, `xs` int32[p, m] the same, arranged; `counts` int64[p] ≥ 1, k ≥ 2, and there are k records.
    """
    p = len(xs)
    each = np.zeros(p, np.float64)
    blocks = 256
    size = (p + blocks - 1) // blocks
    for block in prange(blocks):
        number = np.empty(k + 1, np.int32)
        distance = np.empty(k + 1, np.int64)
        for i in range(block * size, min(p, (block + 1) * size)):
            t = index.number[i]
            need = k - counts[t]  # its own other records are at distance 0
            if need <= 0:
                continue
            found = records_around(index, xs[t], t, counts, need, number, distance)
            held, total = np.int64(0), 0.0
            for x in range(found):
                some = min(counts[number[x]], need - held)
                held += some
                total += some * np.float64(distance[x]) ** 2
            each[t] = counts[t] * total / (k - 1)
    return np.sum(each)


@kernel()
def least_detour(table):  # type: ignore[no-untyped-def]
    """The least (d(c, u) + d(c, v)) / d(u, v) over values u, v and candidates c, at most 1; `table` int32[h, q]."""
    h, q = table.shape
    least = 1.0
    for u in range(q):
        for v in range(q):
            direct = float(max(table[u, v], table[v, u]))
            if direct == 0.0:
                continue
            way = np.int64(1) << 62
            for c in range(h):
                way = min(way, np.int64(table[c, u]) + np.int64(table[c, v]))
            if way + 2 < direct and float(way) / direct < least:  # rounding is no detour
                least = float(way) / direct
    return least
