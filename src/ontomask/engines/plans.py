"""How masked records are selected: two plans, one for few tuples and one for many.

**lookup**. Up to MOST_LOOKED_UP combinations of values, none of which is split: the key of a record is cast to an ENUM of
all keys; its code indexes a constant list of released values. The statement is a projection, so it streams, runs on all
cores, and keeps the order of the records at no cost. (A hash join would be as fast, but DuckDB's joins promise no order.)

**placing**. Any number of combinations: a hash of the record's values is looked up in a table of targets (places.py), the
words in lists by target. It is a projection, too: no record is joined or sorted, whatever else stands in it, so memory does
not grow with the records. Where a tuple splits, its records are numbered within the tuple first, by (hash of row number and
seed, row number), out of core; record i goes to the target whose range of numbers holds i, and the targets are kept in a
file by row number.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..flow import SUPPRESSED
from ..semantics.spaces.base import Ints
from .base import Assignment
from .places import Functions, Index, Places, index_of, known_to, placed_records, tuples_that_split
from .sql import SEPARATOR, key, quote

MOST_LOOKED_UP = 2000


@dataclass(frozen=True)
class Records:
    """Where records come from: `sql` with `parameters` selects all columns; `number` is the name of a column that counts rows.

    `numbered` selects the same and that column; `normal` gives the compared value of each grouping column, of a table s.
    """

    sql: str
    numbered: str
    parameters: list[Any]
    number: str
    normal: list[str]


def looks_up(assignment: Assignment) -> bool:
    """Whether the lookup plan can serve."""
    if assignment.splits or len(assignment.values) > MOST_LOOKED_UP:
        return False
    return not any(
        pc.any(pc.match_substring(column, SEPARATOR)).as_py()
        for column in assignment.values.columns
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    )


def prepare_lookup(con: Any, assignment: Assignment, records: Records) -> None:
    """Temporary type `om_key` and variables `om_target`, `om_value_<j>`."""
    numbered = assignment.values.append_column("om i", pa.array(np.arange(len(assignment.values)), pa.int64()))
    con.register("om_values", numbered)
    keys = key([quote(name) for name in assignment.values.column_names])
    con.execute("DROP TYPE IF EXISTS om_key")
    con.execute(f'CREATE TYPE om_key AS ENUM (SELECT {keys} FROM om_values ORDER BY "om i")')
    con.unregister("om_values")
    looked_up = pa.table({"i": np.arange(len(assignment.target)), "t": assignment.target})
    con.register("om_lookup", looked_up)
    con.execute("SET VARIABLE om_target = (SELECT list(t ORDER BY i) FROM om_lookup)")
    con.unregister("om_lookup")
    at = pa.array(assignment.target, mask=assignment.target == SUPPRESSED)
    for j, column in enumerate(assignment.released.columns):
        con.register("om_lookup", pa.table({"i": np.arange(len(at)), "v": column.combine_chunks().take(at)}))
        con.execute(f"SET VARIABLE om_value_{j} = (SELECT list(v ORDER BY i) FROM om_lookup)")
        con.unregister("om_lookup")


def lookup(assignment: Assignment, records: Records, columns: Sequence[str], name: str) -> str:
    """SELECT of the masked records; `name` is free for the place in the lists. See `prepare_lookup`."""
    replaced = {c: f"getvariable('om_value_{j}')[{quote(name)}]" for j, c in enumerate(assignment.released.column_names)}
    shown = ", ".join(f"{replaced[c]} AS {quote(c)}" if c in replaced else quote(c) for c in columns)
    place = f"CAST(enum_code(CAST({key(records.normal)} AS om_key)) AS INTEGER) + 1"
    inner = f"SELECT *, {place} AS {quote(name)} FROM ({records.sql}) s"
    keeps = f" WHERE getvariable('om_target')[{quote(name)}] >= 0" if (assignment.target < 0).any() else ""
    return f"SELECT {shown} FROM ({inner}){keeps}"


def hashed(records: Records, types: Sequence[str], salt: int) -> str:
    """One whole number for the compared values of a record; nulls are equal. `types`: those of the counted values.

    The salt gives other numbers where two combinations have the same.
    """
    same = [f"CAST({e} AS {t})" for e, t in zip(records.normal, types, strict=True)]
    if salt:
        same = [f"'{salt}' || CAST({e} AS VARCHAR)" for e in same]
    return f"hash({', '.join(same)})"


@contextlib.contextmanager
def placing(con: Any, assignment: Assignment, records: Records, folder: Path) -> Iterator[str]:
    """SELECT of all columns of every record, in order, with its target as the column `records.number`.

    It may be run while the context lasts; om_word_<j>(target) is then what is released of column j.
    """
    values = {f"g{j}": column for j, column in enumerate(assignment.values.columns)}
    types = _keep(con, "om_values", pa.table({**values, "i": np.arange(len(assignment.values))}))[:-1]
    counted = replace(records, normal=[f"s.g{j}" for j in range(len(types))])
    index, salt = index_of(con, "om_values", lambda salt: hashed(counted, types, salt))
    con.execute("DROP TABLE om_values")
    key, name = hashed(records, types, salt), quote(records.number)
    placed, file = None, folder / "placed"
    try:
        if assignment.splits:
            placed = _placed(con, assignment, records, index, key, file)
        places = Places(index, assignment.target, placed)
        functions = _words(con, assignment)
        functions["om_target"] = (places.of_values, ["UBIGINT"], "INTEGER")
        if assignment.splits:
            functions["om_target"] = (places.of_records, ["UBIGINT", "BIGINT"], "INTEGER")
        with known_to(con, functions):
            if assignment.splits:
                yield f"SELECT s.* REPLACE (om_target({key}, s.{name}) AS {name}) FROM ({records.numbered}) s"
            else:
                yield f"SELECT *, om_target({key}) AS {name} FROM ({records.sql}) s"
    finally:
        file.unlink(missing_ok=True)


def _placed(con: Any, assignment: Assignment, records: Records, index: Index, key: str, file: Path) -> Ints:
    """See `placed_records`: records of a tuple stand in the order of a hash of their number and the seed."""
    split = Places(index, tuples_that_split(assignment))
    # Another seed gives another order of the same rows. MD5, because every engine has it: releases are the same on all.
    order = "CAST('0x' || md5(concat(?::BIGINT, ':', n)) AS UHUGEINT), n"
    sql = (
        f"SELECT n, u, row_number() OVER (PARTITION BY u ORDER BY {order}) AS i FROM ("
        f"SELECT s.{quote(records.number)} AS n, om_split({key}) AS u FROM ({records.numbered}) s) WHERE u >= 0"
    )
    with known_to(con, {"om_split": (split.of_values, ["UBIGINT"], "INTEGER")}):
        return placed_records(con, sql, [assignment.seed, *records.parameters], assignment, file)


def _words(con: Any, assignment: Assignment) -> Functions:
    """om_word_<j>: what is released of column j, by target."""
    released = {f"r{j}": column for j, column in enumerate(assignment.released.columns)}
    types = _keep(con, "om_released", pa.table({**released, "t": np.arange(len(assignment.flow.targets))}))[:-1]
    words = con.sql("SELECT * EXCLUDE (t) FROM om_released ORDER BY t").to_arrow_table()  # as DuckDB writes these types
    con.execute("DROP TABLE om_released")
    return {f"om_word_{j}": (words.column(j).combine_chunks().take, ["INTEGER"], type_) for j, type_ in enumerate(types)}


def _keep(con: Any, name: str, table: pa.Table) -> list[str]:
    """A temporary table of this content, and the types of its columns."""
    con.register("om_in", table)
    con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT * FROM om_in")
    con.unregister("om_in")
    return [row[1] for row in con.execute(f"DESCRIBE {name}").fetchall()]


def replaced(assignment: Assignment, records: Records, placed: str, columns: Sequence[str]) -> str:
    """SELECT of the masked records, in their order. `placed`: see `placing`."""
    target = quote(records.number)
    words = {c: f"om_word_{j}({target})" for j, c in enumerate(assignment.released.column_names)}
    shown = ", ".join(f"{words[c]} AS {quote(c)}" if c in words else quote(c) for c in columns)
    keeps = f" WHERE {target} >= 0" if assignment.flow.suppressed else ""
    return f"SELECT {shown} FROM ({placed}){keeps}"


def ranges(assignment: Assignment) -> pa.Table:
    """Of tuples that split: u tuple, low: records of it that go to earlier targets, t: target. No rows where none splits."""
    flow = assignment.flow
    mine = np.bincount(flow.source)[flow.source] > 1
    source, count = flow.source[mine], flow.count[mine]
    before = np.cumsum(count) - count
    first = np.flatnonzero(np.diff(source, prepend=-1))
    low = before - np.repeat(before[first], np.diff(np.append(first, len(source))))
    return pa.table({"u": source, "low": low, "t": flow.target[mine]})
