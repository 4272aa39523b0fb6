"""What the readers of delimited text share: rows with their line numbers, and a guess at the delimiter."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from ..source import Source

DELIMITERS = (";", "\t", ",", "|")
SAMPLE = 200  # rows of the head that sniffing looks at


def rows(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells without surrounding blanks) of every row that is neither empty nor a # comment."""
    reader = csv.reader(source.lines(), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) and not cells[0].startswith("#"):
                yield reader.line_num, cells
    except csv.Error as error:
        raise source.bad(f"it is not a well-formed CSV ({error})", reader.line_num) from None


_MARKUP = re.compile(r"\s*<[?!A-Za-z]")


def plausible(source: Source) -> bool:
    """Whether the source is a file of text that is no markup."""
    return not source.is_folder and "\0" not in source.head_text and not _MARKUP.match(source.head_text)


def sample(source: Source, delimiter: str) -> list[list[str]]:
    """The first rows, as far as the head holds them whole; empty where they are no CSV."""
    if not plausible(source):
        return []
    lines = source.head_text.splitlines()
    if len(source.head_text) > 1 and len(lines) > 1 and not source.whole:
        lines.pop()  # the head may end within a row
    try:
        cells = [[cell.strip() for cell in row] for row in csv.reader(lines[:SAMPLE], delimiter=delimiter, strict=True)]
    except csv.Error:
        return []
    return [row for row in cells if any(row) and not row[0].startswith("#")]


def delimiter(source: Source) -> str:
    """The delimiter that cuts every sampled row into the same number of cells, two or more; "" where there is none.

    Where several do, the one that makes most cells.
    """
    best, most = "", 1
    for candidate in DELIMITERS:
        widths = {len(row) for row in sample(source, candidate)}
        if len(widths) == 1 and (width := widths.pop()) > most:
            best, most = candidate, width
    return best
