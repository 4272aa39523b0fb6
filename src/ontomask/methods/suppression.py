"""Suppression: what is too rare is not released (the naive method of THESIS 9.2.2; ALGORITHMS 4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..flow import Flow, Tuples, make_flow
from .base import Method, check_k, check_k_of_table


@dataclass(frozen=True)
class Suppression(Method):
    """Records of groups of fewer than k equal records go; all others stay as they are."""

    k: int

    uses_distances: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_k(self.k, "Suppression")

    def mask(self, tuples: Tuples, rng: np.random.Generator) -> Flow:
        check_k_of_table(self.k, "Suppression", tuples.n)
        gone = tuples.counts < self.k
        each = np.arange(tuples.p, dtype=np.int32)
        return make_flow(each, tuples.codes, tuples.counts, suppressed=gone, notes={"tuples suppressed": int(gone.sum())})
