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
from itertools import chain

import numpy as np
import pyarrow as pa

from .graph import Ints, Longs

_GAPS = re.compile(r"[\s_\-‐-―]+")


def fold(text: str) -> str:
    """The form in which labels are looked up: case, spaces, hyphens and underscores do not count.

    >>> fold("  Heart-Attack "), fold("heart_attack")
    ('heart attack', 'heart attack')
    """
    if text.isascii():  # the same, quicker
        return " ".join(text.lower().replace("-", " ").replace("_", " ").split())
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
    import pyarrow.compute as pc

    lengths = np.fromiter(map(len, labels), np.int64, count=len(ids))
    label_ptr = np.zeros(len(ids) + 1, np.int64)
    np.cumsum(lengths, out=label_ptr[1:])
    texts = list(chain.from_iterable(labels))
    # One row for every way in which a text leads to a concept: (text, rank, place, concept), best rank first.
    stated = [(key, place, c) for key, found in senses.items() for place, c in enumerate(found)]
    folded = pa.array([*map(fold, texts), *(key for key, _, _ in stated)], pa.string()).dictionary_encode()
    keys_sorted = pc.sort_indices(folded.dictionary).to_numpy()  # UTF-8 sorts as Python's strings do
    key_rank = np.empty(len(keys_sorted), np.int64)
    key_rank[keys_sorted] = np.arange(len(keys_sorted))
    key = key_rank[folded.indices.to_numpy()]
    concept = np.concatenate([np.repeat(np.arange(len(ids)), lengths), np.asarray([c for *_, c in stated], np.int64)])
    other = np.arange(len(texts)) != np.repeat(label_ptr[:-1], lengths)  # not the preferred label
    rank = np.concatenate([1 + other, np.zeros(len(stated), np.int64)])
    place = np.concatenate([concept[: len(texts)], np.asarray([at for _, at, _ in stated], np.int64)])
    order = np.lexsort((place, rank, key))
    _, first = np.unique(key[order] * len(ids) + concept[order], return_index=True)
    order = order[np.sort(first)]  # each concept once for each text, where it stands first
    keys = pc.take(folded.dictionary, pa.array(keys_sorted))
    if len(keys) and keys[0].as_py() == "":  # a label without a letter leads nowhere
        order, keys = order[key[order] > 0], keys[1:]
        key = key - 1
    sense_ptr = np.zeros(len(keys) + 1, np.int64)
    np.cumsum(np.bincount(key[order], minlength=len(keys)), out=sense_ptr[1:])
    return Lexicon(
        ids=pa.array(ids, pa.string()),
        labels=pa.array(texts, pa.string()),
        label_ptr=label_ptr,
        keys=keys,
        sense_ptr=sense_ptr,
        senses=concept[order].astype(np.int32),
    )
