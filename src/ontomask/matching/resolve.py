"""What another tool's masked words mean: each is resolved to the concept that it stands for, or says how it cannot be.

A masked word may be a value of the original, a label or id of a concept, a level of a value hierarchy, a set of values
("{a, b}", "a~b"), a value cut short ("902**"), or nothing at all ("*", an empty cell). What covers several values is read as
their least common subsumer: the most that it can be said to tell.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DataError
from ..taxonomy.graph import Ints
from ..taxonomy.taxonomy import Taxonomy

UNKNOWN, MISSING = -2, -1  # in `concepts`; MISSING as in a TaxonomySpace
NOTHING = {"*", "", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>"}  # what tools write for a suppressed cell
# Ways of writing a set, the most telling first: one is tried after the other, until all its parts are known.
SEPARATORS = ("~", "|", ";", ",", " or ", "/")

_BRACKETS = re.compile(r"^\s*[\[({<]\s*(.*?)\s*[\])}>]\s*$", re.DOTALL)
_WITH_PARENT = re.compile(r"^(.*\S)\s*\(([^()]+)\)$", re.DOTALL)
_CUT = re.compile(r"^(.+?)\s*\*+$", re.DOTALL)

HOW = {
    "value": "a value of the original",
    "label": "a label or id of the taxonomy",
    "hierarchy": "a level of the hierarchy, read as the least common subsumer of the values below it",
    "set": "a set of values, read as their least common subsumer",
    "cut": "a value cut short, read as the least common subsumer of the values that begin so",
    "anything": "a suppressed cell, read as the root",
    "missing": "a missing value, as in the original",
    "unknown": "not known, read as the root",
}


@dataclass(frozen=True, eq=False)
class Resolved:
    """Aligned with the masked words: the concept of each (MISSING, or UNKNOWN) and how it was found (a key of `HOW`)."""

    concepts: Ints
    how: list[str]

    def summary(self) -> dict[str, int]:
        """How many masked words were read in which way."""
        return {HOW[h]: n for h, n in sorted(Counter(self.how).items())}


class Resolver:
    """Reads the masked words of one column.

    `values`: the concept of each value of the original (MISSING where it is missing); `hierarchy`: the values that each of
    its labels covers (`read_hierarchy`).
    """

    def __init__(
        self,
        taxonomy: Taxonomy,
        values: Mapping[Any, int],
        hierarchy: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self.taxonomy = taxonomy
        self.values = {str(v).strip(): c for v, c in values.items() if c >= 0}
        self.has_missing = any(c == MISSING for c in values.values())
        self.hierarchy = hierarchy or {}

    def resolve(self, words: Sequence[Any], replaced: Sequence[Mapping[int, int]] | None = None) -> Resolved:
        """The concept of each word. `replaced`: beside each word the records, by concept, that now say it: of several
        senses of a label, the one that covers most of them is meant (ties: the most frequent sense)."""
        found = [self._one(w, replaced[i] if replaced is not None else {}) for i, w in enumerate(words)]
        return Resolved(np.asarray([c for c, _ in found], np.int32), [how for _, how in found])

    def _one(self, word: Any, replaced: Mapping[int, int]) -> tuple[int, str]:
        empty = word is None or word != word
        if empty and self.has_missing:
            return MISSING, "missing"
        text = "" if empty else str(word).strip()
        if text in self.values:
            return self.values[text], "value"
        if text in NOTHING:
            return self.taxonomy.graph.root, "anything"
        for how, concepts in (
            ("hierarchy", self._below(text)),
            ("label", self._meant(text, replaced)),
            ("set", self._members(text)),
            ("cut", self._beginning(text)),
        ):
            if concepts:
                return self.taxonomy.graph.subsumer(np.asarray(concepts, np.int32)), how
        return UNKNOWN, "unknown"

    def _below(self, text: str) -> list[int]:
        """The values of the table below a label of the hierarchy."""
        return sorted({self.values[v] for v in self.hierarchy.get(text, ()) if v in self.values})

    def _meant(self, text: str, replaced: Mapping[int, int]) -> list[int]:
        """The concept with this id, or the sense of this label that covers most of the records that say it."""
        number = self.taxonomy.lexicon.index.get(text, self.taxonomy.aliases.get(text))
        if number is not None:
            return [number]
        senses = [int(s) for s in self.taxonomy.lexicon.meanings(text)]
        parts = _WITH_PARENT.match(text)
        if not senses and parts:  # "bank (slope)": as this package writes the second concept of a label
            parents = set(self.taxonomy.lexicon.meanings(parts.group(2)).tolist())
            senses = [
                int(s)
                for s in self.taxonomy.lexicon.meanings(parts.group(1))
                if parents & set(self.taxonomy.graph.parents(int(s)).tolist())
            ]
        if len(senses) > 1 and replaced:
            above = {c: set(self.taxonomy.graph.ancestors(c).tolist()) for c in replaced if c >= 0}
            covered = [sum(n for c, n in replaced.items() if c >= 0 and s in above[c]) for s in senses]
            return [senses[int(np.argmax(covered))]]
        return senses[:1]

    def _members(self, text: str) -> list[int]:
        """The members of a set, where all of them are known."""
        bare = _BRACKETS.match(text)
        inner = bare.group(1) if bare else text
        for separator in SEPARATORS:
            parts = [p.strip().strip("'\"") for p in inner.split(separator)]
            if (len(parts) > 1 or bare) and all(parts):
                members = [self._member(p) for p in parts]
                known = [c for part in members for c in part]
                if all(members):
                    return sorted(set(known))
        return []

    def _member(self, text: str) -> list[int]:
        if text in self.values:
            return [self.values[text]]
        return self._below(text) or self._meant(text, {})

    def _beginning(self, text: str) -> list[int]:
        """The values that begin like a word cut short."""
        cut = _CUT.match(text)
        return sorted({c for v, c in self.values.items() if cut and v.startswith(cut.group(1))})


def read_hierarchy(path: str | os.PathLike[str]) -> dict[str, frozenset[str]]:
    """Label → the values below it, from a value hierarchy as ARX and anjana write it: value;level1;level2;… without heading.

    The separator is whichever of ; , and tab the first line has most of.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"The hierarchy '{os.fspath(path)}' cannot be read: {error}.") from None
    first = text.partition("\n")[0]
    rows = csv.reader(text.splitlines(), delimiter=max(";,\t", key=first.count))
    below: dict[str, set[str]] = {}
    for row in rows:
        cells = [cell.strip() for cell in row]
        for label in cells[1:]:
            if label not in NOTHING:
                below.setdefault(label, set()).add(cells[0])
    if not below:
        raise DataError(f"The hierarchy '{os.fspath(path)}' has no level. Write lines such as: value;level 1;level 2;*")
    return {label: frozenset(values) for label, values in below.items()}
