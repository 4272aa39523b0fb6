"""How good the best possible masking could be: a bound below which no k-anonymous masking gets.

**Pairs**, for tables of any size. Let a class C of s ≥ k records become the representative c, at distance Dᵢ from record i.
The distance obeys the triangle inequality, Dᵢ + Dₗ ≥ d(i, l), so that Dᵢ² + Dₗ² ≥ d(i, l)²/2. Adding this over all pairs
of C, in which each record stands s − 1 times,

    Σᵢ Dᵢ² ≥ Σᵢ ¼ · mean of d(i, l)² over the s − 1 other records l of C
           ≥ Σᵢ ¼ · mean of d(i, l)² over the k − 1 records nearest to i,

and the last line no longer depends on the classes. Around one frequent tuple, which most records need not leave, it is up
to four times too low. Where a measure breaks the triangle inequality, Dᵢ + Dₗ ≥ κ·d(i, l) with the largest κ that holds for
all values and candidates, and the bound is κ² times as large.

**Prices**, for small tables. Masking is a facility location problem in which every representative that is used needs k records.
Its linear dual: give each tuple a price such that for every representative (all combinations of candidates) and every choice
of at least k records, their squared distances add up to no less than their prices. Then the prices of all records add up to no
more than the SSE of any masking. They are raised one after the other, four times by a quarter of what is possible and at
last as far as it goes, so that the first ones do not take it all. No triangle inequality is needed.

The larger of the two holds for every masking that suppresses nothing and writes candidates of the spaces, whatever the method.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np

from .._kernels.bound import least_detour, nearest_squares, raise_prices
from ..flow import Tuples
from ..semantics.geometry import MOST_BYTES, Geometry, table_bytes
from ..semantics.nearest import arrange, build_index
from ..semantics.spaces.base import Space

METRICS = ("jaccard", "logsc")  # sets of ancestors by Jaccard's distance, and a concave function of it: metrics
MOST_NEIGHBOURS = 2_000_000  # tuples · k
MOST_TRIPLES = 300_000_000
MOST_PRICED = 1_000_000_000  # p² · representatives: a few seconds
SHARES = (0.25, 0.25, 0.25, 0.25, 1.0)
SAFETY = 1 - 1e-6  # fixed-point distances are rounded: half a unit in 2³⁰ per attribute


@dataclass(frozen=True)
class Bound:
    """No k-anonymous masking has a smaller `sse`; None, and why, where that was not worked out."""

    sse: float | None
    reason: str = ""

    def said(self, sse: float) -> str:
        """The same as a sentence for a report."""
        above = self.above(sse)
        if above is not None:
            most = f"{math.ceil(above):,}" if above > 10 else f"{math.ceil(10 * above) / 10:g}"  # up: else no bound
            return f"The loss (sum of squared distances) is at most {most} % above the best possible at this k."
        why = self.reason or "the bound is 0"
        return f"How near this is to the least loss possible is not known: {why}."

    def above(self, sse: float) -> float | None:
        """A masking of this SSE is at most so many percent above the best possible; None where nothing can be said."""
        if self.sse is None:
            return None
        if sse <= self.sse:
            return 0.0
        return 100.0 * (sse / self.sse - 1.0) if self.sse > 0 else None


def lower_bound(tuples: Tuples, k: int) -> Bound:
    """The larger of the bounds above for this table.

    >>> from ontomask.semantics.spaces.flat import FlatSpace
    >>> tuples = Tuples(np.asarray([[0], [1]], np.int32), np.asarray([1, 4]), (FlatSpace("sex", ["f", "m"]),))
    >>> round(lower_bound(tuples, 3).sse, 3)
    1.0
    """
    if tuples.n < k:
        return Bound(None, f"the table has fewer than {k:,} records")
    sets = [space.name for space in tuples.spaces if space.lazy]
    if sets:  # nor is a table of their distances to be made, which can be of any size
        return Bound(None, f"a release may hold other sets in '{sets[0]}' than the table does")
    if table_bytes(tuples.spaces) > MOST_BYTES:
        return Bound(None, f"the distances of all values, {table_bytes(tuples.spaces) / 1e9:,.1f} GB, are not held at once")
    by_pairs = _by_pairs(tuples, k)
    by_prices = _by_prices(tuples, k)
    if isinstance(by_pairs, str):
        return Bound(None, by_pairs) if by_prices is None else Bound(by_prices * SAFETY)
    return Bound(max(by_pairs, by_prices or 0.0) * SAFETY)


def _by_pairs(tuples: Tuples, k: int) -> float | str:
    """The first bound, or why there is none."""
    if tuples.p * k > MOST_NEIGHBOURS:
        return f"{tuples.p:,} distinct tuples and k = {k:,} are too much work"
    g = tuples.geometry
    kept = 1.0
    for j, space in enumerate(tuples.spaces):
        detour = _detour(g, j, space)
        if detour is None:
            return f"whether the measure of '{space.name}' obeys the triangle inequality is not known"
        kept = min(kept, detour)
    index = build_index(g, tuples.codes)
    total = nearest_squares(index.arrays, arrange(index, tuples.codes), tuples.counts.astype(np.int64), k)
    return 0.25 * kept**2 * float(total) * g.unit**2


def _by_prices(tuples: Tuples, k: int) -> float | None:
    """The second bound; None where the table is too large."""
    g = tuples.geometry
    if float(np.prod(g.h.astype(np.float64))) * tuples.p**2 > MOST_PRICED:
        return None
    centres = np.asarray(list(product(*(range(int(h)) for h in g.h))), np.int32)
    square = np.zeros((tuples.p, len(centres)))
    for j in range(g.m):
        square += g.table(j)[np.ix_(centres[:, j], tuples.codes[:, j])].T * g.unit
    square **= 2
    counts = tuples.counts.astype(np.int64)
    price = np.zeros(tuples.p)
    for share in SHARES:
        raise_prices(square, counts, k, np.argsort(-counts, kind="stable"), share, price)
    return float(counts @ price)


def _detour(g: Geometry, j: int, space: Space) -> float | None:
    """κ: how much shorter a way over any candidate is than the direct one, 1 where never; None where that is too much work."""
    if getattr(space, "measure", None) in METRICS:
        return 1.0
    if space.q**2 * space.h > MOST_TRIPLES:
        return 1.0 if space.kind == "flat" else None
    kept: float = least_detour(g.table(j))
    return kept
