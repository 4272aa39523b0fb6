"""Large delimited tables read in columns, batch by batch: what the formats rf2 and omop share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from ..source import Source, walk

_BLOCK = 4 << 20


def find(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    """Files below the folder whose name matches, in the order of their paths."""
    return sorted(file for file in walk(folder) if pattern.fullmatch(file.name))


def batches(source: Source, columns: Sequence[str], delimiter: str = "\t", *, quoted: bool = False) -> Iterator[pa.RecordBatch]:
    """The named columns, as strings, some thousand rows at a time."""
    import pyarrow.csv as csv

    header = source.head_text.split("\n", 1)[0].rstrip("\r")
    names = [name.strip().strip('"').lower() for name in header.split(delimiter)]
    columns = list(dict.fromkeys(columns))
    missing = [name for name in columns if names.count(name) != 1]
    if missing:
        raise source.bad(f"its header has not exactly one column {', '.join(repr(name) for name in missing)}", 1)
    width = len(names)
    with source.open() as file:
        try:
            reader = csv.open_csv(
                file,
                read_options=csv.ReadOptions(column_names=names, skip_rows=1, block_size=_BLOCK),
                parse_options=csv.ParseOptions(delimiter=delimiter, quote_char='"' if quoted else False),
                convert_options=csv.ConvertOptions(
                    column_types=dict.fromkeys(columns, pa.string()), include_columns=list(columns), strings_can_be_null=False
                ),
            )
            yield from reader
        except pa.ArrowInvalid as error:
            if "Empty CSV" in str(error):
                return
            raise source.bad(f"it is not a table of {width} columns ({str(error).splitlines()[0][:120]})") from None
