"""Work of kernels that is shared out among threads: kernels let go of Python's lock, and compile faster than parallel ones."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def in_parts(work: Callable[[int, int], Any], n: int, size: int) -> None:
    """Call work(begin, end) for neighbouring parts of 0 … n−1, in as many threads as numba may use.

    Each part writes its own part of the result, so neither threads nor the size of parts change it.
    """
    import numba

    bounds = [(begin, min(begin + size, n)) for begin in range(0, n, size)]
    threads = min(numba.get_num_threads(), len(bounds))
    if threads <= 1:
        for begin, end in bounds:
            work(begin, end)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda b: work(*b), bounds))
