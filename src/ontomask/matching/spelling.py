"""How concepts are written in a release: one string per concept, one concept per string, per attribute.

A second spelling of one concept would break k ("sport" four times and "sports" once are five records that mean the same
and two classes); one spelling of two concepts would break meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ..errors import illegal
from ..taxonomy.lexicon import fold
from ..taxonomy.taxonomy import Taxonomy
from .matches import Matches

LABELS = ("table", "preferred")
# Found like this, a value is a spelling of its concept; a phrase found by its head says more than the concept does.
_SPELLINGS = ("override", "id", "exact", "normalised", "lemma", "stem", "own")


def released_strings(
    concepts: Sequence[int] | npt.NDArray[np.int32],
    matches: Matches,
    labels: str = "table",
) -> list[str | None]:
    """The string of each of the given (distinct) concept numbers; None for a number below 0: a missing value.

    A concept is written as its most frequent spelling in the table (ties: the first), else, and with
    `labels="preferred"` always, as its preferred label. A column that speaks ids (most of its matched records were found by
    id) goes on speaking ids. The strings are all different, even to a reader who ignores case, spaces and hyphens: of two
    concepts that would be written alike the later gets its parent in parentheses; concepts that the table spells come
    before those that it does not, whatever their place.
    """
    if labels not in LABELS:
        raise illegal("labels", "released_strings", f"be one of {', '.join(LABELS)}", labels)
    taxonomy = matches.taxonomy
    codes = speaks_ids(matches)
    spelt = {} if labels == "preferred" and not codes else spellings(matches)
    written: list[str | None] = [None] * len(concepts)
    taken: set[str] = set()
    numbers = [int(c) for c in concepts]
    for i in sorted(range(len(numbers)), key=lambda i: numbers[i] not in spelt):
        c = numbers[i]
        if c < 0:
            continue
        plain = spelt.get(c) or (taxonomy.lexicon.id(c) if codes else taxonomy.lexicon.label(c))
        for text in _ever_longer(plain, c, taxonomy):
            # Ids may differ in case alone; words that do are one word to a reader.
            key = text if codes else fold(text)
            if key not in taken:
                taken.add(key)
                written[i] = text
                break
    return written


def speaks_ids(matches: Matches) -> bool:
    """Are most of the matched records codes?"""
    by_id = sum(int(n) for n, how in zip(matches.counts, matches.how, strict=True) if how == "id")
    by_name = sum(
        int(n)
        for n, how, c in zip(matches.counts, matches.how, matches.concepts, strict=True)
        if how not in ("id", "own", "root") and c >= 0
    )
    return by_id > by_name


def spellings(matches: Matches) -> dict[int, str]:
    """The most frequent spelling of each concept that the table spells; ties: the first."""
    best: dict[int, tuple[int, str]] = {}
    for value, n, c, how in zip(matches.values, matches.counts.tolist(), matches.concepts.tolist(), matches.how, strict=True):
        if c >= 0 and value is not None and value.strip() and how in _SPELLINGS and (c not in best or n > best[c][0]):
            best[c] = (n, value)
    return {c: text for c, (_, text) in best.items()}


def _ever_longer(plain: str, concept: int, taxonomy: Taxonomy) -> Iterator[str]:
    """The plain string, then with a parent, a farther ancestor, the id, a number in parentheses."""
    yield plain
    above = [*taxonomy.graph.parents(concept).tolist(), *taxonomy.graph.ancestors(concept)[-2::-1].tolist()]
    for c in dict.fromkeys(above):
        yield f"{plain} ({taxonomy.lexicon.label(c)})"
    yield f"{plain} ({taxonomy.lexicon.id(concept)})"
    number = 2
    while True:
        yield f"{plain} ({number})"
        number += 1
