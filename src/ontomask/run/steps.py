"""The phases of a run: how long each took, and who wants to know how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from .._progress import patiently

T = TypeVar("T")
# phase, share done (None: it has begun and does not know). Shares only rise; a phase may end before its share is 1. While an
# engine runs a statement it is called from a thread that watches the engine, otherwise from the one that asked for the work.
Observer = Callable[[str, float | None], None]


class Steps:
    """`with steps("count"): …` measures a phase and tells the observer of it."""

    def __init__(self, observer: Observer | None = None) -> None:
        self._observer = observer
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, phase: str) -> Iterator[Callable[[float], None] | None]:
        observer = self._observer
        if observer is not None:
            observer(phase, None)
        begin = time.perf_counter()
        try:
            yield (lambda share: observer(phase, share)) if observer is not None else None
        finally:
            self.seconds[phase] = self.seconds.get(phase, 0.0) + time.perf_counter() - begin

    def take(self, phase: str, work: Callable[[], T]) -> T:
        """What `work` gives: a phase that computes, says how far it is, and can be interrupted at any time."""
        with self(phase) as share:
            return patiently(work, share)
