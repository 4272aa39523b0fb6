"""The few things every SQL statement of this package is built from. Identifiers are quoted here and nowhere else."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

SEPARATOR = "\x1f"  # between the values of a key; never part of one (see `keyable`)


def quote(name: str) -> str:
    """An identifier. Whatever is in it, it stays one name.

    >>> print(quote('a"; DROP TABLE b'))
    "a""; DROP TABLE b"
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A string constant, for the few places of a statement that take no parameter (COPY … TO, ATTACH).

    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"


def exactly(path: str | os.PathLike[str]) -> str:
    """A path as DuckDB's readers take it, which would otherwise look for patterns in it.

    >>> exactly("data[1]?.csv")
    'data[[]1][?].csv'
    """
    return re.sub(r"[*?\[]", r"[\g<0>]", os.fspath(path))


def free_name(wish: str, taken: Iterable[str]) -> str:
    """A column name that no other column has, case aside."""
    used = {t.casefold() for t in taken}
    while wish.casefold() in used:
        wish += "_"
    return wish


def normal(name: str, kind: str, type_: str = "", of: str = "s") -> str:
    """The value of a column of table `of` as it is compared: blanks around text do not count; empty text, NaN are missing."""
    column = f"{of}.{quote(name)}"
    if kind == "text":
        return f"NULLIF(TRIM(CAST({column} AS VARCHAR)), '')"
    if type_ in ("DOUBLE", "FLOAT"):
        return f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"
    return column


def key(expressions: Sequence[str]) -> str:
    """One text for several values, different for different ones: a missing value is told from any text."""
    parts = [f"CASE WHEN {e} IS NULL THEN 'n' ELSE 'v' || CAST({e} AS VARCHAR) END" for e in expressions]
    return f" || chr({ord(SEPARATOR)}) || ".join(parts)
