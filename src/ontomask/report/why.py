"""The costliest replacements of a masking, and why each was made: as far as the flow shows it, and no further."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import plural
from ..evaluation.statistics import mean
from ..flow import Flow, Tuples
from ..semantics.spaces.base import Ints, Longs, Space
from ..semantics.spaces.sets import SetSpace
from .words import said

MOST_VALUES = 400  # of a class, to be weighed one against the other
_LINES = ("number", "date", "ordinal")


@dataclass(frozen=True)
class Replacement:
    """`records` of one attribute's value `before` became `after`; `share` of the loss of all attributes, in percent."""

    attribute: str
    before: str
    after: str
    records: int
    distance: float
    share: float
    relation: str  # names no value
    named: str  # the same, values named
    reason: str


@dataclass(frozen=True, eq=False)
class Classes:
    """The members of the released classes, found by target."""

    tuples: Tuples
    flow: Flow

    @cached_property
    def order(self) -> Longs:
        """Entries of the flow by target; suppressed ones first."""
        return np.argsort(self.flow.target, kind="stable")

    @cached_property
    def bounds(self) -> Longs:
        wanted = np.arange(len(self.flow.targets) + 1)
        return np.searchsorted(self.flow.target[self.order], wanted).astype(np.int64)

    def values(self, target: int, j: int) -> tuple[Ints, Longs]:
        """Distinct values of attribute j in a class, and the records of each."""
        entries = self.order[self.bounds[target] : self.bounds[target + 1]]
        codes, at = np.unique(self.tuples.codes[self.flow.source[entries], j], return_inverse=True)
        counts = np.bincount(at.reshape(-1), weights=self.flow.count[entries], minlength=len(codes))
        return codes.astype(np.int32), counts.astype(np.int64)


def costliest(tuples: Tuples, flow: Flow, swapped: bool = False, most: int = 20) -> list[Replacement]:
    """The replacements with the largest records × distance², over all attributes. `swapped`: values changed places."""
    classes = Classes(tuples, flow)
    kept = np.flatnonzero(flow.target >= 0)
    found: list[tuple[float, int, int, int, int, float]] = []
    total = 0.0
    for j, space in enumerate(tuples.spaces):
        before = tuples.codes[flow.source[kept], j].astype(np.int64)
        after = flow.targets[flow.target[kept], j].astype(np.int64)
        pairs, at = np.unique(before * space.h + after, return_inverse=True)
        records = np.bincount(at.reshape(-1), weights=flow.count[kept], minlength=len(pairs))
        moved = space.along((pairs % space.h).astype(np.int32), (pairs // space.h).astype(np.int32))
        cost = records * moved**2
        total += float(cost.sum())
        for i in np.argsort(-cost, kind="stable")[:most]:
            if cost[i] > 0:
                found.append((float(cost[i]), j, int(pairs[i] // space.h), int(pairs[i] % space.h), int(records[i]), moved[i]))
    found.sort(key=lambda row: (-row[0], row[1], row[2], row[3]))
    rows = []
    for cost_, j, a, b, records_, distance in found[:most]:
        space = tuples.spaces[j]
        relation, named = related(space, a, b)
        reason = "it changed places with another record's value" if swapped else _reason(classes, j, a, b)
        rows.append(
            Replacement(
                space.name,
                said(space, a),
                said(space, b),
                records_,
                float(distance),
                100 * cost_ / total,
                relation,
                named,
                reason,
            )
        )
    return rows


def related(space: Space, before: int, after: int) -> tuple[str, str]:
    """How two candidates stand to each other, without and with names."""
    if isinstance(space, SetSpace) and after != space.top:
        old, new = set(space.set_of(before).tolist()), set(space.set_of(after).tolist())
        named = f"a set of {plural(len(new), 'item')} with {len(old & new):,} of the {len(old):,} in it before"
        return "another set", named  # how many items a record had may tell whose it was
    if after == space.top:
        return ("the most general concept of all" if space.kind == "taxonomy" else "left open (*)",) * 2
    if space.kind in _LINES:
        return ("another point of the scale",) * 2
    up = dict(zip(space.ancestors(before).tolist(), _links(space, before), strict=True))
    if after in up:
        return (f"{plural(up[after], 'level')} more general",) * 2
    down = dict(zip(space.ancestors(after).tolist(), _links(space, after), strict=True))
    if before in down:
        return (f"{plural(down[before], 'level')} more particular",) * 2
    common = [c for c in up if c in down]
    if not common:
        return ("another value",) * 2
    meet = min(common, key=lambda c: (-int(space.depth[c]), up[c] + down[c], int(space.tie[c])))
    way = f"{plural(up[meet], 'level')} up and {down[meet]} down"
    return way, f"{way}: both are a kind of {said(space, meet)}"


def _links(space: Space, code: int) -> list[int]:
    found: list[int] = space.links[space.up_ptr[code] : space.up_ptr[code + 1]].tolist()
    return found


def _reason(classes: Classes, j: int, before: int, after: int) -> str:
    """What the class that takes most of these records shows about the choice."""
    tuples, flow, space = classes.tuples, classes.flow, classes.tuples.spaces[j]
    hit = np.flatnonzero((tuples.codes[flow.source, j] == before) & (flow.target >= 0))
    hit = hit[flow.targets[flow.target[hit], j] == after]
    per_class = np.bincount(flow.target[hit], weights=flow.count[hit])
    target = int(np.argmax(per_class))
    codes, counts = classes.values(target, j)
    n = int(counts.sum())
    records = plural(n, "record")
    word = "word" if space.kind in ("taxonomy", "flat", "set") else "value"
    if after == space.top and space.kind == "flat" and len(codes) > 1:
        return f"the {records} of its class do not agree on it"
    if after == space.top:
        return f"nothing more particular was found for its class of {records}"
    if len(codes) <= MOST_VALUES and space.kind != "set" and mean(space, codes, counts) == after:
        sums = space.between([after, before], codes) @ counts
        return (
            f"of all {word}s that could stand for the {records} of its class it is the nearest "
            f"(mean distance {sums[0] / n:.2f}; the old one: {sums[1] / n:.2f})"
        )
    own = int(counts[codes == after].sum())
    if own:
        if space.kind == "set":
            return f"it is the set of {plural(own, 'record')} of its class of {n:,}, the nearest to all of them"
        return f"{plural(own, 'record')} of its class of {n:,} had this {word} already, and the others took it over"
    if all(after in space.ancestors(int(c)) for c in codes[:MOST_VALUES]):
        return f"it covers all {plural(len(codes), 'different value')} of its class of {records}"
    return f"its class of {records} received this {word}"
