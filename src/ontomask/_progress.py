"""How far a long piece of work is, and how it is stopped.

The work runs in a thread of its own (`patiently`); whoever asked for it waits, tells the observer a few times a second how
far it is, and can be interrupted at once, which compiled loops cannot. What works says how far it is by `done`, `along` or
`counted`, each as a share of the innermost `span`; where nobody waits, these do next to nothing. Nothing here changes what
is computed.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from itertools import accumulate, pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
Tell = Callable[[float], None]  # share done, 0 … 1

EVERY = 0.1  # seconds between two looks at how far the work is
PATIENCE = 0.5  # seconds that work which is to stop gets for it, before it is left alone


class Stopped(BaseException):
    """Raised within work that nobody waits for any more; like KeyboardInterrupt no error that anyone should handle."""


class _Work:
    """`share` of the span (`begin`, `end`) is done; `read` knows it where a kernel counts."""

    def __init__(self) -> None:
        self.begin, self.end, self.share = 0.0, 1.0, 0.0
        self.read: Callable[[], float] | None = None
        self.known = self.stopped = False
        self.leave: Callable[[], None] | None = None

    def now(self) -> float | None:
        """The share of the whole; None as long as nothing is known."""
        read = self.read
        if read is None and not self.known:
            return None
        share = read() if read is not None else self.share
        return self.begin + (self.end - self.begin) * min(max(share, 0.0), 1.0)

    def stop(self) -> None:
        self.stopped = True
        leave = self.leave
        if leave is not None:
            leave()

    def check(self) -> None:
        if self.stopped:
            raise Stopped


_work: ContextVar[_Work | None] = ContextVar("ontomask_work", default=None)
_left: list[threading.Thread] = []  # still at work, though nobody waits for them


def patiently(work: Callable[[], T], tell: Tell | None = None) -> T:
    """What `work` gives. Meanwhile `tell` is told the share done, whenever it has risen; an interrupt is served at once.

    Interrupted work is told to stop; what does not within PATIENCE goes on for a while without anybody looking at its result.
    """
    if _work.get() is not None or (tell is None and threading.current_thread() is not threading.main_thread()):
        return work()  # somebody waits already; or there is nobody to tell, and interrupts come to the main thread only
    while _left:  # two parallel kernels at once are not allowed everywhere
        _left[0].join(EVERY)
        _left[:] = [thread for thread in _left if thread.is_alive()]
    job, finished, found, threads = _Work(), threading.Event(), list[Any](), _threads()

    def run() -> None:
        _work.set(job)
        try:
            if threads is not None:
                _threads(threads)
            found.append(work())
        except BaseException as error:
            found.extend((None, error))
        finally:
            finished.set()

    thread = threading.Thread(target=copy_context().run, args=(run,), name="ontomask", daemon=True)
    thread.start()
    told = 0.0
    try:
        while not finished.wait(EVERY):
            share = job.now()
            if tell is not None and share is not None and share > told:
                told = share
                tell(share)
    except BaseException:
        job.stop()
        _left.append(thread)
        finished.wait(PATIENCE)
        raise
    if len(found) > 1:
        error = found.pop()
        try:
            raise error
        finally:
            del error, found  # else the frames of the error hold the error
    result: T = found[0]
    return result


def abandoned() -> bool:
    """Whether interrupted work is still going on."""
    return any(thread.is_alive() for thread in _left)


def done(share: float) -> None:
    """So much of the innermost span is done. Raises where the work is to stop."""
    work = _work.get()
    if work is not None:
        work.share, work.known = share, True
        work.check()


def stages(*weights: float) -> list[AbstractContextManager[None]]:
    """Spans, one after the other, that take about so much time each, in any unit."""
    total, ends = sum(weights), list(accumulate(weights, initial=0.0))
    return [span(begin / total, end / total) for begin, end in pairwise(ends)]


def several(works: Sequence[Callable[[], T]]) -> list[T]:
    """What each gives: pieces of work of about the same length."""
    return [work() for work in each(works)]


def each(items: Sequence[T], stage: AbstractContextManager[None] | None = None) -> Iterator[T]:
    """The items, one after the other, about the same work each, within which it is said how far it is."""
    with stage or nullcontext():
        for i, item in enumerate(items):
            with span(i / len(items), (i + 1) / len(items)):
                yield item


def check() -> None:
    """Raises where the work is to stop."""
    work = _work.get()
    if work is not None:
        work.check()


def along(items: Iterable[T], number: int | None = None, tell: bool = True) -> Iterator[T]:
    """The items, one after the other; says how many of `number` (their length) are done, or only looks whether to stop."""
    work = _work.get()
    if work is None:
        yield from items
        return
    total = number if number is not None else len(items)  # type: ignore[arg-type]
    for i, item in enumerate(items, 1):
        yield item
        if tell:
            work.share, work.known = i / total, True
        work.check()


@contextmanager
def span(begin: float, end: float) -> Iterator[None]:
    """What is done within is this part, from share `begin` to share `end`, of the span outside."""
    work = _work.get()
    if work is None:
        yield
        return
    work.check()
    before = work.begin, work.end
    width = work.end - work.begin
    # In this order a look from another thread never finds more than there is.
    work.share, work.begin, work.end = 0.0, work.begin + width * begin, work.begin + width * end
    work.known = work.known or begin > 0
    try:
        yield
    finally:
        work.share, (work.begin, work.end) = end, before
    work.check()


@contextmanager
def counted(total: int, power: int = 1) -> Iterator[npt.NDArray[np.int64]]:
    """int64[2] for a kernel, which writes how many of `total` are done to [0] and leaves early where [1] is not 0.

    `power`: to do what is left takes time in proportion to this power of it.
    """
    counter = np.zeros(2, np.int64)

    def stop() -> None:
        counter[1] = 1

    with watched(lambda: 1 - (1 - int(counter[0]) / max(1, total)) ** power, stop):
        yield counter


@contextmanager
def watched(read: Callable[[], float], stop: Callable[[], None] | None = None) -> Iterator[None]:
    """While the body runs, `read` says which share of the innermost span is done: from arrays that the body changes.

    `stop` is called where the body is to leave early, with whatever result.
    """
    work = _work.get()
    if work is None:
        yield
        return
    work.check()
    work.leave, work.read = stop, read
    try:
        yield
    finally:
        work.share, work.known = 1.0, True
        work.leave = work.read = None
    work.check()


def _threads(number: int | None = None) -> int | None:
    """How many threads kernels started from this thread use (None: numba has not been asked for); `number` sets it."""
    numba = sys.modules.get("numba")
    if numba is None or not hasattr(numba, "set_num_threads"):
        return None
    if number is not None:
        numba.set_num_threads(number)
    return int(numba.get_num_threads())
