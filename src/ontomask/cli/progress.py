"""What a person at a terminal sees of a run that takes longer than a moment; nothing anywhere else."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..run.steps import Observer

AFTER = 2.0  # seconds: what is quicker shows nothing
OFTEN = 4  # times a second that it is drawn: more would be felt where all cores are at work
PHASES = {
    "open": "Looking at the file",
    "read": "Reading taxonomies",
    "count": "Counting records",
    "pair": "Matching records",
    "match": "Finding what words mean",
    "mask": "Masking",
    "compare": "Masking and measuring",
    "evaluate": "Measuring loss and risk",
    "write": "Writing",
    "verify": "Checking what was written",
    "report": "Writing the report",
}
WINDOW = 15.0  # seconds, or half of what is over: how fast it was in these says how fast it will be
LUMP = 0.1  # a first share above this was all done since the phase began, not just before it was told
TRUSTED = 3.0  # seconds after which the time left is shown


@contextmanager
def shown(phases: Iterable[str]) -> Iterator[Observer | None]:
    """An observer that draws the phase, which of `phases` it is, the share done and the time left on standard error.

    None where standard error is no terminal: nothing is shown.
    """
    if not sys.stderr.isatty():
        yield None
        return
    display = _Display(phases)
    try:
        yield display.tell
    finally:
        display.stop()


class _Display:
    """One line that is drawn anew, begun when the run has taken AFTER seconds: importing rich takes a while, too."""

    def __init__(self, phases: Iterable[str]) -> None:
        self._phases = list(phases)
        self._lock = threading.Lock()
        self._begin(next(iter(phases), ""))
        self._stopped = False
        self._live: Any = None
        self._listener: Any = None
        self._timer = threading.Timer(AFTER, self._start)
        self._timer.daemon = True
        self._timer.start()

    def tell(self, phase: str, share: float | None) -> None:
        with self._lock:
            if phase != self._phase or share is None:
                self._begin(phase)
            if share is not None:
                if not self._looks and share > LUMP:
                    self._looks.append((self._since, 0.0))
                self._looks.append((time.monotonic(), share))

    def stop(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._stopped = True
        if self._live is not None:
            self._live.stop()
        if self._listener is not None:
            from numba.core import event

            event.unregister("numba:compile", self._listener)

    def _compiling(self) -> bool:
        """Whether numba is at it: a first run waits for that, and the share done stands still."""
        if self._listener is None:
            if not hasattr(sys.modules.get("numba"), "njit"):  # not imported, or not yet whole
                return False
            self._listener = _listener()
        return bool(self._listener.deep)

    def _begin(self, phase: str) -> None:
        self._phase, self._since = phase, time.monotonic()
        self._looks: list[tuple[float, float]] = []  # when, share done

    def _start(self) -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True)
        live = Live(
            get_renderable=lambda: self._drawn(console.width), console=console, refresh_per_second=OFTEN, transient=True
        )
        with self._lock:
            if self._stopped:
                return
            self._live = live
        live.start()

    def _drawn(self, width: int) -> Any:
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        with self._lock:
            phase, since, looks = self._phase, self._since, list(self._looks)
        now = time.monotonic()
        number = f"{self._phases.index(phase) + 1}/{len(self._phases)} " if phase in self._phases else ""
        share = looks[-1][1] if looks else None
        told = [said(now - since)]
        left = time_left(looks, now)
        if share is not None:
            told.insert(0, f"{int(100 * share)} %")
        if self._compiling():
            told.append("first run: compiling")
        elif left is not None:
            told.append(f"about {said(left, roughly=True)} left")
        bar = ProgressBar(total=1.0, completed=share or 0.0, pulse=share is None, width=max(8, min(40, width - 74)))
        line = Table.grid(padding=(0, 1))
        for _ in range(3):
            line.add_column(no_wrap=True)
        line.add_row(number + PHASES.get(phase, phase), bar, " · ".join(told))
        return line


def _listener() -> Any:
    """Counts, from now on, how many compilations are under way, one within the other."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        deep = 0

        def on_start(self, event: Any) -> None:
            self.deep += 1

        def on_end(self, event: Any) -> None:
            self.deep -= 1

    listener = Listener()
    event.register("numba:compile", listener)
    return listener


def time_left(looks: Sequence[tuple[float, float]], now: float) -> float | None:
    """Seconds, if it goes on as it lately did; None as long as too little is known. `looks`: (when, share done), rising.

    >>> time_left([(0.0, 0.0), (10.0, 0.25)], now=10.0)
    30.0
    """
    if not looks or now - looks[0][0] < TRUSTED:
        return None
    lately = now - max(WINDOW, (now - looks[0][0]) / 2)
    when, before = next((look for look in reversed(looks) if look[0] <= lately), looks[0])
    share = looks[-1][1]
    return (1 - share) * (now - when) / (share - before) if share > before else None


def said(seconds: float, roughly: bool = False) -> str:
    """
    >>> said(42), said(42, roughly=True), said(200), said(200, roughly=True), said(4000)
    ('42 s', '45 s', '3 min 20 s', '3 min', '1 h 6 min')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{max(5, 5 * round(whole / 5)) if roughly else whole} s"
    if whole < 3600:
        return f"{round(whole / 60)} min" if roughly else f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
