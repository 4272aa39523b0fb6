"""Work that is shared out among processes on this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from multiprocessing import get_context
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import pyarrow as pa

Shared = TypeVar("Shared")
Job = TypeVar("Job")
Result = TypeVar("Result")


def spread(work: Callable[[Shared, Job], Result], shared: Shared, jobs: Sequence[Job], workers: int) -> Iterator[Result]:
    """`work(shared, job)` for every job, in their order; `shared` goes to each of at most `workers` processes once.

    One worker, or one job: in this process.
    """
    if workers <= 1 or len(jobs) <= 1:
        for job in jobs:
            yield work(shared, job)
        return
    # Spawned, not forked: threads of the engine and of the kernels do not survive a fork.
    with ProcessPoolExecutor(
        min(workers, len(jobs)), mp_context=get_context("spawn"), initializer=_receive, initargs=(work, shared)
    ) as pool:
        with _nobody_as_main():
            results = pool.map(_do, jobs)
        yield from results


def each_part(
    work: Callable[[Shared, pa.Table], pa.Table], shared: Shared, rows: pa.Table, schema: pa.Schema, workers: int = 1
) -> Iterator[pa.Table]:
    """`work(shared, part)` for the rows of each part, which are those with the same number in the first column.

    The parts are numbered from 0 and stand one after the other in `rows`; `schema` is that of the tables that come back, in
    the order of the parts. An engine that has more machines does the same on them (`Engine.each_part`).
    """
    import numpy as np

    number = np.asarray(rows.column(0))
    begin = np.searchsorted(number, np.arange(int(number[-1]) + 2))
    yield from spread(work, shared, [rows.slice(a, b - a) for a, b in pairwise(begin.tolist())], workers)


@contextmanager
def _nobody_as_main() -> Iterator[None]:
    """A spawned process imports the main module again, and a user's script without a guard would run twice."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


_received: tuple[Any, ...] = ()


def _receive(work: Any, shared: Any) -> None:
    import numba

    global _received
    numba.set_num_threads(1)  # the processes share the cores
    _received = (work, shared)


def _do(job: Any) -> Any:
    work, shared = _received
    return work(shared, job)
