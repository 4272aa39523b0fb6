"""A value hierarchy as ARX and anjana write it: a row leaf;level1;…;* for each value, all rows of one length.

The cells of a row are a chain of is-a links; a cell that repeats the one before it adds nothing. Equal texts are one
concept wherever they stand, so rows that disagree on a value's parent give it several.
"""

from __future__ import annotations

from itertools import pairwise

from ..draft import Draft
from ..source import Source
from . import _text

TOP = "*"


class Hierarchy:
    name = "hierarchy"

    def sniff(self, source: Source) -> bool:
        """Every row ends in the same cell: a star, or whatever several rows of three cells and more share."""
        delimiter = _text.delimiter(source)
        rows = _text.sample(source, delimiter) if delimiter else []
        tops = {row[-1] for row in rows}
        return len(tops) == 1 and (tops == {TOP} or (len(rows) > 1 and len(rows[0]) > 2))

    def read(self, source: Source) -> Draft:
        delimiter = _text.delimiter(source) or ";"
        draft = Draft(format=self.name)
        edges: dict[tuple[str, str], None] = {}
        width = 0
        for number, row in _text.rows(source, delimiter):
            width = width or len(row)
            if len(row) != width or width < 2:
                raise source.bad(f"a row has {len(row)} cells where the first has {width}, and two or more are needed", number)
            if not all(row):
                raise source.bad("a cell is empty", number)
            for child, parent in pairwise(row):
                if child != parent:
                    edges[child, parent] = None
        draft.edges = list(edges)
        draft.concepts = draft.ids()
        return draft


FORMAT = Hierarchy()
