"""Patterns equal their definition on random tables, and what they promise holds."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ontomask as om
from ontomask.flow import Tuples
from ontomask.methods.patterns import INDIFFERENT, Found, Patterns
from ontomask.semantics.spaces.flat import FlatSpace

Row = tuple[int, ...]
CONDITIONS = [("<", ">"), (">", "<"), ("<",), (">",), (">", ">", "<")]
COVERS = ["k-anonymous", "first"]


@st.composite
def classified(draw: st.DrawFn) -> Tuples:
    """Distinct (tuple, class) pairs with counts; few values, so that many records agree."""
    m = draw(st.integers(1, 5))
    row = st.tuples(*([st.integers(0, 2)] * m), st.integers(0, 1))
    rows = np.asarray(draw(st.lists(row, min_size=1, max_size=40, unique=True)), np.int32)
    counts = draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    spaces = tuple(FlatSpace(f"a{j}", ["x", None, "z"]) for j in range(m))
    return Tuples(rows[:, :m].copy(), np.asarray(counts, np.int64), spaces, None, rows[:, m].copy())


def anti_unification(rows: list[Row]) -> Row:
    return tuple(values[0] if len(set(values)) == 1 else INDIFFERENT for values in zip(*rows, strict=True))


def twin(tuples: Tuples, method: Patterns) -> tuple[list[tuple[int, Row, list[int]]], list[int]]:
    """((class, pattern, tuples) in the order of discovery, tuples that no pattern covers): figures 1, 3 and 4 of PATTERN."""
    assert tuples.confidential is not None
    codes = [tuple(row) for row in tuples.codes.tolist()]
    cls = tuples.confidential.tolist()

    def records(members: list[int]) -> int:
        return sum(int(tuples.counts[t]) for t in members)

    def analyse(start: list[list[int]], condition: str) -> list[tuple[int, Row, list[int]]]:
        waiting = deque(start)
        results: dict[tuple[int, Row], list[int]] = {}
        seen = set()
        while waiting:
            members = waiting.popleft()
            pattern = anti_unification([codes[t] for t in members])
            if (cls[members[0]], pattern) in seen:
                continue
            seen.add((cls[members[0]], pattern))
            if pattern.count(INDIFFERENT) <= method.max_indifferent:
                results[cls[members[0]], pattern] = members
                continue
            partitions = []
            for j in range(tuples.m):
                by_value: dict[int, list[int]] = {}
                for t in members:
                    by_value.setdefault(codes[t][j], []).append(t)
                if len(by_value) > 1:
                    partitions.append(list(by_value.values()))
            wanted = (min if condition == "<" else max)(len(p) for p in partitions)
            for partition in partitions:
                if len(partition) == wanted:
                    waiting += [part for part in partition if records(part) >= method.k]
        return [(c, pattern, members) for (c, pattern), members in results.items()]

    sizes = {c: records([t for t in range(tuples.p) if cls[t] == c]) for c in set(cls)}
    open_ = [t for t in range(tuples.p) if sizes[cls[t]] >= method.k]
    out: list[tuple[int, Row, list[int]]] = []
    for condition in method.conditions:
        while True:
            parts = [[t for t in open_ if cls[t] == c] for c in sorted(set(cls))]
            found = analyse([part for part in parts if records(part) >= method.k], condition)
            if not found:
                break
            out += found
            covered = {t for _, _, members in found for t in members}
            open_ = [t for t in open_ if t not in covered]
    return out, open_


def as_listed(found: Found) -> list[tuple[int, Row, list[int]]]:
    rows = [tuple(row) for row in found.values.tolist()]
    return [(int(found.classes[i]), rows[i], found.of(i).tolist()) for i in range(len(found))]


@settings(max_examples=60)
@given(classified(), st.integers(2, 7), st.integers(0, 3), st.sampled_from(CONDITIONS))
def test_finds_what_the_definition_finds(tuples: Tuples, k: int, open_: int, conditions: tuple[str, ...]) -> None:
    method = Patterns(k, open_, conditions)
    found = method.find(tuples)
    expected, rest = twin(tuples, method)
    assert as_listed(found) == expected
    assert found.rest.tolist() == rest
    assert found.support.tolist() == [int(tuples.counts[members].sum()) for _, _, members in expected]


@settings(max_examples=60)
@given(classified(), st.integers(2, 7), st.integers(0, 3), st.sampled_from(CONDITIONS))
def test_every_pattern_keeps_its_promise(tuples: Tuples, k: int, open_: int, conditions: tuple[str, ...]) -> None:
    """≥ k records of one class; agreement; nothing is left open on which all agree; at most so many are open."""
    assert tuples.confidential is not None
    found = Patterns(k, open_, conditions).find(tuples)
    assert (found.support >= k).all()
    for i, pattern in enumerate(found.values):
        members = found.of(i)
        assert set(tuples.confidential[members].tolist()) == {int(found.classes[i])}
        for j, value in enumerate(pattern):
            values = set(tuples.codes[members, j].tolist())
            assert (values == {int(value)}) if value != INDIFFERENT else len(values) > 1
        assert (pattern == INDIFFERENT).sum() <= open_


@settings(max_examples=60)
@given(
    classified(), st.integers(2, 7), st.integers(0, 3), st.sampled_from(CONDITIONS), st.sampled_from(["k-anonymous", "first"])
)
def test_rewritten_records(tuples: Tuples, k: int, open_: int, conditions: tuple[str, ...], cover: str) -> None:
    k = min(k, tuples.n)
    if k < 2:
        return
    assert tuples.confidential is not None
    method = Patterns(k, open_, conditions, cover)  # type: ignore[arg-type]
    found = method.find(tuples)
    flow = method.mask(tuples, np.random.default_rng(0))
    flow.check(tuples)
    top = np.asarray([s.top for s in tuples.spaces])
    by_target: dict[int, set[Row]] = {}
    for s, t in zip(flow.source.tolist(), flow.target.tolist(), strict=True):
        if t < 0:
            continue
        shown = flow.targets[t]
        kept = shown != top
        assert np.array_equal(shown[kept], tuples.codes[s, kept]), "a record says what it did not say before"
        patterns = found.values[found.classes == tuples.confidential[s]]
        agrees = (patterns == INDIFFERENT) | (patterns == tuples.codes[s])
        opened = (patterns == INDIFFERENT) | kept
        assert (agrees.all(axis=1) & opened.all(axis=1)).any(), "no pattern of its class says so"
        by_target.setdefault(t, set()).add(tuple(tuples.codes[s].tolist()))
    for t, rows in by_target.items():  # nothing is opened on which all records that become this agree
        agreed = np.asarray(anti_unification(sorted(rows)))
        assert np.array_equal(flow.targets[t], np.where(agreed == INDIFFERENT, top, agreed))
    discarded = [value for name, value in flow.notes.items() if name.startswith("discarded")]
    assert sum(discarded) == flow.suppressed  # type: ignore[arg-type]
    assert flow.notes["discarded: no pattern"] == tuples.counts[found.rest].sum()
    if cover == "k-anonymous":
        assert flow.k >= k or not len(flow.targets)
    else:
        assert flow.notes["discarded: pattern without k records left"] == 0
        first = {}
        for i in range(len(found)):
            for t in found.of(i).tolist():
                first.setdefault(t, i)
        assert set(first) == set(flow.source[flow.target >= 0].tolist())


def test_overlapping_patterns_share_their_records() -> None:
    """Both attributes split {aa, ab, ba} alike: a·, ·a overlap in aa. Only one of them can have three records of its own;
    with a fourth record of aa both can."""
    spaces = (FlatSpace("x", ["a", "b"]), FlatSpace("y", ["a", "b"]))
    codes = np.asarray([[0, 0], [0, 1], [1, 0]], np.int32)
    for counts, used, left in (([2, 1, 1], 1, 1), ([4, 1, 1], 2, 0)):
        flow = Patterns(3, 1).mask(Tuples(codes, np.asarray(counts), spaces), np.random.default_rng(0))
        assert (flow.notes["patterns"], flow.notes["patterns used"], flow.suppressed) == (2, used, left)
        assert flow.k >= 3


def test_the_table_of_patterns() -> None:
    people = {
        "sex": ["f", "m", "f", "f", "m"],
        "town": ["Bonn", "Bonn", None, None, None],
        "pay": ["low", "low", *(["high"] * 3)],
    }
    masked = om.mask(pa.table(people), {"sex": "flat", "town": "flat"}, Patterns(2, 1), confidential=["pay"], seed=1)
    assert masked.patterns.to_pylist() == [
        {"sex": "*", "town": "Bonn", "pay": "low", "support": 2},
        {"sex": "*", "town": None, "pay": "high", "support": 3},
    ]
    assert masked.data.to_pylist() == [
        {"sex": "*", "town": t, "pay": p} for t, p in zip(people["town"], people["pay"], strict=True)
    ]


def test_the_run_says_what_was_discarded_and_why() -> None:
    people = {"sex": ["f", "f", "f", "m"], "pay": ["low", "low", "high", "low"]}
    masked = om.mask(pa.table(people), {"sex": "flat"}, Patterns(2, 0), confidential=["pay"], seed=1)
    said = ["discarded: confidential class of fewer than k: 1 record", "discarded: no pattern: 1 record"]
    assert masked.about["notes"] == ["1 pattern, 1 of them used", *said]


@pytest.mark.parametrize("method", [Patterns(3), om.Generalisation(3), om.Suppression(3)])
def test_methods_without_distances_see_the_whole_table(method: Any) -> None:
    people = pa.table({"town": [t for t in "abcdefgh" for _ in range(4)], "pay": ["low", "high"] * 16})
    whole, limited = (om.mask(people, {"town": "flat"}, method, confidential=["pay"], max_tuples=n) for n in (100, 2))
    assert whole.data.equals(limited.data)


def test_patterns_without_confidential_columns() -> None:
    people = pa.table({"sex": ["f", "m", "f"], "town": ["Bonn", "Bonn", "Bonn"]})
    masked = om.mask(people, {"sex": "flat", "town": "flat"}, Patterns(3, 1), seed=1)
    assert masked.patterns.to_pylist() == [{"sex": "*", "town": "Bonn", "support": 3}]


def test_other_methods_have_no_patterns() -> None:
    masked = om.mask(pa.table({"sex": ["f", "f"]}), {"sex": "flat"}, om.Recoding(2), seed=1)
    with pytest.raises(om.OntomaskError, match="This masking has no patterns"):
        masked.patterns  # noqa: B018


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 1}, "The 'k' parameter of Patterns must be an int ≥ 2"),
        ({"k": 2, "max_indifferent": -1}, "The 'max_indifferent' parameter of Patterns must be an int ≥ 0. Got -1 instead."),
        ({"k": 2, "conditions": ("<", "=")}, "The 'conditions' parameter of Patterns must be '<' .fewest sets., '>'"),
        ({"k": 2, "conditions": ()}, "The 'conditions' parameter of Patterns must be"),
        ({"k": 2, "cover": "last"}, "The 'cover' parameter of Patterns must be one of 'k-anonymous', 'first'"),
    ],
)
def test_illegal_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Patterns(**settings)  # type: ignore[arg-type]


def test_too_many_ties_are_refused_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.unique(np.random.default_rng(0).integers(0, 2, (300, 12)), axis=0).astype(np.int32)
    tuples = Tuples(rows, np.ones(len(rows), np.int64), tuple(FlatSpace(f"a{j}", ["x", "y"]) for j in range(12)))
    Patterns(5, 0).mask(tuples, np.random.default_rng(0))
    monkeypatch.setattr("ontomask.methods.patterns.MOST_ROWS", 10_000)
    with pytest.raises(ValueError, match=r"12 attributes in all.* Name fewer quasi-identifiers"):
        Patterns(5, 0).mask(tuples, np.random.default_rng(0))


def test_settings_as_a_recipe_writes_them() -> None:
    assert Patterns(3, conditions=[">", "<"]) == Patterns(3, conditions=(">", "<"))  # type: ignore[arg-type]
    assert Patterns(3, conditions="<>") == Patterns(3)  # type: ignore[arg-type]
    assert Patterns(3).promises_k
    assert not Patterns(3, cover="first").promises_k
