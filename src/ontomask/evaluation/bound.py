"""How good the best possible masking could be: a bound below which no k-anonymous masking gets.

Let a class C of s ≥ k records become the representative c, at distance Dᵢ from record i. The distance obeys the triangle
inequality, Dᵢ + Dₗ ≥ d(i, l), so that Dᵢ² + Dₗ² ≥ d(i, l)²/2. Adding this over all pairs of C, in which each record
stands s − 1 times,

    Σᵢ Dᵢ² ≥ Σᵢ ¼ · mean of d(i, l)² over the s − 1 other records l of C
           ≥ Σᵢ ¼ · mean of d(i, l)² over the k − 1 records nearest to i,

and the last line no longer depends on the classes. It is attained where a class is a star, all records equally far from
each other and the representative half way; around one frequent tuple, which most records need not leave, it is up to four
times too low. Where a measure breaks the triangle inequality, Dᵢ + Dₗ ≥ κ·d(i, l) with the largest κ that holds for all values
and candidates, and the bound is κ² times as large.

It holds for every masking that suppresses nothing and writes candidates of the spaces, whatever the method.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._kernels.bound import least_detour, nearest_squares
from ..flow import Tuples
from ..semantics.geometry import Geometry
from ..semantics.nearest import arrange, build_index
from ..semantics.spaces.base import Space

METRICS = ("jaccard", "logsc")  # sets of ancestors by Jaccard's distance, and a concave function of it: metrics
MOST_TUPLES = 200_000
MOST_TRIPLES = 300_000_000
SAFETY = 1 - 1e-6  # fixed-point distances are rounded: half a unit in 2³⁰ per attribute


@dataclass(frozen=True)
class Bound:
    """No k-anonymous masking has a smaller `sse`; None, and why, where that was not worked out."""

    sse: float | None
    reason: str = ""

    def above(self, sse: float) -> float | None:
        """A masking of this SSE is at most so many percent above the best possible; None where nothing can be said."""
        if self.sse is None:
            return None
        if sse <= self.sse:
            return 0.0
        return 100.0 * (sse / self.sse - 1.0) if self.sse > 0 else None


def lower_bound(tuples: Tuples, k: int) -> Bound:
    """The bound above for this table.

    >>> from ontomask.semantics.spaces.flat import FlatSpace
    >>> tuples = Tuples(np.asarray([[0], [1]], np.int32), np.asarray([1, 4]), (FlatSpace("sex", ["f", "m"]),))
    >>> round(lower_bound(tuples, 3).sse, 3)
    0.25
    """
    if tuples.n < k:
        return Bound(None, f"the table has fewer than {k:,} records")
    if tuples.p > MOST_TUPLES:
        return Bound(None, f"the table has more than {MOST_TUPLES:,} distinct tuples")
    g = tuples.geometry
    kept = 1.0
    for j, space in enumerate(tuples.spaces):
        detour = _detour(g, j, space)
        if detour is None:
            return Bound(None, f"whether the measure of '{space.name}' obeys the triangle inequality is not known")
        kept = min(kept, detour)
    index = build_index(g, tuples.codes)
    total = nearest_squares(index.arrays, arrange(index, tuples.codes), tuples.counts.astype(np.int64), k)
    sse = 0.25 * kept**2 * float(total) * g.unit**2
    return Bound(sse * SAFETY)


def _detour(g: Geometry, j: int, space: Space) -> float | None:
    """κ: how much shorter a way over any candidate is than the direct one, 1 where never; None where that is too much work."""
    if getattr(space, "measure", None) in METRICS:
        return 1.0
    if space.q**2 * space.h > MOST_TRIPLES:
        return 1.0 if space.kind == "flat" else None
    kept: float = least_detour(g.table(j))
    return kept
