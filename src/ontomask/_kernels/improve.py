"""What refined microaggregation does with clusters, as one kernel: what its parts share is compiled once."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from . import kernel
from .clusters import Clusters, add, all_free, new_clusters, new_work, open_cluster, recentre
from .rebuild import rebuild
from .refine import dissolve, moves, open_new, total_cost

FILL, COST, OPEN, MOVE, DISSOLVE, REBUILD = (np.int64(what) for what in range(6))


@kernel(apart=True)
def fill(layout, codes, s, cluster, counts):  # type: ignore[no-untyped-def]
    """All records of tuple t, counts[t] of them, form part of cluster[t] (int32, from 0 on); representatives of all."""
    all_free(s)
    formed = 0
    for t in range(len(cluster)):
        formed = max(formed, cluster[t] + 1)
    for _ in range(formed):
        open_cluster(s)
    for t in range(len(cluster)):
        add(s, np.int64(t), np.int64(cluster[t]), counts[t])
    for c in range(formed):
        if s.members[c] > 0:
            recentre(layout, codes, s, c)
        else:
            s.free_cluster[s.free[1]] = c
            s.free[1] += 1


@kernel()
def step(what, layout, codes, s, near, k, order, mark, stamp, dirty, last, place, counts, state):  # type: ignore[no-untyped-def]
    """One step, `what` int64: (how many changed, the stamp afterwards, Σ amount·distance² if that is asked for).

    FILL: clusters from `place` int32[p], which cluster each tuple belongs to, and `counts` int64[p]. COST: the sum alone.
    OPEN, MOVE: with the tuples of `order` int64; DISSOLVE, REBUILD: with its clusters. REBUILD: `place` all NONE, `state`
    uint64[1] of the random numbers. Else as in `refine`; arguments that a step does not use may be anything of the right type.
    """
    done, cost = np.int64(0), 0.0
    if what == FILL:
        fill(layout, codes, s, place, counts)
    elif what == COST:
        cost = total_cost(layout, codes, s)
    elif what == OPEN:
        done = open_new(layout, codes, s, near, k, order, dirty, last)
    elif what == MOVE:
        done, stamp = moves(layout, codes, s, near, k, order, mark, stamp, dirty, last)
    elif what == DISSOLVE:
        done, stamp = dissolve(layout, codes, s, near, order, mark, stamp, dirty, last)
    else:
        done = rebuild(layout, codes, s, near, k, order, state, place)
    return done, stamp, cost


def empty_clusters(layout: Any, p: int, entries: int, clusters: int) -> Clusters:
    """Arrays for `p` tuples in so many entries and clusters, to be filled."""
    work, made = cast(Any, new_work).py_func(layout), cast(Any, new_clusters).py_func  # as Python: numba's would be compiled
    return cast(Clusters, made(work, len(layout.q), p, entries, clusters))
