"""Columns whose values are sets: a list, or one text with something between its items (SETS 3.1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import DataError, illegal
from ..matching.match import match
from ..matching.matches import Matches
from ..matching.phrases import concepts_of_texts
from ..methods.base import Method
from ..semantics.spaces.base import Longs, Space
from ..semantics.spaces.flat import FlatSpace
from ..semantics.spaces.sets import SetSpace, split
from ..semantics.spaces.taxonomy import TaxonomySpace
from .columns import Attribute
from .meaning_base import Meaning, Reading, check_missing


def check_sets(columns: Sequence[Attribute], method: Method) -> None:
    """Sets are masked by methods that know them."""
    for a in columns:
        if a.kind == "set" and not method.takes_sets:
            then = f"The column '{a.name}' holds sets: use om.SetMicroaggregation(k), --method sets."
            raise illegal("method", "mask", "take columns of sets", type(method).__name__, then)


def understand_set(attribute: Attribute, column: pa.ChunkedArray, counts: Longs, reading: Reading) -> Meaning:
    """The meaning of a column of sets. An item is looked up whole, then taken apart into noun phrases; of a set that means
    something, items without a meaning are left out where `unmatched` is not "error"."""
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(item, len(numbers)) for item in items_of(attribute, v)] for v in column.to_pylist()]
    items = list(numbers)
    empty = np.asarray([not row for row in rows], bool)
    records = np.bincount(empty.astype(np.int64), weights=counts, minlength=2).astype(np.int64)
    check_missing(attribute.name, np.asarray([False, True]) if not empty.all() else np.ones(1, bool), records, reading.missing)
    held = np.zeros(len(items), np.int64)
    for row, n in zip(rows, counts, strict=True):
        held[row] += int(n)
    inner: Space
    matches: Matches | None = None
    if attribute.taxonomy is None:
        inner, meant, terms = FlatSpace(attribute.name, items), [[i] for i in range(len(items))], [[item] for item in items]
    else:
        inner, meant, terms, matches = _meanings(attribute, items, held, reading)
    sets: dict[tuple[int, ...], int] = {}
    codes = np.empty(len(rows), np.int32)
    gone = empty & (reading.missing == "suppress")
    for at, row in enumerate(rows):
        means = tuple(sorted({c for item in row for c in meant[item]}))
        if row and not means:
            gone[at] |= reading.unmatched != "root"
            means = (inner.top,)
        codes[at] = sets.setdefault(means, len(sets))
    space = SetSpace(attribute.name, list(sets), inner, terms, attribute.delimiter)
    silent = sum(not m for m in meant)
    if silent:
        space.statement = f"{silent:,} of {len(items):,} distinct items mean nothing in the taxonomy and were left out"
    return Meaning(space, codes, gone, matches)


def items_of(attribute: Attribute, value: Any) -> list[str]:
    """The items of a value, each once, blanks around them left out."""
    if value is None:
        return []
    if isinstance(value, str):
        found = split(value, attribute.delimiter or "|")
    elif any(isinstance(item, (list, dict)) for item in value):
        raise DataError(f"The column '{attribute.name}' holds lists of lists. The items of a set must be single values.")
    else:
        found = [str(item).strip() for item in value if item is not None]
    return list(dict.fromkeys(item for item in found if item))


def _meanings(
    attribute: Attribute, items: list[str], held: Longs, reading: Reading
) -> tuple[TaxonomySpace, list[list[int]], list[list[str]], Matches]:
    """(space of the concepts, codes that each item means, words that mean each code, matches)."""
    assert attribute.taxonomy is not None
    overrides = reading.overrides.get(attribute.name)
    how: dict[str, Any] = {"senses": reading.senses, "overrides": overrides, "measure": reading.measure}
    if reading.unmatched == "own":
        matches = match(items, attribute.taxonomy, counts=held, unmatched="own", column=attribute.name, **how)
        of_items = [[int(c)] if c >= 0 else [] for c in matches.concepts]
        words: dict[int, list[str]] = {}
        for item, means in zip(items, of_items, strict=True):
            for c in means:
                words.setdefault(c, []).append(item)
    else:
        texts = concepts_of_texts(
            [[item] for item in items], attribute.taxonomy, counts=held.tolist(), column=attribute.name, **how
        )
        matches, words = texts.matches, texts.terms_by_concept
        of_items = [texts.concepts_of(i) for i in range(len(items))]
        silent = [i for i, means in enumerate(of_items) if not means]
        if silent and reading.unmatched == "error":
            match(
                [items[i] for i in silent],
                attribute.taxonomy,
                counts=held[silent],
                unmatched="error",
                column=attribute.name,
                **how,
            )
            raise DataError(
                f"{len(silent):,} distinct items of the column '{attribute.name}' mean nothing. Give them overrides, or choose "
                "unmatched='suppress' (they are left out), 'root' or 'own'."
            )
    code = {c: i for i, c in enumerate(dict.fromkeys(c for means in of_items for c in means))}
    space = TaxonomySpace(attribute.name, matches.taxonomy, np.asarray(list(code), np.int32), reading.measure)
    return space, [[code[c] for c in means] for means in of_items], [words[c] for c in code], matches
