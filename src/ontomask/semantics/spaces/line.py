"""Values that lie on a line: numbers, dates, ordered words. What number.py, date.py and ordinal.py have in common.

Every candidate is an interval [low, high] of the line; a plain value is a point, low = high. The distance of two
candidates is the mean distance of two uniform distributions laid over each other (Wasserstein's), divided by the length of
the line that counts as 1:

    d(a, b) = ∫₀¹ |(low_a + t·width_a) − (low_b + t·width_b)| dt / length

For two points this is |a − b| / length; for a value and an interval that stands for it, it is how far the value lies from
what the interval says, on average. It is a metric, so an interval is at distance 0 from itself alone. Among plain values
the candidate with the least sum of w·d is their weighted median.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from .base import ANYTHING, Floats, Ints, Space, without_hierarchy

BINS = 4096  # above so many distinct values, quantile bins come first: tables of distances stay below 70 MB

Span = tuple[float, float]  # low, high
Point = Callable[[Any], Span | None]  # how a kind of value is read; None: it is not one

_BRACKETS = re.compile(r"^\s*([\[(\]{])\s*(.*?)\s*([\])\[}])\s*$", re.DOTALL)
_BETWEEN = re.compile(r"\s*(?:,|;|~|\||\.\.\.?|…|–|—|\bto\b|\bor\b|\s-\s)\s*")
_ONE_SIDED = re.compile(r"^\s*(>=|≥|>|<=|≤|<)\s*(.+?)\s*$", re.DOTALL)
_AND_ABOVE = re.compile(r"^\s*(.+?)\s*\+\s*$", re.DOTALL)


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and the missing values of pandas: whatever is not equal to itself."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA refuses to be true or false
        return True


class LineSpace(Space):
    """A space of points and intervals. Subclasses read the values and give the length of the line.

    `codes` int32[len(values)]: the code of each given value (equal positions, and values of one bin, share a code);
    `other_codes` int32[len(others)]: likewise for the other candidates. `statement`: what was done to the values before
    anything else, in words; empty where nothing was. `binned`: whether a code stands for several values.
    """

    per_candidate = ("low", "high", "_words")

    codes: Ints
    other_codes: Ints
    statement: str
    binned: bool

    def _lay(
        self,
        name: str,
        values: Sequence[Any],
        spans: tuple[Floats, Floats, npt.NDArray[np.bool_]],
        counts: Sequence[int] | npt.NDArray[Any] | None,
        length: Callable[[Floats, npt.NDArray[np.float64]], float],
        others: Sequence[Any],
        other_spans: Sequence[Span | None],
        bins: int = BINS,
    ) -> None:
        """Number the candidates. `spans`: low, high and "is missing" of each of `values`.

        `length(middles, weights)` gives the length that counts as 1, from the distinct positions and their records.
        """
        low, high, missing = spans
        weight = np.ones(len(low)) if counts is None else np.asarray(counts, np.float64)
        known = np.flatnonzero(~missing)
        positions, cell = np.unique(low[known] + 1j * high[known], return_inverse=True)
        cell = cell.reshape(-1)
        records: Floats = np.bincount(cell, weights=weight[known], minlength=len(positions)).astype(np.float64)
        # Of several spellings of one position the most frequent one is written; ties: the first.
        by_position = np.lexsort((known, -weight[known], cell))
        spelling = known[by_position[np.searchsorted(cell[by_position], np.arange(len(positions)))]]
        group, said = quantile_bins(records, bins)
        self.binned = len(said) < len(positions)
        self.statement = (
            f"{len(positions):,} distinct values in {len(said):,} quantile bins, each written as its median value"
            if self.binned
            else ""
        )
        number = np.full(len(low), len(said), np.int64)  # the missing value comes as one more group
        number[known] = group[cell]
        present, at = np.unique(number, return_index=True)
        by_appearance = present[np.argsort(at, kind="stable")]
        code = np.full(len(said) + 1, -1, np.int32)
        code[by_appearance] = np.arange(len(by_appearance), dtype=np.int32)
        self.codes = code[number]
        self.name = name
        self.q = self.top = len(by_appearance)
        shown = [None if g == len(said) else int(spelling[said[g]]) for g in by_appearance]
        self.length = length(positions.real / 2 + positions.imag / 2, records)
        self._add(values, low, high, shown, others, other_spans)

    def _add(
        self,
        values: Sequence[Any],
        low: Floats,
        high: Floats,
        shown: Sequence[int | None],
        others: Sequence[Any],
        other_spans: Sequence[Span | None],
    ) -> None:
        """The candidates' words and intervals: values, top, then the others that are not among them."""
        words: list[Any] = [None if i is None else values[i] for i in shown]
        self.low = np.asarray([np.nan if i is None else low[i] for i in shown] + [np.nan], np.float64)
        self.high = np.asarray([np.nan if i is None else high[i] for i in shown] + [np.nan], np.float64)
        words.append(ANYTHING)
        missing = next((c for c, i in enumerate(shown) if i is None), -1)
        taken = {(a, b): c for c, (a, b) in enumerate(zip(self.low.tolist(), self.high.tolist(), strict=True)) if a == a}
        more: list[Span] = []
        codes: list[int] = []
        for word, span in zip(others, other_spans, strict=True):
            if span is None:
                codes.append(self.top if not is_missing(word) or missing < 0 else missing)
                continue
            if span not in taken:
                taken[span] = len(words)
                words.append(word)
                more.append(span)
            codes.append(taken[span])
        self.other_codes = np.asarray(codes, np.int32)
        self.low = np.concatenate([self.low, np.asarray([a for a, _ in more], np.float64)])
        self.high = np.concatenate([self.high, np.asarray([b for _, b in more], np.float64)])
        self._words = words
        self.h = len(words)
        self.up_ptr, self.up, self.links, self.depth, self.tie = without_hierarchy(self.h)

    def between(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> Floats:
        left, right = np.asarray(rows, np.int64)[:, None], np.asarray(columns, np.int64)[None, :]
        return self._apart(left, right)

    def _along(self, rows: Ints, columns: Ints) -> Floats:
        return self._apart(rows, columns)

    def _apart(self, left: npt.NDArray[np.integer[Any]], right: npt.NDArray[np.integer[Any]]) -> Floats:
        start = self.low[left] - self.low[right]
        end = self.high[left] - self.high[right]
        apart: Floats = np.abs(start + end) / 2
        crossing = np.nonzero(start * end < 0)  # one interval begins before and ends after the other
        if len(crossing[0]):
            a, b = start[crossing], end[crossing]
            apart[crossing] = (a * a + b * b) / (2 * np.abs(b - a))
        apart /= self.length
        # The missing value and `top` lie nowhere: at distance 1 from all but themselves.
        apart[np.isnan(apart)] = 1.0
        apart[np.nonzero(left == right)] = 0.0
        return apart

    def say(self, code: int) -> Any:
        return self._words[code]


def quantile_bins(records: Floats, bins: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(bin of each position, position that speaks for each bin): as many records in each bin as positions allow.

    `records` of each distinct position, ascending. The speaker is the weighted median of its bin. No more positions than
    bins: each is a bin of its own.
    """
    n = len(records)
    each = np.arange(n)
    if n <= bins:
        return each, each
    upto = np.cumsum(records)
    wanted = ((upto - records / 2) / upto[-1] * bins).astype(np.int64)
    _, group = np.unique(wanted, return_inverse=True)
    group = group.reshape(-1)
    starts = np.flatnonzero(np.r_[True, np.diff(group) != 0])
    ends = np.r_[starts[1:], n] - 1
    before = upto[starts] - records[starts]
    middle = np.searchsorted(upto, (before + upto[ends]) / 2)
    return group, np.clip(middle, starts, ends)


def read_interval(text: Any, point: Point, whole: bool, reach: Span | None = None) -> Span | None:
    """The interval that another tool wrote: "[20, 30)", "20-29", "20 to 29", ">= 80", "80+", "{20, 21, 22}", or one value.

    `point` reads one value. Where `whole` (the values are whole numbers), an end that is excluded is one less. `reach`: from
    the least to the largest value of the column, where an interval ends that names one end only. None: not an interval.
    """
    one = point(text)
    if one is not None:
        return one
    if isinstance(text, tuple | list) and len(text) == 2:
        return _joined([point(text[0]), point(text[1])], False, False, whole)
    if not isinstance(text, str):
        return None
    if reach is not None:
        half = _half(text, point, whole, reach)
        if half is not None:
            return half
    brackets = _BRACKETS.match(text)
    inner = brackets.group(2) if brackets else text.strip()
    left_open = brackets is not None and brackets.group(1) in "(]"
    right_open = brackets is not None and brackets.group(3) in ")["
    parts = [point(part) for part in _BETWEEN.split(inner) if part]
    if len(parts) < 2:  # "20-29": a hyphen without spaces may also be a sign, so try each of them
        for at in (i for i, c in enumerate(inner) if c == "-" and i):
            parts = [point(inner[:at]), point(inner[at + 1 :])]
            if None not in parts:
                break
    return _joined(parts, left_open, right_open, whole)


def _half(text: str, point: Point, whole: bool, reach: Span) -> Span | None:
    """The interval of ">= 80", "80+", "< 20": up to the largest value of the column, or from the least one."""
    sign, above = _ONE_SIDED.match(text), _AND_ABOVE.match(text)
    end = point(sign.group(2)) if sign else point(above.group(1)) if above else None
    if end is None:
        return None
    if sign and sign.group(1)[0] in "<≤":
        return _joined([(min(reach[0], end[0]), end[0 if sign.group(1) == "<" else 1])], False, sign.group(1) == "<", whole)
    strict = sign is not None and sign.group(1) == ">"
    return _joined([(end[1 if strict else 0], max(reach[1], end[1]))], strict, False, whole)


def reach_of(low: Floats, high: Floats) -> Span | None:
    """From the least to the largest of the values that are not missing."""
    known = ~np.isnan(low)
    return (float(low[known].min()), float(high[known].max())) if known.any() else None


def _joined(parts: Sequence[Span | None], left_open: bool, right_open: bool, whole: bool) -> Span | None:
    known = [p for p in parts if p is not None]
    if not known or len(known) < len(parts):
        return None
    low, high = min(p[0] for p in known), max(p[1] for p in known)
    if whole and right_open and high - 1 >= low:
        high -= 1
    if whole and left_open and low + 1 <= high:
        low += 1
    return low, high


def read_others(name: str, kind: str, others: Sequence[Any], read: Point) -> list[Span | None]:
    """The intervals of candidates that another tool wrote; None for "anything" and for missing ones."""
    spans: list[Span | None] = []
    bad = 0
    for other in others:
        if is_missing(other) or (isinstance(other, str) and other.strip() == ANYTHING):
            spans.append(None)
            continue
        span = read(other)
        bad += span is None
        spans.append(span)
    if bad:
        raise DataError(
            f"The column '{name}' is used as {kind}, but {bad:,} of {len(others):,} other values are neither one nor an "
            f"interval such as [20, 30) or 20-29, nor '{ANYTHING}'. Write them so, or use the column as 'flat'."
        )
    return spans


def read_values(
    name: str, kind: str, values: Sequence[Any], point: Point, advice: str
) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Low, high and "is missing" of each value."""
    low, high = np.full(len(values), np.nan), np.full(len(values), np.nan)
    missing = np.zeros(len(values), bool)
    bad = 0
    for i, value in enumerate(values):
        if is_missing(value):
            missing[i] = True
            continue
        span = point(value)
        if span is None:
            bad += 1
        else:
            low[i], high[i] = span
    if bad:
        raise DataError(
            f"The column '{name}' is used as {kind}, but {bad:,} of its {len(values):,} distinct values are not. {advice}"
        )
    return low, high, missing
