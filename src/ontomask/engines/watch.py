"""How far a DuckDB statement is: asked from a thread beside it, a few times a second."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from .base import Progress

EVERY = 0.2  # seconds


@contextlib.contextmanager
def watched(con: Any, progress: Progress | None) -> Iterator[None]:
    """While the body runs statements on `con`, `progress` is told the share done."""
    if progress is None:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(EVERY):
            share = con.query_progress()  # −1 where it is not known
            if share >= 0:
                progress(min(share / 100, 1.0))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
