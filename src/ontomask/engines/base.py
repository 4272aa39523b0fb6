"""What an engine does: it lives where the records are, and it is the only room that sees them.

Everything else reads the distinct tuples with their counts. An engine therefore needs eight verbs, each of which is one
pass over the records at most and can be said in SQL:

    open      find out what the data is: its columns, their types, how it must be read
    sample    the first records, to look at columns that may identify people
    count     GROUP BY: distinct tuples, records of each, first row of each
    tally     GROUP BY over what the records become: target × other columns
    write     JOIN: the masked records into a file
    collect   JOIN: the masked records as the same kind of object as was given
    pair      JOIN, GROUP BY: each record of one table beside its own in another, counted
    close     let go of everything

What a cluster must keep to, so that its release is the same as any other engine's: the order of the records and the
columns stays; tuples come in the order of first occurrence; a missing value is `missing` by the rule below; a tuple whose
records become several targets is split by row number within the tuple, ordered by a hash of row number and seed.

Missing values, one rule for all engines and formats: null, NaN, and text that is empty or blank are missing. Blanks
around text do not count. A missing value is released as null (as nothing at all in CSV).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .._processes import each_part
from ..errors import illegal
from ..flow import Flow
from ..semantics.spaces.base import Ints, Longs

Progress = Callable[[float], None]  # share done, 0 … 1
CHANGED = "The input changed while it was being masked. Make sure that nobody writes to it, then run again."


@dataclass(frozen=True)
class Column:
    """A column of the input: `kind` is "text", "number", "time", "truth" or "nested"; `type` as the engine writes it."""

    name: str
    kind: str
    type: str


@dataclass(eq=False)
class Source:
    """An opened input. `handle` is the engine's own; `notes` say how it is read (encoding, delimiter …)."""

    name: str  # the file's name, or what kind of object it is: never a cell value
    kind: str  # "csv", "parquet", "json", "duckdb", "database", "pandas", "polars", "pyarrow", "relation"
    columns: tuple[Column, ...]
    handle: Any
    path: Path | None = None
    options: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def stamp(self) -> tuple[tuple[int, int, int], ...]:
        """What changes when somebody writes to the file: size, time and number of it, or of each file of a folder."""
        if self.path is None or not self.path.exists():
            return ()
        files = sorted(self.path.iterdir()) if self.path.is_dir() else [self.path]
        return tuple((s.st_size, s.st_mtime_ns, s.st_ino) for s in (f.stat() for f in files))

    @property
    def names(self) -> list[str]:
        return [c.name for c in self.columns]

    def column(self, name: str) -> Column:
        return next(c for c in self.columns if c.name == name)


@dataclass(frozen=True, eq=False)
class Counted:
    """The distinct combinations of values of some columns, in order of first occurrence."""

    values: pa.Table  # one row per combination; missing values are null
    counts: Longs  # int64[p] ≥ 1

    @property
    def n(self) -> int:
        return int(self.counts.sum())


@dataclass(frozen=True, eq=False)
class Paired:
    """What records say in two tables, as distinct combinations with counts."""

    before: pa.Table  # the columns in the original
    after: pa.Table  # the same columns in the masked table; nulls where a record is not there
    others: pa.Table
    released: npt.NDArray[np.bool_]  # whether the record is in the masked table
    counts: Longs


@dataclass(frozen=True, eq=False)
class Assignment:
    """What becomes of the records: the flow, in terms of the values that `count` found.

    `values` are the counted combinations of the columns `values.column_names`; number i belongs to tuple `number[i]` of
    the flow. `released` holds, for each target of the flow, what is written in each of its columns.
    """

    values: pa.Table
    number: Ints  # int32[len(values)]
    flow: Flow
    released: pa.Table
    drop: tuple[str, ...] = ()
    seed: int = 0

    @cached_property
    def splits(self) -> bool:
        """Whether some tuple's records become several targets."""
        return len(np.unique(self.flow.source)) < len(self.flow.source)

    @cached_property
    def target(self) -> Ints:
        """int32[len(values)]: the (first) target of each combination; −1: suppressed."""
        first = np.searchsorted(self.flow.source, self.number)
        return self.flow.target[first].astype(np.int32)

    @property
    def kept(self) -> int:
        """Records of the release."""
        return int(self.flow.count.sum()) - self.flow.suppressed


class Engine(ABC):
    """The eight verbs. `progress` is told the share done, 0 … 1, where the engine knows it."""

    name: str
    writes_folders: bool = False  # of Parquet files, for a path that ends in .parquet or in nothing

    @abstractmethod
    def open(self, data: Any) -> Source:
        """The columns of the input and how it is read; DataError where it cannot be used. Records stay where they are."""

    @abstractmethod
    def sample(self, source: Source, columns: Sequence[str], rows: int) -> pa.Table:
        """The first records."""

    @abstractmethod
    def count(self, source: Source, columns: Sequence[str], progress: Progress | None = None) -> Counted:
        """Distinct combinations of the columns with counts, in order of first occurrence."""

    @abstractmethod
    def tally(self, source: Source, assignment: Assignment, columns: Sequence[str]) -> pa.Table:
        """Records by target and the values of other columns: the columns "target" (−1: suppressed), …, "count"."""

    @abstractmethod
    def write(self, source: Source, assignment: Assignment, path: Path, suffix: str, progress: Progress | None = None) -> None:
        """The masked records into a new file `path`, in the format that `suffix` names (".csv", ".parquet", …)."""

    @abstractmethod
    def collect(self, source: Source, assignment: Assignment) -> Any:
        """The masked records as the same kind of object as the input; a file or database: a pyarrow table."""

    def pair(
        self, original: Source, masked: Source, columns: Sequence[str], others: Sequence[tuple[bool, str]], key: str | None
    ) -> Paired:
        """Distinct combinations of what records say in both tables, in order of first occurrence in the original.

        `columns` are read on both sides, `others` on one: (True, name) on the masked one. Records that belong together have
        the same number, or the same `key`. A record that has none in the masked table is there with `released` False.
        """
        raise illegal("engine", "evaluate", "be one that can put two tables beside each other, such as 'duckdb'", self.name)

    def each_part(
        self, work: Callable[[Any, pa.Table], pa.Table], shared: Any, rows: pa.Table, schema: pa.Schema, workers: int = 1
    ) -> Iterator[pa.Table]:
        """No verb of SQL: `work(shared, part)` for each part of `rows`, in any order (see `_processes.each_part`).

        In up to `workers` processes on this machine; an engine that has more machines than this one uses them.
        """
        yield from each_part(work, shared, rows, schema, workers)

    @abstractmethod
    def close(self) -> None:
        """Let go of connections and temporary files."""
