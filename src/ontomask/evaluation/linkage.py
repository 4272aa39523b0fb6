"""Which masked records are nearest to an original one: the search behind semantic record linkage."""

from __future__ import annotations

import numpy as np

from ..semantics.spaces.base import Longs
from .case import Case

FAR = np.iinfo(np.int64).max


def own_distances(case: Case) -> Longs:
    """int64[f]: fixed-point distance of each original to what it became; FAR where it was suppressed."""
    g = case.tuples.geometry
    own = np.zeros(len(case.flow.source), np.int64)
    before, after = case.tuples.codes[case.flow.source], case.outcomes[case.flow.target]
    for j in range(g.m):
        own += g.table(j)[after[:, j], before[:, j]]
    own[~case.kept] = FAR
    return own


def linked(case: Case) -> tuple[Longs, Longs, Longs]:
    """(own int64[f], least int64[p], number int64[p]): see `own_distances`; least distance of each original tuple to a
    masked one; masked records at that distance."""
    own = own_distances(case)
    g, flow = case.tuples.geometry, case.flow
    least = np.full(case.tuples.p, FAR, np.int64)
    number = np.ones(case.tuples.p, np.int64)
    if not len(flow.targets):
        return own, least, number
    for i in range(case.tuples.p):
        d = np.zeros(len(flow.targets), np.int64)
        for j in range(g.m):
            d += g.table(j)[flow.targets[:, j], case.tuples.codes[i, j]]
        least[i] = d.min()
        number[i] = flow.sizes[d == least[i]].sum()
    return own, least, number
