"""Which engine a run uses: the one that is asked for, or the one where the data lives."""

from __future__ import annotations

from typing import Any

from .._registry import ENGINES
from ..engines.base import Engine


def engine_for(data: Any, engine: str | Engine, memory_limit: str | None = None, threads: int | None = None) -> Engine:
    """`engine`: a name or an engine. A Spark DataFrame stays on Spark, whatever the default."""
    if isinstance(engine, Engine):
        return engine
    if engine == "duckdb" and type(data).__module__.startswith("pyspark."):
        engine = "spark"
    made: Engine = ENGINES.load(engine)(memory_limit=memory_limit, threads=threads)
    return made
