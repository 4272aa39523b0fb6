"""What a measure is: a matrix of distances, or the distances of given pairs, between concept numbers."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ...taxonomy.graph import Ints
from ...taxonomy.taxonomy import Taxonomy

Distances = npt.NDArray[np.floating[Any]]


class Measure(Protocol):
    """Registered in `_registry.MEASURES`; found by `tax.distances(…, measure=name)`."""

    name: str

    def matrix(
        self, taxonomy: Taxonomy, rows: Ints, columns: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        """Distances rows × columns."""

    def pairs(
        self, taxonomy: Taxonomy, left: Ints, right: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        """Distances of left[i] and right[i]."""
