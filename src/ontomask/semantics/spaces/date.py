"""Dates and times: numbers of days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from .line import BINS, LineSpace, Span, reach_of, read_interval, read_others, read_values
from .number import full_range

_DAY = timedelta(days=1)
_START = datetime(1970, 1, 1)
_MONTH = re.compile(r"^\s*(\d{4})(?:-(\d{1,2}))?\s*$")


class DateSpace(LineSpace):
    """Distance |a − b| / range in days; the centroid is the weighted median date.

    Dates are dates, datetimes, or text as ISO 8601 writes them (2010-05-03, 2010-05-03T14:00); a month (2010-05) or a year
    (2010) is the interval of its days. A time zone is taken into account; a time without one is taken as it stands.

    >>> space = DateSpace("admitted", ["2010-01-01", "2010-01-11", "2010-01-03"], others=["2010-01"])
    >>> space.between([0], [1, 2]).tolist()
    [[1.0, 0.2]]
    """

    kind = "date"

    def __init__(
        self,
        name: str,
        values: Sequence[Any] | npt.NDArray[Any],
        *,
        counts: Sequence[int] | npt.NDArray[Any] | None = None,
        others: Sequence[Any] = (),
        bins: int = BINS,
    ) -> None:
        """As NumberSpace: distinct `values`, None for missing; `others` may be intervals ("2010-01 to 2010-03")."""
        plain: Sequence[Any] = values.astype(object).tolist() if isinstance(values, np.ndarray) else values
        spans = read_values(name, "a date", plain, day, "Write dates as YYYY-MM-DD, make the others missing, or use 'flat'.")
        reach = reach_of(*spans[:2])
        read = read_others(name, "a date", others, lambda text: read_interval(text, day, False, reach))
        self._lay(name, plain, spans, counts, lambda positions, _: full_range(positions), others, read, bins)


def day(value: Any) -> Span | None:
    """A date in days since 1970, as a point; a month or year as the interval from its first to its last day."""
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[us]").item()
    if isinstance(value, str):
        part = _MONTH.match(value)
        if part:
            return _month(int(part.group(1)), int(part.group(2)) if part.group(2) else None)
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, datetime):
        if value.tzinfo is not None:
            value = value.astimezone(UTC).replace(tzinfo=None)
        days = (value - _START) / _DAY
    elif isinstance(value, date):
        days = float(value.toordinal() - _START.toordinal())
    else:
        return None
    return days, days


def _month(year: int, month: int | None) -> Span | None:
    first, last = (month, month) if month else (1, 12)
    if not (1 <= year <= 9998 and 1 <= first <= 12):
        return None
    begin = date(year, first, 1)
    end = (date(year + 1, 1, 1) if last == 12 else date(year, last + 1, 1)) - _DAY
    return float((begin - _START.date()).days), float((end - _START.date()).days)
