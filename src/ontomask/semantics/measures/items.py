"""What concepts have: their ancestors or their words, as sorted numbers; and which concepts have a given one.

The kernels walk, for each row of a matrix, the columns below its ancestors. If columns stand in preorder of the taxonomy,
nearly all descendants of a concept are neighbours, and the walk is a few loops over contiguous memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ...taxonomy.graph import Graph, Ints, Longs
from ...taxonomy.taxonomy import Taxonomy

Runs = tuple[Longs, Ints, Ints, Longs, Ints]


@dataclass(frozen=True, eq=False)
class Items:
    """What each concept has: ancestors as ranks, or words as numbers; each list ascending (see `_kernels.measures`)."""

    ptr: Longs
    items: Ints
    links: Ints
    size: int  # items are numbered 0 … size−1
    simple: npt.NDArray[np.bool_]  # what two simple concepts have in common stands at the beginning of both lists

    @classmethod
    def ancestors(cls, taxonomy: Taxonomy) -> Items:
        """T(c). Where T(c) is a chain, what is common with another chain is T(a) of one ancestor a: the upper end of both."""
        graph, a = taxonomy.graph, taxonomy.graph.ancestry
        return cls(a.ptr, a.ranks, a.links, len(graph), np.diff(a.ptr) == graph.depth)

    def places(self, concepts: Ints) -> Longs:
        """Where in `items` and `links` those of these concepts stand, list after list."""
        start = self.ptr[:-1][concepts]
        size = self.ptr[1:][concepts] - start
        there: Longs = np.arange(size.sum()) + np.repeat(start - (np.cumsum(size) - size), size)
        return there


def index(columns: Ints, items: Items) -> Runs:
    """Which of the columns (concepts) have which item, as runs of neighbouring columns (see `_kernels.measures.fill`)."""
    places = items.places(columns)
    had, column = items.items[places], np.repeat(np.arange(len(columns), dtype=np.int32), np.diff(items.ptr)[columns])
    order = np.argsort(had, kind="stable")
    had, column = had[order], column[order]
    first = np.ones(len(had), bool)
    first[1:] = (had[1:] != had[:-1]) | (column[1:] != column[:-1] + 1)
    at = np.flatnonzero(first)
    ptr: Longs = np.zeros(items.size + 1, np.int64)
    np.cumsum(np.bincount(had[at], minlength=items.size), out=ptr[1:])
    length = np.diff(at, append=len(had)).astype(np.int32)
    return ptr, column[at], length, at, items.links[places][order]


def preorder(taxonomy: Taxonomy) -> tuple[Ints, Ints]:
    """A numbering of concepts in which most descendants of a concept follow it without a gap, and its inverse.

    It walks the tree in which every concept hangs under its (first) deepest parent only. Kept with the taxonomy.
    """
    if "preorder" not in taxonomy.memo:
        taxonomy.memo["preorder"] = _preorder(taxonomy.graph)
    return taxonomy.memo["preorder"]  # type: ignore[no-any-return]


def _preorder(graph: Graph) -> tuple[Ints, Ints]:
    n, depth = len(graph), graph.depth
    child = np.repeat(np.arange(n, dtype=np.int32), np.diff(graph.up_ptr))
    deepest = np.flatnonzero(depth[graph.up] == depth[child] - 1)[::-1]  # backwards: the first one is written last
    parent = np.zeros(n, np.int32)
    parent[child[deepest]] = graph.up[deepest]
    bounds = np.searchsorted(graph.depth_by_rank, np.arange(1, graph.depth_by_rank[-1] + 2))
    levels = [graph.by_rank[a:b] for a, b in pairwise(bounds)]
    below = np.ones(n, np.int64)
    for level in levels[:0:-1]:
        np.add.at(below, parent[level], below[level])
    place = np.zeros(n, np.int32)
    for level in levels[1:]:
        level = level[np.argsort(place[parent[level]], kind="stable")]
        before = np.cumsum(below[level]) - below[level]
        family = np.flatnonzero(np.diff(parent[level], prepend=-1))  # where the children of the next parent begin
        start = np.repeat(before[family], np.diff(family, append=len(level)))
        place[level] = place[parent[level]] + 1 + before - start
    at = np.empty(n, np.int32)
    at[place] = np.arange(n, dtype=np.int32)
    return place, at
