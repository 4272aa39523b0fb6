"""Groups that move into one another: the loops of recoding.

Groups go by the number of their tuple. `size` int64[p]: records, changed in place; `parent` int32[p]: the group into which
a group moved, or itself, changed in place.
"""

from __future__ import annotations

import numpy as np

from . import kernel
from .nearest import PLAIN, WEIGHTED, compact, remove, search

NOWHERE = np.int64(1) << 62
MOST = np.int64((1 << 32) - 1)


@kernel(inner=True)
def _less(heap, a, b):  # type: ignore[no-untyped-def]
    return heap[a, 0] < heap[b, 0] or (heap[a, 0] == heap[b, 0] and heap[a, 1] < heap[b, 1])


@kernel(inner=True)
def _swap(heap, a, b):  # type: ignore[no-untyped-def]
    for j in range(2):
        heap[a, j], heap[b, j] = heap[b, j], heap[a, j]


@kernel(inner=True)
def _push(heap, end, key, number):  # type: ignore[no-untyped-def]
    """Add (key, number) to heap[:end]."""
    heap[end, 0] = key
    heap[end, 1] = number
    while end > 0 and _less(heap, end, (end - 1) >> 1):
        _swap(heap, end, (end - 1) >> 1)
        end = (end - 1) >> 1


@kernel(inner=True)
def _drop_first(heap, end):  # type: ignore[no-untyped-def]
    """Remove heap[0], the least; heap[:end-1] is a heap again."""
    end -= 1
    heap[0, 0] = heap[end, 0]
    heap[0, 1] = heap[end, 1]
    at = 0
    while True:
        least = at
        for child in range(2 * at + 1, min(2 * at + 3, end)):
            if _less(heap, child, least):
                least = child
        if least == at:
            break
        _swap(heap, at, least)
        at = least


@kernel(inner=True)
def _key(distance, size, by_size):  # type: ignore[no-untyped-def]
    """Distance first, then the size of the nearest group where it counts (groups beyond 2³² records being alike)."""
    return (distance << 32) | (min(size, MOST) if by_size else 0)


@kernel(inner=True)
def _join(index, size, parent, r, s):  # type: ignore[no-untyped-def]
    parent[r] = s
    size[s] += size[r]
    remove(index, r)


@kernel()
def fuse_nearest(index, xs, size, parent, group, distance, near, by_size):  # type: ignore[no-untyped-def]
    """All groups of the smallest size, `group` int32[g], move to their nearest, the pair at least distance first.

    `distance` int64[g], `near` int32[g]: the nearest of each before anything moves (`near` is changed). `xs` int32[p, m]:
    all tuples, arranged. Among equal distances the group with the smallest nearest group goes first if `by_size`, then the
    first in the table.

    Why a group may wait with a nearest that is out of date: groups only grow and disappear, so that a key (distance, size
    of the nearest) only rises. A group is looked at again when it comes first, and waits anew if its key has risen.
    """
    level = size[group[0]] if len(group) > 0 else 0
    heap = np.empty((len(group), 2), np.int64)
    seen = np.empty(len(group), np.int64)  # size of the nearest when it was found
    for i in range(len(group)):
        seen[i] = size[near[i]]
        _push(heap, i, _key(distance[i], seen[i], by_size), np.int64(i))
    end = len(group)
    there = np.sum(index.cell_live)
    gone = 0
    while end > 0:
        key, i = heap[0, 0], heap[0, 1]
        r = np.int64(group[i])
        if size[r] != level:  # it has grown: no longer one of the smallest
            _drop_first(heap, end)
            end -= 1
            continue
        if index.place[near[i]] < 0 or size[near[i]] != seen[i]:
            d, s, _ = search(index, xs[r], r, size, PLAIN, np.int64(1), NOWHERE)
            near[i] = s
            seen[i] = size[s]
            risen = _key(d, seen[i], by_size)
            if risen != key:
                _drop_first(heap, end)
                _push(heap, end - 1, risen, i)
                continue
        _join(index, size, parent, r, np.int64(near[i]))
        _drop_first(heap, end)
        end -= 1
        gone += 1
        if 2 * gone > there:
            compact(index)
            there -= gone
            gone = 0


@kernel()
def fuse_in_order(index, xs, size, parent, group):  # type: ignore[no-untyped-def]
    """Groups of the smallest size, one after the other, move to the group at the least distance times its size."""
    level = size[group[0]] if len(group) > 0 else 0
    for number in group:
        r = np.int64(number)
        if size[r] == level:
            _, s, _ = search(index, xs[r], r, size, WEIGHTED, level, NOWHERE)
            _join(index, size, parent, r, s)


@kernel()
def fuse_at_random(size, parent, group, below, chance):  # type: ignore[no-untyped-def]
    """Each group of `group`, in this order, that has less than `below` records takes the values of a random record.

    The record belongs to another group: with x = ⌊chance · (records of the others)⌋, chance float64[p] in [0, 1) by
    number, it is the x-th of them in the order of the groups.
    """
    p = len(size)
    tree = np.zeros(p + 1, np.int64)  # partial sums of the sizes (Fenwick): tree[i] adds up i's lowest-bit many of them
    for i in range(p):
        if parent[i] == i:
            tree[i + 1] += size[i]
        above = (i + 1) + ((i + 1) & -(i + 1))
        if above <= p:
            tree[above] += tree[i + 1]
    top = 1
    while 2 * top <= p:
        top *= 2
    n = 0
    for i in range(p):
        if parent[i] == i:
            n += size[i]
    for r in group:
        if parent[r] != r or size[r] >= below or size[r] == n:
            continue
        at = r + 1
        while at <= p:
            tree[at] -= size[r]
            at += at & -at
        x = min(np.int64(chance[r] * (n - size[r])), n - size[r] - 1)
        s = 0  # invariant: the groups before s have at most x records
        step = top
        while step > 0:
            if s + step <= p and tree[s + step] <= x:
                s += step
                x -= tree[s]
            step >>= 1
        at = s + 1
        while at <= p:
            tree[at] += size[r]
            at += at & -at
        parent[r] = s
        size[s] += size[r]


@kernel()
def roots(parent):  # type: ignore[no-untyped-def]
    """Where each group has come to rest: int32[p]."""
    final = parent.copy()
    for i in range(len(final)):
        at = i
        while final[at] != at:
            at = final[at]
        j = i
        while final[j] != at:  # so that the next one that passes here has a short way
            final[j], j = at, final[j]
    return final
