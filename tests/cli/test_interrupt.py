"""Ctrl-C: the run stops, says so, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


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
