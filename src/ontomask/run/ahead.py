"""Kernels compiled by a second process while the first one still reads the table: what is needed last, first.

A run of the command line starts it where that can help (`beside`). It masks and evaluates a table of its own, of six
records, so that exactly what a run calls is compiled, and leaves that in numba's cache on disk, where the run finds it. It
takes no data, says nothing, and ends when the run ends, however that ends: its standard input is a pipe, which closes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .. import _compiled

if TYPE_CHECKING:
    from ..methods.base import Method

PATIENCE = 1.0  # seconds for a process to end by itself


@contextmanager
def beside(method: Method, threads: int | None = None, report: bool = False) -> Iterator[None]:
    """While this holds, a second process compiles what a run of `method` needs, with a report or without.

    None is started where such runs have been done before, nor where it would have no core of its own.
    """
    needed = {"evaluation": True, "refined": getattr(method, "variant", "") == "refined", "report": report}
    missing = [what for what, asked in needed.items() if asked and not _compiled.noted(what)]
    if not missing:
        yield
        return
    process = _started(missing) if threads != 1 and _cores() > 1 and _compiled.writable() else None
    _compiled.shared = process is not None
    try:
        yield
        for what in missing:
            _compiled.note(what)
    finally:
        _compiled.shared = False
        if process is not None:
            _end(process)
            _compiled.let_go()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _started(missing: Sequence[str]) -> subprocess.Popen[bytes] | None:
    quiet = subprocess.DEVNULL
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, *missing], stdin=subprocess.PIPE, stdout=quiet, stderr=quiet
        )
    except OSError:  # too many processes, no memory: the run compiles by itself
        return None


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _end_with_parent() -> None:
    """Wait until nobody holds the other end of the pipe, then end at once, but not in the middle of a file."""
    os.read(0, 1)  # not through sys.stdin, whose lock would be held when Python ends
    compiling = sys.modules.get("ontomask._kernels.compiling")
    saving = getattr(compiling, "saving", None)
    if saving is not None:
        saving.acquire()
    _compiled.let_go()
    os._exit(0)


def compile_for(missing: Sequence[str]) -> None:
    """Call what a run calls late, on six records: of refined what takes longest, of an evaluation the last thing first."""
    import numpy as np

    from .._kernels.improve import empty_clusters
    from ..evaluation.bound import lower_bound
    from ..evaluation.case import Case
    from ..evaluation.evaluate import evaluate_flow
    from ..evaluation.linkage import links
    from ..evaluation.statistics import describe
    from ..flow import Tuples, make_flow
    from ..methods.refined import Search
    from ..semantics.spaces.flat import FlatSpace

    spaces = tuple(FlatSpace(name, ["a", "b", "c"]) for name in ("x", "y"))  # its arrays are those of any other space
    codes = np.asarray([[0, 0], [1, 1], [2, 2]], np.int32)
    tuples = Tuples(codes, np.asarray([1, 2, 3]), spaces)
    if "refined" in missing:
        state = empty_clusters(tuples.geometry.layout, 3, 12, 3)
        whole, near = np.asarray([0, 0, 1], np.int32), np.asarray([[1], [2], [0]], np.int32)
        Search(tuples.geometry, codes, tuples.counts, 3, state, near, whole)
    if "evaluation" in missing:
        flow = make_flow(np.arange(3, dtype=np.int32), codes[[1, 1, 2]], tuples.counts)
        case = Case(tuples=tuples, flow=flow)
        describe(case)
        links(case)
        evaluate_flow(tuples, flow)
    if "report" in missing:
        lower_bound(tuples, 2)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal: the first one decides
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _compiled.shared = True
    compile_for(sys.argv[1:])


if __name__ == "__main__":
    main()
