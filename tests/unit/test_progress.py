"""Work that somebody waits for: it says how far it is, and stops when nobody waits any more."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from ontomask import _progress
from ontomask._kernels.threads import in_parts
from ontomask._processes import spread
from ontomask._progress import Stopped, along, check, counted, done, patiently, several, span, watched


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "EVERY", 0.0005)


class Observer:
    """Keeps the shares, and lets work wait until the last one has been told."""

    def __init__(self) -> None:
        self.shares: list[float] = []
        self.told = threading.Event()

    def __call__(self, share: float) -> None:
        self.shares.append(share)
        self.told.set()

    def wait(self) -> None:
        assert self.told.wait(60)
        self.told.clear()


def test_the_result_and_the_error_of_the_work_are_those_of_the_call() -> None:
    assert patiently(lambda: 42) == 42
    with pytest.raises(ZeroDivisionError):
        patiently(lambda: 1 // 0)


def test_shares_are_those_of_the_whole_and_rise() -> None:
    tell = Observer()

    def work() -> None:
        with span(0, 0.5):
            with span(0.5, 1):
                done(0.5)
                tell.wait()
            done(0.1)  # less than was told already: not told
        with counted(4) as counter:
            counter[0] = 3
            tell.wait()
        for _ in along([1, 2], 2):
            pass

    patiently(work, tell)
    assert tell.shares[:2] == [0.375, 0.75]
    assert tell.shares == sorted(tell.shares)


def test_nothing_is_told_of_what_is_not_known() -> None:
    tell = Observer()
    patiently(lambda: time.sleep(0.05), tell)
    assert tell.shares == []


def test_where_nobody_waits_nothing_happens() -> None:
    with span(0, 0.5), counted(3) as counter, watched(lambda: 1.0):
        done(0.3)
        check()
        assert counter.tolist() == [0, 0]
    assert list(along([1, 2, 3])) == [1, 2, 3]
    assert several([lambda: 1, lambda: 2]) == [1, 2]


@pytest.mark.parametrize("threads", [1, 2])
def test_parts_of_kernels_say_how_many_are_done(threads: int) -> None:
    before = numba.get_num_threads()
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    try:
        tell = Observer()
        found = np.zeros(100, np.int64)

        def part(begin: int, end: int) -> None:
            found[begin:end] = threading.get_ident()
            time.sleep(0.002)

        patiently(lambda: in_parts(part, 100, 10), tell)
        assert found.all()
        assert tell.shares
        assert 0 < tell.shares[0] <= tell.shares[-1] <= 1
    finally:
        numba.set_num_threads(before)


def test_the_number_of_threads_is_that_of_who_asked() -> None:
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        assert patiently(numba.get_num_threads) == 1
    finally:
        numba.set_num_threads(before)


def test_an_observer_that_raises_ends_the_work() -> None:
    left = threading.Event()

    def work() -> None:
        try:
            while True:
                done(0.5)
        finally:
            left.set()

    def interrupt(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        patiently(work, interrupt)
    assert left.wait(60)


def test_counting_work_is_told_to_stop_and_the_next_one_waits_for_it() -> None:
    order: list[str] = []
    go = threading.Event()

    def work() -> None:
        with counted(10) as counter:
            counter[0] = 1
            while counter[1] == 0:  # as a kernel looks at it
                time.sleep(0.001)
            assert go.wait(60)
            order.append("first")
        order.append("never")

    def interrupt(share: float) -> None:
        _ = ThreadPoolExecutor(1).submit(lambda: (time.sleep(_progress.PATIENCE), go.set()))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        patiently(work, interrupt)
    patiently(lambda: order.append("second"))
    assert order == ["first", "second"]
    assert not _progress.abandoned()


def test_work_among_processes_stops_with_who_waits_for_it() -> None:
    def interrupt(share: float) -> None:
        raise KeyboardInterrupt

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        patiently(lambda: list(spread(_sleep, None, [0.01, 600.0, 600.0], 2)), interrupt)
    patiently(lambda: None)  # waits for what was left
    assert time.monotonic() - begin < 300


def _sleep(shared: None, seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def test_stopped_is_no_error_that_work_may_handle() -> None:
    assert not issubclass(Stopped, Exception)
