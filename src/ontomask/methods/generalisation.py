"""Generalisation: values climb their hierarchy until every record is anonymous (THESIS 8.4.2; ALGORITHMS 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from .._kernels.climbing import gains
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
    """What each candidate of an attribute can climb to: `up[ptr[c]:ptr[c+1]]`, so many `links` above it; c left out."""

    ptr: Longs
    up: Ints
    links: Ints
    depth: Ints
    tie: Ints


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
        while size.min() < self.k:
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
    owner = np.repeat(np.arange(space.h), np.diff(space.up_ptr))
    proper = space.up != owner
    owner, up, links = owner[proper], space.up[proper], space.links[proper]
    alone = np.flatnonzero(np.bincount(owner, minlength=space.h) == 0)
    alone = alone[alone != space.top]
    owner = np.concatenate([owner, alone])
    up = np.concatenate([up, np.full(len(alone), space.top)]).astype(np.int32)
    links = np.concatenate([links, np.ones(len(alone), np.int32)]).astype(np.int32)
    by_owner = np.lexsort((up, owner))
    ptr = np.searchsorted(owner[by_owner], np.arange(space.h + 1)).astype(np.int64)
    depth = space.depth.copy()
    depth[alone] = depth[space.top] + 1
    return Ladder(ptr, up[by_owner], links[by_owner], depth, space.tie)


def best_move(ladders: Sequence[Ladder], codes: Ints, size: Longs, k: int) -> Move | None:
    """The move with the least steps·records per record that becomes anonymous; None where none makes one so."""
    best: tuple[float, int] | None = None
    found: Move | None = None
    for j, steps in enumerate(ladders):
        h = len(steps.ptr) - 1
        records = np.bincount(codes[:, j], weights=size, minlength=h).astype(np.int64)
        small = np.zeros(h, bool)
        small[codes[size < k, j]] = True
        value, target, links = _climbs(steps, np.flatnonzero(small))
        alone, onto, alone_links = _climbs(steps, np.flatnonzero(records))
        used = records[onto] > 0
        alone, onto, alone_links = alone[used], onto[used], alone_links[used]
        if not len(value) + len(alone):
            continue
        # First the small values below each target, then each value alone.
        starts = np.flatnonzero(np.diff(target, prepend=-1))
        ptr = np.concatenate([starts, len(value) + np.arange(len(alone) + 1)]).astype(np.int64)
        members = np.concatenate([value, alone])
        to = np.concatenate([target[starts], onto])
        cost = np.concatenate([np.add.reduceat(links * records[value], starts), alone_links * records[alone]])
        by_value = np.argsort(codes[:, j], kind="stable")
        group_ptr = np.searchsorted(codes[by_value, j], np.arange(h + 1))
        rest = number_rows(np.delete(codes, j, axis=1))
        gain = gains(ptr, members, to, group_ptr, by_value, size, rest, int(rest.max()) + 1, k)
        useful = np.flatnonzero(gain)
        if not len(useful):
            continue
        ratio: Floats = cost[useful] / gain[useful]
        first = useful[np.lexsort((useful, to[useful], cost[useful], ratio))[0]]
        this = (float(cost[first] / gain[first]), int(cost[first]))
        if best is None or this < best:
            best, found = this, Move(j, members[ptr[first] : ptr[first + 1]], int(to[first]), int(cost[first]))
    return found


def cheapest_step(ladders: Sequence[Ladder], codes: Ints, size: Longs, k: int) -> Move:
    """One step of the value with the fewest records, among the values of records not yet anonymous if any can climb."""
    for rows in (size < k, np.ones(len(size), bool)):
        steps = []
        for j, climb in enumerate(ladders):
            records = np.bincount(codes[:, j], weights=size, minlength=len(climb.ptr) - 1).astype(np.int64)
            for v in np.unique(codes[rows, j]):
                above = slice(climb.ptr[v], climb.ptr[v + 1])
                parents = climb.up[above][climb.links[above] == 1]
                if len(parents):
                    parent = min(parents.tolist(), key=lambda a: (-climb.depth[a], a))
                    steps.append(((int(records[v]), j, -int(climb.depth[v]), int(v)), parent))
        if steps:
            (cost, j, _, value), parent = min(steps)
            return Move(j, np.asarray([value], np.int32), parent, cost)
    raise AssertionError("every record is at the top of every attribute, so that all are equal")


def _climbs(steps: Ladder, values: Longs) -> tuple[Ints, Ints, Longs]:
    """(value, target, links) of every climb of these candidates, by target, then value."""
    sizes = steps.ptr[values + 1] - steps.ptr[values]
    value = np.repeat(values, sizes).astype(np.int32)
    at = np.arange(len(value)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(steps.ptr[values], sizes)
    by_target = np.lexsort((value, steps.up[at]))
    return value[by_target], steps.up[at][by_target], steps.links[at][by_target].astype(np.int64)


def regroup(codes: Ints, size: Longs) -> tuple[Ints, Longs]:
    """Equal rows become one group."""
    number = number_rows(codes)
    _, first = np.unique(number, return_index=True)
    return codes[first], np.bincount(number, weights=size).astype(np.int64)


def number_rows(codes: Ints) -> Longs:
    """Equal rows get equal numbers, 0 … r−1: int64[p]."""
    number = np.zeros(len(codes), np.int64)
    for j in range(codes.shape[1]):
        _, number = np.unique(number * (int(codes[:, j].max()) + 1) + codes[:, j], return_inverse=True)
    return number
