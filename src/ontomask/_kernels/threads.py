"""Work of kernels that is shared out among threads: kernels let go of Python's lock, and compile faster than parallel ones."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .._progress import along


def in_parts(work: Callable[[int, int], Any], n: int, size: int, tell: bool = True) -> None:
    """Call work(begin, end) for neighbouring parts of 0 … n−1, in as many threads as numba may use.

    Each part writes its own part of the result, so neither threads nor the size of parts change it. `tell`: it is said how
    many parts are done.
    """
    import numba

    bounds = [(begin, min(begin + size, n)) for begin in range(0, n, size)]
    tell = tell and len(bounds) > 1
    threads = min(numba.get_num_threads(), len(bounds))
    if threads <= 1:
        for begin, end in along(bounds, tell=tell):
            work(begin, end)
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            for _ in along(pool.map(lambda b: work(*b), bounds), len(bounds), tell):
                pass
        finally:
            pool.shutdown(cancel_futures=True)
