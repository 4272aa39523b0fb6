"""The is-a graph as arrays: what the kernels read. Immutable; built once and shared by every attribute.

Nothing here imports the kernels before ancestors are asked for: loading a taxonomy, naming and climbing its concepts stay
quick and small.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int32]
Longs: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ancestry:
    """T(c) for every concept c, as CSR over *ranks* (see `Graph.rank`), each list ascending: root first, c last."""

    ptr: Longs
    ranks: Ints
    links: Ints  # fewest is-a links from c up to that ancestor

    def places(self, concepts: Ints) -> Longs:
        """Where in `ranks` and `links` the ancestors of these concepts stand, list after list."""
        start = self.ptr[:-1][concepts]
        size = self.ptr[1:][concepts] - start
        begin = np.cumsum(size) - size
        there: Longs = np.arange(size.sum()) + np.repeat(start - begin, size)
        return there


@dataclass(frozen=True, eq=False)
class Graph:
    """A connected DAG with one root.

    `depth` counts nodes on the longest path from the root (root = 1). `rank` numbers concepts by (depth, index):
    an ancestor always has a smaller rank than its descendants, and among equal depths ranks follow the index, so
    that "deepest, then smallest index" is decided by comparing ranks. `by_rank` is its inverse.
    """

    up_ptr: Longs
    up: Ints
    down_ptr: Longs
    down: Ints
    order: Ints  # topological: parents first
    depth: Ints
    root: int

    @classmethod
    def from_links(cls, child: Ints, parent: Ints, n: int, root: int) -> Graph:
        """From two int32 arrays of equal length, without cycle, repeated link or second root."""
        up_ptr, up = csr(child, parent, n)
        down_ptr, down = csr(parent, child, n)
        order, depth = climb(up_ptr, down_ptr, down)
        return cls(up_ptr, up, down_ptr, down, order, depth, root)

    def __len__(self) -> int:
        return len(self.depth)

    def __getstate__(self) -> dict[str, Any]:
        """For another process: what is derived from the links is cheaper made there than sent."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def by_rank(self) -> Ints:
        return np.argsort(self.depth, kind="stable").astype(np.int32)

    @cached_property
    def rank(self) -> Ints:
        rank = np.empty(len(self), np.int32)
        rank[self.by_rank] = np.arange(len(self), dtype=np.int32)
        return rank

    @cached_property
    def depth_by_rank(self) -> Ints:
        return self.depth[self.by_rank]

    @cached_property
    def ancestry(self) -> Ancestry:
        from .._kernels import dag

        return Ancestry(*dag.ancestors(self.order, self.up_ptr, self.up, self.rank))

    @cached_property
    def hyponyms(self) -> Ints:
        """Number of proper descendants of every concept."""
        return self.by_index(np.bincount(self.ancestry.ranks, minlength=len(self)) - 1)

    def by_index(self, by_rank: npt.NDArray[np.generic]) -> Ints:
        """An array over ranks as an array over concepts."""
        by_concept: Ints = by_rank[self.rank].astype(np.int32)
        return by_concept

    def parents(self, c: int) -> Ints:
        return self.up[self.up_ptr[c] : self.up_ptr[c + 1]]

    def children(self, c: int) -> Ints:
        return self.down[self.down_ptr[c] : self.down_ptr[c + 1]]

    def ancestors(self, c: int) -> Ints:
        """T(c) as concepts, root first, c last."""
        a = self.ancestry
        above: Ints = self.by_rank[a.ranks[a.ptr[c] : a.ptr[c + 1]]]
        return above

    def descendants(self, c: int) -> Ints:
        """Everything below c, c included, nearest first."""
        from .._kernels import dag

        below: Ints = dag.descendants(c, self.down_ptr, self.down)
        return below

    def subsumer(self, concepts: Ints) -> int:
        """LCS of a set of concepts."""
        from .._kernels import dag

        a = self.ancestry
        distinct = np.unique(np.asarray(concepts, np.int32))
        return int(self.by_rank[dag.subsumer(distinct, a.ptr, a.ranks, a.links, self.depth_by_rank)])

    def minimum_hierarchy(self, concepts: Ints) -> Ints:
        """H(V) as concepts, by depth, then index."""
        from .._kernels import dag

        a = self.ancestry
        distinct = np.unique(np.asarray(concepts, np.int32))
        below = np.zeros(len(self), bool)
        below[self.descendants(self.subsumer(distinct))] = True
        above = self.by_rank[dag.marked_ancestors(distinct, a.ptr, a.ranks, len(self))]
        between: Ints = above[below[above]]
        return between


def csr(keys: Ints, values: Ints, n: int) -> tuple[Longs, Ints]:
    """`values` grouped by `keys` (< n), in the given order: (ptr int64[n+1], grouped int32[E])."""
    ptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(keys, minlength=n), out=ptr[1:])
    return ptr, np.ascontiguousarray(values[np.argsort(keys, kind="stable")])


def climb(up_ptr: Longs, down_ptr: Longs, down: Ints) -> tuple[Ints, Ints]:
    """(order, depth): concepts with every parent before its children, and nodes on the longest path to a root.

    `order` is shorter than the graph exactly when there is a cycle; depth is then valid for what is in it.
    """
    waiting = np.diff(up_ptr).tolist()
    starts, children = down_ptr.tolist(), down.tolist()
    depth = [1] * len(waiting)
    order = [c for c, above in enumerate(waiting) if not above]
    for c in order:  # grows while it is walked; whatever is in it has its depth
        deeper = depth[c] + 1
        for child in children[starts[c] : starts[c + 1]]:
            waiting[child] -= 1
            if deeper > depth[child]:
                depth[child] = deeper
            if not waiting[child]:
                order.append(child)
    return np.asarray(order, np.int32), np.asarray(depth, np.int32)
