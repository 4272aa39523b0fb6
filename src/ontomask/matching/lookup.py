"""From a text to a label of the taxonomy: a ladder of ever freer readings, each tried on what is left by the one before.

override → id → label as written → case, spaces, hyphens, underscores, punctuation → lemma → stem → head of the noun phrase.
Near spellings are never taken (they are suggested, see `unmatched.py`). The ladder works on all texts at once: a rung is
a list of proposals per text, and all proposals of a rung are looked up by one vectorised search.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .._progress import along, stages
from ..taxonomy.graph import Ints
from ..taxonomy.lexicon import fold
from ..taxonomy.taxonomy import Taxonomy
from .forms import FUNCTION_WORDS, agentive, bare, lemmas, phrase_lemmas, spaceless, stems
from .heads import before_conjunctions, common_senses, head_proposals, is_list, known_senses
from .overrides import OverrideTable

LONG = {"lemma": 2, "stem": 10, "head": 10}  # how long rungs take beside the others
RUNGS = ("override", "id", "exact", "normalised", "lemma", "stem", "head")
_LETTERS = re.compile(r"^[^\W\d_]{4,}$")
_BEGINNING = 3  # words of one stem begin alike
_SHORTEST_STEM = 4  # "fri" is the stem of "fried" and of "fries"


class Ladder:
    """Texts on their way: `senses`, `how` and `label` by text (none, "" while not found), `left` those still to find.

    `label` is what was looked up in the end; `sure` holds the texts whose meaning the user gave, and names.
    """

    def __init__(self, texts: Sequence[str], taxonomy: Taxonomy, overrides: OverrideTable, language: str | None) -> None:
        self.texts = texts
        self.taxonomy = taxonomy
        self.lexicon = taxonomy.lexicon
        self.overrides = overrides
        self.language = language
        self.senses: list[Ints] = [self.lexicon.senses[:0]] * len(texts)
        self.how = [""] * len(texts)
        self.label = [""] * len(texts)
        self.sure: set[int] = set()
        self.plurals: dict[str, Ints] = {}
        self.left = list(range(len(texts)))
        self.plain = [bare(text) for text in texts]

    def climb(self, rungs: Collection[str] = RUNGS) -> Ladder:
        wanted = [rung for rung in RUNGS if rung in rungs]
        for rung, stage in zip(wanted, stages(*(LONG.get(rung, 1) for rung in wanted)), strict=True):
            with stage:
                if self.left:
                    getattr(self, rung)()
        return self

    def take(self, how: str, found: Mapping[int, Ints]) -> None:
        for i, senses in found.items():
            self.senses[i], self.how[i] = senses, how
        self.left = [i for i in self.left if i not in found]

    def first_labels(self, proposals: Mapping[int, Sequence[str]], common: bool = False) -> dict[int, Ints]:
        """For each text its first proposal that is a label, or that the user gave a meaning to; `common`: no proper names."""
        flat = [p for row in proposals.values() for p in row]
        positions = iter(self.lexicon.positions(flat).tolist() if flat else ())
        found: dict[int, Ints] = {}
        for i, row in along(proposals.items(), len(proposals)):
            for text, position in [(p, next(positions)) for p in row]:
                given = self.overrides.folded.get(text)
                if given is None and position < 0:
                    continue
                named = False
                if given is not None:
                    found[i] = given
                elif common:
                    found[i], named = common_senses(position, self.texts[i], self.taxonomy)
                else:
                    found[i] = self.lexicon.senses_at(position)
                if common and given is None:
                    found[i] = self.also_plural(found[i], text)
                if named or given is not None:
                    self.sure.add(i)
                self.label[i] = text
                break
        return found

    def also_plural(self, senses: Ints, label: str) -> Ints:
        """ "Bars" has senses of its own, and may be the plural of "bar"."""
        if self.language != "english" or not len(senses) or " " in label:
            return senses
        if label not in self.plurals:
            more = [self.lexicon.meanings(form) for form in lemmas(label)]
            self.plurals[label] = np.concatenate([senses[:0], *more])
        if not len(self.plurals[label]):
            return senses
        together: Ints = np.asarray(list(dict.fromkeys([*senses.tolist(), *self.plurals[label].tolist()])), np.int32)
        return together

    # --- the rungs ----------------------------------------------------------------------------------------------------

    def override(self) -> None:
        if self.overrides:
            given = ((i, self.overrides.get(self.texts[i])) for i in self.left)
            self.take("override", {i: senses for i, senses in given if senses is not None})

    def id(self) -> None:
        index, aliases = self.lexicon.index, self.taxonomy.aliases
        concepts = ((i, index.get(t, aliases.get(t))) for i in self.left for t in [self.texts[i].strip()])
        self.take("id", {i: np.asarray([c], np.int32) for i, c in concepts if c is not None})

    def exact(self) -> None:
        """The label as written; so is a word that says nothing elsewhere ("IN") when it is written like the label."""
        written = pc.is_in(pa.array([self.texts[i].strip() for i in self.left], pa.string()), value_set=self.lexicon.labels)
        found = {i: [fold(self.texts[i])] for i, hit in zip(self.left, written.to_pylist(), strict=True) if hit}
        self.take("exact", self.first_labels(found))

    def normalised(self) -> None:
        """Case, spaces, hyphens, underscores, punctuation around it, remarks in parentheses do not count."""
        self.take("normalised", self.first_labels({i: _spoken([fold(self.texts[i]), self.plain[i]]) for i in self.left}))
        if not self.left:
            return
        # "cheese cake" is "cheesecake", "heartattack" is "heart attack"
        key = ("matching", "spaceless")
        if key not in self.taxonomy.memo:
            self.taxonomy.memo[key] = pc.replace_substring(self.lexicon.keys, " ", "")
        texts = [spaceless(self.plain[i]) for i in self.left]
        positions = pc.fill_null(pc.index_in(pa.array(texts, pa.string()), value_set=self.taxonomy.memo[key]), -1).to_pylist()
        hits = zip(self.left, texts, positions, strict=True)
        self.take("normalised", {i: self.lexicon.senses_at(p) for i, text, p in hits if p >= 0 and len(text) > 5})

    def lemma(self) -> None:
        if self.language == "english":
            self.take("lemma", self.first_labels({i: _spoken(phrase_lemmas(self.plain[i])) for i in self.left}))

    def stem(self) -> None:
        """A label with the same stem, not of another kind: an operator is no operation, and who depends no dependence."""
        if self.language is None:
            return
        texts = {i: self.plain[i] for i in self.left if _stemmable(self.plain[i])}
        found: dict[int, Ints] = {}
        stemmed = zip(texts.items(), stems(texts.values(), self.language), strict=True)
        for (i, text), stem in along(stemmed, len(texts)):
            if len(stem) < _SHORTEST_STEM:
                continue
            near = _stems_near(self.taxonomy, text, self.language).get(stem, ())
            labels = [(p, self.lexicon.keys[p].as_py()) for p in near]
            labels = [(p, label) for p, label in labels if agentive(label) == agentive(text) and "'" not in label]
            if labels:
                found[i] = self.lexicon.senses_at(min(labels, key=lambda hit: _unlike(text, hit[1]))[0])
        self.take("stem", found)

    def head(self) -> None:
        proposing, looking = stages(1, 1)
        with proposing:
            lefts = {i: before_conjunctions(self.plain[i]) for i in self.left}
            known = known_senses({word for row in lefts.values() for word in row}, self.taxonomy)
            proposals = {i: head_proposals(self.plain[i], self.language) for i in along(self.left)}
        with looking:
            found = self.first_labels(proposals, common=True)
        conjuncts = {i: [known[word] for word in lefts[i] if word in known] for i in found}
        ones = {i: s for i, s in found.items() if len(s) and not is_list(conjuncts[i], s, self.taxonomy)}
        self.take("head", ones)


def _spoken(proposals: Iterable[str]) -> list[str]:
    """Without single letters and words that say nothing: as labels ("in": inch) they are hardly ever meant."""
    return [p for p in dict.fromkeys(proposals) if len(p) > 1 and p not in FUNCTION_WORDS]


def _stemmable(text: str) -> bool:
    words = text.split(" ")
    verb = len(words) == 1 and text.endswith("s")  # "depends"; plurals have been found by their lemma
    return len(words) < 5 and not verb and all(_LETTERS.match(w) and w not in FUNCTION_WORDS for w in words)


def _stems_near(taxonomy: Taxonomy, text: str, language: str) -> dict[str, list[int]]:
    """Stem → positions of the labels that have it, among those that begin like the text; made on first need."""
    beginning = text[:_BEGINNING]
    key = ("matching", "stems", language, beginning)
    if key not in taxonomy.memo:
        keys = taxonomy.lexicon.keys
        start = bisect_left(range(len(keys)), beginning, key=lambda i: keys[i].as_py())
        end = bisect_left(range(len(keys)), beginning + "\U0010ffff", lo=start, key=lambda i: keys[i].as_py())
        labels = keys.slice(start, end - start).to_pylist()
        index: dict[str, list[int]] = {}
        for position, stem in enumerate(stems(labels, language), start):
            index.setdefault(stem, []).append(position)
        taxonomy.memo[key] = index
    return taxonomy.memo[key]  # type: ignore[no-any-return]


def _unlike(text: str, label: str) -> tuple[int, int, str]:
    """Order among labels of one stem: the fewest letters changed, then the shortest, then the alphabet."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(text, label), len(label), label
