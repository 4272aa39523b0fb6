"""What has been compiled before, known without importing a compiler.

Kernels are cached on disk by numba. A *note* beside them says that a whole kind of run was done with these sources, so that
nothing it needs is missing: one look at a folder instead of an import and a look at every kernel.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

KERNELS = Path(__file__).with_name("_kernels")
held: set[Path] = set()  # files that say what this process compiles now
shared = False  # whether another process compiles for this one, or this one for another: then they wait for each other


@cache
def sources() -> str:
    """Changes with any kernel: one is compiled into those that call it, which numba does not look at."""
    found = hashlib.sha256()
    for path in sorted(KERNELS.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def noted(what: str) -> bool:
    """Whether this kind of run has been done."""
    return any((folder / _note(what)).exists() for folder in _folders())


def note(what: str) -> None:
    """This kind of run has been done; notes about other sources go. Where nothing can be written, nothing is noted."""
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _note(what)).touch()
            for old in folder.glob("done-*.txt"):
                if not old.name.startswith(_note("")[:-4]):
                    old.unlink(missing_ok=True)
        except OSError:
            continue
        return


def writable() -> bool:
    """Whether a note can be written, and compiled kernels with it."""
    return any(os.access(next(p for p in (f, *f.parents) if p.exists()), os.W_OK | os.X_OK) for f in _folders())


def let_go() -> None:
    """Before this process ends: whatever it was compiling, others may now."""
    for path in list(held):
        path.unlink(missing_ok=True)


def _folders() -> list[Path]:
    """Where numba looks for a writable place."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return [Path(given)] if given else [KERNELS / "__pycache__", Path.home() / ".cache" / "ontomask"]


@cache
def _machine() -> str:
    try:
        compiler = version("numba")
    except PackageNotFoundError:
        compiler = ""
    about = (sources(), compiler, sys.implementation.cache_tag, platform.machine(), os.environ.get("NUMBA_CPU_NAME"))
    return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


def _note(what: str) -> str:
    return f"done-{_machine()}-{what}.txt"
