"""Two tables as a masking: what the records of the original say, what they say in the masked table, as a flow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .._progress import each
from ..engines.base import Paired
from ..errors import MatchingError
from ..evaluation.case import Confidential, Labelled
from ..flow import SUPPRESSED, Flow, Tuples, make_flow
from ..matching.match import match
from ..matching.matches import Matches
from ..matching.resolve import NOTHING, UNKNOWN, Resolver
from ..semantics.spaces.base import ANYTHING, Floats, Ints, Longs, Space
from ..semantics.spaces.date import DateSpace
from ..semantics.spaces.flat import FlatSpace
from ..semantics.spaces.line import is_missing
from ..semantics.spaces.number import NumberSpace
from ..semantics.spaces.ordinal import OrdinalSpace
from ..semantics.spaces.taxonomy import TaxonomySpace
from .columns import Attribute
from .meaning import Flags, Meaning, Reading, group, understand

SHOWN = 10  # masked words that are not understood, in the refusal


@dataclass(frozen=True, eq=False)
class Beside:
    """A masking as it is evaluated; `resolved` says by column how many masked words were read in which way."""

    tuples: Tuples
    flow: Flow
    written: Longs | None
    confidential: dict[str, Confidential]
    labelled: dict[str, Labelled]
    resolved: dict[str, dict[str, int]] = field(default_factory=dict)


def beside(
    paired: Paired,
    columns: Sequence[Attribute],
    secrets: Sequence[Attribute],
    reading: Reading,
    *,
    weights: Floats | None = None,
    hierarchies: Mapping[str, Mapping[str, frozenset[str]]] | None = None,
    unresolved: str = "error",
    suppressed: bool = False,
    learn: Sequence[str] = (),
) -> Beside:
    """The masking that made `paired.after` of `paired.before`; see `ontomask.run.evaluate.evaluate`."""
    counts, there = paired.counts, paired.released
    sides, resolved = [], {}
    for attribute in each(columns):
        before, after = (t.column(attribute.name) for t in (paired.before, paired.after))
        if attribute.kind == "set":
            sides.append(_sets(attribute, before, after, counts, reading))
        else:
            meaning = understand(attribute, before, counts, reading)
            side = _Column(attribute, meaning, before, after, counts, there)
            levels = (hierarchies or {}).get(attribute.name)
            sides.append(side.words(reading, levels, unresolved) if attribute.kind == "taxonomy" else side.others())
        resolved[attribute.name] = sides[-1].told
    spaces = tuple(s.space for s in sides)
    gone = ~there
    if suppressed:  # a record that says nothing at all is one that was suppressed
        gone |= np.all([s.after == s.space.top for s in sides], axis=0)
    by_tuple = group([s.before for s in sides])
    tuples = Tuples(
        codes=np.stack([s.before[by_tuple.first] for s in sides], axis=1).astype(np.int32),
        counts=by_tuple.add_up(counts),
        spaces=spaces,
        weights=weights,
    )
    rows = np.stack([s.after for s in sides], axis=1).astype(np.int32)
    flow = make_flow(by_tuple.number, rows, counts, gone)
    flow.check(tuples)
    target = _targets(flow, rows, gone)
    strings = _strings(paired, [a.name for a in columns], gone)
    several = len(np.unique(strings[~gone])) != len(flow.targets)
    hidden = {a.name: _secret(a, paired, reading) for a in secrets}
    classes = strings if several else target
    return Beside(
        tuples=tuples,
        flow=flow,
        written=np.bincount(strings[~gone], weights=counts[~gone]).astype(np.int64) if several else None,
        confidential={name: Confidential(m.space, classes, m.codes, counts) for name, m in hidden.items()},
        labelled={name: Labelled(by_tuple.number, target, hidden[name].codes, counts) for name in learn},
        resolved=resolved,
    )


def _secret(attribute: Attribute, paired: Paired, reading: Reading) -> Meaning:
    """As for masking: a confidential column is never refused for its values."""
    lenient = Reading(measure=reading.measure, senses=reading.senses, unmatched="own", missing="value")
    return understand(attribute, paired.others.column(attribute.name), paired.counts, lenient)


def _targets(flow: Flow, rows: Ints, gone: Flags) -> Ints:
    """int32[rows]: the target of each combination; −1 where it was suppressed."""
    known = len(flow.targets)
    both = group(list(np.vstack([flow.targets.reshape(-1, rows.shape[1]), rows]).T))
    number = np.full(len(both.first), SUPPRESSED, np.int32)
    number[both.number[:known]] = np.arange(known, dtype=np.int32)
    return np.where(gone, SUPPRESSED, number[both.number[known:]]).astype(np.int32)


def _strings(paired: Paired, names: Sequence[str], gone: Flags) -> Ints:
    """int32[rows]: the class of equal strings of each released combination, numbered by first appearance; −1: suppressed."""
    found = np.full(len(gone), SUPPRESSED, np.int32)
    if not gone.all():
        found[~gone] = group([_encoded(paired.after.column(n))[0][~gone] for n in names]).number
    return found


def _encoded(column: pa.ChunkedArray) -> tuple[Ints, list[Any]]:
    """Codes of a column by first appearance, and its distinct values (a missing one is None; lists are told by their text)."""
    if pa.types.is_nested(column.type):
        column = pa.chunked_array([pa.array([None if v is None else repr(v) for v in column.to_pylist()], pa.string())])
    encoded = pc.dictionary_encode(column, null_encoding="encode").combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    return np.asarray(encoded.indices, dtype=np.int32), encoded.dictionary.to_pylist()


@dataclass(frozen=True, eq=False)
class _Side:
    """A column as codes: `before` of values, `after` of candidates of `space`, both int32[rows]."""

    space: Space
    before: Ints
    after: Ints
    told: dict[str, int]


def _sets(attribute: Attribute, before: pa.ChunkedArray, after: pa.ChunkedArray, counts: Longs, reading: Reading) -> _Side:
    """A column of sets. The masked sets are read with those of the original, as values that no record of it has."""
    values, masked = before.to_pylist(), after.to_pylist()
    nothing = np.asarray([v == ANYTHING or v == [ANYTHING] for v in masked], bool)
    both = [*values, *(None if gone else v for v, gone in zip(masked, nothing, strict=True))]
    column = pa.chunked_array([pa.array(both, before.type)])
    meaning = understand(attribute, column, np.concatenate([counts, np.zeros_like(counts)]), reading)
    codes, known = meaning.codes[: len(counts)], set(meaning.codes[: len(counts)].tolist())
    became = np.where(nothing, meaning.space.top, meaning.codes[len(counts) :]).astype(np.int32)
    ways = ("anything" if c == meaning.space.top else "value" if c in known else "other" for c in set(became.tolist()))
    return _Side(meaning.space, codes, became, _told(Counter(ways)))


class _Column:
    """A column of both tables; what the masked one says becomes candidates of the original's space."""

    def __init__(
        self,
        attribute: Attribute,
        meaning: Meaning,
        before: pa.ChunkedArray,
        after: pa.ChunkedArray,
        counts: Longs,
        there: Flags,
    ) -> None:
        self.attribute, self.meaning, self.counts, self.there = attribute, meaning, counts, there
        self.code, self.values = _encoded(before)
        self.said, self.masked = _encoded(after)

    def words(self, reading: Reading, levels: Mapping[str, frozenset[str]] | None, unresolved: str) -> _Side:
        """Words of a taxonomy: the concepts that the masked words stand for join the space."""
        space, matches = self.meaning.space, self.meaning.matches
        assert isinstance(space, TaxonomySpace)
        assert matches is not None
        concept_of = space.concepts[: space.q]
        known = {v: int(c) for v, c in zip(matches.values, matches.concepts, strict=True)}
        resolver = Resolver(space.taxonomy, known, levels)
        found = resolver.resolve(self.masked, self._replaced(concept_of))
        concepts, how = found.concepts, list(found.how)
        self._as_matched(concepts, how, matches, reading, unresolved)
        present = np.unique(self.said[self.there])
        others = np.unique(concepts[present])
        wider = TaxonomySpace(space.name, space.taxonomy, concept_of, space.measure, space.options, others=others[others >= 0])
        code = np.full(len(space.taxonomy.graph) + 1, wider.top, np.int32)  # last: the missing value
        code[wider.concepts] = np.arange(wider.h, dtype=np.int32)
        told = Counter(how[i] for i in present.tolist())
        return _Side(wider, self.meaning.codes, code[concepts][self.said], _told(told))

    def _replaced(self, concept_of: Ints) -> list[dict[int, int]]:
        """Beside each masked word: records, by the concept that they had in the original."""
        both = group([self.said, self.meaning.codes])
        records = both.add_up(self.counts)
        replaced: list[dict[int, int]] = [{} for _ in self.masked]
        for row, n in zip(both.first.tolist(), records.tolist(), strict=True):
            if self.there[row]:
                replaced[self.said[row]][int(concept_of[self.meaning.codes[row]])] = n
        return replaced

    def _as_matched(self, concepts: Ints, how: list[str], matches: Matches, reading: Reading, unresolved: str) -> None:
        """Words that are still unknown are looked up like words of the original, overrides first; then the policy."""
        present = set(np.unique(self.said[self.there]).tolist())
        open_ = [i for i in np.flatnonzero(concepts == UNKNOWN).tolist() if i in present]
        if open_:
            texts = [str(self.masked[i]) for i in open_]
            overrides = reading.overrides.get(self.attribute.name)
            again = match(texts, matches.taxonomy, reading.senses, overrides, measure=reading.measure)
            number = {str(v): int(c) for v, c in zip(again.values, again.concepts, strict=True)}
            for i, text in zip(open_, texts, strict=True):
                if number.get(text, -1) >= 0:
                    concepts[i], how[i] = number[text], "matched"
        left = [i for i in open_ if concepts[i] == UNKNOWN]
        if left and unresolved == "error":
            raise MatchingError(_refusal(self.attribute.name, [str(self.masked[i]) for i in left]))
        concepts[concepts == UNKNOWN] = matches.taxonomy.graph.root

    def others(self) -> _Side:
        """Plain values, numbers, dates and ordered words: what else the masked column says joins the space."""
        plain = {str(v): v for v in self.values if not is_missing(v)}
        absent = any(is_missing(v) for v in self.values)
        words: list[Any] = []
        told: Counter[str] = Counter()
        present = set(np.unique(self.said[self.there]).tolist())
        for i, word in enumerate(self.masked):
            kept = plain.get("" if is_missing(word) else str(word).strip(), word)
            if (is_missing(word) and not absent) or (not is_missing(word) and kept is word and str(word).strip() in NOTHING):
                kept = ANYTHING
            words.append(kept)
            if i in present:
                how = "anything" if kept == ANYTHING else "missing" if is_missing(kept) else "value"
                told[how if how != "value" or str(kept) in plain else "other"] += 1
        space = self._space(words)
        return _Side(space, self.meaning.codes, np.asarray(space.other_codes, np.int32)[self.said], _told(told))

    def _space(self, others: list[Any]) -> FlatSpace | NumberSpace | DateSpace | OrdinalSpace:
        """The space of the original's values, made again with more candidates: value codes stay as they are."""
        a, records = self.attribute, np.bincount(self.code, weights=self.counts).astype(np.int64)
        if a.kind == "number":
            return NumberSpace(a.name, self.values, a.range, counts=records, others=others)
        if a.kind == "date":
            return DateSpace(a.name, self.values, counts=records, others=others)
        if a.kind == "ordinal":
            return OrdinalSpace(a.name, self.values, a.order, counts=records.tolist(), others=others)
        return FlatSpace(a.name, self.values, others=others)


_SAID = {"matched": "matched like a value of the original", "other": "another value, a set or an interval"}


def _told(how: Counter[str]) -> dict[str, int]:
    from ..matching.resolve import HOW

    return {(HOW | _SAID)[name]: number for name, number in sorted(how.items())}


def _refusal(column: str, words: list[str]) -> str:
    shown = ", ".join(f"'{w}'" for w in words[:SHOWN]) + (f" and {len(words) - SHOWN:,} more" if len(words) > SHOWN else "")
    return (
        f"{len(words):,} values of the masked column '{column}' are no value of the original, no concept, no level of a "
        f"hierarchy and no set of such: {shown}. Give the hierarchy that the tool used (hierarchies={{'{column}': path}}), say "
        "what they mean (overrides), or read them as saying anything (unresolved='root')."
    )
