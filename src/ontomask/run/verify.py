"""Is a table k-anonymous? For anyone's file and any columns, from what is written in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..engines.base import Engine
from ..errors import illegal, plural
from ..methods.base import check_k
from .columns import check_roles, specs_of
from .engine import engine_for
from .meaning_base import records_missing
from .steps import Observer, Steps


@dataclass(frozen=True)
class Verified:
    """What was found. `kept`: every class has at least `k` records. A missing value counts as a value like any other."""

    input: str
    columns: tuple[str, ...]
    k: int
    found: int  # records in the smallest class; 0 where there are no records
    records: int
    classes: int
    classes_below: int
    records_below: int
    missing: int  # records in which one of the columns is missing

    @property
    def kept(self) -> bool:
        return self.classes_below == 0

    def sentence(self) -> str:
        """The finding in words."""
        said = f"{plural(self.records, 'record')} in {plural(self.classes, 'class')}; the smallest has {self.found:,}"
        if self.kept:
            return f"{self.k}-anonymous: {said}."
        return (
            f"NOT {self.k}-anonymous: {said}; {self.records_below:,} records are in {self.classes_below:,} classes of fewer "
            f"than {self.k:,}."
        )


def verify(
    data: Any,
    columns: Sequence[str],
    k: int,
    *,
    memory_limit: str | None = None,
    engine: str | Engine = "duckdb",
    progress: Observer | None = None,
) -> Verified:
    """Count the records that are equal in all of `columns`, as they are written; missing values are equal to each other.

    `progress` is told of the phases "open" and "count", as that of `mask`.

    >>> import pandas as pd, ontomask as om
    >>> om.verify(pd.DataFrame({"pain": ["colic", "ache", "colic"]}), ["pain"], k=2).kept
    False
    """
    check_k(k, "verify")
    names = list(specs_of(columns, "columns"))
    if not names:
        raise illegal("columns", "verify", "name at least one column", names)
    steps, running = Steps(progress), engine_for(data, engine, memory_limit)
    try:
        with steps("open"):
            source = running.open(data)
            check_roles(source.names, {"quasi": names})
        with steps("count") as share:
            counted = running.count(source, names, share)
    finally:
        if not isinstance(engine, Engine):
            running.close()
    below = counted.counts < k
    return Verified(
        input=source.name,
        columns=tuple(names),
        k=int(k),
        found=int(counted.counts.min(initial=counted.n)),
        records=counted.n,
        classes=len(counted.counts),
        classes_below=int(below.sum()),
        records_below=int(counted.counts[below].sum()),
        missing=records_missing(counted.values, counted.counts),
    )
