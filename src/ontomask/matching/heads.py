"""The head of a noun phrase: what "a new iPhone" or "Assistant Director of Nursing" is (SETS 3.1.1).

A phrase says more than its head, so these rules would rather propose nothing than something wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from .._registry import MEASURES
from ..taxonomy.graph import Ints
from ..taxonomy.lexicon import fold
from ..taxonomy.taxonomy import Taxonomy
from .forms import FUNCTION_WORDS, lemmas, without_remarks

_AFTER_THE_HEAD = """
    of for in at on with without from by to into under over near between among against during per via about as
    including plus that which who using made like
"""
_PREPOSITIONS = frozenset(_AFTER_THE_HEAD.split())
# A text with one of these is a sentence, a question or says what something is not.
_SENTENCES = """
    i you he she it we they me him us them my your his her our their who whom whose what where when why how
    am is are was were be been being do does did have has had can could may might must shall should will would
    no not none never nothing don't doesn't isn't i'm it's anything everything something
"""
_SENTENCE_WORDS = frozenset(_SENTENCES.split())
_KIND_OF = re.compile(r"^(?:\w+ ){0,2}?(?:kind|sort|type|variety|form|lot|bit|piece|slice|cup|bowl)s? of ")
_CONJUNCTIONS = ("and", "or", "/")
_LISTS = re.compile(r"[,;:|?!]|\s-\s")
_LEVEL = re.compile(r"^(?:[ivx]{1,4}|[a-z]|\d+[a-z]?|#\d+|no\.?)$")
_LETTERS = re.compile(r"^[^\W\d_]{3,}(?:['’][^\W\d_]+)?$")
_WORD = re.compile(r"[^\W_]+")
_ALIKE = 0.83  # jaccard distance below which two conjuncts are things of a kind


def head_proposals(text: str, language: str | None = "english") -> list[str]:
    """The folded noun phrase with words dropped from the left, each rest also in the singular.

    The head of an English noun phrase is its rightmost noun, before any preposition: what follows one is cut off first, and
    so are levels ("engineer ii"). Sentences, and what does not look like a noun at the end, propose nothing.

    >>> head_proposals("a new iphone")
    ['new iphone', 'iphone']
    >>> head_proposals("assistant director of nursing")[:2]
    ['assistant director', 'director']
    """
    said = _KIND_OF.sub("", without_remarks(text))
    if _LISTS.search(said):
        return []
    words = said.split(" ")
    if not _SENTENCE_WORDS.isdisjoint(words):
        return []
    whole = len(text.split(" "))
    cut = next((i for i, w in enumerate(words) if i and w in _PREPOSITIONS), len(words))
    words = words[:cut]
    while len(words) > 1 and _LEVEL.match(words[-1]):
        words.pop()
    if whole == 1 or not words or not _nounlike(words[-1]):
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


def before_conjunctions(text: str) -> list[str]:
    """The word before each conjunction, or stroke, of a folded text.

    >>> before_conjunctions("sales and marketing manager"), before_conjunctions("fruit/vegetable juice")
    (['sales'], ['fruit'])
    """
    return [before for before, word in pairwise(text.replace("/", " / ").split()) if word in _CONJUNCTIONS]


def is_list(conjuncts: Sequence[Ints], head: Ints, taxonomy: Taxonomy) -> bool:
    """Two things rather than one? "Pens and pencils" are, a "sales and marketing manager" is not.

    It is a list when some conjunct and the head have senses that are things of a kind: near each other in the taxonomy.
    A conjunct that means nothing says nothing.
    """
    jaccard = MEASURES.load("jaccard")
    return any(len(c) and bool(jaccard.matrix(taxonomy, c, head).min() < _ALIKE) for c in conjuncts)


def common_senses(position: int, text: str, taxonomy: Taxonomy) -> tuple[Ints, bool]:
    """(senses of label `position` that a head may mean, is it a name): no proper names, unless the text writes it like one.

    "Opera singer" is not Isaac Singer, and "coronavirus malaysia" not a kind of Malaysia. Where a taxonomy writes most of
    its labels with a capital, case says nothing, and all senses are given.
    """
    senses = taxonomy.lexicon.senses_at(position)
    if not _case_tells(taxonomy):
        return senses, False
    key = taxonomy.lexicon.keys[position].as_py()
    common = np.asarray([_is_common(int(c), key, taxonomy) for c in senses], bool)
    if common.any():
        return senses[common], False
    named = any(fold(word) == key.split(" ")[-1] and not word.islower() for word in _WORD.findall(text))
    return (senses, len(senses) == 1) if named else (senses[:0], False)


def is_unmarked_name(senses: Ints, key: str, text: str, taxonomy: Taxonomy) -> bool:
    """Are these senses of label `key` names only, and the text does not write them so ("york")?"""
    return text.islower() and _case_tells(taxonomy) and not any(_is_common(int(c), key, taxonomy) for c in senses)


def _is_common(concept: int, key: str, taxonomy: Taxonomy) -> bool:
    return any(label[:1].islower() for label in taxonomy.lexicon.labels_of(concept) if fold(label) == key)


def _case_tells(taxonomy: Taxonomy) -> bool:
    key = ("matching", "case")
    if key not in taxonomy.memo:
        labels = taxonomy.lexicon.labels.slice(0, 100_000).to_pylist()
        taxonomy.memo[key] = 2 * sum(label[:1].islower() for label in labels) > len(labels)
    return bool(taxonomy.memo[key])


def known_senses(words: Collection[str], taxonomy: Taxonomy) -> dict[str, Ints]:
    """What each of some folded words may mean, as it is or in the singular."""
    forms = [(word, form) for word in sorted(words) for form in (word, *lemmas(word))]
    positions = taxonomy.lexicon.positions([form for _, form in forms]) if forms else ()
    found: dict[str, Ints] = {}
    for (word, _), position in zip(forms, positions, strict=True):
        if position >= 0:
            found.setdefault(word, taxonomy.lexicon.senses_at(int(position)))
    return found
