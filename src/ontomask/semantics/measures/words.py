"""The words of concepts as sorted numbers: labels, features, glosses, alone or with those of the neighbours."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...taxonomy.graph import Ints, Longs
from ...taxonomy.lexicon import fold
from ...taxonomy.taxonomy import Taxonomy
from .items import Items


def labels(taxonomy: Taxonomy) -> Items:
    """The labels of each concept; spellings that differ by case, spaces or hyphens are one word."""
    lexicon = taxonomy.lexicon
    number: dict[str, int] = {}
    words = np.fromiter((number.setdefault(fold(t), len(number)) for t in lexicon.labels.to_pylist()), np.int32)
    owner = np.repeat(np.arange(len(taxonomy.graph), dtype=np.int32), np.diff(lexicon.label_ptr))
    return gathered(owner, words, len(taxonomy.graph), len(number))


def numbered(rows: Iterable[Iterable[str]]) -> Items:
    """Rows of words, one per concept."""
    number: dict[str, int] = {}
    owner: list[int] = []
    words: list[int] = []
    n = 0
    for row in rows:
        for word in row:
            owner.append(n)
            words.append(number.setdefault(word, len(number)))
        n += 1
    return gathered(np.asarray(owner, np.int32), np.asarray(words, np.int32), n, len(number))


def with_neighbours(taxonomy: Taxonomy, items: Items) -> Items:
    """The items of each concept and of its parents and children."""
    graph = taxonomy.graph
    n = len(graph)
    child = np.repeat(np.arange(n, dtype=np.int32), np.diff(graph.up_ptr))
    each = np.arange(n, dtype=np.int32)
    owner = np.concatenate([each, child, graph.up])
    other = np.concatenate([each, graph.up, child])
    return gathered(np.repeat(owner, np.diff(items.ptr)[other]), items.items[items.places(other)], n, items.size)


def gathered(owner: Ints, words: Ints, n: int, size: int) -> Items:
    """Items from (owner, word) pairs; a repeated pair counts once."""
    pairs = np.unique(owner.astype(np.int64) * max(size, 1) + words)
    ptr: Longs = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(pairs // max(size, 1), minlength=n), out=ptr[1:])
    found = (pairs % max(size, 1)).astype(np.int32)
    return Items(ptr, found, np.zeros(len(found), np.int32), size, np.zeros(n, bool))
