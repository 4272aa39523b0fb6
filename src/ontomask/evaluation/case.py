"""What is evaluated: a flow, and what every measure of it needs, worked out once.

Suppressed records, one rule for all: what was suppressed is read as a record that says "anything" in every attribute (the
`top` of each space). So it costs its distance to the root in every loss, all suppressed records form one class in
DM, and nobody can be linked to them: in risk they count as records that no attack finds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..errors import illegal
from ..flow import SUPPRESSED, Flow, Tuples
from ..semantics.geometry import MOST_BYTES, shares, table_bytes
from ..semantics.operators import centroid_of
from ..semantics.spaces.base import Floats, Ints, Longs, Space

MOST_SETS = 2_000  # distinct sets whose distances to each other are worked out; one takes as long as thousands of words


@dataclass(frozen=True, eq=False)
class Confidential:
    """A confidential column as released: `count[i]` records of target `target[i]` (−1: suppressed) hold value `code[i]`."""

    space: Space
    target: Ints
    code: Ints
    count: Longs

    @classmethod
    def of_tuples(cls, flow: Flow, space: Space, source: Ints, code: Ints, count: Longs) -> Confidential:
        """From what was counted in the original: `count[i]` records of tuple `source[i]` hold value `code[i]`.

        Only where no tuple is split among several targets: which of its records went where is not in the flow.
        """
        first = np.searchsorted(flow.source, source)
        if len(np.unique(flow.source)) != len(flow.source):
            raise illegal("flow", "Confidential.of_tuples", "send each tuple to one target", "a tuple with several targets")
        return cls(space, flow.target[first].astype(np.int32), code, count)


@dataclass(frozen=True, eq=False)
class Labelled:
    """`count[i]` records of tuple `source[i]` became target `target[i]` (−1: suppressed) and have label `label[i]`."""

    source: Ints
    target: Ints
    label: Ints
    count: Longs


@dataclass(frozen=True, eq=False, kw_only=True)
class Case:
    """A masking under evaluation. `k` is what class sizes are held against; `alpha` weighs loss in the score.

    `clusters`: how many a cluster analysis makes; `labelled`: the columns that models learn to predict.

    `written`: the sizes of the release's classes of equal strings, where another tool wrote several strings that are read
    as one tuple of concepts (then `Confidential.target` counts these classes). By default classes are the flow's targets.
    """

    tuples: Tuples
    flow: Flow
    k: int = 2
    alpha: float = 0.5
    confidential: Mapping[str, Confidential] = field(default_factory=dict)
    written: Longs | None = None
    clusters: int = 5
    labelled: Mapping[str, Labelled] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, (int, np.integer)) or self.k < 2:
            raise illegal("k", "the evaluation", "be an int ≥ 2", self.k)
        if isinstance(self.clusters, bool) or not isinstance(self.clusters, (int, np.integer)) or self.clusters < 2:
            raise illegal("clusters", "the evaluation", "be an int ≥ 2", self.clusters)
        if not 0 <= self.alpha <= 1:
            raise illegal("alpha", "the evaluation", "be a number from 0 to 1", self.alpha)

    @cached_property
    def shares(self) -> Floats:
        """float64[m]: the share of each attribute in the record distance."""
        return shares(self.tuples.weights, self.tuples.m)

    @cached_property
    def top(self) -> Ints:
        """int32[m]: the tuple that says nothing."""
        return np.asarray([s.top for s in self.tuples.spaces], np.int32)

    @cached_property
    def outcomes(self) -> Ints:
        """int32[t+1, m]: the target tuples and, last, what stands for suppression; a target of −1 indexes the latter."""
        return np.vstack([self.flow.targets.reshape(-1, self.tuples.m), self.top[None, :]]).astype(np.int32)

    @cached_property
    def distances(self) -> Floats:
        """float64[f, m]: for each entry of the flow, how far each attribute moved."""
        before, after = self.tuples.codes[self.flow.source], self.outcomes[self.flow.target]
        columns = [
            s.distances[after[:, j], before[:, j]] if self.fits and not s.lazy else s.along(after[:, j], before[:, j])
            for j, s in enumerate(self.tuples.spaces)
        ]
        moved: Floats = np.stack(columns, axis=1) if columns else np.zeros((len(before), 0))
        return moved

    @cached_property
    def distance(self) -> Floats:
        """float64[f]: the record distance of each entry."""
        moved: Floats = self.distances @ self.shares
        # A mean is not above the largest of what it is made of, by rounding either: a similarity stays in 0 … 1.
        return np.minimum(moved, self.distances.max(axis=1, initial=0.0))

    @cached_property
    def fits(self) -> bool:
        """Whether all distances of all values can be held at once; if not, what needs them is left out of the evaluation."""
        spaces = self.tuples.spaces
        return table_bytes(spaces) <= MOST_BYTES and not any(s.lazy and s.q > MOST_SETS for s in spaces)

    @cached_property
    def middle(self) -> Ints:
        """int32[m]: candidate codes of the centroid of the whole table."""
        tuples = self.tuples
        if self.fits:
            return centroid_of(tuples.geometry, tuples.codes, tuples.counts)
        from .statistics import mean

        columns = enumerate(tuples.spaces)
        return np.asarray([mean(s, tuples.codes[:, j], tuples.counts) for j, s in columns], np.int32)

    @cached_property
    def same(self) -> Ints:
        """int32[t+1]: the original tuple that is written like each outcome; −1 where the table held none."""
        return positions(self.outcomes, self.tuples)

    @property
    def sizes(self) -> Longs:
        """int64[classes]: records in each class of the release."""
        return self.flow.sizes if self.written is None else self.written

    @cached_property
    def released(self) -> int:
        """Records in the release."""
        return self.tuples.n - self.flow.suppressed

    @cached_property
    def kept(self) -> npt.NDArray[np.bool_]:
        """bool[f]: the entries that are released."""
        kept: npt.NDArray[np.bool_] = self.flow.target != SUPPRESSED
        return kept


def positions(rows: Ints, tuples: Tuples) -> Ints:
    """For each row of candidate codes the index of the equal tuple, −1 where there is none: int32[len(rows)]."""
    h = [s.h for s in tuples.spaces]
    if float(np.prod(np.asarray(h, np.float64))) < 2**62:
        radix = np.concatenate([[1], np.cumprod(np.asarray(h[:-1], np.int64))]).astype(np.int64)
        held, asked = tuples.codes @ radix, rows @ radix
    else:
        _, number = np.unique(np.vstack([tuples.codes, rows]), axis=0, return_inverse=True)
        held, asked = number.reshape(-1)[: tuples.p], number.reshape(-1)[tuples.p :]
    if not tuples.p:
        return np.full(len(rows), -1, np.int32)
    order = np.argsort(held, kind="stable")
    place = order[np.minimum(np.searchsorted(held, asked, sorter=order), tuples.p - 1)]
    found: Ints = np.where(held[place] == asked, place, -1).astype(np.int32)
    return found
