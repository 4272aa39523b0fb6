"""Small texts that commands write: to a file, or to standard output where it is called `-`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

from ..errors import OutputError


def check(path: str | None, force: bool) -> None:
    """Refuse, before anything is computed, what could not be written."""
    if path in (None, "-"):
        return
    target = Path(str(path))
    if not target.parent.is_dir():
        raise OutputError(f"The folder of '{path}' does not exist. Make it first.")
    if target.exists() and not force:
        raise OutputError(f"'{path}' exists already. Choose another name, or overwrite it with --force.")


def put(text: str, path: str) -> None:
    """The text on standard output (`-`), or in a file that is complete or not there at all."""
    if path == "-":
        click.echo(text, nl=False)
        return
    target = Path(path)
    try:
        handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        Path(part).chmod(0o644)
        Path(part).replace(target)
    except OSError as error:
        raise OutputError(f"'{path}' cannot be written: {error.strerror}.") from None
