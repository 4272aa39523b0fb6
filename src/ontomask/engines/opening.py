"""What data may be given as, and how DuckDB reads each kind: SQL text and parameters, never the records."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..errors import DataError, did_you_mean, listed
from .base import Column, Source
from .csv_files import LONGEST_LINE, check_names, dialect
from .frames import describe, frame_kind, names_of, to_arrow
from .sql import exactly, literal, quote

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "json",
    ".ndjson": "json",
    ".duckdb": "duckdb",
    ".ddb": "duckdb",
}
COMPRESSED = ("csv", "json")
PARQUET = "SELECT * FROM read_parquet(?, hive_partitioning=false)"
HEAD = 100  # records of a pandas column of Python objects that tell its kind
_URL = re.compile(r"^(sqlite|postgres|postgresql)://", re.IGNORECASE)


def suffix_of(path: str | os.PathLike[str]) -> str:
    """The suffix that tells the format, without .gz, in lower case.

    >>> suffix_of("visitors.CSV.gz")
    '.csv'
    """
    return Path(Path(path).name.lower().removesuffix(".gz")).suffix


def format_of(path: str | os.PathLike[str], purpose: str) -> str:
    """The format of a file, by its suffix; DataError for others."""
    suffix = suffix_of(path)
    if suffix not in SUFFIXES:
        raise DataError(
            f"'{Path(path).name}' cannot be {purpose}: its name does not say which format it has."
            f"{did_you_mean(suffix, SUFFIXES)} Known: {listed(list(SUFFIXES))}, and .gz behind those that are text."
        )
    found = SUFFIXES[suffix]
    if str(path).lower().endswith(".gz") and found not in COMPRESSED:
        raise DataError(f"'{Path(path).name}' cannot be {purpose}: .gz goes with CSV, TSV and JSON lines only.")
    return found


def open_source(con: Any, data: Any, name: str) -> Source:
    """The input as a Source whose handle is (SQL, parameters); `name` is free for a table of this connection."""
    kind = frame_kind(data)
    if kind is not None:
        return _frame(con, data, kind, name)
    if type(data).__name__ == "DuckDBPyRelation":
        return _reader(con, data.to_arrow_reader(), name, "relation", "a DuckDB relation")
    if isinstance(data, (str, os.PathLike)):
        if _URL.match(str(data)):
            from .databases import fetch

            with fetch(str(data)) as reader:
                return _reader(con, reader, name, "database", "a database table")
        return _path(con, str(data), name)
    raise DataError(
        f"A table is a path, a URL, a pandas, polars or pyarrow table, or a DuckDB relation. Got {type(data).__name__} instead."
    )


def parquet_files(data: Any) -> list[Path]:
    """The Parquet files that a path means: itself, or those of a folder, by name; none where it is something else."""
    if not isinstance(data, (str, os.PathLike)):
        return []
    path = Path(data)
    if path.is_dir():
        return sorted(
            f for f in path.iterdir() if f.suffix.lower() in (".parquet", ".pq") and not f.name.startswith((".", "_"))
        )
    return [path] if path.suffix.lower() in (".parquet", ".pq") and path.is_file() else []


def _frame(con: Any, data: Any, kind: str, name: str) -> Source:
    if kind == "polars" and type(data).__name__ == "LazyFrame":
        data = data.collect()
    names = names_of(data, kind)
    doubled = [n for n in dict.fromkeys(names) if names.count(n) > 1]
    if doubled:
        raise DataError(f"The table has the column '{doubled[0]}' more than once. Rename one of them.")
    schema = _schema(data, kind, names)
    source = Source(f"a {kind} table", kind, schema, ("", []))
    source.options = {"data": data, "table": name, "registered": ()}
    return source


def _schema(data: Any, kind: str, names: list[str]) -> tuple[Column, ...]:
    if kind == "pyarrow":
        return describe(data)
    if kind == "polars":
        return describe(data.head(0).to_arrow())
    columns = []
    for name in names:
        dtype = data[name].dtype
        try:
            found = describe(to_arrow(data.iloc[:HEAD], kind, [name]))[0].kind
        except DataError:  # of several types: refused when it is used, kept as it is otherwise
            found = "text"
        columns.append(Column(name, found, str(dtype)))
    return tuple(columns)


def _reader(con: Any, reader: pa.RecordBatchReader, name: str, kind: str, said: str) -> Source:
    """A stream is kept in a table of our own (on disk when memory is short), because it is read twice."""
    con.register("om_stream", reader)
    con.execute(f"CREATE TEMP TABLE {quote(name)} AS SELECT * FROM om_stream")
    con.unregister("om_stream")
    return _described(con, Source(said, kind, (), (f"SELECT * FROM {quote(name)}", [])))


def _path(con: Any, text: str, name: str) -> Source:
    file, _, table = text.partition("#") if not Path(text).exists() else (text, "", "")
    path = Path(file).expanduser()
    if not path.exists():
        near = did_you_mean(path.name, (f.name for f in path.parent.iterdir())) if path.parent.is_dir() else ""
        raise DataError(f"There is no file '{file}'.{near}")
    if path.is_dir():
        files = parquet_files(path)
        if not files:
            raise DataError(f"'{file}' is a folder, and there is no Parquet file in it. Name one file in it.")
        parts = [exactly(f) for f in files]
        return _described(con, Source(path.name, "parquet", (), ("SELECT * FROM read_parquet(?)", [parts]), path))
    if not os.access(path, os.R_OK):
        raise DataError(f"'{file}' may not be read by you. Ask for permission, or copy it to where it may.")
    kind = format_of(path, "read")
    if table and kind != "duckdb":
        raise DataError(f"'#{table}' would name a table of a database file; '{path.name}' holds one table only. Leave it out.")
    if path.stat().st_size == 0:
        raise DataError(f"'{path.name}' is empty: there is not even a line of column names. Name another file.")
    return {"csv": _csv, "parquet": _parquet, "json": _json, "duckdb": _duckdb}[kind](con, path, table, name)


def _csv(con: Any, path: Path, table: str, name: str) -> Source:
    found = dialect(path, suffix_of(path))
    check_names(path.name, list(found.header))
    sql = (
        "SELECT * FROM read_csv(?, auto_detect=false, header=true, hive_partitioning=false, columns=?, delim=?, quote='\"', "
        f"escape='\"', strict_mode=true, null_padding=false, encoding=?, max_line_size={LONGEST_LINE}, "
        f"buffer_size={2 * LONGEST_LINE})"
    )
    parameters = [exactly(path), dict.fromkeys(found.header, "VARCHAR"), found.delimiter, found.encoding]
    columns = tuple(Column(n, "text", "VARCHAR") for n in found.header)
    source = Source(path.name, "csv", columns, (sql, parameters), path)
    source.options = {"delimiter": found.delimiter}
    source.notes = found.notes()
    return source


def _parquet(con: Any, path: Path, table: str, name: str) -> Source:
    return _described(con, Source(path.name, "parquet", (), (PARQUET, [exactly(path)]), path))


def _json(con: Any, path: Path, table: str, name: str) -> Source:
    """Types are found out by DuckDB, but dates and times stay the text that they are: they are written back as they were."""
    function = "read_json(?, format='newline_delimited', maximum_object_size=67108864, hive_partitioning=false"
    found = con.execute(f"DESCRIBE SELECT * FROM {function}, sample_size=-1)", [exactly(path)]).fetchall()
    types = {row[0]: "VARCHAR" if row[1].startswith(("DATE", "TIME", "UUID")) else row[1] for row in found}
    sql = f"SELECT * FROM {function}, columns=?)"
    return _described(con, Source(path.name, "json", (), (sql, [exactly(path), types]), path))


def _duckdb(con: Any, path: Path, table: str, name: str) -> Source:
    inside = f"{name} file"
    con.execute(f"ATTACH {literal(str(path))} AS {quote(inside)} (READ_ONLY)")
    tables = con.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? UNION ALL "
        "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ? AND NOT internal",
        [inside, inside],
    ).fetchall()
    known = {t if s == "main" else f"{s}.{t}": (s, t) for s, t in tables}
    schema, found = known[which_table(path.name, table, list(known))]
    sql = f"SELECT * FROM {quote(inside)}.{quote(schema)}.{quote(found)}"
    return _described(con, Source(path.name, "duckdb", (), (sql, []), path))


def which_table(name: str, table: str, known: list[str]) -> str:
    """The table that was asked for; the only one where none was."""
    if table in known:
        return table
    if not known:
        raise DataError(f"There is no table in '{name}'.")
    if not table and len(known) == 1:
        return known[0]
    asked = (
        f"There is no table '{table}' in '{name}'.{did_you_mean(table, known)}" if table else f"'{name}' holds several tables."
    )
    raise DataError(f"{asked} Name one behind a #, as in '{name}#{known[0]}'. Known: {listed(known)}.")


def _described(con: Any, source: Source) -> Source:
    sql, parameters = source.handle
    found = con.execute(f"DESCRIBE {sql}", parameters).fetchall()
    source.columns = tuple(Column(row[0], _kind(row[1]), row[1]) for row in found)
    check_names(source.name, source.names)
    return source


def _kind(type_: str) -> str:
    """The kind of a DuckDB type, as `Column.kind`."""
    if type_.endswith("]") or type_.startswith(("STRUCT", "MAP", "UNION", "BLOB")):
        return "nested"
    if type_.startswith(("VARCHAR", "ENUM", "UUID")) or type_ in ("JSON", '"NULL"'):
        return "text"
    if type_ == "BOOLEAN":
        return "truth"
    if type_.startswith(("DATE", "TIME")):
        return "time"
    return "number"
