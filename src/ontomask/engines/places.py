"""What becomes of a record, found by the hash of its values: the part of the plan for many tuples that is not SQL.

DuckDB hashes the values of a record; the number that comes out is looked up here, in a table of the counted combinations
of about 20 bytes each. The hashes of all combinations are known to differ (they are taken anew until they do), so what is
found is exact. Only whole numbers and the released words pass between DuckDB and this module.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..errors import DataError
from ..flow import SUPPRESSED
from ..semantics.spaces.base import Ints
from .base import Assignment

Functions = dict[str, tuple[Callable[..., pa.Array], list[str], str]]  # name → function, types of its arguments, its type
Hashes = npt.NDArray[np.uint64]
NOT_SPLIT = -2  # in the file of placed records: the tuple has one target
PAGE = 1 << 20  # records
UNKNOWN = "om_key"  # the name by which the engine knows that a record is none of those that were counted


class Index:
    """The place of each of p different hashes, by its first bits and a short walk."""

    def __init__(self, hashes: Hashes) -> None:
        order = np.argsort(hashes, kind="stable")
        self._hashes = np.append(hashes[order], np.uint64(2**64 - 1))  # a walk ends at the last one at the latest
        self._place = np.append(order, -1).astype(np.int32)
        bits = len(hashes).bit_length() + 1
        self._shift = np.uint64(64 - bits)
        starts = np.arange((1 << bits) + 1, dtype=np.uint64)
        self._first = np.searchsorted(hashes[order] >> self._shift, starts).astype(np.int32)

    def __call__(self, hashes: Hashes) -> Ints:
        """The place of each hash; −1 where it is none of them."""
        at = self._first[hashes >> self._shift]
        left = np.flatnonzero(self._hashes[at] < hashes)
        while len(left):
            at[left] += 1
            left = left[self._hashes[at[left]] < hashes[left]]
        place: Ints = np.where(self._hashes[at] == hashes, self._place[at], np.int32(-1))
        return place


@dataclass(frozen=True, eq=False)
class Places:
    """The targets of records, by the hash of their values and, where their tuple splits, by their number."""

    index: Index
    target: Ints  # of each counted combination
    placed: Ints | None = None  # of each record whose tuple splits; NOT_SPLIT for others

    def of_values(self, hashes: pa.Array) -> pa.Array:
        """int32 targets (−1: suppressed) of records whose tuples do not split."""
        return pa.array(self.target[self._counted(hashes)])

    def of_records(self, hashes: pa.Array, numbers: pa.Array) -> pa.Array:
        """The same where tuples split, with the numbers of the records."""
        assert self.placed is not None
        place, number = self._counted(hashes), np.asarray(numbers)
        if number.max(initial=0) >= len(self.placed):
            raise ValueError(UNKNOWN)
        placed = self.placed[number]
        return pa.array(np.where(placed == NOT_SPLIT, self.target[place], placed))

    def _counted(self, hashes: pa.Array) -> Ints:
        place = self.index(np.asarray(hashes))
        if place.min(initial=0) < 0:
            raise ValueError(UNKNOWN)
        return place


def index_of(con: Any, values: str, hashed: Callable[[int], str]) -> tuple[Index, int]:
    """The index of the rows of the table `values` (with i, their place), and the salt that makes their hashes differ."""
    for salt in range(8):
        table = con.sql(f"SELECT {hashed(salt)} AS h FROM {values} s ORDER BY i").to_arrow_table()
        found = table.column("h").combine_chunks().to_numpy()
        if len(np.unique(found)) == len(found):
            return Index(found), salt
    raise DataError(
        "Two different combinations of values look alike to the database. Store the columns as text, then run again."
    )


def placed_records(con: Any, sql: str, parameters: list[Any], assignment: Assignment, path: Path) -> Ints:
    """The target of each record whose tuple splits, in a file that is mapped into memory.

    `sql` selects n (the record's number), u (its tuple) and i (its place in the tuple, from 1) of those records, in any order.
    """
    records = int(assignment.flow.count.sum())
    _make_room(path, 4 * records)
    placed = np.memmap(path, dtype=np.int32, mode="w+", shape=(records,))
    for start in range(0, records, PAGE):
        placed[start : start + PAGE] = NOT_SPLIT
    # Record i of tuple u stands at first[u] + i − 1 among all records by tuple; `ends` are the ends of the flow's lines there.
    flow = assignment.flow
    ends = np.cumsum(flow.count)
    starts = np.append(0, ends[:-1])
    first = np.zeros(int(flow.source[-1]) + 1, dtype=np.int64)
    opening = np.flatnonzero(np.diff(flow.source, prepend=-1))
    first[flow.source[opening]] = starts[opening]
    for batch in con.sql(sql, params=parameters).to_arrow_reader(PAGE):
        n, u, i = (np.asarray(batch.column(c)) for c in ("n", "u", "i"))
        known = n < records
        line = np.searchsorted(ends, first[u] + i - 1, side="right")
        placed[n[known]] = flow.target[np.minimum(line, len(ends) - 1)][known]
    return placed


def _make_room(path: Path, size: int) -> None:
    """A full disk is an error here, where it can be said; while the mapped file is filled it would end the process."""
    with path.open("wb") as file:
        if size and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)


def tuples_that_split(assignment: Assignment) -> Ints:
    """int32[len(values)]: the tuple of each counted combination whose records become several targets, else −1."""
    lines = np.bincount(assignment.flow.source, minlength=int(assignment.number.max(initial=0)) + 1)
    return np.where(lines[assignment.number] > 1, assignment.number, np.int32(SUPPRESSED))


@contextlib.contextmanager
def known_to(con: Any, functions: Functions) -> Iterator[None]:
    """While the body runs, statements may call these functions of Arrow arrays."""
    made = []
    try:
        for name, (function, arguments, type_) in functions.items():
            con.create_function(name, function, arguments, type_, type="arrow", null_handling="special")
            made.append(name)
        yield
    finally:
        for name in made:
            con.remove_function(name)
