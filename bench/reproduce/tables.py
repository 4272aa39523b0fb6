"""The tables of the studies: the bundled visitors for the Delta survey, Adult, a sample of the discharge survey."""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache

import numpy as np

from ontomask import Tuples, load_taxonomy
from ontomask.cli.demo import EXAMPLE, MEANINGS
from ontomask.matching.match import match
from ontomask.semantics.spaces.base import Space
from ontomask.semantics.spaces.flat import FlatSpace
from ontomask.semantics.spaces.taxonomy import TaxonomySpace

from ..swapping import sample
from ..tables import adult as adult
from ..tables import nhds, tuples_of

# How findings name their data; the head of the page says what they are.
VISITORS, ADULT, CLINICAL = "visitors", "Adult", "stays"


@cache
def visitors(measure: str = "logsc") -> Tuples:
    """Reason and activity of the bundled survey."""
    tax = load_taxonomy("wordnet")
    with EXAMPLE.open(encoding="utf-8", newline="") as file:
        rows = [(row["reason"].strip(), row["activity"].strip()) for row in csv.DictReader(file)]
    spaces = []
    for j, name in enumerate(("reason", "activity")):
        counts = Counter(row[j] for row in rows)
        found = match(list(counts), tax, overrides=MEANINGS, counts=list(counts.values()), unmatched="error", column=name)
        distinct = list(dict.fromkeys(found.concepts.tolist()))
        code = {v: distinct.index(c) for v, c in zip(found.values, found.concepts.tolist(), strict=True)}
        spaces.append((TaxonomySpace(name, tax, distinct, measure=measure), code))
    # Two spellings of a concept are one value: tuples are counted by concept.
    merged = tuples_of(rows, spaces)
    codes, at, inverse = np.unique(merged.codes, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(at)
    counts = np.bincount(inverse.reshape(-1), weights=merged.counts).astype(np.int64)
    return Tuples(codes[order].astype(np.int32), counts[order], merged.spaces)


@cache
def clinical() -> Tuples:
    """A random sample of 3,006 stays that have two diagnoses."""
    return sample(nhds(("dx01", "dx02")), 3006)


def without_meaning(tuples: Tuples) -> Tuples:
    """The same tuples, values being only equal or different."""
    spaces: list[Space] = [FlatSpace(s.name, s.words(range(s.q))) for s in tuples.spaces]
    return Tuples(tuples.codes, tuples.counts, tuple(spaces), tuples.weights)


def same_measured_by(tuples: Tuples, measure: str) -> Tuples:
    """The same tuples, meanings compared by another measure."""
    spaces: list[Space] = []
    for space in tuples.spaces:
        assert isinstance(space, TaxonomySpace)
        spaces.append(TaxonomySpace(space.name, space.taxonomy, space.concepts[: space.q], measure=measure))
    return Tuples(tuples.codes, tuples.counts, tuple(spaces), tuples.weights)


def size(tuples: Tuples) -> str:
    """Records, tuples, unique ones."""
    return f"{tuples.n:,} records, {tuples.p:,} distinct tuples, {int((tuples.counts == 1).sum()):,} of them unique"
