"""Recoding equals its naive twin on random tables, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask.flow import Tuples
from ontomask.methods.recoding import Guide, Heuristics, Recoding, alphabetical
from tests.strategies import tables


def sd(tuples: Tuples, r: int, s: int) -> int:
    """Fixed-point distance of tuple r to what it would become."""
    g = tuples.geometry
    return sum(int(g.table(j)[tuples.codes[s, j], tuples.codes[r, j]]) for j in range(g.m))


def in_words(tuples: Tuples) -> list[list[str]]:
    """A missing value is written as nothing."""
    rows = [[s.say(int(c)) for s, c in zip(tuples.spaces, row, strict=True)] for row in tuples.codes]
    return [["" if w is None else str(w) for w in row] for row in rows]


def twin(tuples: Tuples, method: Recoding, chance: np.ndarray) -> list[int]:
    """Where the records of each tuple end, straight from the definition: for every step, everything anew."""
    groups = {t: [t] for t in range(tuples.p)}  # tuple → the tuples whose records have its values now

    def size(g: int) -> int:
        return sum(int(tuples.counts[t]) for t in groups[g])

    def nearest(r: int) -> tuple[int, int, int]:
        """(distance, size, number) of the nearest other group of r."""
        others = [s for s in groups if s != r]
        if method.guide == "discernibility":
            return min((2 * size(r) * size(s), size(s), s) for s in others)
        return min((sd(tuples, r, s) * (size(s) if method.weighted else 1), size(s), s) for s in others)

    def random_other(r: int) -> int:
        others = [(s, size(s)) for s in sorted(groups) if s != r]
        x = int(chance[r] * sum(w for _, w in others))
        for s, w in others:
            if x < w:
                return s
            x -= w
        raise AssertionError

    def join(r: int, s: int) -> None:
        groups[s] += groups.pop(r)

    if method.heuristics == "none":
        words = in_words(tuples)
        for r in sorted(range(tuples.p), key=lambda t: words[t]):
            if size(r) < method.k:
                join(r, random_other(r))
    while min(size(g) for g in groups) < method.k:
        least = min(size(g) for g in groups)
        s1 = sorted(g for g in groups if size(g) == least)
        if method.heuristics == "H1":
            join(s1[0], random_other(s1[0]))
            continue
        if method.weighted and method.guide == "semantic":
            join(s1[0], nearest(s1[0])[2])
            continue
        by = {r: nearest(r) for r in s1}
        closest = min(d for d, _, _ in by.values())
        s2 = [r for r in s1 if by[r][0] == closest]
        if method.heuristics == "all":
            union = min(least + by[r][1] for r in s2)
            s2 = [r for r in s2 if least + by[r][1] == union]
        join(s2[0], by[s2[0]][2])
    return [next(g for g, members in groups.items() if t in members) for t in range(tuples.p)]


@settings(max_examples=150)
@given(
    tables(most_tuples=24, most_count=3),
    st.integers(2, 7),
    st.sampled_from(["all", "H1+H2", "H1", "none"]),
    st.sampled_from(["semantic", "discernibility"]),
    st.booleans(),
    st.integers(0, 99),
)
def test_equals_the_definition(tuples: Tuples, k: int, heuristics: Heuristics, guide: Guide, weighted: bool, seed: int) -> None:
    k = min(k, tuples.n)
    if k < 2:
        return
    method = Recoding(k, heuristics, guide, weighted)
    flow = method.mask(tuples, np.random.default_rng(seed))
    flow.check(tuples)
    assert flow.k >= k
    chance = np.random.default_rng(seed).random(tuples.p)
    expected = tuples.codes[twin(tuples, method, chance)]
    assert np.array_equal(flow.targets[flow.target], expected)
    assert flow.notes["fusions"] == tuples.p - len(flow.targets)


def test_a_table_that_is_anonymous_stays_as_it_is() -> None:
    from ontomask.semantics.spaces.flat import FlatSpace

    tuples = Tuples(np.asarray([[0], [1]], np.int32), np.asarray([5, 9]), (FlatSpace("sex", ["f", "m"]),))
    flow = Recoding(5).mask(tuples, np.random.default_rng(0))
    assert flow.targets.tolist() == [[0], [1]]
    assert flow.notes == {"fusions": 0}


@given(tables())
def test_alphabetical_order(tuples: Tuples) -> None:
    words = in_words(tuples)
    ordered = [words[t] for t in alphabetical(tuples)]
    assert ordered == sorted(words)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 1}, "The 'k' parameter of Recoding must be an int ≥ 2"),
        ({"k": 2, "heuristics": "H2"}, "The 'heuristics' parameter of Recoding must be one of 'all', 'H1"),
        ({"k": 2, "guide": "semantics"}, "Did you mean 'semantic'"),
        ({"k": 2, "weighted": "yes"}, "The 'weighted' parameter of Recoding must be True or False"),
    ],
)
def test_illegal_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Recoding(**settings)  # type: ignore[arg-type]
