"""Work on the parts of a table, on the executors of a Spark cluster.

The rows of a part travel as Arrow, to one task for each part. What all parts share (spaces with their taxonomies; no
distances) is broadcast: it reaches each executor once. The work itself travels as Spark sends a user's functions, so that a
method may be defined in the user's own script.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from .. import __version__, errors
from ..errors import DataError, DependencyError, OntomaskError

Work = Callable[[Any, pa.Table], pa.Table]
ERROR = "error"  # the column that carries an error of ours back to the driver: its class, and what it says
_DDL = {pa.int32(): "int", pa.int64(): "bigint", pa.string(): "string"}
_ABSENT = re.compile(r"No module named '([\w.]+)'")


def each_part(session: Any, frame: Any, count: int, work: Work, shared: Any, schema: pa.Schema) -> pa.Table:
    """`work(shared, part)` for the rows of `frame` that have the same number, 0 … count−1, in their first column."""
    from pyspark.errors import PythonException

    version, name = __version__, frame.columns[0]
    _on_this_machine(session.sparkContext)
    cast = session.sparkContext.broadcast(shared)
    complete = schema.append(pa.field(ERROR, pa.string()))

    def apply(rows: pa.Table) -> pa.Table:
        from ontomask.engines.executors import attempt

        found, error = attempt(version, work, cast, rows)
        if found is None:
            return pa.Table.from_pylist([{ERROR: error}], schema=complete)
        return found.append_column(complete.field(ERROR), pa.nulls(found.num_rows, pa.string()))

    # The planner would put parts together that are small in bytes; they are large in work.
    apart = frame.repartitionById(count, name) if hasattr(frame, "repartitionById") else frame.repartition(4 * count, name)
    try:
        ddl = ", ".join(f"{field.name} {_DDL[field.type]}" for field in complete)
        found = apart.groupBy(name).applyInArrow(apply, ddl).toArrow()
    except PythonException as error:
        absent = _ABSENT.search(str(error))
        if not absent:
            raise
        raise _lacking(absent[1].partition(".")[0], version) from None
    finally:
        cast.destroy()
    for said in found.column(ERROR).drop_null().to_pylist():
        raise _ours(said, version)
    return found.drop_columns([ERROR])


def _on_this_machine(context: Any) -> None:
    """Where Spark runs on this machine alone, its executors are this Python; "python3" on the path may be one without us."""
    if context.master.startswith("local") and not os.environ.get("PYSPARK_PYTHON"):
        context.pythonExec = sys.executable


def attempt(version: str, work: Work, cast: Any, rows: pa.Table) -> tuple[pa.Table | None, str]:
    """On an executor: what the work makes of a part; or None, and the error that it ends with."""
    if version != __version__:
        return None, f"Version:{__version__}"
    import numba

    numba.set_num_threads(1)  # the tasks of an executor share its cores
    try:
        return work(cast.value, rows), ""
    except OntomaskError as error:
        return None, f"{type(error).__name__}:{error}"
    except MemoryError:
        return None, "Memory:"


def _ours(said: str, version: str) -> OntomaskError:
    """The error that an executor ended with."""
    kind, _, text = said.partition(":")
    if kind == "Version":
        return DependencyError(
            f"The executors of the Spark cluster have ontomask {text}, the driver has {version}: their releases may differ. "
            "Install the same version on all of them."
        )
    if kind == "Memory":
        return DataError(
            "An executor of the Spark cluster ran out of memory. Give it more, or lower max_tuples for smaller parts."
        )
    found: OntomaskError = getattr(errors, kind)(text)
    return found


def _lacking(package: str, version: str) -> DependencyError:
    """An executor cannot import what the work needs."""
    if package == "ontomask":
        package += f" {version}"
    return DependencyError(
        f"The executors of the Spark cluster do not have '{package}', which they need to mask the parts of this table. "
        "Install it for the Python of every executor (pip install), or ship an environment that has it with spark.archives; "
        "or raise max_tuples, and the driver masks the table at once."
    )
