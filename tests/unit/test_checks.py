"""Coded checks: each finds what its fixture, named after it, holds."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontomask as om
from ontomask.taxonomy.checks import CHECKS, MOST, check
from ontomask.taxonomy.draft import Draft
from ontomask.taxonomy.load import read_draft
from ontomask.taxonomy.source import Source

FIXTURES = Path(__file__).parents[1] / "fixtures" / "checks"
FOUND = {
    "empty": ("error", "there is no concept in it"),
    "duplicate-id": ("error", "the id 'B' is defined twice"),
    "self-loop": ("error", "'B' is its own parent"),
    "unknown-parent": ("error", "'FLYER', a parent in 'B' → 'FLYER', is not defined"),
    "cycle": ("error", "its is-a links form a cycle: A → B → C → A"),
    "without-label": ("warning", "'B' has no label; its id stands in"),
    "several-roots": ("warning", "it has 2 roots ('A', 'P'); a virtual one stands above"),
    "unreachable": ("warning", "'X' has neither a parent nor a child"),
}


def test_every_check_has_a_fixture_and_every_fixture_a_check() -> None:
    assert set(CHECKS) == set(FOUND) == {file.stem for file in FIXTURES.iterdir()}


@pytest.mark.parametrize("code", CHECKS)
def test_the_check_finds_it(code: str) -> None:
    draft = read_draft(Source(FIXTURES / f"{code}.obo"))
    assert isinstance(draft, Draft)
    problems = check(draft)
    assert [(p.severity, p.message) for p in problems if p.code == code] == [FOUND[code]]
    # Whoever stands alone is a root, too.
    assert {p.code for p in problems} <= {code, "several-roots" if code == "unreachable" else code}


@pytest.mark.parametrize("code", CHECKS)
def test_errors_refuse_and_warnings_are_reported(code: str) -> None:
    severity, message = FOUND[code]
    if severity == "error":
        with pytest.raises(om.OntomaskError) as refusal:
            om.load_taxonomy(FIXTURES / f"{code}.obo")
        assert message in str(refusal.value)
        assert "ontomask taxonomy check" in str(refusal.value)
    else:
        problems = om.load_taxonomy(FIXTURES / f"{code}.obo").problems
        assert message in [p.message for p in problems]


def test_many_findings_of_one_kind_are_counted() -> None:
    draft = Draft(concepts=["root", *(f"c{i}" for i in range(100))], edges=[(f"c{i}", f"c{i}") for i in range(100)])
    loops = [p for p in check(draft) if p.code == "self-loop"]
    assert len(loops) == MOST + 1
    assert loops[-1].message == "80 more of the kind 'self-loop'"


def test_a_long_cycle_is_shortened() -> None:
    ring = [(f"c{i}", f"c{(i + 1) % 50}") for i in range(50)]
    (found,) = (p for p in check(Draft(edges=ring)) if p.code == "cycle")
    assert found.message == "its is-a links form a cycle: c0 → c1 → c2 → c3 → … → c47 → c48 → c49 → c0"
