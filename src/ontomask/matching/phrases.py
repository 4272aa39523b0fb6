"""Free text and sets of texts: several concepts each (SETS 3.1.1).

A text is taken apart by an offline parser (sentences, tokens, part-of-speech tags, chunks) into noun phrases; each phrase
that means something gives one concept, after dropping words from its left where needed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ..taxonomy.graph import Ints, Longs
from ..taxonomy.load import load_taxonomy
from ..taxonomy.taxonomy import Taxonomy
from .forms import FUNCTION_WORDS, bare
from .lookup import Ladder
from .match import CAUTIOUS, Caution, match_carefully
from .matches import Matches
from .overrides import Overrides, OverrideTable, read_overrides

_WHOLE = ("override", "id", "exact", "normalised", "lemma")  # how a phrase, or its rest, is looked up
_LONGEST = 8  # words of a noun phrase; what is longer is no phrase but a broken text
_PARSED = 200_000  # distinct texts whose phrases a process remembers


@dataclass(frozen=True, eq=False)
class TextMatches:
    """Texts, the terms found in them, and what the terms mean.

    Text i holds the terms `terms[ptr[i]:ptr[i+1]]`, positions in `matches.values`, in the order of the text, each once. A
    term is the piece of the text that means something ("iPhone" of "a new iPhone").
    """

    texts: list[str | None]  # as given; a set as its texts joined by " | "
    ptr: Longs
    terms: Ints
    matches: Matches

    def __len__(self) -> int:
        return len(self.texts)

    def terms_of(self, text: int) -> list[str]:
        return [str(self.matches.values[t]) for t in self.terms[self.ptr[text] : self.ptr[text + 1]]]

    def concepts_of(self, text: int) -> list[int]:
        """Distinct concept numbers, in the order of the text; terms without a concept say nothing."""
        found = self.matches.concepts[self.terms[self.ptr[text] : self.ptr[text + 1]]]
        return list(dict.fromkeys(c for c in found.tolist() if c >= 0))

    @cached_property
    def terms_by_concept(self) -> dict[int, list[str]]:
        """The terms of the whole table that mean a concept, by the concept's number."""
        found: dict[int, list[str]] = {}
        for term, c in zip(self.matches.values, self.matches.concepts.tolist(), strict=True):
            if c >= 0:
                found.setdefault(c, []).append(str(term))
        return found

    def summary(self) -> dict[str, Any]:
        """Texts with at least one concept, concepts per text, and the summary of the terms."""
        sizes = [len(self.concepts_of(i)) for i in range(len(self))]
        some = sum(s > 0 for s in sizes)
        return {
            "texts": len(self),
            "matched_texts": some,
            "share_texts": some / len(self) if len(self) else 1.0,
            "concepts_per_text": sum(sizes) / some if some else 0.0,
            "terms": self.matches.summary(),
        }


def concepts_of_texts(
    texts: Sequence[str | Iterable[str] | None],
    tax: Taxonomy | str,
    senses: str = "context",
    overrides: Overrides = None,
    counts: Sequence[int] | None = None,
    measure: str = "logsc",
    separator: str | None = None,
    parse: bool = True,
    column: str = "",
) -> TextMatches:
    """The concepts that each text speaks of.

    A text is a string, or a set of strings (a list, or a string that `separator` splits): a set's members are looked up
    whole first. With `parse`, what is not a label as a whole is taken apart into noun phrases; without, it means nothing.
    Senses are chosen among all terms of the table; a phrase of a longer text whose sense is not clear is not taken
    (`match`, `cautious`). `counts`: records of each text; `column`: its name, for messages.

    >>> import ontomask as om
    >>> found = concepts_of_texts(["an AC charger for a new violin", ["piano", "trumpets"]], om.load_taxonomy("wordnet"))
    >>> [found.terms_of(i) for i in range(2)]
    [['charger', 'violin'], ['piano', 'trumpets']]
    """
    taxonomy = load_taxonomy(tax)
    table = read_overrides(overrides, taxonomy, column)
    members = [_members(text, separator) for text in texts]
    distinct = list(dict.fromkeys(m for row in members for m in row))
    whole = Ladder(distinct, taxonomy, table, "english").climb(_WHOLE)
    pieces: dict[str, list[str]] = {m: [m] for m, how in zip(distinct, whole.how, strict=True) if how}
    wholes = frozenset(pieces)
    if parse:
        phrases = {m: noun_phrases(m) for m in distinct if m not in pieces}
        known = _known_rests({p for row in phrases.values() for p in row}, taxonomy, table)
        pieces |= {m: [known[p] for p in row if p in known] for m, row in phrases.items()}
    rows = [list(dict.fromkeys(t for m in row for t in pieces.get(m, ()))) for row in members]
    times = [1] * len(texts) if counts is None else [int(n) for n in counts]
    records: dict[str, int] = {}
    for row, n in zip(rows, times, strict=True):
        for term in row:
            records[term] = records.get(term, 0) + n
    matches = match_carefully(
        list(records),
        taxonomy,
        senses,
        overrides,
        list(records.values()),
        measure,
        "english",
        _WHOLE,
        Caution(CAUTIOUS["all"], free_text=True, wholes=wholes),
        column,
    )
    number = {term: i for i, term in enumerate(matches.values)}
    ptr = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=ptr[1:])
    return TextMatches(
        texts=[t if t is None or isinstance(t, str) else " | ".join(map(str, t)) for t in texts],
        ptr=ptr,
        terms=np.fromiter((number[t] for row in rows for t in row), np.int32, count=int(ptr[-1])),
        matches=matches,
    )


@lru_cache(maxsize=_PARSED)
def noun_phrases(text: str) -> tuple[str, ...]:
    """The noun phrases of a text, without what determines them ("a", "my"), in its order.

    >>> noun_phrases("I want an AC charger for a new iPhone")
    ('AC charger', 'new iPhone')
    """
    found: list[str] = []
    for sentence in _parser()(text).split():
        phrase: list[str] = []
        for word, tag, chunk, *_ in [*sentence, ("", "", "O")]:
            if phrase and not chunk.startswith("I-NP"):
                found.append(" ".join(phrase))
                phrase = []
            if chunk.endswith("-NP"):
                if tag == "CC" or word in (",", "/", "|"):  # a list inside one chunk: two phrases
                    found.append(" ".join(phrase))
                    phrase = []
                elif tag not in ("DT", "PRP", "PRP$", "WP", "EX"):
                    phrase.append(word)
        found.append(" ".join(phrase))
    return tuple(dict.fromkeys(p for p in found if p))


@lru_cache(maxsize=1)
def _parser() -> Any:
    """TextBlob's English parser; its lexicon comes with the package, nothing is downloaded."""
    from textblob.en import parse

    with warnings.catch_warnings():  # it leaves the files of its lexicon to be closed by the garbage collector
        warnings.simplefilter("ignore", ResourceWarning)
        parse("A cat sat on the mat.")
    return parse


def _members(text: str | Iterable[str] | None, separator: str | None) -> list[str]:
    if text is None or text != text:
        return []
    if isinstance(text, str):
        parts = text.split(separator) if separator else [text]
    else:
        parts = [str(t) for t in text]
    return [p.strip() for p in parts if p.strip()]


def _known_rests(phrases: Iterable[str], taxonomy: Taxonomy, table: OverrideTable) -> Mapping[str, str]:
    """Phrase → its longest rest, words dropped from the left, that means something; all phrases one word at a time."""
    found: dict[str, str] = {}
    rests = {p: p.split(" ") for p in sorted(phrases)}
    rests = {p: words[-_LONGEST:] for p, words in rests.items()}
    while rests:
        asked = {p: " ".join(words) for p, words in rests.items()}
        distinct = [t for t in dict.fromkeys(asked.values()) if len(bare(t)) > 2 and bare(t) not in FUNCTION_WORDS]
        ladder = Ladder(distinct, taxonomy, table, "english").climb(_WHOLE)
        known = {t for t, how in zip(distinct, ladder.how, strict=True) if how}
        found |= {p: t for p, t in asked.items() if t in known}
        rests = {p: words[1:] for p, words in rests.items() if p not in found and len(words) > 1}
    return found
