"""Where a taxonomy is read from: a file or a folder, opened with limits.

Whatever a reader gets from here is bounded: a compressed file may not unfold without end, a line may not be endless, a
text must be UTF-8. What is not as it should be is one FormatError that names the file.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from .._progress import done
from ..errors import FormatError

LONGEST_LINE = 1_000_000  # characters; no taxonomy format comes near
UNFOLDED_FREELY = 16 << 20  # bytes that a compressed file may unfold to, whatever its size
UNFOLDED_TIMES = 100  # beyond that: at most so many times its own size
DEEPEST_FOLDER = 4  # levels below the one that was named in which a release's files are looked for
_CHUNK = 1 << 20
_HEAD = 1 << 16


def walk(folder: Path) -> Iterator[Path]:
    """The files of a folder and of the folders in it, in the order of their names, not without end."""
    for place, folders, files in os.walk(folder):
        folders.sort()
        if len(Path(place).relative_to(folder).parts) >= DEEPEST_FOLDER:
            folders.clear()
        yield from (Path(place) / name for name in sorted(files))


class _Unfolded(io.RawIOBase):
    """A gzip stream that refuses to unfold without end."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._raw = source.path.open("rb")
        self._inner = gzip.open(self._raw, "rb")  # noqa: SIM115 - closed by close()
        self._left = max(UNFOLDED_FREELY, UNFOLDED_TIMES * source.path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._inner.read(len(buffer))
        except (EOFError, zlib.error, OSError) as error:
            raise self._source.bad(f"its gzip data is damaged or cut off ({error})") from None
        self._left -= len(data)
        if self._left < 0:
            raise self._source.bad(f"it unfolds to more than {UNFOLDED_TIMES} times its size, which no taxonomy does")
        buffer[: len(data)] = data
        if self._source.told:
            done(self._raw.tell() / max(1, self._source.path.stat().st_size))
        return len(data)

    def close(self) -> None:
        self._inner.close()
        self._raw.close()
        super().close()


class _Told(io.RawIOBase):
    """A file that says how much of it has been read."""

    def __init__(self, path: Path) -> None:
        self._inner = path.open("rb")
        self._read, self._size = 0, max(1, path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        number: int = self._inner.readinto(buffer)
        self._read += number
        done(self._read / self._size)
        return number

    def close(self) -> None:
        self._inner.close()
        super().close()


@dataclass(frozen=True)
class Source:
    """A path that somebody gave us. `told`: reading it is what somebody waits for, who is told how far it is."""

    path: Path
    told: bool = False

    @property
    def name(self) -> str:
        """The file's name without folder, .gz and suffix: what the taxonomy is called unless the file knows better."""
        name = self.path.name.removesuffix(".gz")
        return name.rsplit(".", 1)[0] if not self.path.is_dir() and "." in name[1:] else name

    @property
    def suffix(self) -> str:
        """The suffix in lower case, without .gz: ".obo"."""
        return Path(self.path.name.lower().removesuffix(".gz")).suffix

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def is_gzip(self) -> bool:
        if self.is_folder:
            return False
        with self.path.open("rb") as file:
            return file.read(2) == b"\x1f\x8b"

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unfolded; empty for a folder."""
        if self.is_folder:
            return b""
        with self.open() as file:
            return file.read(_HEAD)

    @cached_property
    def whole(self) -> bool:
        """Whether the head is all there is."""
        return len(self.head) < _HEAD

    @cached_property
    def head_text(self) -> str:
        """The first characters; what is not UTF-8 is replaced (sniffing must not fail)."""
        return self.head.decode("utf-8-sig", errors="replace")

    def bad(self, what: str, line: int | None = None, then: str = "") -> FormatError:
        """The one sentence in which a file is refused."""
        at = f", line {line:,}," if line else ""
        kind = "folder" if self.path.is_dir() else "file"
        return FormatError(f"The {kind} '{self.path.name}'{at} cannot be read as a taxonomy: {what}. {then}".rstrip())

    def open(self) -> BinaryIO:
        """The bytes, unfolded where the file is compressed by gzip (whatever its name)."""
        if self.is_folder:
            raise self.bad("it is a folder where a file is expected")
        if self.is_gzip:
            return io.BufferedReader(_Unfolded(self), _CHUNK)
        return io.BufferedReader(_Told(self.path), _CHUNK) if self.told else self.path.open("rb")

    def lines(self) -> Iterator[str]:
        """The lines of the text, without their ends."""
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        rest, number = "", 0
        with self.open() as file:
            while True:
                data = file.read(_CHUNK)
                try:
                    text = rest + decoder.decode(data, final=not data)
                except UnicodeDecodeError as error:
                    at = number + 1 + error.object[: error.start].count(b"\n")
                    raise self.bad("it is not UTF-8 text", at, "Convert it to UTF-8 first.") from None
                if "\0" in text:
                    raise self.bad("it holds binary data where text is expected", number + 1)
                *whole, rest = text.split("\n")
                for line in whole:
                    yield line.removesuffix("\r")
                number += len(whole)
                if len(rest) > LONGEST_LINE:
                    raise self.bad(f"a line is longer than {LONGEST_LINE:,} characters", number + 1)
                if not data:
                    break
        if rest:
            yield rest.removesuffix("\r")
