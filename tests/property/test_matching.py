"""Senses against their definition, released strings injective, overrides that survive a round trip."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import ontomask as om
from ontomask.matching.match import match
from ontomask.matching.spelling import released_strings
from ontomask.taxonomy.lexicon import fold
from tests.strategies import edge_lists

WORDS = ["bank", "Bank", "run", "cold", "cold ", "set-up", "set up", "seal", "ring"]


@st.composite
def ambiguous(draw: st.DrawFn) -> om.Taxonomy:
    """A random taxonomy whose labels mean several concepts and differ in case and spaces alone."""
    edges = draw(edge_lists(12))
    ids = sorted({c for edge in edges for c in edge})
    labels = {c: draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)) for c in ids}
    return om.Taxonomy.from_edges(edges, labels)


def naive_context(tax: om.Taxonomy, candidates: list[list[str]]) -> list[tuple[int, int]]:
    """(best, second) sense per value, straight from the definition."""
    chosen = []
    for v, mine in enumerate(candidates):
        sums = []
        for c in mine:
            nearest = [min(tax.distance(c, o) for o in other) for w, other in enumerate(candidates) if w != v and other]
            sums.append(round(sum(round(d * 2**30) for d in nearest)))
        order = sorted(range(len(mine)), key=lambda i: (sums[i], i))
        chosen.append((order[0], order[1] if len(order) > 1 else -1))
    return chosen


@given(ambiguous(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True))
@settings(max_examples=40)
def test_context_is_its_definition(tax: om.Taxonomy, values: list[str]) -> None:
    found = match(values, tax)
    candidates = [tax.find(v) for v in values]
    known = [v for v, c in enumerate(candidates) if c]
    expected = naive_context(tax, [candidates[v] for v in known])
    for v, (best, second) in zip(known, expected, strict=True):
        assert tax.lexicon.id(found.concepts[v]) == candidates[v][best]
        assert found.sense[v] == best + 1
        assert found.senses[v] == len(candidates[v])
        assert found.second[v] == (-1 if second < 0 else tax.index(candidates[v][second]))
    assert all(found.concepts[v] == -1 for v, c in enumerate(candidates) if not c)


@given(ambiguous(), st.lists(st.sampled_from([*WORDS, "c1", "c2", "zzz"]), min_size=1, max_size=6), st.booleans())
@settings(max_examples=40)
def test_released_strings_are_injective(tax: om.Taxonomy, values: list[str], preferred: bool) -> None:
    found = match(values, tax, unmatched="own")
    every = np.arange(len(found.taxonomy.graph), dtype=np.int32)
    strings = released_strings(every, found, labels="preferred" if preferred else "table")
    assert len({fold(str(s)) for s in strings}) == len(strings)
    assert all(strings)
    assert released_strings(np.asarray([-1, 0]), found)[0] is None


@given(ambiguous(), st.lists(st.sampled_from([*WORDS, "zzz"]), min_size=1, max_size=6, unique=True))
@settings(max_examples=25)
def test_the_review_given_back_says_the_same(tax: om.Taxonomy, values: list[str]) -> None:
    found = match(values, tax)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "review.csv"
        found.write_csv(path)
        again = match(values, tax, overrides=path)
    assert np.array_equal(found.concepts, again.concepts)
