"""What an attribute's values mean: the one interface that methods, evaluation and report know.

Codes. A space numbers its *candidates* 0 … h−1; the first q of them are the values present in the table, in the order of
the table, so that the code of a value is also its code as a candidate. The others are concepts that a value may be
replaced by (for a taxonomy: every ancestor of a value).

Candidates of a set of values, H(V): `up` lists for each candidate its ancestors-or-self among the candidates (root first,
itself last), `links` the fewest links up to each. H(V) are the ancestors-or-self of some v in V that are
descendants-or-self of LCS(V), the common one of greatest depth (ties: least sum of links, then smallest `tie`). Where
values have no common ancestor (flat values, numbers) H(V) = V: each candidate is its own only ancestor.

Anything. Every space has one candidate `top` that covers all values and says nothing: a taxonomy's root, elsewhere an
extra candidate, written `*`, at distance 1 from every value and in no H(V).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

BLOCK = 1 << 22  # distances that `in_rows` holds at once
ANYTHING = "*"  # how `top` is written where there is no taxonomy


class Space(ABC):
    """One attribute. Subclasses set the fields below when made and never change them."""

    kind: str  # "taxonomy", "flat", "number", "ordinal", "date", "set"
    name: str  # the column
    q: int  # values present; their codes are 0 … q−1
    h: int  # candidates; codes 0 … h−1
    up_ptr: Longs  # int64[h+1]
    up: Ints  # candidate codes of the ancestors-or-self of each candidate
    links: Ints  # beside each, the fewest is-a links up to it
    depth: Ints  # int32[h]; all 1 where there is no hierarchy
    tie: Ints  # int32[h]; the last word on ties: the concept's number in its taxonomy, or the value's code
    top: int  # the candidate that stands for anything
    lazy: ClassVar[bool] = False  # whether distances are too dear to be all worked out: ask `along`
    per_candidate: ClassVar[tuple[str, ...]] = ()  # further fields that hold one entry for each candidate

    @abstractmethod
    def between(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> Floats:
        """Exact distances, float64[len(rows), len(columns)], of any candidates."""

    def along(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> Floats:
        """Exact distances of candidates rows[i] and columns[i], float64[len(rows)]: for the pairs of a flow."""
        left, right = np.asarray(rows, np.int64), np.asarray(columns, np.int64)
        pairs, inverse = np.unique(left * self.h + right, return_inverse=True)
        each = self._along((pairs // self.h).astype(np.int32), (pairs % self.h).astype(np.int32))
        spread: Floats = each[inverse.reshape(-1)]
        return spread

    def _along(self, rows: Ints, columns: Ints) -> Floats:
        """`along` for distinct pairs; a space that can do better than one at a time says how."""
        return np.asarray([self.between([a], [b])[0, 0] for a, b in zip(rows, columns, strict=True)], np.float64)

    @abstractmethod
    def say(self, code: int) -> Any:
        """What is written for this candidate: a string, a number, a date, or None for a missing value."""

    @cached_property
    def largest(self) -> float:
        """The largest distance from a candidate to a value (at least 1: fixed-point scaling needs a bound)."""
        return max(1.0, *(float(rows.max(initial=0.0)) for _, rows in self.in_rows()))

    def __getstate__(self) -> dict[str, Any]:
        """For another process, and for a space of fewer values: distances are cheaper made than sent."""
        return {name: held for name, held in vars(self).items() if name != "distances"}

    def in_rows(self) -> Iterator[tuple[slice, Floats]]:
        """`distances` some rows at a time, for those who need to see it once and not to keep it."""
        if "distances" in self.__dict__:
            yield slice(0, self.h), self.distances
            return
        many = max(1, BLOCK // max(1, self.q))
        for begin in range(0, self.h, many):
            end = min(begin + many, self.h)
            yield slice(begin, end), self.between(np.arange(begin, end), np.arange(self.q))

    @cached_property
    def distances(self) -> Floats:
        """float64[h, q]: candidate × value."""
        return self.between(np.arange(self.h), np.arange(self.q))

    def ancestors(self, code: int) -> Ints:
        """Candidate codes of the ancestors-or-self, root first, itself last."""
        return self.up[self.up_ptr[code] : self.up_ptr[code + 1]]

    def words(self, codes: Sequence[int]) -> list[Any]:
        return [self.say(int(c)) for c in codes]


def without_hierarchy(n: int) -> tuple[Longs, Ints, Ints, Ints, Ints]:
    """(up_ptr, up, links, depth, tie) of n candidates that have no ancestor but themselves."""
    each = np.arange(n, dtype=np.int32)
    return np.arange(n + 1, dtype=np.int64), each, np.zeros(n, np.int32), np.ones(n, np.int32), each
