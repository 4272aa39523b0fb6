"""Forms of English words: normalised, singular, stem. Cheap, offline, without a dictionary of their own.

A form is only a proposal: it counts when it is a label of the taxonomy, so a rule may propose too much.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ..taxonomy.lexicon import fold

# Detachment rules for nouns of WordNet's morphological processor (morphy), and potatoes.
_DETACH = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("oes", "o"),
)
# Endings of plurals that detachment does not undo: criteria, fungi, larvae, oxen, mice, geese, feet, people, wolves, matrices.
_IRREGULAR = re.compile(r"(?:a|i|ae|en|ice|eese|eet|eeth|ple|ves|[isx]es|ces)$")
_REMARK = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]")
_EDGES = re.compile(r"^[^\w#$€£*(]+|[^\w%+#*)]+$")

# Words that say nothing by themselves, though many are labels of some noun ("in": inch, "it": computing, "me": Maine).
_FUNCTION_WORDS = """
    a an the this that these those my your his her its our their some any no every each all both other another such
    i you he she it we they me him us them who whom whose which what where when why how
    am is are was were be been being do does did done have has had can could may might must shall should will would
    and or nor but if than then so as not to of in on at by for from with without within into onto off over under
    about above below between among against during before after since until upon via per near up down out
    here there now just only too very also more most less least etc ok na n/a none nothing
    one two three four five six seven eight nine ten
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def bare(text: str) -> str:
    """The folded text without punctuation around it and without a remark in parentheses that only says it otherwise.

    >>> bare("  CEO (Chief Executive Officer)."), bare('"Ice-cream"'), bare("flower (seeds)")
    ('ceo', 'ice cream', 'flower (seeds)')
    """
    remarks = _REMARK.findall(text)
    outside = _REMARK.sub(" ", text) if remarks else text
    kept = outside if remarks and all(_says_otherwise(outside, r) for r in remarks) else text
    return fold(_EDGES.sub("", kept.replace("&", " and ").strip())) or fold(text)


def without_remarks(folded: str) -> str:
    """A folded text without anything in parentheses.

    >>> without_remarks("flower (seeds)")
    'flower'
    """
    return fold(_REMARK.sub(" ", folded))


def _says_otherwise(outside: str, remark: str) -> bool:
    """Is one the abbreviation of the other, or do they share a word of some length?"""
    shared = {w for w in fold(outside).split(" ") if len(w) > 3} & set(fold(remark).split(" "))
    return bool(shared) or _abbreviates(remark, outside) or any(_abbreviates(w, remark) for w in outside.split())


def _abbreviates(short: str, long: str) -> bool:
    """Are the letters of `short`, in capitals, those that words of `long` begin with, in their order?"""
    letters = [c for c in short if c.isalpha()]
    if not 2 <= len(letters) <= 8 or " " in short.strip() or sum(c.isupper() for c in letters) < len(letters) - 1:
        return False
    initials = iter(w[0] for w in fold(long).split(" ") if w)
    return all(any(c.lower() == i for i in initials) for c in letters)


def spaceless(text: str) -> str:
    return text.replace(" ", "")


@lru_cache(maxsize=65536)
def lemmas(word: str) -> tuple[str, ...]:
    """Singular forms that a folded word may have, itself excluded, the likeliest first.

    >>> lemmas("boxes"), lemmas("women"), lemmas("mice")
    (('boxe', 'box'), ('woman',), ('mouse',))
    """
    if len(word) < 3 or not word.isascii():
        return ()
    found = [word[: -len(end)] + base for end, base in _DETACH if word.endswith(end) and len(word) - len(end) > 1]
    if word.endswith(("ss", "us", "is")):  # glass, status, thesis are no plurals in -s
        found = [f for f in found if f != word[:-1]]
    if _IRREGULAR.search(word):
        found.append(_singularize(word))
    return tuple(dict.fromkeys(f for f in found if f != word))


def phrase_lemmas(text: str) -> list[str]:
    """The phrase with its last word, its head before a preposition, or every word in the singular.

    >>> phrase_lemmas("heads of state")
    ['head of state']
    """
    words = text.split(" ")
    found = [" ".join([*words[:-1], form]) for form in lemmas(words[-1])]
    if len(words) > 1:
        head = next((i for i, w in enumerate(words) if w in ("of", "in", "at", "for", "on", "to", "with")), 0) - 1
        if head >= 0:
            found += [" ".join([*words[:head], form, *words[head + 1 :]]) for form in lemmas(words[head])]
        every = [next(iter(lemmas(w)), w) for w in words]
        found.append(" ".join(every))
    return [f for f in dict.fromkeys(found) if f != text]


_AGENT = re.compile(r"(?:[eo]r|ist|ian|ant|(?<!m)ent|ee|man|woman|person)s?$")


def agentive(text: str) -> bool:
    """Does the last word look like someone (or something) that acts: operator, chemist, musician?"""
    return bool(_AGENT.search(text))


def stems(texts: Iterable[str], language: str = "english") -> list[str]:
    """Each folded text with every word reduced to its Snowball stem (Porter's, as FUSION 4.1 does, in its second edition)."""
    stem = _stemmer(language)
    known: dict[str, str] = {}

    def of(word: str) -> str:
        if word not in known:
            known[word] = stem(word)
        return known[word]

    return [" ".join(of(w) for w in text.split(" ")) for text in texts]


@lru_cache(maxsize=8)
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(language).stemWord


def is_known_word(word: str) -> bool:
    """Is it in the lexicon of the English parser, as it is or in the singular?"""
    lexicon = _lexicon()
    return any(form in lexicon for form in (word, *lemmas(word)))


@lru_cache(maxsize=1)
def _lexicon() -> Any:
    from textblob.en import lexicon

    with warnings.catch_warnings():  # it leaves its file to be closed by the garbage collector
        warnings.simplefilter("ignore", ResourceWarning)
        lexicon.get("word")
    return lexicon


def _singularize(word: str) -> str:
    return _inflect()(word)  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def _inflect() -> Any:
    """TextBlob's singulars: they carry the irregular nouns of English.

    Its one file is loaded alone: the package around it imports NLTK and SciPy's statistics, a second's work, for nothing.
    """
    from importlib.util import find_spec, module_from_spec, spec_from_file_location

    package = find_spec("textblob")
    for folder in (package.submodule_search_locations or ()) if package else ():
        spec = spec_from_file_location("ontomask_singulars", f"{folder}/en/inflect.py")
        if spec and spec.loader:
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            return module.singularize
    from textblob.en.inflect import singularize

    return singularize
