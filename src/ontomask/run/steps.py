"""The phases of a run: how long each took, and who wants to know how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Observer = Callable[[str, float | None], None]  # phase, share done (None: it has begun and does not know)


class Steps:
    """`with steps("match"): …` measures a phase and tells the observer of it."""

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
