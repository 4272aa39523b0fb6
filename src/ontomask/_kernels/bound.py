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


@kernel()
def raise_prices(square, counts, k, order, share, price):  # type: ignore[no-untyped-def]
    """Raise the price of each tuple in turn, by a share of what keeps every class worth at least its prices.

    `square` float64[p, r]: squared distance of each tuple to each representative; `counts` int64[p]; `price` float64[p],
    changed. Prices are good when for every representative and every choice of at least k records, Σ square ≥ Σ price.
    """
    p, r = square.shape
    below = np.zeros(r)  # for each representative the sum of what is below zero of its records' (square − price)
    for t in range(p):
        for c in range(r):
            below[c] += counts[t] * min(0.0, square[t, c] - price[t])
    least = np.empty(k + 1)
    many = np.empty(k + 1, np.int64)
    for t in order:
        rise, lowest = np.inf, np.min(below)
        for c in np.argsort(square[t]):
            mine = square[t, c] - price[t]
            others_below = below[c] - counts[t] * min(0.0, mine)
            if mine + lowest >= rise:
                break
            if mine + others_below >= rise:
                continue
            # What at least k − b other records are worth: all that are below zero, then the least of the rest.
            entries, held, free = 0, np.int64(0), np.int64(0)
            for u in range(p):
                if u == t:
                    continue
                x = square[u, c] - price[u]
                if x < 0.0:
                    free += counts[u]
                    continue
                if held >= k and x >= least[entries - 1]:
                    continue
                at = entries
                while at > 0 and least[at - 1] > x:
                    least[at], many[at] = least[at - 1], many[at - 1]
                    at -= 1
                least[at], many[at] = x, min(counts[u], np.int64(k))
                entries += 1
                held += many[at]
                while held - many[entries - 1] >= k:
                    entries -= 1
                    held -= many[entries]
            for b in range(1, min(counts[t], np.int64(k)) + 1):
                missing = k - b - free
                worth = others_below
                i = 0
                while missing > 0 and i < entries:
                    worth += min(missing, many[i]) * least[i]
                    missing -= many[i]
                    i += 1
                if missing <= 0:
                    rise = min(rise, mine + worth / b)
        rise *= share
        if rise > 0.0 and rise < np.inf:
            for c in range(r):
                before = min(0.0, square[t, c] - price[t])
                below[c] += counts[t] * (min(0.0, square[t, c] - price[t] - rise) - before)
            price[t] += rise
