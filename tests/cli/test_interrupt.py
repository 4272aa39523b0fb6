"""Ctrl-C: the run stops, says so, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def test_an_interrupted_run_leaves_nothing_behind(tmp_path: Path) -> None:
    path, temporary = tmp_path / "in.csv", tmp_path / "temporary"
    temporary.mkdir()
    with path.open("w", encoding="utf-8") as file:
        file.write("a,b,c\n")
        file.writelines(f"{i % 3},{i % 5},{i}\n" for i in range(3_000_000))
    out = tmp_path / "out"
    out.mkdir()
    command = [sys.executable, "-m", "ontomask", "mask", str(path), "-o", str(out / "o.csv"), "-q", "a", "-q", "b"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen([*command, "--method", "suppression"], env=environment, stderr=subprocess.PIPE, text=True) as run:
        end = time.monotonic() + 120
        while not list(out.iterdir()) and run.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        assert run.poll() is None, "it was done before it could be interrupted"
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=120)
    assert run.returncode == 130, said
    assert "Interrupted: nothing was left behind." in said
    assert not list(out.iterdir())
    assert not list(temporary.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_compiled_loop_is_interrupted_at_once_and_was_seen_at_work(tmp_path: Path) -> None:
    path, temporary, out = tmp_path / "in.csv", tmp_path / "temporary", tmp_path / "out"
    temporary.mkdir()
    out.mkdir()
    with path.open("w", encoding="utf-8") as file:
        file.write("a,b\n")
        file.writelines(f"{i * 7919 % 499_979},{i * 104_729 % 499_979}\n" for i in range(400_000))  # all distinct: minutes
    command = [sys.executable, "-m", "ontomask", "mask", str(path), "-o", str(out / "o.csv")]
    command += ["-q", "a=number", "-q", "b=number", "--method", "mdav"]
    environment = {**os.environ, "TMPDIR": str(temporary), "TERM": "xterm", "COLUMNS": "120"}
    ours, theirs = os.openpty()
    with subprocess.Popen(command, env=environment, stderr=theirs, stdout=subprocess.DEVNULL) as run:
        os.close(theirs)
        said, end = "", time.monotonic() + 240
        while not re.search(r"Masking\W[^%]*\d %", said) and run.poll() is None and time.monotonic() < end:
            said += read(ours, 1.0)
        assert re.search(r"5/8 Masking", said), said
        run.send_signal(signal.SIGINT)
        run.send_signal(signal.SIGINT)  # an impatient person's second one does not keep it from cleaning up
        end = time.monotonic() + 60
        while run.poll() is None and time.monotonic() < end:
            said += read(ours, 1.0)
        said += read(ours, 1.0)
        run.kill()
    assert run.returncode == 130, said
    assert "Interrupted: nothing was left behind." in said
    assert "Traceback" not in said
    assert not list(out.iterdir())
    assert not list(temporary.iterdir())


def read(terminal: int, seconds: float) -> str:
    """What has been written to a terminal."""
    import select

    if not select.select([terminal], [], [], seconds)[0]:
        return ""
    try:
        return os.read(terminal, 1 << 16).decode(errors="replace")
    except OSError:  # nobody writes to it any more
        return ""
