"""Category paths, one a line: "Animals > Pets > Birds", as product and web taxonomies are published.

Each step is a concept below the one before it; steps that no line ends in are made. Names recur under different parents
("Accessories"), so a concept's id is its whole path and its label the last step. A line may begin with an id of its own,
cut off by " : " (Shopify) or " - " (Google), which then replaces the path as the id. Lines that begin with # are comments.
"""

from __future__ import annotations

import re

from ..draft import Draft
from ..source import Source
from . import _text

_STEP = re.compile(r"\s*>\s*")
_ID = re.compile(r"(\S+)\s+[:\-]\s+(?=\S)")
SEPARATOR = " > "
ENOUGH = 0.3  # share of the head's lines that must be paths


class Paths:
    name = "paths"

    def sniff(self, source: Source) -> bool:
        if not _text.plausible(source):
            return False
        lines = [line for line in source.head_text.splitlines() if line.strip() and not line.startswith("#")]
        found = sum(SEPARATOR in line for line in lines)
        return found > 0 and found >= ENOUGH * len(lines) and not lines[0].lstrip().startswith(("@", "{"))

    def read(self, source: Source) -> Draft:
        given: dict[tuple[str, ...], str] = {}
        steps: dict[tuple[str, ...], None] = {}
        with_ids: bool | None = None
        for number, line in enumerate(source.lines(), 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            own = _ID.match(text)
            if with_ids is None:  # the first line decides: "A - B" may also be a name
                with_ids = own is not None
            if with_ids and own is None:
                raise source.bad("the line has no id before its path, as the first has", number)
            path = tuple(_STEP.split(text[own.end() :] if with_ids and own else text))
            if not all(path):
                raise source.bad("a step of the path is empty", number)
            for length in range(1, len(path) + 1):
                steps[path[:length]] = None
            if with_ids and own:
                given[path] = own[1]
        if all(len(path) == 1 for path in steps):
            raise source.bad("no line of it is a path", then="Steps are cut by ' > '.")
        ids = {path: given.get(path, SEPARATOR.join(path)) for path in steps}
        draft = Draft(format=self.name, concepts=list(ids.values()))
        draft.labels = {ids[path]: [path[-1]] for path in steps}
        draft.edges = [(ids[path], ids[path[:-1]]) for path in steps if len(path) > 1]
        return draft


FORMAT = Paths()
