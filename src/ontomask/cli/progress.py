"""What a person at a terminal sees of a run that takes longer than a moment; nothing anywhere else."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..run.steps import Observer

AFTER = 2.0  # seconds: what is quicker shows nothing
PHASES = {
    "open": "Looking at the file",
    "count": "Counting records",
    "match": "Finding what words mean",
    "mask": "Masking",
    "evaluate": "Measuring loss and risk",
    "write": "Writing",
    "verify": "Checking what was written",
    "report": "Writing the report",
}


@contextmanager
def shown() -> Iterator[Observer | None]:
    """An observer that draws phase, share done and time left on standard error; None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    display = _Display()
    try:
        yield display.tell
    finally:
        display.stop()


class _Display:
    """Rich's progress bar, made when the run has taken AFTER seconds: importing it takes a while, too."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._phase = "open"
        self._share: float | None = None
        self._stopped = False
        self._bar: Any = None
        self._task: Any = None
        self._timer = threading.Timer(AFTER, self._start)
        self._timer.daemon = True
        self._timer.start()

    def tell(self, phase: str, share: float | None) -> None:
        with self._lock:
            new = phase != self._phase
            self._phase, self._share = phase, share
            if self._bar is None:
                return
            if new or share is None:
                self._bar.remove_task(self._task)
                self._task = self._begin()
            else:
                self._bar.update(self._task, completed=share, total=1.0)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        with self._lock:
            if self._stopped:
                return
            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), TextColumn("left:"),
                TimeRemainingColumn(), console=Console(stderr=True), transient=True,
            )  # fmt: skip
            self._task = self._begin()
            self._bar.start()

    def _begin(self) -> Any:
        known = list(PHASES)
        number = f"{known.index(self._phase) + 1}/{len(known)} " if self._phase in PHASES else ""
        total = None if self._share is None else 1.0
        return self._bar.add_task(number + PHASES.get(self._phase, self._phase), total=total, completed=self._share or 0)

    def stop(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._stopped = True
            if self._bar is not None:
                self._bar.stop()
