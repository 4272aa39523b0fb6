"""Progress: phase, share done and time left at a terminal; nothing anywhere else."""

from __future__ import annotations

import io
import time
from typing import Any

import numba
import pytest
from numba.core import event

from ontomask.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with progress.shown(progress.PHASES) as observer:
        assert observer is None


def test_a_quick_run_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with progress.shown(progress.PHASES) as observer:
        assert observer is not None
        observer("count", None)
        observer("count", 0.5)
    time.sleep(0.05)
    assert terminal.getvalue() == ""


def test_a_long_run_shows_phase_and_share(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with progress.shown(progress.PHASES) as observer:
        assert observer is not None
        end = time.monotonic() + 60
        while "Masking" not in terminal.getvalue() and time.monotonic() < end:
            observer("mask", None)
            time.sleep(0.02)
        while "25 %" not in terminal.getvalue() and time.monotonic() < end:
            observer("write", 0.25)
            time.sleep(0.02)
    shown = terminal.getvalue()
    assert "6/11 Masking" in shown
    assert "9/11 Writing" in shown


def test_a_phase_that_does_not_know_shows_neither_share_nor_time_left() -> None:
    display = progress._Display(["mask"])
    display.tell("mask", None)
    told = rendered(display)
    assert "1/1 Masking" in told
    assert "%" not in told
    assert "left" not in told
    display.stop()


def test_the_time_left_follows_how_fast_it_lately_went() -> None:
    assert progress.time_left([], 100.0) is None
    assert progress.time_left([(0.0, 0.5)], 1.0) is None  # too early to say
    assert progress.time_left([(0.0, 0.5)], 50.0) is None  # it stands still
    steady = [(float(t), t / 100) for t in range(51)]
    assert progress.time_left(steady, 50.0) == pytest.approx(50.0)
    slower = [*steady, *((50.0 + 10 * i, 0.5 + i / 100) for i in range(1, 20))]
    assert progress.time_left(slower, 240.0) == pytest.approx(310.0)
    assert progress.time_left(slower, 260.0) > progress.time_left(slower, 240.0)  # it stands still again


def test_a_first_run_says_that_it_compiles() -> None:
    display = progress._Display(["mask"])
    assert "compiling" not in rendered(display)
    seen: list[str] = []

    class Looking(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            seen.append(rendered(display))

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Looking()):
        assert numba.njit(lambda x: x + 1)(1) == 2
    assert "first run: compiling" in seen[0]
    assert "compiling" not in rendered(display)
    display.stop()


def rendered(display: progress._Display) -> str:
    from rich.console import Console

    console = Console(width=120, file=io.StringIO())
    with console.capture() as capture:
        console.print(display._drawn(120))
    return capture.get()
