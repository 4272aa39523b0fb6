"""Resampling: centroids of the i-th records of ordered samples (THESIS 7, after Heer 1993; ALGORITHMS 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from .._progress import along, stages
from ..errors import DataError
from ..flow import Flow, Tuples, make_flow
from ..semantics.geometry import Geometry
from ..semantics.operators import centroids_of, order
from ..semantics.spaces.base import Ints, Longs
from .base import Method, check_choice, check_k, check_k_of_table
from .distance import check_distance, measured_by

Variant = Literal["k-anonymous", "heer"]
Centroid = Literal["semantic", "mode", "lcs"]

MOST_RECORDS = 10**9  # what numpy's hypergeometric draws from


@dataclass(frozen=True)
class Resampling(Method):
    """k samples are drawn and ordered by meaning; the i-th records of all of them become their centroid.

    variant: "k-anonymous" (THESIS, algorithm 6): the samples share out the table, ⌊n/k⌋ records each; the n mod k records
    left over each join the set with the nearest centroid (ties: the first set), whose centroid is then taken anew.
    "heer" (algorithm 5): k samples of n records, with replacement; the i-th record of the table, ordered likewise,
    becomes the centroid of the i-th of the samples. **It is not k-anonymous**: `promises_k` is False.
    centroid, distance: the settings of THESIS 7.3. Setting 1 is distance="equality" (equal or different) with
    centroid="mode"; setting 2 distance="wup" with "mode"; setting 3 "wup" with "lcs"; setting 4, the default, the table's
    own measure with "semantic".

    Records with equal values are exchangeable, so a sample is drawn as the number of records that it has of each tuple,
    and neighbouring sets made of the same tuples are one: the cost is in the tuples, not in the records.
    """

    k: int
    variant: Variant = "k-anonymous"
    centroid: Centroid = "semantic"
    distance: str | None = None

    presets: ClassVar = {
        "resampling-equality": {"distance": "equality", "centroid": "mode"},
        "resampling-mode": {"distance": "wup", "centroid": "mode"},
        "resampling-lcs": {"distance": "wup", "centroid": "lcs"},
        "resampling-heer": {"variant": "heer"},
    }

    def __post_init__(self) -> None:
        check_k(self.k, "Resampling")
        check_choice("variant", "Resampling", self.variant, get_args(Variant))
        check_distance("Resampling", self.distance)
        check_choice("centroid", "Resampling", self.centroid, get_args(Centroid))
        if self.variant == "heer":
            object.__setattr__(self, "promises_k", False)

    def mask(self, tuples: Tuples, rng: np.random.Generator) -> Flow:
        check_k_of_table(self.k, "Resampling", tuples.n)
        if tuples.n >= MOST_RECORDS:
            raise DataError(f"Resampling draws from less than {MOST_RECORDS:,} records. Mask parts of the table one by one.")
        geometry = measured_by(tuples, self.distance)
        drawing, ordering, joining, _ = stages(1, 4, 5, 4)  # at last the flow is put together
        if self.variant == "heer":
            with drawing:
                samples = [rng.multinomial(tuples.n, tuples.counts / tuples.n) for _ in along(range(self.k))]
            with ordering:
                ends, member = sets_of(geometry, tuples.codes, [tuples.counts, *samples])
            with joining:
                becomes = self._centroids(geometry, tuples.codes, member[:, 1:])
            return make_flow(member[:, 0], becomes, np.diff(ends, prepend=0), notes={"sets": len(ends)})
        with drawing:
            samples, left = share_out(tuples.counts, self.k, rng)
        with ordering:
            ends, member = sets_of(geometry, tuples.codes, samples)
        with joining:
            return self._join_left(tuples, geometry, ends, member, left)

    def _join_left(self, tuples: Tuples, geometry: Geometry, ends: Longs, member: Ints, left: Ints) -> Flow:
        """Each record left over joins the set with the nearest centroid; the centroids of those sets are taken anew."""
        size = np.diff(ends, prepend=0)  # sets that are made of the same tuples
        all_sets, those_joined = stages(9, 1)
        with all_sets:
            becomes = self._centroids(geometry, tuples.codes, member)
        source = [member.reshape(-1)]
        count = [np.repeat(size, self.k)]
        joined: dict[int, list[int]] = {}
        with those_joined:
            nearest_to = [(record, nearest(geometry, becomes, tuples.codes[record])) for record in along(left.tolist())]
        for record, row in nearest_to:
            joined.setdefault(row, []).append(record)
        targets = [np.repeat(becomes, self.k, axis=0)]
        for row, records in joined.items():  # of the equal sets in this row the first one is joined
            grown = np.asarray([*member[row].tolist(), *records], np.int32)
            count[0][row * self.k : (row + 1) * self.k] -= 1
            source.append(grown)
            count.append(np.ones(len(grown), np.int64))
            targets.append(np.repeat(self._centroids(geometry, tuples.codes, grown[None, :]), len(grown), axis=0))
        notes: dict[str, object] = {"sets": tuples.n // self.k, "records left over": len(left)}
        return make_flow(np.concatenate(source), np.concatenate(targets), np.concatenate(count), notes=notes)

    def _centroids(self, geometry: Geometry, codes: Ints, member: Ints) -> Ints:
        """The centroid of each row of tuples, int32[sets, m]."""
        sets, size = member.shape
        ptr = np.arange(sets + 1, dtype=np.int64) * size
        return centroids_of(geometry, codes, member.reshape(-1), ptr, kind=self.centroid)


def share_out(counts: Longs, k: int, rng: np.random.Generator) -> tuple[list[Longs], Ints]:
    """k samples of ⌊n/k⌋ records without replacement, each as counts by tuple, and the tuples of the n mod k left over."""
    rest = counts.astype(np.int64)
    size = int(rest.sum()) // k
    samples = []
    for _ in along(range(k)):
        drawn = rng.multivariate_hypergeometric(rest, size, method="marginals")
        rest = rest - drawn
        samples.append(drawn)
    return samples, np.repeat(np.arange(len(rest), dtype=np.int32), rest)


def sets_of(geometry: Geometry, codes: Ints, samples: list[Longs]) -> tuple[Longs, Ints]:
    """The sets of the i-th records of ordered samples of one size: (ends int64[r], member int32[r, len(samples)]).

    Row i stands for the sets ends[i−1] … ends[i]−1, all made of the tuples member[i], one of each sample.
    """
    ordered, upto = [], []
    for counts in along(samples):
        present = np.flatnonzero(counts)
        by_meaning = present[order(geometry, codes[present], counts[present])]
        ordered.append(by_meaning)
        upto.append(np.cumsum(counts[by_meaning]))
    ends = np.unique(np.concatenate(upto))
    member = np.empty((len(ends), len(samples)), np.int32)
    for s, (tuples, end) in enumerate(zip(ordered, upto, strict=True)):
        member[:, s] = tuples[np.searchsorted(end, ends)]
    return ends, member


def nearest(geometry: Geometry, references: Ints, codes: Ints) -> int:
    """The reference (candidate codes) nearest to one tuple; ties: the first."""
    total = np.zeros(len(references), np.int64)
    for j in range(geometry.m):
        total += geometry.table(j)[:, codes[j]][references[:, j]]
    return int(np.argmin(total))
