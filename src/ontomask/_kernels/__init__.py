"""Compiled loops: typed arrays in, arrays out; no validation, no I/O.

Every kernel says in its docstring what dtype, shape and meaning its arrays have, and has a naive twin in the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(*, parallel: bool = False, fastmath: bool = False) -> Callable[[F], F]:
    """numba.njit with a cache on disk where one can be written, without one elsewhere.

    numba looks for a writable place beside the source, then in the user's cache folder; where there is neither (a
    read-only container) asking for a cache is an error, and compiling anew is better than failing.
    """

    def decorate(function: F) -> F:
        try:
            return numba.njit(cache=True, parallel=parallel, fastmath=fastmath, nogil=True)(function)  # type: ignore[no-any-return]
        except RuntimeError:
            return numba.njit(parallel=parallel, fastmath=fastmath, nogil=True)(function)  # type: ignore[no-any-return]

    return decorate
