"""Some values of a space as a space of their own: what a part of a large table needs, and no more.

Its tables of distances are as small as its values are few, so a table that is split along its values fits into memory
where the whole would not.
"""

from __future__ import annotations

from copy import copy

import numpy as np
import numpy.typing as npt

from .base import Ints, Space
from .line import LineSpace


def candidates_of(space: Space, values: npt.ArrayLike) -> int:
    """How many candidates the part of these distinct value codes has."""
    lists = _positions(space.up_ptr, np.asarray(values, np.int32))
    there = np.zeros(space.h, bool)
    there[space.up[lists]] = True
    there[space.top] = True
    return int(there.sum())


def part_of(space: Space, values: npt.ArrayLike) -> tuple[Space, Ints]:
    """(the space of these distinct value codes, code int32[h']: the candidate of `space` that each of its candidates is).

    Its candidates are the values, their ancestors and `top`, so whatever the values may become in `space` is among them.
    """
    chosen = np.asarray(values, np.int32)
    lists = _positions(space.up_ptr, chosen)
    above = np.unique(np.concatenate([space.up[lists], np.asarray([space.top], np.int32)]))
    code = np.concatenate([chosen, np.setdiff1d(above, chosen)]).astype(np.int32)
    number = np.full(space.h, -1, np.int32)
    number[code] = np.arange(len(code), dtype=np.int32)
    part = copy(space)
    part.__dict__.pop("largest", None)
    for name in space.per_candidate:
        held = getattr(space, name)
        if held is not None:
            setattr(part, name, held[code] if isinstance(held, np.ndarray) else [held[c] for c in code])
    at = _positions(space.up_ptr, code)
    lengths = np.diff(space.up_ptr)[code]
    part.q, part.h, part.top = len(chosen), len(code), int(number[space.top])
    part.up_ptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    part.up, part.links = number[space.up[at]], space.links[at]
    part.depth, part.tie = space.depth[code], space.tie[code]
    return part, code


def line_up(space: Space) -> npt.NDArray[np.int64]:
    """A place on a line for every value, int64[q]: near values stand near each other.

    Numbers, dates and ordered words stand in their order; words as they are met when the taxonomy is walked from the top,
    the descendants of a concept one after the other (each below its first parent).
    """
    if isinstance(space, LineSpace):
        middle = space.low[: space.q] / 2 + space.high[: space.q] / 2
        place: npt.NDArray[np.int64] = np.argsort(np.argsort(middle, kind="stable"), kind="stable").astype(np.int64)
        return place
    direct = np.flatnonzero(space.links == 1)
    owner = (np.searchsorted(space.up_ptr, direct, side="right") - 1).astype(np.int64)
    first = np.flatnonzero(np.r_[True, np.diff(owner) != 0]) if len(owner) else owner
    children: dict[int, list[int]] = {}
    rooted = np.ones(space.h, bool)
    for child, parent in zip(owner[first].tolist(), space.up[direct[first]].tolist(), strict=True):
        children.setdefault(parent, []).append(child)
        rooted[child] = False
    met = np.zeros(space.h, np.int64)
    stack = np.flatnonzero(rooted)[::-1].tolist()
    at = 0
    while stack:
        c = stack.pop()
        met[c] = at
        at += 1
        stack.extend(sorted(children.get(c, ()), key=space.tie.__getitem__, reverse=True))
    return met[: space.q]


def _positions(ptr: npt.NDArray[np.int64], rows: Ints) -> npt.NDArray[np.int64]:
    """The positions ptr[r] … ptr[r+1]−1 of every row, one after the other."""
    lengths = np.diff(ptr)[rows]
    starts = np.repeat(ptr[:-1][rows] - np.cumsum(lengths) + lengths, lengths)
    positions: npt.NDArray[np.int64] = starts + np.arange(int(lengths.sum()))
    return positions
