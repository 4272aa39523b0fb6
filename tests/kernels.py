"""Kernels that only kernels may call, made callable from tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def outer(inner: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled function that takes arguments from Python and hands them to `inner`."""

    def call(*given):  # type: ignore[no-untyped-def]
        return inner(*given)

    return numba.njit(call)  # type: ignore[no-any-return]
