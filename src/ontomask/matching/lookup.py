"""From a text to a label of the taxonomy: a ladder of ever freer readings, each tried on what is left by the one before.

id → label as written → case, spaces, hyphens, underscores, punctuation → lemma → stem → head of the noun phrase. Near
spellings are never taken (they are suggested, see `unmatched.py`). The ladder works on all texts at once: a rung is a
list of proposals per text, and all proposals of a rung are looked up by one vectorised search.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..taxonomy.graph import Ints
from ..taxonomy.lexicon import fold
from ..taxonomy.taxonomy import Taxonomy
from .forms import FUNCTION_WORDS, bare, lemmas, phrase_lemmas, spaceless, stems

_AFTER_THE_HEAD = """
    of for in at on with without from by to into under over near between among against during per via about as
    including plus that which who using made like
"""
_PREPOSITIONS = frozenset(_AFTER_THE_HEAD.split())
_CONJUNCTIONS = ("and", "or")
_LISTS = re.compile(r"[,;:|?!]|\s-\s")
_LEVEL = re.compile(r"^(?:[ivx]{1,4}|[a-z]|\d+[a-z]?|#\d+|no\.?)$")
_LETTERS = re.compile(r"^[^\W\d_]{3,}(?:['’][^\W\d_]+)?$")


@dataclass
class Found:
    """Per text: the concepts it may mean, most frequent first, and the rung that found them ("" where none did)."""

    senses: list[Ints]
    how: list[str]
    left: list[int] = field(default_factory=list)  # texts not found yet


def look_up(texts: Sequence[str], taxonomy: Taxonomy, language: str | None = "english", heads: bool = True) -> Found:
    """The ladder. `language`: of lemmas and stems, None to try neither; `heads=False` leaves the last rung out."""
    lexicon = taxonomy.lexicon
    found = Found([lexicon.senses[:0]] * len(texts), [""] * len(texts), list(range(len(texts))))
    _ids(found, texts, taxonomy)
    written = _among([texts[i] for i in found.left], lexicon.labels)
    _rung(found, taxonomy, "exact", {i: [fold(texts[i])] if hit else [] for i, hit in zip(found.left, written, strict=True)})
    plain = {i: bare(texts[i]) for i in found.left}
    _rung(found, taxonomy, "normalised", {i: _spoken([fold(texts[i]), plain[i]]) for i in found.left})
    _joined(found, taxonomy, plain)
    if language is not None:
        if language == "english":
            _rung(found, taxonomy, "lemma", {i: _spoken(phrase_lemmas(plain[i])) for i in found.left})
        _stem(found, taxonomy, plain, language)
    if heads:
        known = _known({w for i in found.left for w in _before_conjunction(plain[i])}, taxonomy)
        _rung(found, taxonomy, "head", {i: head_proposals(plain[i], language, known) for i in found.left})
    return found


def _ids(found: Found, texts: Sequence[str], taxonomy: Taxonomy) -> None:
    index, aliases = taxonomy.lexicon.index, taxonomy.aliases
    left = []
    for i in found.left:
        text = texts[i].strip()
        concept = index.get(text, aliases.get(text))
        if concept is None:
            left.append(i)
        else:
            found.senses[i], found.how[i] = np.asarray([concept], np.int32), "id"
    found.left = left


def _among(texts: Sequence[str], labels: pa.StringArray) -> list[bool]:
    hits: list[bool] = pc.is_in(pa.array([t.strip() for t in texts], pa.string()), value_set=labels).to_pylist()
    return hits


def _rung(found: Found, taxonomy: Taxonomy, how: str, proposals: dict[int, list[str]]) -> None:
    """Take, for each text that is left, its first proposal that is a label."""
    flat = [p for i in found.left for p in proposals[i]]
    positions = iter(taxonomy.lexicon.positions(flat).tolist()) if flat else iter(())
    left = []
    for i in found.left:
        hits = [p for p in (next(positions) for _ in proposals[i]) if p >= 0]
        if hits:
            found.senses[i], found.how[i] = taxonomy.lexicon.senses_at(hits[0]), how
        else:
            left.append(i)
    found.left = left


def _spoken(proposals: Iterable[str]) -> list[str]:
    """Without single letters and words that say nothing: as labels ("in": inch) they are hardly ever meant."""
    return [p for p in dict.fromkeys(proposals) if len(p) > 1 and p not in FUNCTION_WORDS]


def _joined(found: Found, taxonomy: Taxonomy, plain: dict[int, str]) -> None:
    """ "cheese cake" is "cheesecake", "heartattack" is "heart attack": spaces do not count."""
    if not found.left:
        return
    key = ("matching", "spaceless")
    if key not in taxonomy.memo:
        taxonomy.memo[key] = pc.replace_substring(taxonomy.lexicon.keys, " ", "")
    texts = [spaceless(plain[i]) for i in found.left]
    positions = pc.fill_null(pc.index_in(pa.array(texts, pa.string()), value_set=taxonomy.memo[key]), -1).to_pylist()
    left = []
    for i, text, position in zip(found.left, texts, positions, strict=True):
        if position >= 0 and len(text) > 5:
            found.senses[i], found.how[i] = taxonomy.lexicon.senses_at(position), "normalised"
        else:
            left.append(i)
    found.left = left


# --- stems ------------------------------------------------------------------------------------------------------------


def _stem(found: Found, taxonomy: Taxonomy, plain: dict[int, str], language: str) -> None:
    texts = [plain[i] for i in found.left]
    lengths = {t.count(" ") for t in texts if _stemmable(t)}
    index = {n: _stem_index(taxonomy, n, language) for n in sorted(lengths)}
    keys = taxonomy.lexicon.keys
    left = []
    for i, text, stem in zip(found.left, texts, stems(texts, language), strict=True):
        near = index[text.count(" ")].get(stem, []) if _stemmable(text) else []
        if near:
            best = min(near, key=lambda p: _unlike(text, keys[p].as_py()))
            found.senses[i], found.how[i] = taxonomy.lexicon.senses_at(best), "stem"
        else:
            left.append(i)
    found.left = left


def _stemmable(text: str) -> bool:
    return text.count(" ") < 4 and all(_LETTERS.match(w) and len(w) > 3 for w in text.split(" "))


def _stem_index(taxonomy: Taxonomy, spaces: int, language: str) -> dict[str, list[int]]:
    """Stem → positions of the labels of so many words that have it; made on first need."""
    key = ("matching", "stems", spaces, language)
    if key not in taxonomy.memo:
        keys = taxonomy.lexicon.keys
        positions = np.flatnonzero(np.asarray(pc.equal(pc.count_substring(keys, " "), spaces)))
        labels = keys.take(pa.array(positions)).to_pylist()
        index: dict[str, list[int]] = {}
        for position, stem in zip(positions.tolist(), stems(labels, language), strict=True):
            index.setdefault(stem, []).append(position)
        taxonomy.memo[key] = index
    return taxonomy.memo[key]  # type: ignore[no-any-return]


def _unlike(text: str, label: str) -> tuple[int, int, str]:
    """Order among labels of one stem: the longest common beginning, then the shortest, then the alphabet."""
    same = next((n for n, (a, b) in enumerate(zip(text, label, strict=False)) if a != b), min(len(text), len(label)))
    return -same, len(label), label


# --- heads of noun phrases --------------------------------------------------------------------------------------------


def head_proposals(text: str, language: str | None = "english", known: Collection[str] = ()) -> list[str]:
    """The noun phrase with words dropped from the left, each rest also in the singular (SETS 3.1.1).

    The head of an English noun phrase is its rightmost noun, before any preposition: what follows one is cut off first.
    Lists, and what does not look like a noun at the end, propose nothing: better unmatched than wrong. "A and B" is a list
    where both say something, that is, where A is among the `known` words.

    >>> head_proposals("a new iphone")
    ['new iphone', 'iphone']
    >>> head_proposals("assistant director of nursing")[:2]
    ['assistant director', 'director']
    """
    if _LISTS.search(text):
        return []
    words = text.split(" ")
    whole = len(words)
    cut = next((i for i, w in enumerate(words) if i and w in _PREPOSITIONS), whole)
    words = words[:cut]
    while len(words) > 1 and _LEVEL.match(words[-1]):
        words.pop()
    if len(words) == whole == 1 or not _nounlike(words[-1]) or _is_list(words, known):
        return []
    found: list[str] = []
    for start in range(1 if len(words) == whole else 0, len(words)):
        rest = words[start:]
        if rest[0] in FUNCTION_WORDS or rest[0] == "/":
            continue
        found.append(" ".join(rest))
        if language == "english":
            found += [" ".join([*rest[:-1], form]) for form in lemmas(rest[-1])]
    return list(dict.fromkeys(found))


def _nounlike(word: str) -> bool:
    return bool(_LETTERS.match(word)) and word not in FUNCTION_WORDS and not word.endswith("ly")


def _before_conjunction(text: str) -> list[str]:
    """The word before each conjunction."""
    words = text.split(" ")
    return [before for before, word in pairwise(words) if word in _CONJUNCTIONS]


def _is_list(words: Sequence[str], known: Collection[str]) -> bool:
    """Two things rather than one: a conjunction right before the last word ("pens and pencils")."""
    return "/" in words[-1] or (len(words) > 2 and words[-2] in _CONJUNCTIONS and words[-3] in known)


def _known(words: Collection[str], taxonomy: Taxonomy) -> set[str]:
    """Those of some words that are labels, as they are or in the singular."""
    forms = [(word, form) for word in sorted(words) for form in (word, *lemmas(word))]
    positions = taxonomy.lexicon.positions([form for _, form in forms]) if forms else ()
    return {word for (word, _), position in zip(forms, positions, strict=True) if position >= 0}
