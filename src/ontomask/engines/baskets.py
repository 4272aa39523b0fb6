"""Other shapes of tables of sets: one item per row, one basket per line. Both become a table with one set per record."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import DataError, did_you_mean, illegal, listed
from ..semantics.spaces.sets import DELIMITERS, joined, split

DELIMITER = "|"  # of the column that is made


def sets_of_long(data: Any, record: str, item: str, delimiter: str = DELIMITER) -> pa.Table:
    """One row per record, with its items as one text: from a table with one item per row.

    `data`: what `om.mask` takes. Records come in the order of their first row; an item without text is none. Other columns are
    left out: a record has several values of them.

    >>> table = pa.table({"user": [7, 8, 7], "query": ["piano", "golf", "violin"]})
    >>> sets_of_long(table, "user", "query").to_pydict()
    {'user': [7, 8], 'query': ['piano|violin', 'golf']}
    """
    from .duckdb import DuckDB

    engine = DuckDB()
    try:
        source = engine.open(data)
        for name in (record, item):
            if name not in source.names:
                raise DataError(f"There is no column '{name}' in the table.{did_you_mean(name, source.names)}")
        if record == item:
            raise illegal("item", "sets_of_long", "be another column than the record's", item)
        pairs = engine.count(source, [record, item]).values
    finally:
        engine.close()
    ids = pairs.column(record).combine_chunks()
    if ids.null_count:
        raise DataError(f"The column '{record}' is missing in some rows: their items belong to nobody.")
    who = np.asarray(pc.dictionary_encode(ids).indices)
    items: list[list[str]] = [[] for _ in range(int(who.max(initial=-1)) + 1)]
    for owner, value in zip(who.tolist(), pairs.column(item).to_pylist(), strict=True):
        if value is not None:
            items[owner].append(str(value))
    texts = [joined(row, delimiter) if row else None for row in items]
    return pa.table({record: pc.unique(ids), item: pa.array(texts, pa.string())})


def gathered(path: str | os.PathLike[str], shape: Mapping[str, Any]) -> Any:
    """What `om.mask` takes, of a file whose shape is {"long": [record, item]}, {"baskets": delimiter} or {}."""
    if "long" in shape:
        record, item = shape["long"]
        return sets_of_long(path, record, item)
    return read_baskets(path, shape["baskets"]) if "baskets" in shape else path


def read_baskets(path: str | os.PathLike[str], delimiter: str = ",", column: str = "items") -> pa.Table:
    """A file with one basket a line, as a table of one column; items that hold the delimiter stand in double quotes."""
    delimiter = DELIMITERS.get(delimiter.strip().lower(), delimiter)
    if len(delimiter) != 1 or delimiter in ('"', "\n", "\r"):
        raise illegal("delimiter", "read_baskets", f"be one character, or one of {listed(list(DELIMITERS))}", delimiter)
    place = Path(path)
    if not place.is_file():
        raise DataError(f"There is no file '{place.name}' of baskets.")
    try:
        lines = place.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise DataError(f"'{place.name}' is not UTF-8 text. Save it as UTF-8 first.") from None
    if not lines:
        raise DataError(f"'{place.name}' is empty.")
    rows = [split(line, delimiter) for line in lines]
    return pa.table({column: pa.array([joined(row, DELIMITER) if row else None for row in rows], pa.string())})
