"""What commands write: checked before anything is computed; small texts go to a file, or to standard output (`-`)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from ..errors import OutputError


def check(places: Mapping[str, Any], force: bool, inputs: Iterable[Any] = ()) -> None:
    """Refuse, before anything is computed, what could not be written or would destroy something.

    `places`: option → where it writes (None: not asked for). `inputs`: what the command reads; what is no file does not count.
    """
    apart(places, inputs)
    for path in places.values():
        if path in (None, "-"):
            continue
        target = Path(str(path))
        if not target.parent.is_dir():
            raise OutputError(f"The folder of '{path}' does not exist. Make it first.")
        if target.is_dir():
            raise OutputError(f"'{path}' is a folder. Name a file in it.")
        if target.exists() and not force:
            raise OutputError(f"'{path}' exists already. Choose another name, or overwrite it with --force.")


def apart(places: Mapping[str, Any], inputs: Iterable[Any] = ()) -> None:
    """Refuse two outputs in one file, and an output that is one of the inputs: even --force does not overwrite what is read."""
    read = {found for i in inputs if isinstance(i, (str, os.PathLike)) and (found := _file(i)) and found.is_file()}
    taken: dict[Path, str] = {}
    for option, path in places.items():
        if path in (None, "-"):
            continue
        target = _file(path)
        if target in read:
            raise OutputError(f"{option} names '{path}', which is an input and never overwritten. Name another file.")
        if target in taken:
            raise OutputError(f"{taken[target]} and {option} both name '{path}'. Give each a file of its own.")
        taken[target] = option


def _file(path: str | os.PathLike[str]) -> Path:
    """The file that a path means, behind links; of file.duckdb#table the file."""
    whole = Path(path)
    return (whole if whole.exists() else Path(str(path).partition("#")[0])).resolve()


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
