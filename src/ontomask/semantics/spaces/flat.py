"""Values that are only equal or different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .base import ANYTHING, Floats, Ints, Space, without_hierarchy


class FlatSpace(Space):
    """Distance 0 to itself, 1 to every other value; the centroid is the mode."""

    kind = "flat"

    def __init__(self, name: str, values: Sequence[Any]) -> None:
        self.name = name
        self.values = list(values)
        self.q = self.top = len(self.values)
        self.h = self.q + 1
        self.up_ptr, self.up, self.links, self.depth, self.tie = without_hierarchy(self.h)

    def between(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> Floats:
        different: Floats = (np.asarray(rows)[:, None] != np.asarray(columns)[None, :]).astype(np.float64)
        return different

    def _along(self, rows: Ints, columns: Ints) -> Floats:
        different: Floats = (rows != columns).astype(np.float64)
        return different

    def say(self, code: int) -> Any:
        return ANYTHING if code == self.top else self.values[code]
