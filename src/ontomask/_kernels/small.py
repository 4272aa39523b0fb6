"""Small loops in place of array expressions, each of which would take numba about a second to compile."""

from __future__ import annotations

import numpy as np

from . import kernel


@kernel(inner=True)
def copy(row, to):  # type: ignore[no-untyped-def]
    """As to[:] = row."""
    for j in range(len(to)):
        to[j] = row[j]


@kernel(inner=True)
def numbers(count):  # type: ignore[no-untyped-def]
    """0, 1, 2 … count − 1: int64."""
    found = np.empty(count, np.int64)
    for i in range(count):
        found[i] = i
    return found


@kernel(inner=True)
def total(counts):  # type: ignore[no-untyped-def]
    """The sum of int64 numbers."""
    found = np.int64(0)
    for t in range(len(counts)):
        found += counts[t]
    return found


@kernel(inner=True)
def falling(key, number, size):  # type: ignore[no-untyped-def]
    """The first `size` pairs in place, by falling key, then rising number: a heap sort, numba's sorts take long to compile."""
    end = size
    start = size >> 1
    while end > 1:
        if start > 0:  # the heap, on top what comes last, is still being made
            start -= 1
            k, n = key[start], number[start]
        else:
            end -= 1
            k, n = key[end], number[end]
            key[end], number[end] = key[0], number[0]
        at = start
        while 2 * at + 1 < end:
            child = 2 * at + 1
            if child + 1 < end and (
                key[child + 1] < key[child] or (key[child + 1] == key[child] and number[child + 1] > number[child])
            ):
                child += 1
            if k < key[child] or (k == key[child] and n > number[child]):
                break
            key[at], number[at] = key[child], number[child]
            at = child
        key[at], number[at] = k, n
