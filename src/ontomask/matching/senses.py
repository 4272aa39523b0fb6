"""Which sense of an ambiguous value is meant: THESIS 4.3.3, FUSION 4; `context` as ALGORITHMS 5 of the design states it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from .._progress import along
from .._registry import MEASURES
from ..taxonomy.graph import Ints, Longs
from ..taxonomy.taxonomy import Taxonomy

CLEAR = 0.10  # the next best sense is farther by this share
RARER = 2  # by so many times that share where a more frequent sense was passed over
FAR = 1.3  # a sense farther from the other values than so many times the usual is suspect
Floats: TypeAlias = npt.NDArray[np.float64]

WITNESSES = 2048  # distinct values of the attribute that are asked; where there are more, evenly chosen ones
_ROWS = 1024  # senses whose distances are held at a time
_UNIT = float(1 << 30)  # sums are of integers, so that they do not depend on the order of additions


@dataclass(frozen=True, eq=False)
class Choice:
    """Per value: the chosen candidate, the next best (−1: none) and by how much it is worse, on average per witness.

    `clear`: the next best is farther by a share of CLEAR, and the choice is not much farther from the other values than
    values usually are: a program among people is hardly what "assembler" means.
    """

    best: Ints
    second: Ints
    margin: Floats
    clear: npt.NDArray[np.bool_]


def first(ptr: Longs) -> Choice:
    """The most frequent sense: the first that the taxonomy names."""
    many = np.diff(ptr) > 1
    return Choice(
        best=np.zeros(len(many), np.int32),
        second=np.where(many, 1, -1).astype(np.int32),
        margin=np.full(len(many), np.nan),
        clear=np.ones(len(many), bool),
    )


def context(
    taxonomy: Taxonomy,
    ptr: Longs,
    senses: Ints,
    measure: str = "logsc",
    far: Floats | None = None,
    rarer: Longs | None = None,
) -> Choice:
    """The sense with the least sum, over the attribute's other values, of the distance to their nearest sense.

    Value v may mean `senses[ptr[v]:ptr[v+1]]`, most frequent first. Ties: the more frequent sense. A value need not be
    left out of its own sum: the distance of one of its senses to the nearest of its own senses is 0. `clear` is looked into
    where `far` is given and finite: how many times the usual distance a value may be away from the others; `rarer` replaces
    RARER, value by value.
    """
    size = np.diff(ptr)
    choice = first(ptr)
    known = np.flatnonzero(size > 0)
    if len(known) < 2:
        return choice
    asked = known if len(known) <= WITNESSES else known[np.linspace(0, len(known) - 1, WITNESSES).astype(np.int64)]
    looked = size > 1 if far is None else (size > 1) | (np.isfinite(far) & (size > 0))
    looked[asked] = True
    rows = np.flatnonzero(looked)
    of_row = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(size[rows], out=of_row[1:])
    sums = _sums(taxonomy, senses[np.repeat(looked, size)], [senses[ptr[v] : ptr[v + 1]] for v in asked], measure)
    others = max(1, len(asked) - 1) * _UNIT
    least = np.zeros(len(size))
    for i, v in enumerate(rows.tolist()):
        mine = sums[of_row[i] : of_row[i + 1]]
        order = np.argsort(mine, kind="stable").tolist() if len(mine) > 1 else [0]  # stable: the more frequent sense first
        choice.best[v], least[v] = order[0], mine[order[0]] / others
        if len(order) > 1:
            choice.second[v] = order[1]
            choice.margin[v] = float(mine[order[1]] - mine[order[0]]) / others
    if far is not None:
        enough = np.where(choice.best > 0, RARER if rarer is None else rarer, 1) * CLEAR * least
        alone = ~(choice.margin < enough)  # nan: there is no second, and nothing is below it
        looked_into = np.isfinite(far)
        near = least <= np.where(looked_into, far, 0.0) * float(np.median(least[asked]))
        choice.clear[:] = (alone & near) | ~looked_into
    return choice


def _sums(taxonomy: Taxonomy, senses: Ints, witnesses: Sequence[Ints], measure: str) -> Longs:
    """For each of `senses` the sum over the witnesses of the distance to their nearest sense, in fixed point."""
    at, columns, times = _distinct_senses(witnesses)
    rows, where = np.unique(senses, return_inverse=True)
    sums = np.empty(len(rows), np.int64)
    distances = MEASURES.load(measure)
    for start in along(range(0, len(rows), _ROWS)):
        block = distances.matrix(taxonomy, rows[start : start + _ROWS].astype(np.int32), columns, dtype=np.float64)
        nearest = np.minimum.reduceat(block, at, axis=1)
        sums[start : start + _ROWS] = np.rint(nearest * _UNIT).astype(np.int64) @ times
    each: Longs = sums[where.reshape(-1)]
    return each


def _distinct_senses(lists: Sequence[Ints]) -> tuple[Longs, Ints, Longs]:
    """Equal lists once: (start of each in `columns`, columns, how often it occurs)."""
    times: dict[bytes, int] = {}
    kept: list[Ints] = []
    for senses in lists:
        key = senses.tobytes()
        if key not in times:
            kept.append(senses)
        times[key] = times.get(key, 0) + 1
    starts = np.zeros(len(kept), np.int64)
    np.cumsum([len(s) for s in kept[:-1]], out=starts[1:])
    return starts, np.concatenate(kept).astype(np.int32), np.fromiter(times.values(), np.int64, count=len(times))
