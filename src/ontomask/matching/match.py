"""What people typed → what they meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .._progress import stages
from ..errors import illegal
from ..taxonomy.graph import Ints
from ..taxonomy.load import load_taxonomy
from ..taxonomy.taxonomy import Taxonomy
from .forms import is_known_word
from .heads import is_unmarked_name
from .lookup import RUNGS, Ladder
from .matches import UNMATCHED, Matches, tally
from .overrides import Overrides, read_overrides
from .senses import FAR, RARER, context, first
from .unmatched import settle

SENSES = ("context", "first")
# Which rungs leave a doubtful value unmatched.
CAUTIOUS = {"heads": ("head",), "all": ("exact", "normalised", "lemma", "stem", "head"), "never": ()}
_SHORTEST, _SHORT = 4, 7  # letters of a word of a free text


@dataclass(frozen=True)
class Caution:
    """Who is looked at with suspicion: values found on these `rungs`; with `free_text`, but for `wholes`, words of texts."""

    rungs: Collection[str]
    free_text: bool = False
    wholes: Collection[str] = frozenset()


def match(
    values: Iterable[Any],
    tax: Taxonomy | str,
    senses: str = "context",
    overrides: Overrides = None,
    counts: Sequence[int] | npt.ArrayLike | None = None,
    measure: str = "logsc",
    unmatched: str = "keep",
    language: str | None = "english",
    heads: bool = True,
    cautious: str = "heads",
    column: str = "",
) -> Matches:
    """Find the concept that each value means (THESIS 4.3.3, FUSION 4, SETS 3.1.1).

    Overrides go first; then id, label as written, case and spaces and hyphens, lemma, stem, head of the noun phrase. Near
    spellings are suggested, never taken. `senses="context"` chooses, among the concepts a label may mean, the one with the
    least sum over the attribute's other values of the `measure` distance to their nearest sense; `"first"` the most frequent.

    >>> import ontomask as om
    >>> found = om.match(["Cleaner", "carrier", "a retired plumber"], om.load_taxonomy("wordnet"))
    >>> found.how, found.labels
    (['normalised', 'exact', 'head'], ['cleaner', 'mailman', 'plumber'])

    `counts`: records of each value (a value that is repeated counts every time); `unmatched`: what becomes of values without
    a concept, see `settle`; `language`: of lemmas and stems (a Snowball language; None: neither); `heads=False`: a phrase is
    matched whole or not at all; `column`: its name, for messages and for the rows of an override CSV that name one.

    Context does not always tell senses apart. A match is doubtful where the next best sense is nearly as near, or where the
    best is far from everything else. `cautious="heads"` leaves phrases unmatched whose head is doubtful, `"all"` every value,
    `"never"` none. What an override says of a word also holds, without doubt, where the word is found
    as the lemma or the head of a value: one line settles all phrases with that head.
    """
    if cautious not in CAUTIOUS:
        raise illegal("cautious", "match", f"be one of {', '.join(CAUTIOUS)}", cautious)
    if cautious not in CAUTIOUS:
        raise illegal("cautious", "match", f"be one of {', '.join(CAUTIOUS)}", cautious)
    caution = Caution(CAUTIOUS[cautious])
    rungs = RUNGS if heads else RUNGS[:-1]
    found = match_carefully(values, tax, senses, overrides, counts, measure, language, rungs, caution, column)
    return settle(found, unmatched, column)


def match_carefully(
    values: Iterable[Any],
    tax: Taxonomy | str,
    senses: str,
    overrides: Overrides,
    counts: Sequence[int] | npt.ArrayLike | None,
    measure: str,
    language: str | None,
    rungs: Collection[str],
    caution: Caution,
    column: str,
) -> Matches:
    """`match`, with the rungs to try and the caution spelt out."""
    if senses not in SENSES:
        raise illegal("senses", "match", f"be one of {', '.join(SENSES)}", senses)
    taxonomy = load_taxonomy(tax)
    texts, times = tally(values, counts)
    open_ = [i for i, text in enumerate(texts) if text is not None]
    table = read_overrides(overrides, taxonomy, column)
    climbing, choosing = stages(8, 1)
    with climbing:
        ladder = Ladder([texts[i] or "" for i in open_], taxonomy, table, language).climb(rungs)
    candidates = [taxonomy.lexicon.senses[:0]] * len(texts)
    how = ["missing" if text is None else "unmatched" for text in texts]
    far = np.full(len(texts), np.inf)
    for at, i in enumerate(open_):
        candidates[i] = ladder.senses[at]
        how[i] = ladder.how[at] if len(candidates[i]) else "unmatched"
        if how[i] in caution.rungs and at not in ladder.sure and texts[i] not in caution.wholes:
            far[i] = FAR
            if caution.free_text:
                candidates[i], far[i] = _of_free_text(ladder, at)

    rarer = np.asarray(
        [RARER + (h == "head") for h in how], np.int64
    )  # a phrase says more than its head: more must speak for it
    ptr = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(c) for c in candidates], out=ptr[1:])
    flat = np.concatenate([*candidates, taxonomy.lexicon.senses[:0]]).astype(np.int32)
    with choosing:
        choice = context(taxonomy, ptr, flat, measure, far, rarer) if senses == "context" else first(ptr)
    size = np.diff(ptr)
    doubtful = ~choice.clear & (size > 0)
    some, two = (size > 0) & ~doubtful, (choice.second >= 0) | doubtful
    padded = np.append(flat, np.int32(UNMATCHED))
    here = np.where(some, ptr[:-1] + choice.best, len(flat))
    # What is in doubt is not taken: its best sense is shown as the runner-up.
    there = np.where(two, ptr[:-1] + np.where(doubtful, choice.best, choice.second), len(flat))
    return Matches(
        taxonomy=taxonomy,
        values=texts,
        counts=times,
        concepts=padded[here],
        sense=np.where(some, choice.best + 1, 0).astype(np.int32),
        senses=size.astype(np.int32),
        how=["doubtful" if doubt else h for h, doubt in zip(how, doubtful, strict=True)],
        second=padded[there],
        margin=choice.margin,
        heads={texts[i] or "": ladder.label[at] for at, i in enumerate(open_) if doubtful[i]},
    )


def _of_free_text(ladder: Ladder, at: int) -> tuple[Ints, float]:
    """(senses, how far they may be from the others) of a word of a free text, which is known less well than an answer.

    A plural may be of a word of its own or of its singular; a name that is not written as one must not be farther from the
    other words than half of them are; of short words, which are often of another language, only those are taken that the
    parser knows.
    """
    label, senses, text = ladder.label[at], ladder.senses[at], ladder.texts[at]
    name = is_unmarked_name(senses, label, text, ladder.taxonomy)
    if text.islower() and (len(label) < _SHORTEST or (len(label) <= _SHORT and not name and not is_known_word(label))):
        return senses, 0.0
    return ladder.also_plural(senses, label), 1.0 if name else FAR
