"""What it takes to read a column, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import DataError, plural
from ..matching.matches import Matches
from ..methods.base import check_choice
from ..semantics.spaces.base import Ints, Longs, Space

MISSING = ("value", "root", "suppress", "error")
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class Reading:
    """How values are read: what the parameters of `mask` of the same names say."""

    measure: str = "logsc"
    senses: str = "context"
    overrides: Mapping[str, Any] = field(default_factory=dict)  # by column
    unmatched: str = "error"
    missing: str = "value"
    labels: str = "table"

    def __post_init__(self) -> None:
        check_choice("missing", "mask", self.missing, MISSING)
        check_choice("unmatched", "mask", self.unmatched, ("error", "root", "own", "suppress"))


@dataclass(frozen=True, eq=False)
class Meaning:
    """One column: its space, the code of each counted combination, and which of them are not to be released."""

    space: Space
    codes: Ints
    gone: Flags
    matches: Matches | None = None


def records_missing(values: pa.Table, counts: Longs) -> int:
    """Records in which one of the columns is missing; `values` are combinations, which have `counts` records."""
    if not values.num_rows or not values.num_columns:
        return 0
    absent = np.zeros(values.num_rows, bool)
    for column in values.columns:
        absent |= pc.is_null(column).to_numpy()
    return int(counts[absent].sum())


def missing_said(records: int, policy: str) -> str:
    """The policy for missing values as a sentence: what a k means where values are missing."""
    if not records:
        return "No value is missing."
    have = f"{plural(records, 'record')} {'has' if records == 1 else 'have'} a missing value"
    return {
        "value": f"{have}, which counts as a value of its own, equal to other missing ones.",
        "root": f"{have}, which is read as anything where there is a taxonomy, else as a value of its own.",
        "suppress": f"{have} and {'was' if records == 1 else 'were'} left out.",
    }[policy]


def check_missing(name: str, absent: Flags, records: Longs, policy: str) -> None:
    if absent.all():
        raise DataError(f"The column '{name}' is missing in every record. Drop it: drop=['{name}'].")
    if policy == "error" and absent.any():
        raise DataError(
            f"The column '{name}' is missing in {plural(int(records[absent].sum()), 'record')}, which missing='error' refuses. "
            "Mend the table, or choose missing='value', 'root' or 'suppress'."
        )
