"""The command line, called in this process as a shell would call it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


@pytest.fixture
def ontomask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """`ontomask("mask", "a.csv", …)` → exit code, standard output, standard error."""
    from ontomask.cli import main

    def run(*arguments: object) -> Said:
        monkeypatch.setattr("sys.argv", ["ontomask", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return Said(end.value.code if isinstance(end.value.code, int) else int(bool(end.value.code)), said.out, said.err)

    return run
