"""DuckDB, embedded: the default engine. Streams, uses all cores, and goes to disk when `memory_limit` is reached."""

from __future__ import annotations

import contextlib
import errno
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count as numbers
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import DataError, OntomaskError, OutputError, illegal
from . import csv_files, frames, pairs, plans
from .base import CHANGED, Assignment, Counted, Engine, Paired, Progress, Source
from .opening import open_source
from .places import UNKNOWN
from .sql import free_name, literal, normal, quote
from .watch import watched

STREAMED, NARROW = "2.5GB", 200  # what a streaming write gets, and the columns up to which it is enough
FULL = "The disk is full: the output cannot be written. Nothing was left behind; make room first."
_LIMIT = re.compile(r"^\s*\d+(\.\d+)?\s*([KMGT]i?)?B\s*$", re.IGNORECASE)


class DuckDB(Engine):
    """`memory_limit`: as "500MB"; what does not fit goes to a private temporary folder. `threads`: default all cores."""

    name = "duckdb"

    def __init__(self, memory_limit: str | None = None, threads: int | None = None) -> None:
        import duckdb

        if memory_limit is not None and not _LIMIT.match(str(memory_limit)):
            raise illegal("memory_limit", "the engine", "be a size such as '500MB' or '4GB'", memory_limit)
        self._folder = tempfile.mkdtemp(prefix="ontomask-")
        self._con = duckdb.connect()
        self._limited = memory_limit is not None
        self._names = (f"om_source_{i}" for i in numbers())
        self._con.execute("SET temp_directory = " + literal(self._folder))
        self._con.execute("SET preserve_insertion_order = true")
        # Nothing is fetched from the network, and no name in a statement means a variable of a Python program.
        self._con.execute("SET autoinstall_known_extensions = false; SET python_enable_replacements = false")
        self._con.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
        if memory_limit is not None:
            self._con.execute("SET memory_limit = " + literal(str(memory_limit)))
        if threads is not None:
            self._con.execute(f"SET threads = {int(threads)}")

    def open(self, data: Any) -> Source:
        with self._speaking("the input"):
            return open_source(self._con, data, next(self._names))

    def sample(self, source: Source, columns: Sequence[str], rows: int) -> pa.Table:
        if "data" in source.options:
            return frames.to_arrow(source.options["data"][:rows], source.kind, columns)
        sql, parameters = source.handle
        chosen = ", ".join(quote(c) for c in columns)
        return self._table(source.name, f"SELECT {chosen} FROM ({sql}) LIMIT {int(rows)}", parameters)

    def count(self, source: Source, columns: Sequence[str], progress: Progress | None = None) -> Counted:
        records = self._records(source, columns)
        row = quote(records.number)
        groups = ", ".join(f"{e} AS g{j}" for j, e in enumerate(records.normal))
        keys = ", ".join(f"g{j}" for j in range(len(columns)))
        sql = (
            f"SELECT {keys}, count(*) AS c FROM (SELECT {groups}, s.{row} AS n FROM ({records.numbered}) s) "
            f"GROUP BY {keys} ORDER BY min(n)"
        )
        with watched(self._con, progress):
            table = self._table(source.name, sql, records.parameters)
        counts = np.asarray(table.column("c"), dtype=np.int64)
        return Counted(table.select(range(len(columns))).rename_columns(list(columns)), counts)

    def tally(self, source: Source, assignment: Assignment, columns: Sequence[str]) -> pa.Table:
        records = self._records(source, assignment.values.column_names, columns)
        others = ", ".join(normal(c, source.column(c).kind, "", "x") + f" AS v{j}" for j, c in enumerate(columns))
        with self._speaking(source.name), self._placing(assignment, records) as placed:
            sql = f"SELECT x.{quote(records.number)} AS target, {others}, count(*) AS count FROM ({placed}) x GROUP BY ALL"
            table = self._table(source.name, sql, records.parameters)
        return table.rename_columns(["target", *columns, "count"])

    def write(self, source: Source, assignment: Assignment, path: Path, suffix: str, progress: Progress | None = None) -> None:
        if "data" in source.options:
            masked = self.collect(source, assignment)
            self.save(
                frames.to_arrow(masked, source.kind, frames.names_of(masked, source.kind)), path, suffix, source, progress
            )
            return
        with self._frugal(len(source.columns) <= NARROW), self._masked(source, assignment) as (sql, parameters):
            written = self._copy(sql, parameters, path, suffix, source, progress)
        if written not in (None, assignment.kept):
            raise DataError(CHANGED)

    def save(
        self,
        data: pa.Table | list[str],
        path: Path,
        suffix: str,
        source: Source,
        progress: Progress | None = None,
        json: Sequence[str] = (),
    ) -> None:
        """A table, or Parquet files one after the other, as a file in the format that `suffix` names.

        `json`: columns of the files whose text is JSON.
        """
        if isinstance(data, list):
            cast = ", ".join(f"CAST({quote(c)} AS JSON) AS {quote(c)}" for c in json)
            chosen = f"SELECT * REPLACE ({cast})" if cast else "SELECT *"
            self._copy(f"{chosen} FROM read_parquet(?)", [data], path, suffix, source, progress)
            return
        self._con.register("om_release", data)
        self._copy("SELECT * FROM om_release", [], path, suffix, source, progress)
        self._con.unregister("om_release")

    def stage(self, source: Source, path: Path) -> None:
        """The records of an input as one Parquet file, in their order."""
        sql, parameters = source.handle
        self._copy(sql, list(parameters), path, ".parquet", source, None)

    def _copy(
        self, sql: str, parameters: list[Any], path: Path, suffix: str, source: Source, progress: Progress | None
    ) -> int | None:
        """Records written; None where the format does not say."""
        with watched(self._con, progress), self._speaking(source.name, writing=True):
            if suffix.startswith(".d"):
                self._store(sql, parameters, path, Path(source.name).stem)
                return None
            self._con.execute(f"COPY ({sql}) TO {literal(str(path))} ({_format(suffix, source.options)})", parameters)
            return int(self._con.fetchall()[0][0])

    @contextlib.contextmanager
    def _frugal(self, streams: bool) -> Iterator[None]:
        """A statement that streams needs little memory, but DuckDB's writers fill what they are given: they get less."""
        if self._limited or not streams:
            yield
            return
        before = self._con.execute("SELECT current_setting('memory_limit')").fetchall()[0][0]
        self._con.execute("SET memory_limit = " + literal(STREAMED))
        try:
            yield
        finally:
            self._con.execute("SET memory_limit = " + literal(before))

    def collect(self, source: Source, assignment: Assignment) -> Any:
        if "data" in source.options:
            target = self._targets(source, assignment)
            if len(target) != int(assignment.flow.count.sum()):
                raise DataError(CHANGED)
            return frames.rebuild(source.options["data"], source.kind, assignment.released, target, assignment.drop)
        with self._masked(source, assignment) as (sql, parameters):
            table = self._table(source.name, sql, parameters)
        if table.num_rows != assignment.kept:
            raise DataError(CHANGED)
        if source.kind == "relation":
            import duckdb

            return duckdb.connect().from_arrow(table)  # it may outlive this engine
        return table

    def pair(
        self, original: Source, masked: Source, columns: Sequence[str], others: Sequence[tuple[bool, str]], key: str | None
    ) -> Paired:
        sides = []
        for source, is_masked in ((original, False), (masked, True)):
            wanted = [*columns, *(name for there, name in others if there is is_masked), *([key] if key else [])]
            sides.append((source.name, self._records(source, wanted), wanted))
        before, after = (pairs.Side(name, records, wanted) for name, records, wanted in sides)
        pairs.check(lambda sql, parameters: self._table("the tables", sql, parameters), before, after, key)
        sql, parameters = pairs.statement(before, after, len(columns), others, key is not None)
        table = self._table("the tables", sql, parameters)
        m = len(columns)
        return Paired(
            before=table.select(range(m)).rename_columns(list(columns)),
            after=table.select(range(m, 2 * m)).rename_columns(list(columns)),
            others=table.select(range(2 * m, 2 * m + len(others))).rename_columns([name for _, name in others]),
            released=table.column("released").to_numpy(),
            counts=np.asarray(table.column("records"), dtype=np.int64),
        )

    def close(self) -> None:
        self._con.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    # --- how a statement is put together and run -----------------------------------------------------------------

    def _records(self, source: Source, grouping: Sequence[str], others: Sequence[str] = ()) -> plans.Records:
        """The records of a source, with the compared values of the `grouping` columns."""
        compared = [normal(c, source.column(c).kind, source.column(c).type.upper()) for c in grouping]
        number = free_name("om n", source.names)
        if "data" in source.options:
            self._register(source, [*grouping, *others])
            sql, parameters = f"SELECT * FROM {quote(source.options['table'])}", []
        else:
            sql, parameters = source.handle
        if (
            source.kind == "parquet"
            and isinstance(parameters[0], str)
            and "file_row_number" not in (n.casefold() for n in source.names)
        ):
            numbered = (
                f"SELECT * EXCLUDE (file_row_number), file_row_number AS {quote(number)} "
                "FROM read_parquet(?, file_row_number=true, hive_partitioning=false)"
            )
        else:
            numbered = f"SELECT *, row_number() OVER () - 1 AS {quote(number)} FROM ({sql})"
        return plans.Records(sql, numbered, list(parameters), number, compared)

    def _register(self, source: Source, columns: Sequence[str]) -> None:
        wanted = tuple(dict.fromkeys(columns))
        if source.options["registered"] != wanted:
            table = frames.to_arrow(source.options["data"], source.kind, wanted)
            self._con.register(source.options["table"], table)
            source.options["registered"] = wanted

    @contextlib.contextmanager
    def _masked(self, source: Source, assignment: Assignment) -> Iterator[tuple[str, list[Any]]]:
        """SELECT of the masked records in their order, and its parameters, to be run while the context lasts."""
        records = self._records(source, assignment.values.column_names)
        columns = [c for c in source.names if c not in assignment.drop]
        if plans.looks_up(assignment):
            with self._speaking(source.name):
                plans.prepare_lookup(self._con, assignment, records)
            yield plans.lookup(assignment, records, columns, records.number), records.parameters
            return
        with self._speaking(source.name), self._placing(assignment, records) as placed:
            yield plans.replaced(assignment, records, placed, columns), records.parameters

    def _placing(self, assignment: Assignment, records: plans.Records) -> contextlib.AbstractContextManager[str]:
        return plans.placing(self._con, assignment, records, Path(self._folder))

    def _targets(self, source: Source, assignment: Assignment) -> frames.Rows:
        """The target of every record, in order."""
        records = self._records(source, assignment.values.column_names)
        with self._speaking(source.name), self._placing(assignment, records) as placed:
            found = self._table(source.name, f"SELECT {quote(records.number)} AS t FROM ({placed})", records.parameters)
        return np.asarray(found.column("t"), dtype=np.int64)

    def _store(self, sql: str, parameters: list[Any], path: Path, name: str) -> None:
        """A table in a DuckDB file of its own."""
        self._con.execute(f"ATTACH {literal(str(path))} AS om_output")
        try:
            self._con.execute(f"CREATE TABLE om_output.{quote(name or 'masked')} AS {sql}", parameters)
        finally:
            self._con.execute("DETACH om_output")

    def _table(self, name: str, sql: str, parameters: list[Any]) -> pa.Table:
        with self._speaking(name):
            return self._con.sql(sql, params=parameters).to_arrow_table()

    @contextlib.contextmanager
    def _speaking(self, name: str, writing: bool = False) -> Iterator[None]:
        """DuckDB's errors in our words: they may quote cell values, ours never do."""
        import duckdb

        try:
            yield
        except OntomaskError:
            raise
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except RuntimeError as error:  # what DuckDB makes of Ctrl-C
            if "interrupted" not in str(error).lower():
                raise
            raise KeyboardInterrupt from None
        except duckdb.Error as error:
            raise _said(error, name, writing) from None
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            raise OutputError(FULL) from None


def _format(suffix: str, options: dict[str, Any]) -> str:
    """What COPY is told about the output file."""
    text, gz = suffix.removesuffix(".gz"), suffix.endswith(".gz")
    if text in (".parquet", ".pq"):
        return "FORMAT parquet"
    packed = ", COMPRESSION gzip" if gz else ", COMPRESSION none"
    if text in (".jsonl", ".ndjson"):
        return "FORMAT json" + packed
    delimiter = "\t" if text == ".tsv" else options.get("delimiter", ",")
    return f"FORMAT csv, HEADER true, DELIMITER {literal(delimiter)}, QUOTE '\"', ESCAPE '\"'" + packed


def _said(error: Exception, name: str, writing: bool) -> OntomaskError:
    """One of our errors for one of DuckDB's."""
    import duckdb

    text = str(error)
    low = text.lower()
    if "no space left" in low or "disk full" in low:
        return OutputError(FULL)
    if writing and ("permission denied" in low or "read-only file system" in low):
        return OutputError("The output may not be written there. Choose another folder.")
    if writing and isinstance(error, duckdb.IOException):
        return OutputError("The output cannot be written: the system does not take it. Nothing was left behind.")
    if isinstance(error, duckdb.OutOfMemoryException):
        return DataError(
            "The memory limit is too small for this table. Raise memory_limit, or give the temporary folder more room."
        )
    if "csv" in low and ("error on line" in low or "rfc 4180" in low or "state machine" in low or "maximum line size" in low):
        return csv_files.refusal(name, text)
    if isinstance(error, (duckdb.ConversionException, duckdb.InvalidInputException)) and UNKNOWN in low:
        return DataError(CHANGED)
    if isinstance(error, (duckdb.IOException, duckdb.InvalidInputException, duckdb.ConversionException)):
        return DataError(f"'{name}' cannot be read: it is damaged, or not in the format that its name says.")
    return DataError(f"'{name}' cannot be used: the database engine refuses it ({type(error).__name__}).")
