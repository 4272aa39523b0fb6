"""The is-a graph: ancestors, descendants, common subsumers.

A graph of N concepts comes as two CSR pairs: `up_ptr` int64[N+1] with `up` int32[E] (parents) and `down_ptr` int64[N+1]
with `down` int32[E] (children).
"""

from __future__ import annotations

import numpy as np

from . import kernel


@kernel()
def ancestors(order, up_ptr, up, rank):  # type: ignore[no-untyped-def]
    """All ancestors of every concept, itself included.

    Returns (ptr int64[N+1], ranks int32[A], links int32[A]): for concept c the ranks of its ancestors, ascending (so the
    root comes first and c itself last), and beside each the fewest is-a links up to it. `rank` int32[N] numbers concepts
    by (depth, index).
    """
    n = len(up_ptr) - 1
    start = np.zeros(n, np.int64)
    size = np.zeros(n, np.int64)
    ranks = np.empty(max(16, 8 * n), np.int32)
    links = np.empty(len(ranks), np.int32)
    # The lists of the parents are merged one after the other, to and fro between two halves of a work space.
    rank_work = np.empty((2, n + 1), np.int32)
    link_work = np.empty((2, n + 1), np.int32)
    end = 0
    for c in order:
        mine, count = 0, 0
        for e in range(up_ptr[c], up_ptr[c + 1]):
            i, j, k = 0, start[up[e]], 0
            last = j + size[up[e]]
            while i < count or j < last:
                if j == last or (i < count and rank_work[mine, i] < ranks[j]):
                    rank_work[1 - mine, k] = rank_work[mine, i]
                    link_work[1 - mine, k] = link_work[mine, i]
                    i += 1
                else:
                    rank_work[1 - mine, k] = ranks[j]
                    link_work[1 - mine, k] = links[j] + 1
                    if i < count and rank_work[mine, i] == ranks[j]:
                        link_work[1 - mine, k] = min(link_work[mine, i], links[j] + 1)
                        i += 1
                    j += 1
                k += 1
            mine, count = 1 - mine, k
        rank_work[mine, count] = rank[c]  # every ancestor is less deep, so that its rank is smaller
        link_work[mine, count] = 0
        count += 1
        if end + count > len(ranks):
            room = max(2 * len(ranks), end + count)
            more_ranks, more_links = np.empty(room, np.int32), np.empty(room, np.int32)
            for i in range(end):  # assigning a slice to a slice would take numba a second to compile
                more_ranks[i] = ranks[i]
                more_links[i] = links[i]
            ranks, links = more_ranks, more_links
        for i in range(count):
            ranks[end + i] = rank_work[mine, i]
            links[end + i] = link_work[mine, i]
        start[c] = end
        size[c] = count
        end += count
    # The lists stand in topological order so far: lay them out by concept.
    ptr = np.zeros(n + 1, np.int64)
    for c in range(n):
        ptr[c + 1] = ptr[c] + size[c]
    out_ranks = np.empty(end, np.int32)
    out_links = np.empty(end, np.int32)
    for c in range(n):
        for i in range(size[c]):
            out_ranks[ptr[c] + i] = ranks[start[c] + i]
            out_links[ptr[c] + i] = links[start[c] + i]
    return ptr, out_ranks, out_links


@kernel()
def descendants(start, down_ptr, down):  # type: ignore[no-untyped-def]
    """All descendants of one concept, itself first, in breadth-first order: int32[D]."""
    n = len(down_ptr) - 1
    seen = np.zeros(n, np.bool_)
    queue = np.empty(n, np.int32)
    queue[0] = start
    seen[start] = True
    begin, end = 0, 1
    while begin < end:
        c = queue[begin]
        begin += 1
        for e in range(down_ptr[c], down_ptr[c + 1]):
            if not seen[down[e]]:
                seen[down[e]] = True
                queue[end] = down[e]
                end += 1
    return queue[:end].copy()


@kernel()
def subsumer(concepts, ptr, ranks, links, depth_by_rank):  # type: ignore[no-untyped-def]
    """Rank of the least common subsumer of `concepts` (int32[≥1], distinct), −1 if they have no common ancestor.

    The common ancestor of greatest depth; ties: least sum of links up to it, then the smallest index (which among
    equal depths is the smallest rank).
    """
    n = len(depth_by_rank)
    covered = np.zeros(n, np.int32)
    climbed = np.zeros(n, np.int64)
    for c in concepts:
        for i in range(ptr[c], ptr[c + 1]):
            covered[ranks[i]] += 1
            climbed[ranks[i]] += links[i]
    best = -1
    first = concepts[0]
    for i in range(ptr[first], ptr[first + 1]):  # a common ancestor is an ancestor of the first
        r = ranks[i]
        if covered[r] == len(concepts) and (
            best < 0
            or depth_by_rank[r] > depth_by_rank[best]
            or (depth_by_rank[r] == depth_by_rank[best] and climbed[r] < climbed[best])
        ):
            best = r
    return best


@kernel()
def marked_ancestors(concepts, ptr, ranks, n):  # type: ignore[no-untyped-def]
    """Ranks, ascending, of every ancestor-or-self of some of `concepts`: int32[≤n]."""
    marked = np.zeros(n, np.bool_)
    for c in concepts:
        for i in range(ptr[c], ptr[c + 1]):
            marked[ranks[i]] = True
    return np.nonzero(marked)[0].astype(np.int32)
