"""Numbers: the distance is the difference, as a share of the range."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import did_you_mean, illegal
from .base import Floats
from .line import BINS, LineSpace, Span, reach_of, read_interval, read_others, read_values

RANGES = ("full", "quantile")
TAIL = 0.05  # the quantile range leaves out this share of the records at either end

LARGEST = 1e300  # so that differences of two numbers are finite


class NumberSpace(LineSpace):
    """Distance |a − b| / range; the centroid is the weighted median value.

    `range="full"`: largest minus smallest value. `range="quantile"`, for heavy tails: the range of the middle 90 % of the
    records, so that a few huge values do not make all others look alike; values beyond it are then farther than 1 from
    those at the other end. Where the middle 90 % are one value, the full range is taken.

    >>> space = NumberSpace("age", [20, 30, None, 60], others=["[20, 30)", 25])
    >>> space.between([0], [1, 2, 3]).tolist()
    [[0.25, 1.0, 1.0]]
    >>> space.words(space.other_codes)
    ['[20, 30)', 25]
    """

    kind = "number"

    def __init__(
        self,
        name: str,
        values: Sequence[Any] | npt.NDArray[Any],
        range: str = "full",
        *,
        counts: Sequence[int] | npt.NDArray[Any] | None = None,
        others: Sequence[Any] = (),
        bins: int = BINS,
    ) -> None:
        """`values`: the distinct values in the order of the table: numbers, text that reads as one, None for missing.

        `counts`: records of each value, for the quantiles (default: one each). Above `bins` distinct values come quantile
        bins of about equally many records, each written as its median value. `others`: further candidates, numbers or
        intervals as other tools write them.
        """
        if range not in RANGES:
            raise illegal("range", "NumberSpace", "be 'full' or 'quantile'", range, did_you_mean(str(range), RANGES).strip())
        plain: Sequence[Any] = values.tolist() if isinstance(values, np.ndarray) else values
        spans = read_values(
            name, "a number", plain, number, "Mend them, make them missing, or use the column as 'flat' or with a taxonomy."
        )
        known = spans[0][~spans[2]]
        whole = bool(np.all(known == np.rint(known)))

        def length(positions: Floats, records: Floats) -> float:
            return full_range(positions) if range == "full" else quantile_range(positions, records)

        reach = reach_of(*spans[:2])
        read = read_others(name, "a number", others, lambda text: read_interval(text, number, whole, reach))
        self._lay(name, plain, spans, counts, length, others, read, bins)


def number(value: Any) -> Span | None:
    """A number as a point; text is read as Python reads it, with blanks around it. Infinity is not a number here."""
    if not isinstance(value, (int, float, str, Decimal, Fraction, np.number, np.bool_)):
        return None
    try:
        x = float(value)
    except (ValueError, OverflowError):
        return None
    return (x, x) if abs(x) <= LARGEST else None  # NaN is not either


def full_range(positions: Floats) -> float:
    """Largest minus smallest position; 1 where there is but one, since any distance is then 0."""
    return float(np.ptp(positions)) or 1.0 if len(positions) else 1.0


def quantile_range(positions: Floats, records: Floats) -> float:
    """Range of the middle 90 % of the records; the full range where that is nothing."""
    if not len(positions):
        return 1.0
    order = np.argsort(positions, kind="stable")
    upto = np.cumsum(records[order])
    low = positions[order[np.searchsorted(upto, TAIL * upto[-1])]]
    high = positions[order[np.searchsorted(upto, (1 - TAIL) * upto[-1])]]
    return float(high - low) or full_range(positions)
