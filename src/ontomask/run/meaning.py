"""From the values that were counted to tuples of codes: what each column's values mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..engines.base import Counted
from ..matching.match import match
from ..matching.matches import Matches
from ..matching.spelling import released_strings
from ..semantics.spaces.base import Ints, Longs
from ..semantics.spaces.date import DateSpace
from ..semantics.spaces.flat import FlatSpace
from ..semantics.spaces.number import NumberSpace
from ..semantics.spaces.ordinal import OrdinalSpace
from ..semantics.spaces.taxonomy import TaxonomySpace
from .columns import Attribute
from .meaning_base import Flags, Meaning, Reading, check_missing
from .sets import understand_set

__all__ = ["Flags", "Grouped", "Meaning", "Reading", "codes_of", "group", "understand"]


def understand(attribute: Attribute, column: pa.ChunkedArray, counts: Longs, reading: Reading) -> Meaning:
    """The meaning of one column of the counted combinations, which have `counts` records."""
    if attribute.kind == "set":
        return understand_set(attribute, column, counts, reading)
    encoded = pc.dictionary_encode(column.combine_chunks(), null_encoding="encode")
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    values: list[Any] = encoded.dictionary.to_pylist()
    at = np.asarray(encoded.indices, dtype=np.int64)
    records = np.bincount(at, weights=counts, minlength=len(values)).astype(np.int64)
    absent = np.asarray([v is None for v in values], bool)
    check_missing(attribute.name, absent, records, reading.missing)
    gone = absent & (reading.missing == "suppress")
    if attribute.kind == "taxonomy":
        space, code, unknown, matches = _words(attribute, values, records, reading)
        return Meaning(space, code[at], (gone | unknown)[at], matches)
    if attribute.kind == "flat":
        return Meaning(FlatSpace(attribute.name, values), at.astype(np.int32), gone[at])
    line = _line(attribute, values, records)
    return Meaning(line, line.codes[at], gone[at])


def _line(attribute: Attribute, values: list[Any], records: Longs) -> NumberSpace | DateSpace | OrdinalSpace:
    if attribute.kind == "number":
        return NumberSpace(attribute.name, values, attribute.range, counts=records)
    if attribute.kind == "date":
        return DateSpace(attribute.name, values, counts=records)
    return OrdinalSpace(attribute.name, values, attribute.order, counts=records.tolist())


def _words(
    attribute: Attribute, values: list[Any], records: Longs, reading: Reading
) -> tuple[TaxonomySpace, Ints, Flags, Matches]:
    """(space, code of each value, which values mean nothing, matches) of a column of words."""
    assert attribute.taxonomy is not None
    texts = [None if v is None else str(v) for v in values]
    matches = match(
        texts,
        attribute.taxonomy,
        senses=reading.senses,
        overrides=reading.overrides.get(attribute.name),
        counts=records,
        measure=reading.measure,
        unmatched=reading.unmatched,
        column=attribute.name,
    )
    concepts = matches.concepts.copy()
    root = matches.taxonomy.graph.root
    unknown = np.asarray([how == "suppressed" for how in matches.how], bool)
    concepts[unknown] = root  # they are not released; whoever computes with them reads: anything
    if reading.missing == "root":
        concepts[np.asarray([how == "missing" for how in matches.how], bool)] = root
    distinct, at, inverse = np.unique(concepts, return_index=True, return_inverse=True)
    by_appearance = np.argsort(at, kind="stable")
    code = np.empty(len(distinct), np.int32)
    code[by_appearance] = np.arange(len(distinct), dtype=np.int32)
    space = TaxonomySpace(attribute.name, matches.taxonomy, distinct[by_appearance], reading.measure)
    space.write_as(released_strings(space.concepts, matches, labels=reading.labels))
    return space, code[inverse.reshape(-1)], unknown, matches


@dataclass(frozen=True, eq=False)
class Grouped:
    """Rows of codes told apart: `number` int32[rows] of each row's group, `first` int64[groups] a row of each, in order."""

    number: Ints
    first: Longs

    def add_up(self, counts: Longs) -> Longs:
        return np.bincount(self.number, weights=counts, minlength=len(self.first)).astype(np.int64)


def group(columns: Sequence[npt.NDArray[Any]]) -> Grouped:
    """Equal rows of some columns of codes ≥ 0; groups are numbered by first appearance."""
    rows = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        width = int(column.max(initial=0)) + 1
        if int(rows.max(initial=0) + 1) * width >= 1 << 62:
            _, rows = np.unique(rows, return_inverse=True)
            rows = rows.reshape(-1)
        rows = rows * width + column
    _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
    by_appearance = np.argsort(first, kind="stable")
    number = np.empty(len(first), np.int32)
    number[by_appearance] = np.arange(len(first), dtype=np.int32)
    return Grouped(number[inverse.reshape(-1)], first[by_appearance].astype(np.int64))


def codes_of(counted: Counted, column: str) -> tuple[Ints, list[Any]]:
    """A counted column as codes and their values, in order of appearance."""
    values = counted.values.column(column)
    if pa.types.is_nested(values.type):
        seen: dict[str, int] = {}
        codes = [seen.setdefault(repr(value), len(seen)) for value in values.to_pylist()]
        return np.asarray(codes, np.int32), list(seen)
    encoded = pc.dictionary_encode(values.combine_chunks(), null_encoding="encode")
    return np.asarray(encoded.indices, dtype=np.int32), encoded.dictionary.to_pylist()
