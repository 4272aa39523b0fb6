"""Generalisation equals its definition on random tables, ties included."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask.flow import Tuples
from ontomask.methods.generalisation import Generalisation
from ontomask.semantics.spaces.base import Space
from ontomask.semantics.spaces.taxonomy import TaxonomySpace
from ontomask.taxonomy.taxonomy import Taxonomy
from tests.strategies import tables

Row = tuple[int, ...]


def above(space: Space, c: int) -> dict[int, int]:
    """What c can become, with the steps up to it."""
    links = space.links[space.up_ptr[c] : space.up_ptr[c + 1]].tolist()
    found = {a: n for a, n in zip(space.ancestors(c).tolist(), links, strict=True) if a != c}
    return found or ({space.top: 1} if c != space.top else {})


def level(space: Space, c: int) -> int:
    """Depth; below `*` everything is one level deeper than it."""
    bare = set(space.ancestors(c).tolist()) == {c} and c != space.top
    return int(space.depth[space.top]) + 1 if bare else int(space.depth[c])


def anonymous(rows: Counter[Row], k: int) -> int:
    return sum(w for w in rows.values() if w >= k)


def moved(rows: Counter[Row], j: int, values: set[int], target: int) -> Counter[Row]:
    out: Counter[Row] = Counter()
    for row, w in rows.items():
        out[(*row[:j], target if row[j] in values else row[j], *row[j + 1 :])] += w
    return out


def in_use(rows: Counter[Row], j: int) -> Counter[int]:
    """Records of each value of attribute j."""
    used: Counter[int] = Counter()
    for row, w in rows.items():
        used[row[j]] += w
    return used


def next_move(tuples: Tuples, rows: Counter[Row], k: int) -> tuple[int, set[int], int]:
    options = []
    for j, space in enumerate(tuples.spaces):
        used = in_use(rows, j)
        small = {row[j] for row, w in rows.items() if w < k}
        for a in range(space.h):
            all_below = {v for v in small if a in above(space, v)}
            if all_below:
                options.append((j, a, -1, all_below))
            if used[a]:
                options += [(j, a, v, {v}) for v in sorted(used) if a in above(space, v)]
        ranked = []
        for attribute, a, v, values in options:
            cost = sum(
                above(tuples.spaces[attribute], c)[a] * sum(w for r, w in rows.items() if r[attribute] == c) for c in values
            )
            gain = anonymous(moved(rows, attribute, values, a), k) - anonymous(rows, k)
            if gain:
                ranked.append((cost / gain, cost, attribute, v >= 0, a, v, values))
    if ranked:
        # Within an attribute: first all moves of whole sets by target, then those of single values by target and value.
        ratio, cost = min((r[0], r[1]) for r in ranked)
        best = min((r for r in ranked if r[:2] == (ratio, cost)), key=lambda r: (r[2], r[4], r[3], r[5]))
        return best[2], best[6], best[4]
    for among in ([r for r, w in rows.items() if w < k], list(rows)):
        steps = []
        for j, space in enumerate(tuples.spaces):
            for v in {row[j] for row in among}:
                records = in_use(rows, j)[v]
                parents = [a for a, n in above(space, v).items() if n == 1]
                if parents:
                    steps.append(((records, j, -level(space, v), v), min(parents, key=lambda a: (-level(space, a), a))))
        if steps:
            (_, j, _, v), parent = min(steps)
            return j, {v}, parent
    raise AssertionError


def twin(tuples: Tuples, k: int) -> list[Row]:
    now = [tuple(row) for row in tuples.codes.tolist()]
    while True:
        rows: Counter[Row] = Counter()
        for row, w in zip(now, tuples.counts.tolist(), strict=True):
            rows[row] += w
        if min(rows.values()) >= k:
            return now
        j, values, target = next_move(tuples, rows, k)
        now = [(*row[:j], target if row[j] in values else row[j], *row[j + 1 :]) for row in now]


@settings(max_examples=60)
@given(tables(most_tuples=9, most_count=4), st.integers(2, 6))
def test_equals_the_definition(tuples: Tuples, k: int) -> None:
    k = min(k, tuples.n)
    if k < 2:
        return
    flow = Generalisation(k).mask(tuples, np.random.default_rng(0))
    flow.check(tuples)
    assert flow.k >= k
    assert [tuple(row) for row in flow.targets[flow.target].tolist()] == twin(tuples, k)
    for j, space in enumerate(tuples.spaces):  # a value becomes itself or something more general, in all its records
        became = {(int(v), int(c)) for v, c in zip(tuples.codes[:, j], flow.targets[flow.target, j], strict=True)}
        assert len(became) == len({v for v, _ in became})
        assert all(v == c or c in above(space, v) for v, c in became)


def test_siblings_meet_at_their_parent() -> None:
    """One step each brings colic and ache to pain (4 records): cheaper than anything that goes up to symptom."""
    edges = [("pain", "symptom"), ("colic", "pain"), ("ache", "pain"), ("cough", "symptom")]
    tax = Taxonomy.from_edges(edges)
    space = TaxonomySpace("symptom", tax, tax.indices(["colic", "ache", "cough"]))
    tuples = Tuples(np.asarray([[0], [1], [2]], np.int32), np.asarray([2, 2, 9]), (space,))
    flow = Generalisation(4).mask(tuples, np.random.default_rng(0))
    assert [space.say(int(c)) for c in flow.targets[flow.target, 0]] == ["pain", "pain", "cough"]
    assert flow.notes == {"moves": 1, "steps times records": 4}


def test_k_is_checked() -> None:
    with pytest.raises(ValueError, match=r"The 'k' parameter of Generalisation must be an int ≥ 2. Got True instead\."):
        Generalisation(True)
