"""What people typed → what they meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import illegal
from ..taxonomy.load import load_taxonomy
from ..taxonomy.taxonomy import Taxonomy
from .lookup import look_up
from .matches import UNMATCHED, Matches, tally
from .overrides import Overrides, apply_overrides, read_overrides
from .senses import context, first
from .unmatched import settle

SENSES = ("context", "first")


def match(
    values: Sequence[Any],
    tax: Taxonomy | str,
    senses: str = "context",
    overrides: Overrides = None,
    counts: Sequence[int] | npt.ArrayLike | None = None,
    measure: str = "logsc",
    unmatched: str = "keep",
    language: str | None = "english",
    heads: bool = True,
    column: str = "",
) -> Matches:
    """Find the concept that each value means (THESIS 4.3.3, FUSION 4, SETS 3.1.1).

    Overrides go first; then id, label as written, case and spaces and hyphens, lemma, stem, head of the noun phrase. Near
    spellings are suggested, never taken. `senses="context"` chooses, among the concepts a label may mean, the one with the
    least sum over the attribute's other values of the `measure` distance to their nearest sense; `"first"` the most frequent.

    >>> import ontomask as om
    >>> found = om.match(["Cleaner", "carrier", "a skilled craftsman"], om.load_taxonomy("wordnet"))
    >>> found.how, found.labels
    (['normalised', 'exact', 'head'], ['cleaner', 'mailman', 'craftsman'])

    `counts`: records of each value (a value that is repeated counts every time); `unmatched`: what becomes of values without
    a concept, see `settle`; `language`: of lemmas and stems (a Snowball language; None: neither); `heads=False`: a phrase is
    matched whole or not at all; `column`: its name, for messages.
    """
    if senses not in SENSES:
        raise illegal("senses", "match", f"be one of {', '.join(SENSES)}", senses)
    taxonomy = load_taxonomy(tax)
    texts, times = tally(values, counts)
    overridden = apply_overrides(read_overrides(overrides, taxonomy), texts)
    open_ = [i for i, text in enumerate(texts) if text is not None and i not in overridden]
    found = look_up([texts[i] or "" for i in open_], taxonomy, language, heads)
    candidates = [taxonomy.lexicon.senses[:0]] * len(texts)
    how = ["missing" if text is None else "unmatched" for text in texts]
    for at, i in enumerate(open_):
        candidates[i], how[i] = found.senses[at], found.how[at] or "unmatched"
    for i, given in overridden.items():
        candidates[i], how[i] = given, "override" if len(given) else "unmatched"

    ptr = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(c) for c in candidates], out=ptr[1:])
    flat = np.concatenate([*candidates, taxonomy.lexicon.senses[:0]]).astype(np.int32)
    choice = context(taxonomy, ptr, flat, measure) if senses == "context" else first(ptr)
    size = np.diff(ptr)
    some, two = size > 0, choice.second >= 0
    padded = np.append(flat, np.int32(UNMATCHED))
    here = np.where(some, ptr[:-1] + choice.best, len(flat))
    there = np.where(two, ptr[:-1] + choice.second, len(flat))
    matches = Matches(
        taxonomy=taxonomy,
        values=texts,
        counts=times,
        concepts=padded[here],
        sense=np.where(some, choice.best + 1, 0).astype(np.int32),
        senses=size.astype(np.int32),
        how=how,
        runner_up=padded[there],
        margin=np.where(two, choice.margin, np.nan),
    )
    return settle(matches, unmatched, column)
