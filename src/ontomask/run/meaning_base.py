"""What it takes to read a column, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

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


def check_missing(name: str, absent: Flags, records: Longs, policy: str) -> None:
    if absent.all():
        raise DataError(f"The column '{name}' is missing in every record. Drop it: drop=['{name}'].")
    if policy == "error" and absent.any():
        raise DataError(
            f"The column '{name}' is missing in {plural(int(records[absent].sum()), 'record')}, which missing='error' refuses. "
            "Mend the table, or choose missing='value', 'root' or 'suppress'."
        )
