"""How masked records are selected: two plans, one for few tuples and one for many.

**lookup**. Up to MOST_LOOKED_UP combinations of values, none of which is split: the key of a record is cast to an ENUM of
all keys; its code indexes a constant list of released values. The statement is a projection, so it streams, runs on all
cores, and keeps the order of the records at no cost. (A hash join would be as fast, but DuckDB's joins promise no order.)

**join**. Records are numbered, joined with the table of combinations, and sorted by number: all of it out of core. The
records of a tuple that splits are numbered within the tuple by (hash of row number and seed, row number); record i
goes to the target whose range of numbers holds i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..flow import SUPPRESSED
from .base import Assignment
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


def prepare_join(con: Any, assignment: Assignment, records: Records) -> None:
    """Temporary tables om_map (values → tuple, target), om_released (target → values) and, for splits, om_placed."""
    for table in ("om_map", "om_released", "om_placed", "om_ranges"):
        con.execute(f"DROP TABLE IF EXISTS {table}")
    parts = {f"g{j}": column for j, column in enumerate(assignment.values.columns)}
    con.register("om_in", pa.table({**parts, "u": assignment.number, "t": assignment.target}))
    con.execute("CREATE TEMP TABLE om_map AS SELECT * FROM om_in")
    con.unregister("om_in")
    values = {f"r{j}": column for j, column in enumerate(assignment.released.columns)}
    con.register("om_in", pa.table({**values, "t": np.arange(len(assignment.flow.targets), dtype=np.int32)}))
    con.execute("CREATE TEMP TABLE om_released AS SELECT * FROM om_in")
    con.unregister("om_in")
    if not assignment.splits:
        return
    con.register("om_in", ranges(assignment))
    con.execute("CREATE TEMP TABLE om_ranges AS SELECT * FROM om_in")
    con.unregister("om_in")
    row = f"s.{quote(records.number)}"
    # Another seed gives another order of the same rows. MD5, because every engine has it: releases are the same on all.
    order = f"md5(concat(?::BIGINT, ':', {row})), {row}"
    con.execute(
        f"CREATE TEMP TABLE om_placed AS SELECT p.n, r.t FROM ("
        f"  SELECT {row} AS n, m.u, row_number() OVER (PARTITION BY m.u ORDER BY {order}) AS i"
        f"  FROM ({records.numbered}) s JOIN om_map m ON {_on(records)}"
        f"  WHERE m.u IN (SELECT u FROM om_ranges)"
        f") p ASOF JOIN om_ranges r ON p.u = r.u AND p.i > r.low",
        [assignment.seed, *records.parameters],
    )


def ranges(assignment: Assignment) -> pa.Table:
    """Of tuples that split: u tuple, low: records of it that go to earlier targets, t: target. No rows where none splits."""
    flow = assignment.flow
    mine = np.bincount(flow.source)[flow.source] > 1
    source, count = flow.source[mine], flow.count[mine]
    before = np.cumsum(count) - count
    first = np.flatnonzero(np.diff(source, prepend=-1))
    low = before - np.repeat(before[first], np.diff(np.append(first, len(source))))
    return pa.table({"u": source, "low": low, "t": flow.target[mine]})


def targets(assignment: Assignment, records: Records, others: Sequence[str] = ()) -> str:
    """SELECT of (n: row number, t: target, o0 …: other columns) of every record. See `prepare_join`."""
    row = f"s.{quote(records.number)}"
    more = "".join(f", s.{quote(c)} AS o{j}" for j, c in enumerate(others))
    mapped = f"({records.numbered}) s LEFT JOIN om_map m ON {_on(records)}"
    if not assignment.splits:
        return f"SELECT {row} AS n, m.t AS t{more} FROM {mapped}"
    return f"SELECT {row} AS n, coalesce(p.t, m.t) AS t{more} FROM {mapped} LEFT JOIN om_placed p ON p.n = {row}"


def join(assignment: Assignment, records: Records, columns: Sequence[str]) -> str:
    """SELECT of the masked records, in their order."""
    replaced = {c: f"w.r{j}" for j, c in enumerate(assignment.released.column_names)}
    others = [c for c in columns if c not in replaced]
    kept = {c: f"x.o{j}" for j, c in enumerate(others)}
    shown = ", ".join(f"{(replaced | kept)[c]} AS {quote(c)}" for c in columns)
    return f"SELECT {shown} FROM ({targets(assignment, records, others)}) x JOIN om_released w ON w.t = x.t ORDER BY x.n"


def _on(records: Records) -> str:
    """Equality of all grouping columns of s and m; nulls are equal."""
    return " AND ".join(f"{e} IS NOT DISTINCT FROM m.g{j}" for j, e in enumerate(records.normal))
