"""Work that is shared out among processes on this machine."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import pairwise
from multiprocessing import get_context
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import pyarrow as pa

from ._progress import EVERY, along, check, span

Shared = TypeVar("Shared")
Job = TypeVar("Job")
Result = TypeVar("Result")


def spread(work: Callable[[Shared, Job], Result], shared: Shared, jobs: Sequence[Job], workers: int) -> Iterator[Result]:
    """`work(shared, job)` for every job, in their order; `shared` goes to each of at most `workers` processes once.

    One worker, or one job: in this process. The processes end at once when nobody waits for the results any more.
    """
    if workers <= 1 or len(jobs) <= 1:
        for i, job in enumerate(jobs):
            with span(i / len(jobs), (i + 1) / len(jobs)):
                result = work(shared, job)
            yield result
        return
    # Spawned, not forked: threads of the engine and of the kernels do not survive a fork.
    with ProcessPoolExecutor(
        min(workers, len(jobs)), mp_context=get_context("spawn"), initializer=_receive, initargs=(work, shared)
    ) as pool:
        try:
            with _nobody_as_main(), _deaf():
                futures = [pool.submit(_do, job) for job in jobs]
            for future in along(futures):
                while not wait([future], EVERY).done:
                    check()
                yield future.result()
        except BaseException:
            for process in list((pool._processes or {}).values()):
                process.kill()
            raise


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
    # Taken, not sliced: a slice travels to another process with all of the table behind it.
    jobs = [rows.take(np.arange(a, b)) for a, b in pairwise(begin.tolist())]
    yield from spread(work, shared, jobs, workers)


@contextmanager
def _nobody_as_main() -> Iterator[None]:
    """A spawned process imports the main module again, and a user's script without a guard would run twice."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started here do not hear Ctrl-C, which a terminal sends to all: it is for who started them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_received: tuple[Any, ...] = ()


def _receive(work: Any, shared: Any) -> None:
    import numba

    global _received
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    numba.set_num_threads(1)  # the processes share the cores
    _received = (work, shared)


def _do(job: Any) -> Any:
    work, shared = _received
    return work(shared, job)
