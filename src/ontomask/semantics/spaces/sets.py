"""Values that are sets: of words that a taxonomy knows, or of plain items (SETS)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from .base import Floats, Ints, Longs, Space, without_hierarchy
from .flat import FlatSpace

# Names of characters that are awkward to write in a command.
DELIMITERS = {"tab": "\t", "comma": ",", "semicolon": ";", "colon": ":", "bar": "|", "space": " "}
MOST_LARGE = 64  # large sets of which means are remembered
TOGETHER = 512  # items whose distances to all others are worked out at once


class SetSpace(Space):
    """Distance of two sets: the average over all pairs of their items (SETS eq. 4); so a set of several different items is
    not at distance 0 from itself.

    Items are values of another space, `inner`. The candidates are the sets of the table and the set of `inner.top` alone.
    A record without any item has the empty set: at distance 1 from every set that has one. No table of sets × sets is
    ever held: `between` and `along` compute what is asked.
    """

    kind = "set"
    lazy = True
    statement = ""  # what was done to the values before anything else

    def __init__(
        self,
        name: str,
        sets: Sequence[Sequence[int]],
        inner: Space,
        terms: Sequence[Sequence[str]] | None = None,
        delimiter: str | None = None,
    ) -> None:
        """`sets`: distinct; the codes of their items in `inner`, each once, ascending. `terms`: by code of `inner` the
        words of the table that mean it (default: what `inner` says). `delimiter`: sets are written as one text."""
        self.name = name
        self.inner = inner
        self.q = self.top = len(sets)
        self.h = self.q + 1
        every = [*sets, [inner.top]]
        self.ptr: Longs = np.concatenate([[0], np.cumsum([len(s) for s in every])]).astype(np.int64)
        self.items: Ints = np.fromiter((c for s in every for c in s), np.int32, int(self.ptr[-1]))
        self.terms = [list(t) for t in terms] if terms is not None else None
        self.delimiter = delimiter
        self._written: dict[int, list[str]] = {}
        self.far: dict[int, tuple[Longs, Longs]] = {}  # what a ruler worked out for large sets
        self._means_of_large: dict[int, Floats] = {}
        self.up_ptr, self.up, self.links, self.depth, self.tie = without_hierarchy(self.h)

    @cached_property
    def largest(self) -> float:
        return self.inner.largest

    def set_of(self, code: int) -> Ints:
        """The items of a candidate, as codes of `inner`."""
        return self.items[self.ptr[code] : self.ptr[code + 1]]

    def between(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> Floats:
        left, right = np.asarray(rows, np.int64).reshape(-1), np.asarray(columns, np.int64).reshape(-1)
        found = np.empty((len(left), len(right)))
        for i, means in enumerate(self._means(left)):
            found[i] = self._averages(means, right)
        return found

    def _along(self, rows: Ints, columns: Ints) -> Floats:
        found = np.empty(len(rows))
        order = np.argsort(rows, kind="stable")
        runs = np.split(order, np.flatnonzero(np.diff(rows[order])) + 1) if len(order) else []
        of_runs = np.asarray([rows[run[0]] for run in runs], np.int64)
        for run, means in zip(runs, self._means(of_runs), strict=True):
            found[run] = self._averages(means, columns[run].astype(np.int64))
        return found

    def _averages(self, means: Floats | None, codes: Longs) -> Floats:
        """Average distances to some sets, from the mean distance to each item; None: from the empty set."""
        empty = np.diff(self.ptr)[codes] == 0
        if means is None:
            return np.where(empty, 0.0, 1.0)
        items, weight = self._laid(codes)
        sums = np.add.reduceat(np.append(means[items] * weight, 0.0), self._starts(codes)) if len(codes) else np.zeros(0)
        return np.where(empty, 1.0, sums)

    def _starts(self, codes: Longs) -> Longs:
        sizes = np.diff(self.ptr)[codes]
        starts: Longs = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        return starts

    def _laid(self, codes: Longs) -> tuple[Ints, Floats]:
        """The items of some candidates one after the other, and beside each 1/size of its set."""
        sizes = np.diff(self.ptr)[codes]
        at = np.repeat(self.ptr[codes] - self._starts(codes), sizes) + np.arange(int(sizes.sum()))
        return self.items[at], np.repeat(1 / np.maximum(sizes, 1), sizes)

    def _means(self, codes: Longs) -> Iterator[Floats | None]:
        """For each of these sets the mean distance from its items to each item: float64[codes of inner]; None: it is empty."""
        sizes = np.diff(self.ptr)[codes]
        chunk = np.cumsum(sizes) // TOGETHER  # some sets at a time: asking `inner` has a price of its own
        for part in np.split(codes, np.flatnonzero(np.diff(chunk)) + 1):
            asked: Ints = np.unique(np.concatenate([self.items[:0], *(self.set_of(int(c)) for c in part)]))
            rows = self._rows(asked) if 0 < len(asked) <= 2 * TOGETHER else None
            for c in part:
                own = self.set_of(int(c))
                if not len(own):
                    yield None
                    continue
                if rows is not None:
                    means = np.zeros(self.inner.h)
                    means[self._used] = rows[np.searchsorted(asked, own)].mean(axis=0)
                    yield means
                else:
                    yield self._means_from(int(c), own)

    def _means_from(self, code: int, own: Ints) -> Floats:
        """`_means` of one set by itself; remembered where it is large, because that takes long."""
        known = self._means_of_large.get(code)
        if known is None:
            known = np.zeros(self.inner.h)
            for begin in range(0, len(own), TOGETHER):
                known[self._used] += self._rows(own[begin : begin + TOGETHER]).sum(axis=0) / len(own)
            if len(own) > 2 * TOGETHER and len(self._means_of_large) < MOST_LARGE:
                self._means_of_large[code] = known
        return known

    def _rows(self, items: Ints) -> Floats:
        """Distances of some items to all that occur."""
        if isinstance(self.inner, FlatSpace):
            different: Floats = (items[:, None] != self._used[None, :]).astype(np.float64)
            return different
        return self.inner.between(items, self._used)

    @cached_property
    def _used(self) -> Ints:
        return np.unique(self.items)

    def draw_terms(self, codes: npt.ArrayLike, rng: np.random.Generator) -> None:
        """From now on these sets are written with words drawn anew: for each item one of the words of the table that mean
        it, each equally likely (SETS 3.2)."""
        for code in np.unique(np.asarray(codes, np.int64)):
            words = [self._terms(int(c)) for c in self.set_of(int(code))]
            self._written[int(code)] = [w[int(rng.integers(len(w)))] for w in words]

    def _terms(self, item: int) -> list[str]:
        known = self.terms[item] if self.terms is not None and item < len(self.terms) else []
        return known or [str(self.inner.say(item))]

    def say(self, code: int) -> Any:
        """The words of a set in alphabetical order: a list, or one text where there is a delimiter; None: no item."""
        words = self._written.get(code)
        if words is None:
            words = [self._terms(int(c))[0] for c in self.set_of(code)]
        if not words:
            return None
        return sorted(words) if self.delimiter is None else joined(sorted(words), self.delimiter)


def split(text: str, delimiter: str) -> list[str]:
    """The items of a text; one that holds the delimiter stands in double quotes. Blanks around items do not count.

    >>> split('a|"b|c"| d', "|")
    ['a', 'b|c', 'd']
    """
    rows = csv.reader([text.replace("\n", " ").replace("\r", " ")], delimiter=delimiter, skipinitialspace=True)
    return [item.strip() for row in rows for item in row if item.strip()]


def joined(items: Sequence[str], delimiter: str) -> str:
    """Items as one text that `split` takes apart again.

    >>> joined(["a", "b|c"], "|")
    'a|"b|c"'
    """
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow(items)
    return out.getvalue()
