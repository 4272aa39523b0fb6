"""Load a taxonomy by name or path: find its format, read, check, compile. The same source is loaded once."""

from __future__ import annotations

import gc
import os
from collections import OrderedDict
from importlib import import_module
from itertools import islice
from pathlib import Path
from threading import RLock

from .._progress import stages
from .._registry import FORMATS
from ..errors import FormatError, did_you_mean, unknown
from .build import build
from .draft import Draft
from .formats.base import Format
from .source import Source, walk
from .taxonomy import Taxonomy

DATA = Path(__file__).parents[1] / "data"
BUNDLED = {"wordnet": DATA / "wordnet-3.0-nouns.arrow"}
CARRIED = {"icd10cm": "ontomask.taxonomy.formats.icd10cm:packaged"}  # taxonomies that other packages carry
WATCHED = 1000  # files of a folder whose times and sizes tell whether it has changed
KEPT = 8  # loaded taxonomies that a process keeps for the next one who asks

_loaded: OrderedDict[tuple[object, ...], Taxonomy] = OrderedDict()
_lock = RLock()


def load_taxonomy(source: str | os.PathLike[str] | Taxonomy, format: str | None = None) -> Taxonomy:
    """A taxonomy from a bundled name ("wordnet"), a file or a folder; `format` names its format, else it is found out.

    Loading the same unchanged source again gives the same object. See `ontomask._registry.FORMATS` for the formats.
    """
    if isinstance(source, Taxonomy):
        return source
    if format is not None and format not in FORMATS:
        raise unknown("taxonomy format", format, FORMATS)
    path = locate(source)
    key = (path.resolve(), format, *_stamp(path))
    with _lock:
        if key not in _loaded:
            _loaded[key] = _load(Source(path, told=True), format)
            if len(_loaded) > KEPT:
                _loaded.popitem(last=False)
        _loaded.move_to_end(key)
        return _loaded[key]


def locate(source: str | os.PathLike[str]) -> Path:
    """The file or folder of a taxonomy: bundled, carried by another package, or the path itself."""
    name = str(source)
    path = BUNDLED.get(name, Path(source).expanduser())
    try:
        if name in CARRIED and not path.exists():
            module, _, attribute = CARRIED[name].partition(":")
            return getattr(import_module(module), attribute)()  # type: ignore[no-any-return]
        if not path.exists():
            raise _missing(source)
        if not path.is_file() and not path.is_dir():
            raise Source(path).bad("it is neither a file nor a folder")  # a pipe would never end
    except (OSError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"The taxonomy '{name}' cannot be read: {error}.") from None
    return path


def read_draft(source: Source, format: str | None = None) -> Draft | Taxonomy:
    """What a reader makes of the source, unchecked (a compiled file is a taxonomy already)."""
    try:
        return find_format(source, format).read(source)
    except (OSError, UnicodeError) as error:
        raise source.bad(f"the system says: {error}") from None
    except (MemoryError, RecursionError) as error:
        raise source.bad(f"it is too large or too deep ({type(error).__name__})") from None


def find_format(source: Source, format: str | None = None) -> Format:
    """The reader that was named, or the first that recognises the source."""
    if format is not None:
        return FORMATS.load(format)  # type: ignore[no-any-return]
    try:
        if not source.is_folder and not source.head:
            raise source.bad("it is empty")
        if source.head.startswith(b"PK\x03\x04"):
            raise source.bad("it is a zip archive", then="Unpack it, then name the folder or file in it.")
        for name in FORMATS:
            reader: Format = FORMATS.load(name)
            if reader.sniff(source):
                return reader
    except OSError as error:
        raise source.bad(f"the system says: {error}") from None
    raise source.bad(*_unrecognised(source))


def _unrecognised(source: Source) -> tuple[str, None, str]:
    """What is wrong with a source of no known format, and what to do."""
    if source.is_folder:
        return (
            "it holds no WordNet dictionary, no RF2 release and no OMOP vocabulary",
            None,
            "Name a file, or the folder of one.",
        )
    if source.head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "it is UTF-16 text", None, "Convert it to UTF-8 first."
    if b"\0" in source.head:
        return "it holds binary data that no format recognises", None, ""
    return "no format recognises it", None, f"If you know it, name it with format=, one of: {', '.join(FORMATS)}."


def _load(source: Source, format: str | None) -> Taxonomy:
    collecting = gc.isenabled()
    gc.disable()  # millions of small objects and no cycle among them: looking for some takes a quarter of the time
    try:
        reading, building = stages(2, 3)
        with reading:
            found = read_draft(source, format)
        if isinstance(found, Taxonomy):
            return found
        found.name = found.name or source.name
        with building:
            return build(found)
    finally:
        if collecting:
            gc.enable()


def _stamp(path: Path) -> tuple[object, ...]:
    """What changes when the source does: times and sizes of the file, or of the files of the folder."""
    files = [path] if path.is_file() else list(islice(walk(path), WATCHED))
    return tuple((str(f), s.st_mtime_ns, s.st_size) for f in files for s in [f.stat()])


def _missing(source: str | os.PathLike[str]) -> FormatError:
    name = str(source)
    near = did_you_mean(name, BUNDLED)
    if not near:
        folder = Path(name).expanduser().parent
        near = did_you_mean(Path(name).name, (f.name for f in folder.iterdir())) if folder.is_dir() else ""
    return FormatError(
        f"There is no taxonomy '{name}': it is neither a file nor a folder, nor one that comes with ontomask "
        f"({', '.join(BUNDLED)}).{near}"
    )
