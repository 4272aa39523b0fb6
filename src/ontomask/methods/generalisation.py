"""Generalisation: values climb their hierarchy until every record is anonymous (THESIS 8.4.2; ALGORITHMS 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from .._kernels.climbing import gains
from .._progress import done
from ..flow import Flow, Tuples, make_flow
from ..semantics.spaces.base import Floats, Ints, Longs, Space
from .base import Method, check_k, check_k_of_table


class Move(NamedTuple):
    """Some values of an attribute become one of their ancestors, in all records."""

    attribute: int
    values: Ints  # candidate codes
    target: int
    cost: int  # steps · records: each step takes one value, in all its records, one level up


class Ladder(NamedTuple):
    """Every climb of an attribute: candidate value[i] can become target[i], links[i] steps above it; by target, then value."""

    value: Ints
    target: Ints
    links: Longs
    depth: Ints  # by candidate


@dataclass(frozen=True)
class Generalisation(Method):
    """The classic baseline: best-first, values give way to more general ones, in all records at once.

    One step takes one value of one attribute, in all records that have it, one level up, to any of its parents; where
    values have no hierarchy (numbers, dates, flat values) the one step leads to `*`. While a record is in a group of less
    than k, the move with the least steps·records per record that becomes anonymous by it is made. A move takes either one
    value up to an ancestor that is in use, or all values below an ancestor that stand in a record not yet anonymous up to
    it. Ties: fewest steps·records, the first attribute, the first target, the set before the single values, the first value.
    Where no move makes any record anonymous, the value of a record not yet anonymous that has the fewest records climbs one
    step (ties: first attribute, deepest, first; of several parents the deepest, then the first), and when all of those are
    at the top, any value.
    """

    k: int

    uses_distances: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_k(self.k, "Generalisation")

    def mask(self, tuples: Tuples, rng: np.random.Generator) -> Flow:
        check_k_of_table(self.k, "Generalisation", tuples.n)
        ladders = [ladder(space) for space in tuples.spaces]
        now = [np.arange(space.h, dtype=np.int32) for space in tuples.spaces]  # what each candidate has become
        codes, size = tuples.codes, tuples.counts.astype(np.int64)
        steps_records = moves = 0
        waiting = max(1, int(size[size < self.k].sum()))
        while size.min() < self.k:
            done(1 - int(size[size < self.k].sum()) / waiting)
            move = best_move(ladders, codes, size, self.k) or cheapest_step(ladders, codes, size, self.k)
            climbs = np.zeros(len(now[move.attribute]), bool)
            climbs[move.values] = True
            now[move.attribute][climbs[now[move.attribute]]] = move.target
            codes = codes.copy()
            column = codes[:, move.attribute]
            column[climbs[column]] = move.target
            codes, size = regroup(codes, size)
            moves += 1
            steps_records += move.cost
        masked = np.column_stack([now[j][tuples.codes[:, j]] for j in range(tuples.m)])
        each = np.arange(tuples.p, dtype=np.int32)
        return make_flow(each, masked, tuples.counts, notes={"moves": moves, "steps times records": steps_records})


def ladder(space: Space) -> Ladder:
    """The hierarchy above each candidate; `top`, one step up, where a candidate has nothing above it."""
    value = np.repeat(np.arange(space.h), np.diff(space.up_ptr))
    proper = space.up != value
    value, target, links = value[proper], space.up[proper], space.links[proper]
    alone = np.flatnonzero(np.bincount(value, minlength=space.h) == 0)
    alone = alone[alone != space.top]
    value = np.concatenate([value, alone]).astype(np.int32)
    target = np.concatenate([target, np.full(len(alone), space.top)]).astype(np.int32)
    links = np.concatenate([links, np.ones(len(alone))]).astype(np.int64)
    depth = space.depth.copy()
    depth[alone] = depth[space.top] + 1
    order = np.lexsort((value, target))
    return Ladder(value[order], target[order], links[order], depth)


def best_move(ladders: Sequence[Ladder], codes: Ints, size: Longs, k: int) -> Move | None:
    """The move with the least steps·records per record that becomes anonymous; None where none makes one so."""
    best: tuple[float, int] | None = None
    found: Move | None = None
    for j, steps in enumerate(ladders):
        h = len(steps.depth)
        records = _records(codes[:, j], size, h)
        small = np.zeros(h, bool)
        small[codes[size < k, j]] = True
        # First the small values below each target, then each value alone where the target is in use.
        below = np.flatnonzero(small[steps.value])
        alone = np.flatnonzero((records[steps.value] > 0) & (records[steps.target] > 0))
        if not len(below) + len(alone):
            continue
        work = steps.links * records[steps.value]
        starts = np.flatnonzero(np.diff(steps.target[below], prepend=-1))
        ptr = np.concatenate([starts, len(below) + np.arange(len(alone) + 1)]).astype(np.int64)
        members = steps.value[np.concatenate([below, alone])]
        target = steps.target[np.concatenate([below[starts], alone])]
        cost = np.concatenate([np.add.reduceat(work[below], starts), work[alone]])
        rest = number_rows(np.delete(codes, j, axis=1))
        gain = gains(ptr, members, target, codes[:, j], h, size, rest, int(rest.max()) + 1, k)
        useful = np.flatnonzero(gain)
        if not len(useful):
            continue
        ratio: Floats = cost[useful] / gain[useful]
        first = useful[np.lexsort((useful, target[useful], cost[useful], ratio))[0]]
        this = (float(cost[first] / gain[first]), int(cost[first]))
        if best is None or this < best:
            best, found = this, Move(j, members[ptr[first] : ptr[first + 1]], int(target[first]), int(cost[first]))
    return found


def cheapest_step(ladders: Sequence[Ladder], codes: Ints, size: Longs, k: int) -> Move:
    """One step of the value with the fewest records, among the values of records not yet anonymous if any can climb."""
    for rows in (size < k, np.ones(len(size), bool)):
        steps = []
        for j, climb in enumerate(ladders):
            h = len(climb.depth)
            records = _records(codes[:, j], size, h)
            held = np.zeros(h, bool)
            held[codes[rows, j]] = True
            one = np.flatnonzero(held[climb.value] & (climb.links == 1))
            if len(one):
                value, parent = climb.value[one], climb.target[one]
                first = np.lexsort((parent, -climb.depth[parent], value, -climb.depth[value], records[value]))[0]
                v = int(value[first])
                steps.append(((int(records[v]), j), v, int(parent[first])))
        if steps:
            (cost, j), v, target = min(steps)
            return Move(j, np.asarray([v], np.int32), target, cost)
    raise AssertionError("every record is at the top of every attribute, so that all are equal")


def _records(column: Ints, size: Longs, h: int) -> Longs:
    """Records of each candidate: int64[h]."""
    return np.bincount(column, weights=size, minlength=h).astype(np.int64)


def regroup(codes: Ints, size: Longs) -> tuple[Ints, Longs]:
    """Equal rows become one group."""
    _, first, number = np.unique(number_rows(codes), return_index=True, return_inverse=True)
    return codes[first], np.bincount(number, weights=size).astype(np.int64)


def number_rows(codes: Ints) -> Longs:
    """Equal rows get equal numbers, not much larger than there are rows: int64[p]."""
    number = codes[:, 0].astype(np.int64) if codes.shape[1] else np.zeros(len(codes), np.int64)
    for j in range(1, codes.shape[1]):
        number = number * (int(codes[:, j].max()) + 1) + codes[:, j]
        if number.max() > 4 * len(codes) + 10_000:
            _, number = np.unique(number, return_inverse=True)
    return number
