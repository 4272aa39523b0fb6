"""Values that are only equal or different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .base import ANYTHING, Floats, Ints, Space, without_hierarchy


class FlatSpace(Space):
    """Distance 0 to itself, 1 to every other value; the centroid is the mode.

    >>> space = FlatSpace("sex", ["f", "m", None], others=["*", "m", "f or m"])
    >>> space.words(space.other_codes)
    ['*', 'm', 'f or m']
    """

    kind = "flat"
    per_candidate = ("_words",)

    def __init__(self, name: str, values: Sequence[Any], *, others: Sequence[Any] = ()) -> None:
        """`values`: distinct, in the order of the table, None for missing. `others`: further candidates, because another
        tool's masked table uses them; `other_codes` int32[len(others)] are their codes."""
        self.name = name
        self.values = list(values)
        self.q = self.top = len(self.values)
        code: dict[Any, int] = {value: c for c, value in enumerate(self.values)}
        code.setdefault(ANYTHING, self.top)
        self._words = [*self.values, ANYTHING]
        for other in others:
            if other not in code:
                code[other] = len(self._words)
                self._words.append(other)
        self.other_codes = np.asarray([code[other] for other in others], np.int32)
        self.h = len(self._words)
        self.up_ptr, self.up, self.links, self.depth, self.tie = without_hierarchy(self.h)

    def between(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> Floats:
        different: Floats = (np.asarray(rows)[:, None] != np.asarray(columns)[None, :]).astype(np.float64)
        return different

    def _along(self, rows: Ints, columns: Ints) -> Floats:
        different: Floats = (rows != columns).astype(np.float64)
        return different

    def say(self, code: int) -> Any:
        return self._words[code]
