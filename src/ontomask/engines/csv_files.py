"""CSV: how a file is written (encoding, delimiter, header), found out before anything is read.

The whole file is read through once for what would otherwise surface half way: bytes that are no text, NUL bytes. The
dialect comes from its first lines; what the reader then meets must keep to it, or is refused with its line number.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, cast

from ..errors import DataError

DELIMITERS = (",", ";", "\t", "|")
SAID = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_CHUNK = 1 << 22
_HEAD = 1 << 20
LONGEST_LINE = 1 << 24
UNFOLDED_TIMES = 1000  # a compressed file that grows by more is not a table
_LINE = re.compile(r"CSV Error on Line: (\d+)")
_FOUND = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")


@dataclass(frozen=True)
class Dialect:
    """How a CSV file is written."""

    encoding: str  # "utf-8" or "latin-1"
    delimiter: str
    header: tuple[str, ...]

    def notes(self) -> list[str]:
        """What a user should know about it."""
        said = SAID.get(self.delimiter, repr(self.delimiter))
        text = "UTF-8" if self.encoding == "utf-8" else "Latin-1 (it is not UTF-8; the output is)"
        return [f"read as {text}, separated by {said}"]


def opened(path: Path) -> IO[bytes]:
    """The bytes, unfolded where the name ends in .gz."""
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.name.lower().endswith(".gz") else path.open("rb")


def dialect(path: Path, suffix: str) -> Dialect:
    """The dialect of a file; DataError where it is no table."""
    try:
        encoding = _scan(path)
        with opened(path) as file:
            head = file.read(_HEAD + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"'{path.name}' is damaged or cut off: its gzip data cannot be unfolded. Get the file again.") from None
    text = head.decode("utf-8-sig" if encoding == "utf-8" else encoding, errors="ignore")
    if len(head) > _HEAD:
        text = text[: text.rfind("\n") + 1] or text
    if not text.strip():
        raise DataError(f"'{path.name}' is empty: there is not even a line of column names. Name another file.")
    delimiter = _delimiter(text, "\t" if suffix == ".tsv" else ",")
    header = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    return Dialect(encoding, delimiter, tuple(header))


def _scan(path: Path) -> str:
    """The encoding, from all bytes: UTF-8 where they are, else Latin-1; refuses what is no text."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    encoding, lines, size = "utf-8", 0, 0
    most = max(1 << 30, UNFOLDED_TIMES * path.stat().st_size)
    with opened(path) as file:
        while data := file.read(_CHUNK):
            if size == 0 and data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise DataError(f"'{path.name}' is UTF-16 text. Save it as UTF-8 first.")
            at = data.find(b"\0")
            if at >= 0:
                line = lines + data.count(b"\n", 0, at) + 1
                raise DataError(
                    f"'{path.name}' holds a NUL byte in line {line:,}: it is damaged, or not "
                    "a text file. Remove the byte, or export the table again."
                )
            if encoding == "utf-8":
                try:
                    decoder.decode(data)
                except UnicodeDecodeError:
                    encoding = "latin-1"
            lines += data.count(b"\n")
            size += len(data)
            if size > most:
                raise DataError(f"'{path.name}' unfolds to more than {UNFOLDED_TIMES:,} times its size, which no table does.")
    if encoding == "utf-8":
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            encoding = "latin-1"
    return encoding


def _delimiter(text: str, wish: str) -> str:
    """The delimiter with which most of the first lines have the header's number of fields, more fields first."""
    best, best_score = wish, (0.0, 0)
    for delimiter in dict.fromkeys((wish, *DELIMITERS)):
        try:
            first = islice(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 200)
            rows = [len(row) for row in first if row]
        except csv.Error:
            continue
        if not rows or rows[0] < 2:
            continue
        score = (rows.count(rows[0]) / len(rows), rows[0])
        if score > best_score:
            best, best_score = delimiter, score
    return best


def check_names(name: str, names: list[str]) -> None:
    """Every column has a name, and no two the same."""
    empty = [str(i + 1) for i, column in enumerate(names) if not column.strip()]
    if empty:
        which = f"column {empty[0]} has" if len(empty) == 1 else f"columns {', '.join(empty[:8])} have"
        raise DataError(f"In '{name}' {which} no name. Give each column a name in the first line.")
    seen: dict[str, int] = {}
    for i, column in enumerate(names):
        folded = column.casefold()
        if folded in seen:
            first = names[seen[folded]]
            how = "are both called" if first == column else "differ only in capitals:"
            raise DataError(f"In '{name}' the columns {seen[folded] + 1} and {i + 1} {how} '{column}'. Rename one of them.")
        seen[folded] = i


def refusal(name: str, message: str) -> DataError:
    """What DuckDB says about a bad file, without the cell values that it quotes."""
    line = _LINE.search(message)
    at = f"Line {int(line.group(1)):,} of '{name}'" if line else f"A line of '{name}'"
    fields = _FOUND.search(message)
    if fields:
        expected, found = (int(x) for x in fields.groups())
        what = f"has {found:,} fields instead of {expected:,}"
        then = "Mend the line (a delimiter too many or too few, or a text that needs quotes)."
    elif "unterminated quote" in message.lower():
        what, then = "begins a quoted text that never ends", "Close the quote, or write a quote within a text twice."
    elif "maximum line size" in message.lower():
        what, then = "is longer than any line of a table should be", "Look for a quote that is never closed."
    else:
        what, then = "is not CSV as RFC 4180 has it", "Look at its quotes and line ends (do not mix \\n and \\r\\n)."
    return DataError(f"{at} {what}. {then} Nothing was written.")
