"""Parquet files as Spark reads and writes them, and what has to be done so that they mean what they mean elsewhere."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..errors import DataError

_PATTERN, _ESCAPED = re.compile(r"([\\*?\[\]{}])"), r"\\\1"
_TIMES = "spark.sql.parquet.outputTimestampType"


def read(session: Any, files: Sequence[Path]) -> Any:
    """Parquet files or folders, each by its very name: Spark would take some characters for a pattern."""
    return session.read.parquet(*(f"file:{_PATTERN.sub(_ESCAPED, str(f.absolute()))}" for f in files))


def write(session: Any, frame: Any, path: Path) -> None:
    """A folder of Parquet files. Moments stay moments: by default Spark writes them in a form that forgets the time zone."""
    before = session.conf.get(_TIMES, None)
    session.conf.set(_TIMES, "TIMESTAMP_MICROS")
    try:
        frame.write.mode("overwrite").parquet(f"file:{path.absolute()}")
    finally:
        session.conf.unset(_TIMES) if before is None else session.conf.set(_TIMES, before)


def linked(files: list[Path], folder: Path) -> list[Path]:
    """The files under names that Spark reads: not those that begin with a dot or a low line, nor those with a colon."""
    if not any(f.name.startswith((".", "_")) or ":" in str(f.absolute()) for f in files):
        return files
    inside = Path(tempfile.mkdtemp(dir=folder))
    links = [inside / f"{i:09}.parquet" for i in range(len(files))]  # in the same order
    for link, file in zip(links, files, strict=True):
        link.symlink_to(file.absolute())
    return links


def check(name: str, files: Sequence[Path]) -> None:
    """DataError where Spark could not read these files: they are damaged, or hold a type that it does not have."""
    import pyarrow.parquet as pq

    for file in files:
        try:
            schema = pq.read_schema(file)
        except (pa.ArrowException, OSError):
            raise DataError(f"'{name}' cannot be read: it is damaged, or not in the format that its name says.") from None
        for column in schema:
            if re.search(r"\btime(32|64)|timestamp\[ns|halffloat|interval", str(column.type)):
                raise DataError(
                    f"The column '{column.name}' is of type {column.type}, which Spark does not read. Make it text, a number "
                    "or a timestamp of microseconds, or use the engine 'duckdb'."
                )


def frame(session: Any, table: pa.Table) -> Any:
    """An Arrow table on the cluster. Columns of nothing but missing values are text; a time without zone stays without."""
    from pyspark.sql.pandas.types import from_arrow_schema

    fields = [pa.field(x.name, _carried(x.type)) for x in table.schema]
    try:
        plain = table.cast(pa.schema(fields))
    except pa.ArrowInvalid:
        raise DataError(
            "A column of times is finer than a microsecond, which Spark does not know. Round it, or use the engine 'duckdb'."
        ) from None
    return session.createDataFrame(plain, schema=from_arrow_schema(plain.schema, prefer_timestamp_ntz=True))


def _carried(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_null(kind):
        return pa.string()
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    return kind
