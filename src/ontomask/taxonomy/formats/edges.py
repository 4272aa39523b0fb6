"""An edge list: a CSV of child,parent[,label], one is-a link a row.

The delimiter is a comma, semicolon, tab or bar; it is found out. A first row that names the columns (child, parent, label,
in any order and among others) is recognised; without one, the columns are child, parent, label. A child with several
parents stands in several rows. An empty parent declares a root. A label cell may hold several labels, cut by `|`; it
belongs to the child.
"""

from __future__ import annotations

from ..draft import Draft
from ..source import Source
from . import _text

CHILD = frozenset({"child", "id", "concept", "code", "narrower", "concept id", "node", "term"})
PARENT = frozenset({"parent", "broader", "is a", "isa", "parents", "hypernym", "superclass"})
LABEL = frozenset({"label", "labels", "name", "title", "description", "preferred label"})


class Edges:
    name = "edges"

    def sniff(self, source: Source) -> bool:
        found = _delimiter(source)
        if not found:
            return False
        first, *_ = _text.sample(source, found)
        return _columns(first) is not None or 2 <= len(first) <= 3

    def read(self, source: Source) -> Draft:
        delimiter = _delimiter(source) or ","
        draft = Draft(format=self.name)
        columns: tuple[int, int, int | None] | None = None
        labels: dict[str, dict[str, None]] = {}
        known: dict[str, None] = {}
        for number, row in _text.rows(source, delimiter):
            if columns is None:
                columns = _columns(row)
                if columns is not None:
                    continue
                columns = (0, 1, 2)
            child_at, parent_at, label_at = columns
            if len(row) <= max(child_at, parent_at):
                raise source.bad("a row needs a child and a parent", number)
            child, parent = row[child_at], row[parent_at]
            if not child:
                raise source.bad("a row has no child", number)
            known[child] = None
            if parent:
                known[parent] = None
                draft.edges.append((child, parent))
            if label_at is not None and label_at < len(row):
                texts = (text.strip() for text in row[label_at].split("|" if delimiter != "|" else "\t"))
                labels.setdefault(child, {}).update((text, None) for text in texts if text)
        draft.concepts = list(known)
        if any(labels.values()):
            draft.labels = {child: list(texts) for child, texts in labels.items() if texts}
            # Whatever has no label of its own is named by its id: an edge list need not repeat it.
            draft.labels |= {id_: [id_] for id_ in known if not labels.get(id_)}
        return draft


def _delimiter(source: Source) -> str:
    """The one by which the first row names the columns, else the one that cuts all rows alike."""
    for candidate in _text.DELIMITERS:
        rows = _text.sample(source, candidate)
        if rows and _columns(rows[0]) is not None:
            return candidate
    return _text.delimiter(source)


def _columns(row: list[str]) -> tuple[int, int, int | None] | None:
    """Positions of child, parent and label where the row names them."""
    names = [cell.casefold().replace("_", " ") for cell in row]
    parent = next((i for i, name in enumerate(names) if name in PARENT or name.startswith(("parent ", "broader "))), None)
    if parent is None:
        return None
    label = next((i for i, name in enumerate(names) if name in LABEL), None)
    child = next((i for i, name in enumerate(names) if name in CHILD or name.startswith("child ")), None)
    if child is None:  # whatever the column of the things themselves is called
        child = next((i for i in range(len(names)) if i not in (parent, label)), None)
    return None if child is None else (child, parent, label)


FORMAT = Edges()
