"""The words of a taxonomy: ids, labels, and which concepts a label may mean.

Everything is kept in Arrow string arrays beside int32/int64 offsets, so that a compiled taxonomy is used where it lies
in the file, without building a Python object per label.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from .graph import Ints, Longs

_GAPS = re.compile(r"[\s_\-‐-―]+")


def fold(text: str) -> str:
    """The form in which labels are looked up: case, spaces, hyphens and underscores do not count.

    >>> fold("  Heart-Attack "), fold("heart_attack")
    ('heart attack', 'heart attack')
    """
    if text.isascii():
        return _GAPS.sub(" ", text.lower()).strip()
    return _GAPS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Ids and labels by concept; senses by folded label.

    `labels[label_ptr[c]:label_ptr[c+1]]` are the labels of concept c, preferred first. `keys` are the distinct folded
    labels in ascending order; `senses[sense_ptr[i]:sense_ptr[i+1]]` the concepts that keys[i] may mean, most frequent
    sense first.
    """

    ids: pa.StringArray
    labels: pa.StringArray
    label_ptr: Longs
    keys: pa.StringArray
    sense_ptr: Longs
    senses: Ints

    @cached_property
    def index(self) -> dict[str, int]:
        """Concept number by id."""
        return {id_: c for c, id_ in enumerate(self.ids.to_pylist())}

    def id(self, c: int) -> str:
        return self.ids[int(c)].as_py()  # type: ignore[no-any-return]

    def label(self, c: int) -> str:
        """The preferred label; the id where there is none."""
        at = int(self.label_ptr[c])
        return self.labels[at].as_py() if at < self.label_ptr[c + 1] else self.id(c)

    def labels_of(self, c: int) -> list[str]:
        return self.labels[int(self.label_ptr[c]) : int(self.label_ptr[c + 1])].to_pylist()  # type: ignore[no-any-return]

    def meanings(self, text: str) -> Ints:
        """The concepts whose label this is, most frequent sense first; empty where there is none."""
        key = fold(text)
        at = bisect_left(range(len(self.keys)), key, key=lambda i: self.keys[i].as_py())
        if at < len(self.keys) and self.keys[at].as_py() == key:
            return self.senses[self.sense_ptr[at] : self.sense_ptr[at + 1]]
        return self.senses[:0]

    def positions(self, folded: Sequence[str]) -> Ints:
        """For many already folded texts at once: position in `keys`, −1 where it is no label."""
        import pyarrow.compute as pc

        found = pc.index_in(pa.array(folded, pa.string()), value_set=self.keys)
        return np.asarray(pc.fill_null(found, -1), dtype=np.int32)

    def senses_at(self, position: int) -> Ints:
        return self.senses[self.sense_ptr[position] : self.sense_ptr[position + 1]]


def build_lexicon(ids: Sequence[str], labels: Sequence[Sequence[str]], senses: dict[str, list[int]]) -> Lexicon:
    """`labels` by concept, preferred first; `senses`: folded label → concepts where the source states their order.

    Where it does not, concepts that have the label as their preferred one come first, then the others, by number.
    """
    label_ptr = np.zeros(len(ids) + 1, np.int64)
    label_ptr[1:] = np.cumsum([len(row) for row in labels])
    meanings: dict[str, list[int]] = {}
    for preferred in (True, False):
        for c, row in enumerate(labels):
            for text in row[:1] if preferred else row[1:]:
                found = meanings.setdefault(fold(text), [])
                if c not in found:
                    found.append(c)
    for key, order in senses.items():
        # Concepts the source's order leaves out keep their place behind it.
        meanings[key] = list(dict.fromkeys([*order, *meanings.get(key, [])]))
    meanings.pop("", None)
    keys = sorted(meanings)
    sense_ptr = np.zeros(len(keys) + 1, np.int64)
    sense_ptr[1:] = np.cumsum([len(meanings[k]) for k in keys])
    return Lexicon(
        ids=pa.array(ids, pa.string()),
        labels=pa.array([text for row in labels for text in row], pa.string()),
        label_ptr=label_ptr,
        keys=pa.array(keys, pa.string()),
        sense_ptr=sense_ptr,
        senses=np.fromiter((c for k in keys for c in meanings[k]), np.int32, count=int(sense_ptr[-1])),
    )
