"""Compiled loops: typed arrays in, arrays out; no validation, no I/O.

Every kernel says in its docstring what dtype, shape and meaning its arrays have, and has a naive twin in the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from . import compiling

F = TypeVar("F", bound=Callable[..., Any])


def kernel(
    *, parallel: bool = False, fastmath: bool = False, error_model: str = "python", inner: bool = False, apart: bool = False
) -> Callable[[F], F]:
    """numba.njit with a cache on disk where one can be written, without one elsewhere.

    `error_model="numpy"` drops the test for zero before every division, which keeps loops from being vectorised.

    `inner`: called by kernels only, so that nothing is compiled that takes arguments from Python (for a tuple of twenty
    arrays that is more than the kernel itself). Calling it from Python crashes the process. `apart`: such a kernel that is
    not copied into its callers. For one that is large and has several callers: they compile and run no slower.

    `compiling` tells what is left out so that compiling takes half as long.

    numba looks for a writable place beside the source, then in the user's cache folder; where there is neither (a
    read-only container) asking for a cache is an error, and compiling anew is better than failing.
    """

    settings: dict[str, Any] = {"parallel": parallel, "fastmath": fastmath, "error_model": error_model, "nogil": True}
    inner = inner or apart
    if inner:
        settings["no_cpython_wrapper"] = True
    settings["no_cfunc_wrapper"] = True
    pipeline = compiling.Apart if apart else compiling.Inner if inner else compiling.Outer
    if pipeline and not parallel:
        settings["pipeline_class"] = pipeline

    def decorate(function: F) -> F:
        if not compiling.makes_arrays(function):
            settings["_nrt"] = False
        if inner and pipeline:  # quicker to compile within its callers than to look up
            return numba.njit(**settings)(function)  # type: ignore[no-any-return]
        try:
            made = numba.njit(cache=True, **settings)(function)
        except RuntimeError:
            return numba.njit(**settings)(function)  # type: ignore[no-any-return]
        if compiling.Cache:
            made._cache = compiling.Cache(function)
        return made  # type: ignore[no-any-return]

    return decorate
