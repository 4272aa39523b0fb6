"""Which masked records are nearest to an original one: the search behind semantic record linkage."""

from __future__ import annotations

import numpy as np

from ..semantics.boxes import build_boxes, search_boxes
from ..semantics.nearest import NOWHERE, arrange, build_index, by_place, search_many
from ..semantics.spaces.base import Longs
from .case import Case


def own_distances(case: Case) -> Longs:
    """int64[f]: fixed-point distance of each original to what it became; NOWHERE where it was suppressed."""
    g = case.tuples.geometry
    own = np.zeros(len(case.flow.source), np.int64)
    before, after = case.tuples.codes[case.flow.source], case.outcomes[case.flow.target]
    for j in range(g.m):
        own += g.table(j)[after[:, j], before[:, j]]
    own[~case.kept] = NOWHERE
    return own


def links(case: Case) -> tuple[Longs, Longs]:
    """(least int64[p], number int64[p]): for each original tuple the least fixed-point distance of a masked record, and how
    many masked records are at it.

    No farther than the tuple's own masked records need be looked: that bound is what makes the exact search quick. Tuples
    that are suppressed altogether are not asked for: their number is 0.
    """
    least = np.full(case.tuples.p, NOWHERE, np.int64)
    np.minimum.at(least, case.flow.source, own_distances(case))
    number = np.zeros(case.tuples.p, np.int64)
    asked = np.flatnonzero(least < NOWHERE)
    if not len(asked):
        return least, number
    if case.tuples.m > 2:
        boxes = build_boxes(case.tuples.geometry, case.flow.targets, case.flow.sizes)
        asked = asked[np.lexsort(case.tuples.codes[asked].T[::-1])]
        least[asked], number[asked] = search_boxes(boxes, case.tuples.codes[asked], least[asked])
        return least, number
    index = build_index(case.tuples.geometry, case.flow.targets)
    queries = arrange(index, case.tuples.codes[asked])
    order = by_place(index, queries)
    asked = asked[order]
    nobody = np.full(len(asked), -1, np.int32)
    distance, _, records = search_many(index, queries[order], nobody, case.flow.sizes, least[asked])
    least[asked] = distance
    number[asked] = records
    return least, number
