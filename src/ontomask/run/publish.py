"""From a masking to a file that may be published: verified before it appears, complete or not there at all.

The private manifest (only when asked for, in a folder that only its owner may read) holds what is needed to repeat and to
audit the run: recipe with seed, flow, versions, hashes, timings. With the original table and the seed a masking can be
undone in part: it stays where the original stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._progress import Tell
from ..engines.opening import format_of, parquet_files, suffix_of
from ..errors import OutputError, PromiseError, plural
from .verify import verify

if TYPE_CHECKING:
    from .masked import Masked


PRIVATE = ("manifest.json", "recipe.toml", "flow.parquet")


def check_output(path: Path, force: bool, source: Path | None = None, folders: bool = False) -> None:
    """Can this file be written? Asked before any work is done. `folders`: the engine writes folders of Parquet files."""
    if not folders:
        format_of(path, "written")
    if source is not None and path.exists() and source.exists() and os.path.samefile(path, source):
        raise OutputError(f"The output '{path}' is the input itself, which is never overwritten. Name another file.")
    if path.is_dir() and not (folders and parquet_files(path)):
        raise OutputError(f"The output '{path}' is a folder. Name a file in it.")
    if path.exists() and not force:
        raise OutputError(
            f"The file '{path}' is there already. Name another, or allow it to be replaced (force=True, --force)."
        )
    folder = path.parent
    if not folder.is_dir():
        raise OutputError(f"The folder '{folder}' of the output does not exist. Make it first.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(f"Nothing may be written to the folder '{folder}'. Choose another one.")


def publish(masked: Masked, path: Path, *, force: bool, manifest: Path | None) -> None:
    """Write under a temporary name, verify what was written, rename."""
    check_output(path, force, masked._source.path, masked._engine.writes_folders)
    if manifest is not None:
        _check_manifest(manifest, path)
    ending = suffix_of(path) + (".gz" if path.name.lower().endswith(".gz") else "")
    part = path.with_name(f".{secrets.token_hex(4)}.part{ending}")
    try:
        with masked._steps("write") as share:
            masked._of_unchanged(lambda: masked._engine.write(masked._source, masked._assignment, part, ending, share))
        with masked._steps("verify") as share:
            _verify(masked, part, share)
        _put(part, path)
    except OSError as error:
        if isinstance(error, OutputError):
            raise
        raise OutputError(f"The output '{path}' cannot be written: {error.strerror}. Nothing was left behind.") from None
    finally:
        for left in (part, part.with_name(part.name + ".wal")):
            _remove(left)
    if manifest is not None:
        write_manifest(masked, path, manifest)


def _put(part: Path, path: Path) -> None:
    """Rename; what was there goes only when the new release stands in its place."""
    if not (part.is_dir() or path.is_dir()):
        os.replace(part, path)
        return
    old = path.with_name(f".{secrets.token_hex(4)}.old")
    if path.exists():
        os.replace(path, old)
    os.replace(part, path)
    _remove(old)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _verify(masked: Masked, part: Path, tell: Tell | None) -> None:
    """k from the written file; PromiseError where it is not what was promised."""
    method = masked.method
    kept = masked._assignment.kept
    names = [s.name for s in masked._tuples.spaces]
    if not kept:
        masked.about["proof"][1:] = ["Every record was suppressed: the file holds none."]
        return
    found = verify(
        part, names, method.k, engine=masked._engine, progress=lambda _, share: tell(share) if tell and share else None
    )
    if found.records != kept:
        raise PromiseError(
            f"The written file has {plural(found.records, 'record')} instead of {kept:,}. It was removed; please report this."
        )
    if method.promises_k and not found.kept:
        raise PromiseError(
            f"The written file is not {method.k:,}-anonymous (its smallest class has {plural(found.found, 'record')}). "
            "It was removed; please report this bug."
        )
    if method.promises_k:
        said = f"From the written file, read again: the smallest class has {plural(found.found, 'record')}."
    else:
        said = f"The written file was read again: {plural(found.records, 'record')}, the smallest class has {found.found:,}."
    masked.about["proof"][1:] = [said]


def _check_manifest(folder: Path, path: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"The private manifest needs a folder; '{folder}' is a file.")
    if not folder.exists() and not folder.parent.is_dir():
        raise OutputError(f"The folder '{folder.parent}' does not exist. Make it first.")


def write_manifest(masked: Masked, path: Path, folder: Path) -> None:
    """manifest.json, recipe.toml and flow.parquet, readable by their owner alone."""
    import pyarrow.parquet as pq

    folder.mkdir(mode=0o700, exist_ok=True)
    for name in PRIVATE:  # before anything is in them: the folder may be one that others can read
        (folder / name).touch(mode=0o600)
        (folder / name).chmod(0o600)
    pq.write_table(masked.flow, folder / "flow.parquet")
    masked.recipe.write(folder / "recipe.toml")
    read = masked._source.path
    if read is None and masked.recipe.input.get("path"):  # a file of another shape, which became a table first
        read = next((p for p in [Path(masked.recipe.input["path"])] if p.is_file()), None)
    content: dict[str, Any] = {
        "private": "Keep this with the original data. With seed and flow a masking can be undone in part.",
        "recipe": masked.recipe.to_dict(),
        "seed": masked.seed,
        "versions": masked.about["versions"],
        "input": {"name": masked.about["input"], "sha256": sha256(read)},
        "output": {"name": path.name, "sha256": sha256(path)},
        "flow": "flow.parquet",
        "records": masked._tuples.n,
        "released": masked._assignment.kept,
        "proof": masked.about["proof"],
        "seconds": {phase: round(s, 3) for phase, s in masked._steps.seconds.items()},
    }
    text = json.dumps(content, indent=1, ensure_ascii=False, default=str) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")


def sha256(path: Path | None) -> str | None:
    if path is None:
        return None
    if path.is_dir():
        each = "".join(f"{sha256(f)}  {f.name}\n" for f in parquet_files(path))
        return hashlib.sha256(each.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
