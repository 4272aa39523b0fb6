"""The one idea: a table is its distinct tuples with counts, and a masking is a flow between tuples."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import PromiseError
from .semantics.geometry import Geometry, build_geometry
from .semantics.spaces.base import Floats, Ints, Longs, Space

SUPPRESSED = -1


@dataclass(frozen=True, eq=False)
class Tuples:
    """The p distinct tuples of a table, in order of first occurrence."""

    codes: Ints  # int32[p, m]: value codes of the spaces
    counts: Longs  # int64[p] ≥ 1: records of each tuple
    spaces: tuple[Space, ...]
    weights: Floats | None = None  # float64[m]: weight of each attribute in the record distance; None: all alike
    confidential: Ints | None = None  # int32[p]: class of the confidential attributes, for methods that use it

    @property
    def n(self) -> int:
        """Records."""
        return int(self.counts.sum())

    @property
    def p(self) -> int:
        """Distinct tuples."""
        return len(self.counts)

    @property
    def m(self) -> int:
        """Attributes."""
        return len(self.spaces)

    def bare(self) -> Tuples:
        """The same table without what was worked out from it: for another process, distances are cheaper made than sent."""
        return Tuples(self.codes, self.counts, self.spaces, self.weights, self.confidential)

    @cached_property
    def geometry(self) -> Geometry:
        return build_geometry(self.spaces, self.weights)


@dataclass(frozen=True, eq=False)
class Flow:
    """How many records of tuple `source[i]` become target tuple `target[i]` (−1: suppressed).

    Sorted by source, then target; a source may go to several targets. `targets` are candidate codes: a target may be a
    tuple that the table never held.
    """

    source: Ints  # int32[f], indices into Tuples
    target: Ints  # int32[f], indices into `targets`, or SUPPRESSED
    count: Longs  # int64[f] ≥ 1
    targets: Ints  # int32[t, m]: candidate codes; rows are distinct and each is used
    notes: dict[str, object] = field(default_factory=dict)  # what the method wants to say about the run (never values)
    found: Any = None  # what the method gives beside the flow, in codes: its patterns

    @cached_property
    def sizes(self) -> Longs:
        """int64[t]: records that each target receives."""
        kept = self.target >= 0
        return np.bincount(self.target[kept], weights=self.count[kept], minlength=len(self.targets)).astype(np.int64)

    @property
    def suppressed(self) -> int:
        return int(self.count[self.target == SUPPRESSED].sum())

    @property
    def k(self) -> int:
        """The smallest class of the release; 0 where nothing is released."""
        return int(self.sizes.min(initial=np.iinfo(np.int64).max)) if len(self.targets) else 0

    def check(self, tuples: Tuples) -> None:
        """Every record of every tuple goes somewhere, once: the invariant of a masking."""
        out = np.bincount(self.source, weights=self.count, minlength=tuples.p).astype(np.int64)
        if len(out) != tuples.p or not np.array_equal(out, tuples.counts) or (self.count < 1).any():
            raise PromiseError("The flow loses or invents records. This is a bug in the method: please report it.")

    def check_marginals(self, tuples: Tuples) -> None:
        """Every attribute keeps its value counts: the promise of a method that swaps."""
        for j, space in enumerate(tuples.spaces):
            before = np.bincount(tuples.codes[:, j], weights=tuples.counts, minlength=space.h)
            after = np.bincount(self.targets[self.target, j], weights=self.count, minlength=space.h)
            if self.suppressed or not np.array_equal(before, after):
                raise PromiseError(f"The values of '{space.name}' are not those of the original, each as often as there.")


def make_flow(
    source: Ints,
    targets: Ints,
    count: Longs,
    suppressed: npt.NDArray[np.bool_] | None = None,
    notes: dict[str, object] | None = None,
) -> Flow:
    """A canonical flow from one row of candidate codes per entry.

    `targets` int32[f, m]: what source[i] becomes; equal rows become one target, numbered by first appearance in the order
    of the sources. `suppressed` bool[f] marks entries whose records go. Entries with equal source and target are added.
    """
    source = np.asarray(source, np.int32)
    count = np.asarray(count, np.int64)
    keep = count > 0
    gone = np.zeros(len(source), bool) if suppressed is None else np.asarray(suppressed, bool)
    source, targets, count, gone = source[keep], np.asarray(targets, np.int32)[keep], count[keep], gone[keep]
    by_source = np.argsort(source, kind="stable")
    source, targets, count, gone = source[by_source], targets[by_source], count[by_source], gone[by_source]
    number = np.full(len(source), SUPPRESSED, np.int64)
    distinct = targets[:0]
    if (~gone).any():
        shown, at, inverse = np.unique(targets[~gone], axis=0, return_index=True, return_inverse=True)
        by_appearance = np.argsort(at, kind="stable")
        renumber = np.empty(len(at), np.int64)
        renumber[by_appearance] = np.arange(len(at))
        number[~gone] = renumber[inverse.reshape(-1)]
        distinct = shown[by_appearance]
    pair = np.lexsort((number, source))
    source, number, count = source[pair], number[pair], count[pair]
    starts = np.flatnonzero(np.r_[True, (np.diff(source) != 0) | (np.diff(number) != 0)]) if len(source) else pair
    return Flow(
        source=source[starts].astype(np.int32),
        target=number[starts].astype(np.int32),
        count=np.add.reduceat(count, starts) if len(starts) else count,
        targets=np.ascontiguousarray(distinct, np.int32),
        notes=dict(notes or {}),
    )
