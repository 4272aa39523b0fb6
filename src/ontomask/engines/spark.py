"""Spark: records stay on the cluster; the driver sees the distinct tuples and the flow, as Arrow.

Spark DataFrames and Parquet files or folders are read where they lie. Other inputs are read by DuckDB and handed over as
Parquet, so that every input means the same on both engines. Output is a folder of Parquet parts in the order of the
records, or, for other formats, one file that DuckDB makes of it.

Records are numbered as DuckDB numbers them: a Parquet folder by file name and row within the file, a DataFrame by partition
and row within it. (A DataFrame is kept for the run, since nothing promises that computing it twice gives the same rows.)
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pyarrow as pa

from ..errors import DataError, OntomaskError, OutputError, illegal
from . import executors, frames, spark_files
from .base import CHANGED, Assignment, Column, Counted, Engine, Paired, Progress, Source
from .csv_files import check_names
from .duckdb import DuckDB
from .opening import parquet_files
from .pairs import check_key, check_sizes, check_strange
from .plans import ranges
from .spark_session import session
from .sql import free_name

BROADCAST = 1_000_000  # rows of values or targets that are sent to every executor; more are shuffled


class Spark(Engine):
    """`master`: the cluster ("local[2]", "spark://…", "yarn"); a session that is there already is used as it is.

    `memory_limit` and `threads` are those of DuckDB, for what it reads or writes, and of a Spark that is started on this
    machine alone; a cluster's own are set on its session.
    """

    name = "spark"
    writes_folders = True

    def __init__(self, memory_limit: str | None = None, threads: int | None = None, master: str | None = None) -> None:
        if master is not None and not isinstance(master, str):
            raise illegal("master", "the Spark engine", "be a text such as 'local[2]' or 'spark://host:7077'", master)
        self._duck = DuckDB(memory_limit=memory_limit, threads=threads)
        self._memory_limit = memory_limit
        self._master = master or f"local[{threads or '*'}]"
        self._folder = Path(tempfile.mkdtemp(prefix="ontomask-spark-"))
        self._session: Any = None
        self._held: list[Any] = []  # frames that are kept for the run
        self._from_memory: set[Path] = set()  # what was written of a table that was in memory, whatever its types

    # --- the eight verbs -----------------------------------------------------------------------------------------

    def open(self, data: Any) -> Source:
        if type(data).__module__.startswith("pyspark."):
            self._session = data.sparkSession
            source = Source("a Spark table", "spark", _columns(data), data)
            check_names(source.name, source.names)
            return source
        self._start()
        files = parquet_files(data)
        if files and files[0] in self._from_memory:
            import pyarrow.parquet as pq

            return self._duck.open(pq.read_table(files[0]))
        with self._speaking("the input"):
            if files:
                spark_files.check(Path(data).name, files)
                frame = spark_files.read(self._session, spark_files.linked(files, self._folder))
                path = Path(data)
                source = Source(path.name, "parquet", _columns(frame), frame, path)
                source.options["files"] = True
                check_names(source.name, source.names)
                return source
        source = self._duck.open(data)
        if "data" not in source.options:
            staged = self._folder / f"input-{len(list(self._folder.iterdir()))}.parquet"
            self._duck.stage(source, staged)
            spark_files.check(source.name, [staged])
            source.options["json"] = [c.name for c in source.columns if c.type == "JSON"]
            source.handle = spark_files.read(self._session, [staged])
            source.columns = _columns(source.handle)
            source.options["files"] = True
        return source

    def sample(self, source: Source, columns: Sequence[str], rows: int) -> pa.Table:
        if "data" in source.options:
            return self._duck.sample(source, columns, rows)
        with self._speaking(source.name):
            return _arrow(source.handle.select(*[tick(c) for c in columns]).limit(int(rows)), columns)

    def count(self, source: Source, columns: Sequence[str], progress: Progress | None = None) -> Counted:
        from pyspark.sql import functions as f

        with self._speaking(source.name):
            records, n = self._numbered(source, columns)
            keys = [f"g{j}" for j in range(len(columns))]
            compared = records.select(*_normals(source, columns, keys), f.col(tick(n)).alias("n"))
            grouped = compared.groupBy(*keys).agg(f.count("*").alias("c"), f.min("n").alias("first")).orderBy("first")
            table = _arrow(grouped.select(*keys, "c"), [*columns, "c"])
        counts = np.asarray(table.column(len(columns)), dtype=np.int64)
        return Counted(table.select(range(len(columns))), counts)

    def tally(self, source: Source, assignment: Assignment, columns: Sequence[str]) -> pa.Table:
        from pyspark.sql import functions as f

        with self._speaking(source.name):
            became = self._targets(source, assignment, columns)
            values = [f.expr(_normal(f"o{j}", source.column(c))).alias(f"v{j}") for j, c in enumerate(columns)]
            names = [f"v{j}" for j in range(len(columns))]
            counted = became.select("t", *values).groupBy("t", *names).agg(f.count("*").alias("c"))
            return _arrow(counted.select("t", *names, "c"), ["target", *columns, "count"])

    def write(self, source: Source, assignment: Assignment, path: Path, suffix: str, progress: Progress | None = None) -> None:
        if "data" in source.options:
            masked = self.collect(source, assignment)
            table = frames.to_arrow(masked, source.kind, frames.names_of(masked, source.kind))
            self._duck.save(table, path, suffix, source)
            self._from_memory.add(path)
            return
        parts = path if suffix in (".parquet", ".pq", "") else self._folder / "release.parquet"
        with self._speaking(source.name, path.name):
            spark_files.write(self._session, self._masked(source, assignment), parts)
            written = spark_files.read(self._session, [parts]).count()
            if written != assignment.kept:
                raise DataError(CHANGED)
        if parts != path:
            written_json = set(source.options.get("json", ())) - set(assignment.released.column_names) - set(assignment.drop)
            self._duck.save([str(p) for p in sorted(parts.glob("*.parquet"))], path, suffix, source, json=sorted(written_json))
            shutil.rmtree(parts)

    def collect(self, source: Source, assignment: Assignment) -> Any:
        with self._speaking(source.name):
            if "data" in source.options:
                found = _arrow(self._targets(source, assignment).orderBy("n").select("t"), ["t"])
                target = np.asarray(found.column("t"), dtype=np.int64)
                if len(target) != int(assignment.flow.count.sum()):
                    raise DataError(CHANGED)
                return frames.rebuild(source.options["data"], source.kind, assignment.released, target, assignment.drop)
            masked = self._masked(source, assignment)
            if source.kind == "spark":
                return masked
            table = _arrow(masked, masked.columns)
        if table.num_rows != assignment.kept:
            raise DataError(CHANGED)
        if source.kind == "relation":
            import duckdb

            return duckdb.connect().from_arrow(table)  # it may outlive this engine
        return table

    def pair(
        self, original: Source, masked: Source, columns: Sequence[str], others: Sequence[tuple[bool, str]], key: str | None
    ) -> Paired:
        from pyspark.sql import functions as f

        with self._speaking("the tables"):
            before = self._side(original, columns, [c for at_right, c in others if not at_right], key, "x")
            after = self._side(masked, columns, [c for at_right, c in others if at_right], key, "y")
            self._check_pair(before, after, key)
            right = after.drop("n").withColumn("released", f.lit(True))
            both = before.join(right, on="k", how="left").withColumn("released", f.coalesce("released", f.lit(False)))
            told = [f"x{j}" for j in range(len(columns))] + [f"y{j}" for j in range(len(columns))]
            told += [f"{'y' if at_right else 'x'}:{c}" for at_right, c in others]
            grouped = both.groupBy(*[tick(c) for c in told], "released").agg(f.count("*").alias("c"), f.min("n").alias("first"))
            shown = [*map(tick, told), "released", "c"]
            table = _arrow(grouped.orderBy("first").select(*shown), [*told, "released", "c"])
        m = len(columns)
        return Paired(
            before=table.select(range(m)).rename_columns(list(columns)),
            after=table.select(range(m, 2 * m)).rename_columns(list(columns)),
            others=table.select(range(2 * m, 2 * m + len(others))).rename_columns([c for _, c in others]),
            released=table.column("released").to_numpy(),
            counts=np.asarray(table.column("c"), dtype=np.int64),
        )

    def each_part(
        self, work: executors.Work, shared: Any, rows: pa.Table, schema: pa.Schema, workers: int = 1
    ) -> Iterator[pa.Table]:
        """On the executors; the session, not `workers`, says how many tasks run at a time."""
        with self._speaking("the tuples"):
            count = int(np.asarray(rows.column(0))[-1]) + 1
            yield executors.each_part(self._session, self._frame(rows), count, work, shared, schema)

    def _side(self, source: Source, columns: Sequence[str], others: Sequence[str], key: str | None, mark: str) -> Any:
        """One table of a pair: k what its records are found by, n their number, and what they say."""
        from pyspark.sql import functions as f

        wanted = [*columns, *others, *([key] if key else [])]
        records, n = self._numbered(source, wanted)
        names = [*(f"{mark}{j}" for j in range(len(columns))), *(f"{mark}:{c}" for c in others)]
        told = _normals(source, [*columns, *others], names)
        k = f.expr(f"CAST({_normal(key, source.column(key))} AS STRING)") if key else f.col(tick(n))
        return records.select(k.alias("k"), f.col(tick(n)).alias("n"), *told)

    def _check_pair(self, before: Any, after: Any, key: str | None) -> None:
        """DataError where records cannot be told to belong together."""
        if key is None:
            check_sizes(before.count(), after.count())
            return
        for side, what in ((before, "original"), (after, "masked table")):
            check_key(side.count() - side.where("k IS NOT NULL").select("k").distinct().count(), key, what)
        check_strange(after.join(before.select("k"), on="k", how="left_anti").count(), key)

    def close(self) -> None:
        with contextlib.suppress(Exception):  # a session that somebody stopped has nothing left to let go
            for frame in self._held:
                frame.unpersist()
        self._held.clear()
        self._duck.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    # --- how it is done ------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """The session of the process; one of our own where there is none."""
        if self._session is None:
            self._session = session(self._master, self._memory_limit)

    def _numbered(self, source: Source, columns: Sequence[str]) -> tuple[Any, str]:
        """The records with a column that counts them from 0 in their order, and its name."""
        from pyspark.sql import functions as f

        n = free_name("om n", source.names)
        if "data" in source.options:
            wanted = list(dict.fromkeys(columns))
            table = frames.to_arrow(source.options["data"], source.kind, wanted)
            return self._frame(table.append_column(n, pa.array(np.arange(table.num_rows)))), n
        if "numbered" not in source.options:
            taken = [*source.names, n]
            part, row = free_name("om part", taken), free_name("om row", taken)
            if source.options.get("files"):
                within = (f.col("_metadata.file_path"), f.col("_metadata.row_index"))
            else:
                place = f.monotonically_increasing_id()  # 33 bits of it count within the partition
                within = (f.spark_partition_id(), place.bitwiseAND(f.lit((1 << 33) - 1)))
            tagged = source.handle.select("*", within[0].alias(part), within[1].alias(row))
            if not source.options.get("files"):
                from pyspark import StorageLevel

                tagged = tagged.persist(StorageLevel.MEMORY_AND_DISK)
                self._held.append(tagged)
            found = tagged.groupBy(tick(part)).count().collect()
            sizes = sorted(((r[0], r[1]) for r in found), key=lambda x: unquote(x[0]) if isinstance(x[0], str) else x[0])
            before = np.cumsum([0, *(size for _, size in sizes)])[:-1]
            kind = pa.string() if source.options.get("files") else pa.int32()
            starts = pa.table({part: pa.array([p for p, _ in sizes], kind), "om start": pa.array(before, pa.int64())})
            joined = tagged.join(f.broadcast(self._frame(starts)), on=part)
            number = (f.col(tick("om start")) + f.col(tick(row))).alias(n)
            source.options["numbered"] = joined.select(*[f.col(tick(c)) for c in source.names], number)
        return source.options["numbered"], n

    def _targets(self, source: Source, assignment: Assignment, others: Sequence[str] = ()) -> Any:
        """(n: row number, t: target, o0 …: other columns) of every record."""
        from pyspark.sql import Window
        from pyspark.sql import functions as f

        grouping = assignment.values.column_names
        records, n = self._numbered(source, [*grouping, *others])
        keys = [f"g{j}" for j in range(len(grouping))]
        kept = [f.col(tick(c)).alias(f"o{j}") for j, c in enumerate(others)]
        seen = records.select(f.col(tick(n)).alias("n"), *_normals(source, grouping, keys), *kept)
        low = ranges(assignment)
        split = np.isin(assignment.number, low.column("u").to_numpy())
        parts = {f"m{j}": column for j, column in enumerate(assignment.values.columns)}
        known = self._frame(pa.table({**parts, "u": assignment.number, "t": assignment.target, "split": split}))
        same = [f.col(k).eqNullSafe(f.col(f"m{j}")) for j, k in enumerate(keys)]
        shown = ["n", "t", *(f"o{j}" for j in range(len(others)))]
        found = seen.join(_small(known, len(assignment.number)), on=same, how="left")
        if not low.num_rows:
            return found.select(*shown)
        # Row i of a tuple goes to the last target whose range begins below i: both are laid on one line and walked along.
        several = found.where("split").withColumn("order", f.md5(f.concat(f.lit(f"{assignment.seed}:"), f.col("n"))))
        within = Window.partitionBy("u").orderBy("order", "n")
        placed = several.withColumn("place", 2 * f.row_number().over(within)).select(
            *[c for c in shown if c != "t"], "u", "place"
        )
        begins = self._frame(low).select("u", (2 * f.col("low") + 1).alias("place"), "t")
        line = placed.unionByName(begins, allowMissingColumns=True)
        last = f.last("t", ignorenulls=True).over(Window.partitionBy("u").orderBy("place"))
        split_rows = line.withColumn("t", last).where(f.col("n").isNotNull()).select(*shown)
        return found.where("split IS NULL OR NOT split").select(*shown).unionByName(split_rows)

    def _masked(self, source: Source, assignment: Assignment) -> Any:
        """The masked records in their order."""
        from pyspark.sql import functions as f

        masked = assignment.released.column_names
        columns = [c for c in source.names if c not in assignment.drop]
        others = [c for c in columns if c not in masked]
        became = self._targets(source, assignment, others)
        values = {f"r{j}": column for j, column in enumerate(assignment.released.columns)}
        number = pa.array(np.arange(len(assignment.flow.targets), dtype=np.int32))
        released = self._frame(pa.table({**values, "t": number}))
        place = {c: f"r{masked.index(c)}" if c in masked else f"o{others.index(c)}" for c in columns}
        joined = became.join(_small(released, len(number)), on="t").orderBy("n")
        return joined.select(*[f.col(place[c]).alias(c) for c in columns])

    def _frame(self, table: pa.Table) -> Any:
        return spark_files.frame(self._session, table)

    @contextlib.contextmanager
    def _speaking(self, name: str, output: str = "") -> Iterator[None]:
        """Spark's errors in our words: they may quote cell values, ours never do."""
        from py4j.protocol import Py4JError, Py4JNetworkError
        from pyspark.errors import PySparkException

        try:
            yield
        except OntomaskError:
            raise
        except (Py4JNetworkError, ConnectionError):
            raise DataError(
                "The connection to Spark was lost: its driver has ended, most often for want of memory. "
                "Give it more (spark.driver.memory), then run again."
            ) from None
        except (PySparkException, Py4JError) as error:
            low = str(error).lower()
            if "no space left" in low:
                raise OutputError(f"The disk is full: '{output or name}' cannot be written. Make room first.") from None
            if "permission denied" in low:
                raise OutputError(f"'{output or name}' may not be used there: permission denied.") from None
            if "outofmemory" in low or "out of memory" in low:
                raise DataError("Spark ran out of memory. Give its driver and executors more, then run again.") from None
            raise DataError(f"'{name}' cannot be used: Spark refuses it ({type(error).__name__}).") from None


def tick(name: str) -> str:
    """A column's name as Spark's expressions quote it: whatever is in it, it stays one name.

    >>> print(tick("a`b.c"))
    `a``b.c`
    """
    return "`" + name.replace("`", "``") + "`"


def _normal(name: str, column: Column) -> str:
    """The value of a column as it is compared; see `sql.normal`."""
    quoted = tick(name)
    if column.kind == "text":
        return f"NULLIF(TRIM(CAST({quoted} AS STRING)), '')"
    if column.type.upper() in ("DOUBLE", "FLOAT"):
        return f"CASE WHEN isnan({quoted}) THEN NULL ELSE {quoted} END"
    return quoted


def _normals(source: Source, columns: Sequence[str], names: Sequence[str]) -> list[Any]:
    from pyspark.sql import functions as f

    return [f.expr(_normal(c, source.column(c))).alias(g) for c, g in zip(columns, names, strict=True)]


def _columns(frame: Any) -> tuple[Column, ...]:
    return tuple(Column(x.name, _kind(x.dataType.typeName()), x.dataType.typeName().upper()) for x in frame.schema.fields)


def _kind(name: str) -> str:
    """The kind of a Spark type, as `Column.kind`."""
    if name in ("byte", "short", "integer", "long", "float", "double") or name.startswith("decimal"):
        return "number"
    if name.startswith(("date", "time")):
        return "time"
    if name.startswith(("string", "varchar", "char", "void")):
        return "text"
    return "truth" if name == "boolean" else "nested"


def _small(frame: Any, rows: int) -> Any:
    """Sent to every executor while it is small; else the join shuffles."""
    from pyspark.sql import functions as f

    return f.broadcast(frame) if rows <= BROADCAST else frame


def _arrow(frame: Any, names: Sequence[str]) -> pa.Table:
    """What was found, on the driver."""
    table = frame.toArrow().rename_columns(list(names))
    return frames.to_arrow(table, "pyarrow", names)
