"""Two tables beside each other: the statement that joins each record with its own in the other table, and counts.

Records belong together by their number (both tables have the same order) or by a key column whose values are all there,
all different, and on the masked side all known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..errors import DataError, plural
from .plans import Records

Ask = Callable[[str, list[Any]], pa.Table]


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two tables: `columns` name what `records.normal` compares; the key, where there is one, comes last."""

    name: str
    records: Records
    columns: list[str]

    @property
    def key(self) -> str:
        return self.records.normal[-1]

    def numbered(self, columns: Sequence[str], keyed: bool) -> str:
        """SELECT of the key (k: a column's value as text, or the record's number from 1), n and the columns."""
        k = f"CAST({self.key} AS VARCHAR)" if keyed else "row_number() OVER ()"
        shown = "".join(f", {c}" for c in columns)
        return f"SELECT {k} AS k, row_number() OVER () AS n{shown} FROM ({self.records.sql}) s"


def check(ask: Ask, before: Side, after: Side, key: str | None) -> None:
    """DataError where records cannot be told to belong together."""
    if key is None:
        found = [_number(ask, f"SELECT count(*) AS c FROM ({s.records.sql}) s", s.records.parameters) for s in (before, after)]
        check_sizes(*found)
        return
    for side, what in ((before, "original"), (after, "masked table")):
        sql = f"SELECT count(*) - count(DISTINCT {side.key}) AS c FROM ({side.records.sql}) s"
        check_key(_number(ask, sql, side.records.parameters), key, what)
    strange = (
        f"SELECT count(*) AS c FROM ({after.numbered([], True)}) b "
        f"WHERE k NOT IN (SELECT k FROM ({before.numbered([], True)}) a)"
    )
    check_strange(_number(ask, strange, [*after.records.parameters, *before.records.parameters]), key)


def check_sizes(before: int, after: int) -> None:
    """Records that are matched by their place are as many on both sides."""
    if before != after:
        raise DataError(
            f"The original has {plural(before, 'record')} and the masked table {after:,}. Records are matched by their place: "
            "name a column that identifies them in both tables (id=…, --id), and say suppressed=True (--suppressed) if records "
            "were left out."
        )


def check_key(wrong: int, key: str, what: str) -> None:
    """`wrong`: records whose key is missing or was there before."""
    if wrong:
        raise DataError(
            f"The column '{key}' does not identify the records of the {what}: {wrong:,} of its values are missing or "
            "there before. Name another column, or match records by their place."
        )


def check_strange(new: int, key: str) -> None:
    """`new`: masked records that the original does not know."""
    if new:
        raise DataError(f"The masked table has {plural(new, 'record')} with a '{key}' that the original does not have.")


def statement(before: Side, after: Side, m: int, others: Sequence[tuple[bool, str]], keyed: bool) -> tuple[str, list[Any]]:
    """(SQL, parameters): columns before, columns after, others, released, records."""
    left = [f"{e} AS x{j}" for j, e in enumerate(before.records.normal[:m])]
    right = [f"{e} AS y{j}" for j, e in enumerate(after.records.normal[:m])]
    for i, (masked, name) in enumerate(others):
        side, into = (after, right) if masked else (before, left)
        into.append(f"{side.records.normal[side.columns.index(name, m)]} AS z{i}")
    keys = [f"x{j}" for j in range(m)] + [f"y{j}" for j in range(m)] + [f"z{i}" for i in range(len(others))]
    sql = (
        f"SELECT {', '.join(keys)}, released, count(*) AS records FROM ("
        f"SELECT a.n AS place, a.* EXCLUDE (k, n), b.* EXCLUDE (k, n), b.k IS NOT NULL AS released "
        f"FROM ({before.numbered(left, keyed)}) a LEFT JOIN ({after.numbered(right, keyed)}) b ON a.k = b.k"
        f") GROUP BY {', '.join(keys)}, released ORDER BY min(place)"
    )
    return sql, [*before.records.parameters, *after.records.parameters]


def _number(ask: Ask, sql: str, parameters: list[Any]) -> int:
    return int(ask(sql, parameters).column("c")[0].as_py())
