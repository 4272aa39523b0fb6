"""Progress: phase, share done and time left at a terminal; nothing anywhere else."""

from __future__ import annotations

import io
import time

import pytest

from ontomask.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with progress.shown() as observer:
        assert observer is None


def test_a_quick_run_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with progress.shown() as observer:
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
    with progress.shown() as observer:
        assert observer is not None
        end = time.monotonic() + 60
        while "Masking" not in terminal.getvalue() and time.monotonic() < end:
            observer("mask", None)
            time.sleep(0.02)
        while "25%" not in terminal.getvalue() and time.monotonic() < end:
            observer("write", 0.25)
            time.sleep(0.02)
    shown = terminal.getvalue()
    assert "4/8 Masking" in shown
    assert "6/8 Writing" in shown
    assert "left:" in shown
