"""What a measure is: a matrix of distances, or the distances of given pairs, between concept numbers.

Most measures look at what two concepts have in common: shared ancestors, the best common ancestor, shared words. Such a
measure is one function that returns a `Rule`; `by_rule` makes a `Measure` of it, and one kernel computes them all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..._kernels import measures as kernels
from ..._kernels.threads import in_parts
from ...errors import illegal
from ...taxonomy.graph import Ints, Longs
from ...taxonomy.taxonomy import Taxonomy
from .items import Items, index, preorder
from .options import Adjustable, check_options, options_of

Distances = npt.NDArray[np.floating[Any]]
Floats = npt.NDArray[np.float64]

PART = 1 << 18  # distances that are worth handing to another thread
NO_WEIGHT = np.zeros(1, np.int32)
NO_TABLE = np.zeros(1, np.float64)


class Measure(Protocol):
    """Registered in `_registry.MEASURES`; found by `tax.distances(…, measure=name)`."""

    name: str
    symmetric: bool  # whether the distance from a to b is the one from b to a
    known: dict[str, Any]  # its options and what they usually are

    def matrix(
        self, taxonomy: Taxonomy, rows: Ints, columns: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        """Distances rows × columns."""

    def pairs(
        self, taxonomy: Taxonomy, left: Ints, right: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        """Distances of left[i] and right[i]."""

    def bound(self, taxonomy: Taxonomy, **options: Any) -> float:
        """No distance in this taxonomy is larger."""


@dataclass(frozen=True, eq=False)
class Rule:
    """How a distance comes from common items (see `_kernels.measures`)."""

    form: int
    items: Items
    own: Floats  # of each concept
    weight: Ints = field(default_factory=lambda: NO_WEIGHT)  # of each item; counting does not look at it
    table: Floats = field(default_factory=lambda: NO_TABLE)
    counting: bool = False
    climbs: bool = False
    bound: float = 1.0  # no distance is larger

    @property
    def shape(self) -> tuple[Longs, Ints, Ints]:
        return self.items.ptr, self.items.items, self.items.links

    @property
    def settings(self) -> tuple[int, bool, bool, Ints, Floats, Floats]:
        return self.form, self.counting, self.climbs, self.weight, self.own, self.table


class ByRule(Adjustable):
    """A measure that is a rule about common items."""

    def __init__(self, name: str, make: Callable[..., Rule], symmetric: bool) -> None:
        self.name, self.make, self.symmetric = name, make, symmetric
        self.__doc__ = make.__doc__
        self.known = options_of(make)

    def rule(self, taxonomy: Taxonomy, options: Mapping[str, Any]) -> Rule:
        """The rule for these options; the last one is kept with the taxonomy."""
        check_options(self.name, options, self.known)
        asked = {name: _frozen(value) for name, value in options.items()}
        kept = taxonomy.memo.get(("rule", self.name))
        if kept is None or kept[0] != asked:
            kept = taxonomy.memo["rule", self.name] = asked, self.make(taxonomy, **options)
        return kept[1]

    def matrix(
        self, taxonomy: Taxonomy, rows: Ints, columns: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        rule = self.rule(taxonomy, options)
        place, at = preorder(taxonomy)
        rows = np.ascontiguousarray(rows, np.int32)
        distinct, column = np.unique(place[columns], return_inverse=True)
        there = at[distinct]
        out = np.empty((len(rows), len(columns)), checked(dtype))
        runs = index(there, rule.items)
        where = column.reshape(-1).astype(np.int32)
        in_parts(
            lambda begin, end: kernels.fill(rows, begin, end, there, where, rule.shape, runs, rule.settings, out),
            len(rows),
            max(1, PART // max(1, len(columns))),
            tell=False,
        )
        return out

    def pairs(
        self, taxonomy: Taxonomy, left: Ints, right: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        rule = self.rule(taxonomy, options)
        one, other = np.ascontiguousarray(left, np.int32), np.ascontiguousarray(right, np.int32)
        if one.shape != other.shape:
            raise illegal("right", "pairwise", f"be as long as 'left' ({len(one):,})", len(other))
        out = np.empty(len(one), checked(dtype))
        in_parts(
            lambda begin, end: kernels.pair(one, other, begin, end, rule.shape, rule.items.simple, rule.settings, out),
            len(one),
            PART,
            tell=False,
        )
        return out

    def bound(self, taxonomy: Taxonomy, **options: Any) -> float:
        return self.rule(taxonomy, options).bound


def by_rule(name: str, symmetric: bool = True) -> Callable[[Callable[..., Rule]], ByRule]:
    """The measure of this name, from the function that makes its rule: `make(taxonomy, **options)`."""
    return lambda make: ByRule(name, make, symmetric)


def checked(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """float64 or float32: what kernels write."""
    if np.dtype(dtype) not in (np.float64, np.float32):
        raise illegal("dtype", "distances", "be float64 or float32", str(np.dtype(dtype)))
    return np.dtype(dtype)


def _frozen(value: Any) -> Hashable:
    """An option in a form that later changes of it do not reach."""
    if hasattr(value, "items"):  # a mapping, or a Series
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value
