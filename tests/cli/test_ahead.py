"""The second process that compiles ahead: what it compiles, when it is started, and that it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import ontomask as om
from ontomask import _compiled
from ontomask._kernels import compiling, kernel
from ontomask.run import ahead

REFINED = om.Microaggregation(5, "refined")
# A table of words, another one than the second process has; which kernels were compiled for it instead of found?
RUN = """
import numpy as np
import ontomask as om
from ontomask._kernels import centroid, covariance, improve, nearest
from ontomask.evaluation.bound import lower_bound
from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.flow import Tuples, make_flow
from ontomask.methods.refined import refine as refined
from ontomask.semantics.spaces.taxonomy import TaxonomySpace
tax = om.Taxonomy.from_edges([(c, p) for c, p in zip("bcdefg", "aabbcc")])
spaces = tuple(TaxonomySpace(name, tax, np.asarray([3, 4, 5, 6], np.int32)) for name in "xy")
codes = np.asarray([[0, 1], [1, 1], [2, 3], [3, 2]], np.int32)
tuples = Tuples(codes, np.asarray([2, 1, 1, 4]), spaces)
best, _ = refined(tuples, tuples.geometry, 3, np.asarray([0, 0, 0, 1], np.int32), "normal", np.random.default_rng(1))
evaluate_flow(tuples, best.flow({}), k=3)
late = [improve.step, centroid.centroids, centroid.fixed_sums, covariance.product_sums]
print(*(k.__name__ for k in [*late, nearest.search_each, nearest.outward] if k.stats.cache_misses or not k.stats.cache_hits))
"""


def here(cache: Path) -> dict[str, str]:
    return {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}


def test_what_a_run_needs_late_is_there_when_it_is_done(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "ontomask.run.ahead", "evaluation", "refined"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=here(tmp_path)) as process:
        assert process.wait(300) == 0
    done = subprocess.run([sys.executable, "-c", RUN], env=here(tmp_path), capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
    assert not list(tmp_path.rglob("*.lock"))
    assert not list(tmp_path.rglob("*.tmp.*"))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc whether a process is there")
def test_it_ends_with_the_run_that_started_it(tmp_path: Path) -> None:
    code = "import time; from ontomask.run import ahead; print(ahead._started(['refined']).pid, flush=True); time.sleep(99)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=here(tmp_path), text=True) as run:
        assert run.stdout is not None
        number = int(run.stdout.readline())
        os.kill(number, 0)  # it is there
        until(lambda: bool(list(tmp_path.rglob("*.lock"))))  # it compiles
        run.send_signal(signal.SIGKILL)
    until(lambda: not alive(number))
    assert not list(tmp_path.rglob("*.lock"))
    assert not list(tmp_path.rglob("*.tmp.*"))


def until(true: Callable[[], bool]) -> None:
    """Wait at most half a minute."""
    for _ in range(300):
        if true():
            return
        time.sleep(0.1)
    pytest.fail("waited in vain")


def alive(number: int) -> bool:
    """Whether the process works still; one that has ended and that nobody asked about does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_it_is_started_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(ahead, "_started", lambda missing: started.append(missing))
    monkeypatch.setattr(ahead, "_cores", lambda: 2)
    with pytest.raises(RuntimeError, match="failed"), ahead.beside(REFINED):
        raise RuntimeError("failed")
    with ahead.beside(REFINED):
        pass
    with ahead.beside(REFINED), ahead.beside(om.Recoding(5)):
        pass
    with ahead.beside(REFINED, report=True):
        pass
    assert started == [["evaluation", "refined"]] * 2 + [["report"]]


@pytest.mark.parametrize(("threads", "cores"), [(1, 2), (None, 1)])
def test_it_is_not_started_without_a_core_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int | None, cores: int
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(ahead, "_started", lambda missing: pytest.fail("started"))
    monkeypatch.setattr(ahead, "_cores", lambda: cores)
    with ahead.beside(REFINED, threads):
        assert not _compiled.shared


def test_a_cache_that_cannot_be_written_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(ahead, "_started", lambda missing: pytest.fail("started"))
    with ahead.beside(REFINED):
        pass
    assert not _compiled.noted("refined")


def test_notes_about_other_sources_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    (tmp_path / "done-0123456789abcdef-refined.txt").touch()
    assert not _compiled.noted("refined")
    _compiled.note("refined")
    assert _compiled.noted("refined")
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be held there")
def test_one_compiles_and_the_other_waits(tmp_path: Path) -> None:
    one, other, order = compiling.Turn(tmp_path / "a.lock"), compiling.Turn(tmp_path / "a.lock"), []

    def wait() -> None:
        other.take()
        order.append("other")

    one.take()
    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.1)
    order.append("one")
    one.give()
    thread.join(10)
    other.give()
    assert order == ["one", "other"]
    assert not list(tmp_path.iterdir())


def test_where_files_cannot_be_held_nobody_waits(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    turn = compiling.Turn(tmp_path / "file" / "a.lock")
    turn.take()
    turn.give()


def test_this_numba_was_tried() -> None:
    """Where this fails after an upgrade: run the tests with the new number in compiling.TRIED, and keep it if they pass."""
    assert compiling.Outer is not None


def test_kernels_work_as_numba_compiles_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("Cache", "Outer", "Inner", "Apart"):
        monkeypatch.setattr(compiling, name, None)
    namespace: dict[str, object] = {"kernel": kernel}
    exec(  # a kernel from no file has no cache
        "@kernel(apart=True)\ndef double(x):\n    return 2 * x\n@kernel()\ndef more(x):\n    return double(x) + 1\n", namespace
    )
    assert namespace["more"](20) == 41  # type: ignore[operator]


def test_whether_a_kernel_makes_arrays_is_seen() -> None:
    from ontomask._kernels import nearest, small

    assert compiling.makes_arrays(small.numbers.py_func)  # type: ignore[attr-defined]
    assert not compiling.makes_arrays(nearest.search.py_func)  # type: ignore[attr-defined]
