"""The user's word goes first: a table of value → concept, as a dict, a CSV, or an edited review."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..errors import DataError, MatchingError, illegal
from ..taxonomy.graph import Ints
from ..taxonomy.lexicon import fold
from ..taxonomy.taxonomy import Taxonomy

Overrides = Mapping[str, str | None] | str | os.PathLike[str] | None

_LONGEST = 10_000  # characters of a cell: more is not a word but a broken quote


class OverrideTable:
    """What a value means by the user's word: candidate senses, none for "leave unmatched"."""

    def __init__(self, entries: Mapping[str, Ints]) -> None:
        self.exact = dict(entries)
        self.folded: dict[str, Ints] = {}
        for value, senses in entries.items():
            self.folded.setdefault(fold(value), senses)

    def __bool__(self) -> bool:
        return bool(self.exact)

    def get(self, value: str) -> Ints | None:
        """The entry for this value as written, else for its normalised form."""
        found = self.exact.get(value)
        return self.folded.get(fold(value)) if found is None else found


def read_overrides(overrides: Overrides, taxonomy: Taxonomy, column: str = "") -> OverrideTable:
    """A dict {value: concept}, or a CSV with columns value and concept (and others, as the match review has).

    A concept is an id or a label; a label may have several senses, of which one is chosen as for any value. No concept
    (None, or an empty cell) leaves the value unmatched on purpose. A CSV may speak of several columns of the data: of
    its rows that name one in `column`, those of this `column` count.
    """
    if overrides is None:
        return OverrideTable({})
    if isinstance(overrides, Mapping):
        return OverrideTable({str(v): _senses(c, taxonomy, f"the override of '{v}'") for v, c in overrides.items()})
    if isinstance(overrides, (str, os.PathLike)):
        return OverrideTable(_from_csv(Path(overrides), taxonomy, column))
    raise illegal("overrides", "match", "be a dict {value: concept} or the path of a CSV", type(overrides).__name__)


def _from_csv(path: Path, taxonomy: Taxonomy, column: str) -> dict[str, Ints]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, strict=True)
            header = [name.strip().casefold() for name in rows.fieldnames or []]
            if "value" not in header or "concept" not in header:
                raise DataError(
                    f"The override table '{path}' must be a CSV with the columns 'value' and 'concept'. "
                    f"Its header has: {', '.join(header[:8]) or 'nothing'}."
                )
            rows.fieldnames = header
            mine = (row for row in rows if not column or (row.get("column") or "").strip() in ("", column))
            return dict(_entry(row, path, rows.line_num, taxonomy) for row in mine if not _untouched(row))
    except OSError as error:
        raise DataError(f"The override table '{path}' cannot be read: {error.strerror}.") from None
    except (UnicodeError, csv.Error) as error:
        raise DataError(f"The override table '{path}' is not a CSV in UTF-8: {error}.") from None


def _untouched(row: Mapping[str, str | None]) -> bool:
    """A row of a review that had no concept and was given none: nobody has said anything about it."""
    said = (row.get("concept") or "").strip() or (row.get("label") or "").strip()
    return not said and (row.get("how") or "").strip() in ("unmatched", "doubtful", "missing", "suppressed")


def _entry(row: Mapping[str, str | None], path: Path, line: int, taxonomy: Taxonomy) -> tuple[str, Ints]:
    where = f"'{path}', line {line}"
    value, concept = row.get("value"), (row.get("concept") or "").strip()
    if value is None or len(value) > _LONGEST:
        raise DataError(f"{where}: there is no value (or a quote is not closed).")
    label = (row.get("label") or "").strip()
    if not concept and label:
        return value, _senses(label, taxonomy, where)
    senses = _senses(concept, taxonomy, where)
    if label and len(senses) and not _called(senses, label, concept, taxonomy):
        raise MatchingError(f"{where}: the concept '{concept}' is not called '{label}'. Change both, or empty the label.")
    return value, senses


def _called(senses: Ints, label: str, concept: str, taxonomy: Taxonomy) -> bool:
    """Does the label agree with the concept? Where the concept is given as a label, the edited cell is the user's word."""
    by_id = concept in taxonomy.lexicon.index or concept in taxonomy.aliases
    return not by_id or fold(label) in {fold(t) for t in taxonomy.lexicon.labels_of(int(senses[0]))} | {fold(concept)}


def _senses(concept: str | None, taxonomy: Taxonomy, where: str) -> Ints:
    if concept is None or not concept.strip():
        return np.empty(0, np.int32)
    concept = concept.strip()
    number = taxonomy.lexicon.index.get(concept, taxonomy.aliases.get(concept))
    if number is not None:
        return np.asarray([number], np.int32)
    senses = taxonomy.lexicon.meanings(concept)
    if not len(senses):
        from .unmatched import near_labels

        near = near_labels([concept], taxonomy)[0]
        hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
        raise MatchingError(f"{where}: there is no concept '{concept}', neither as an id nor as a label.{hint}")
    return senses
