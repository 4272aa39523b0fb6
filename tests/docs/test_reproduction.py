"""The page of reproductions is complete, and counts what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("bench.reproduce", reason="bench is not installed: run the tests from the top of the source tree")

from bench.reproduce import STUDIES
from bench.reproduce.findings import Claim, Finding, always, mostly, said, table, wins

PAGE = (Path(__file__).parents[2] / "docs" / "reproduction.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_is_on_the_page(name: str) -> None:
    assert f"<!-- bench:{name} -->" in PAGE
    assert (Path(__file__).parents[2] / "bench" / "reproduce" / f"{name}.py").exists()


@pytest.mark.parametrize(
    "figure",
    [*(f"FUSION figure {n}" for n in (2, 5, 6)), "FUSION figures 3 and 4", "FUSION table 2"]
    + [f"THESIS figure {n}" for n in (10, 11, 21, 22, 23, 24, 27, 30, 33, 34, 35, 37, 38, 39, 42)]
    + ["THESIS figure 13", "THESIS figure 14", "THESIS figures 25 and 26", "THESIS figures 40 and 41"]
    + ["SWAP tables 2-4", "SWAP tables 5 and 6", "PATTERN table 1", "PATTERN table 2", "SETS table 1"],
)
def test_every_figure_is_on_the_page(figure: str) -> None:
    assert figure in PAGE


def test_the_page_counts_its_conclusions() -> None:
    holds = len(re.findall(r"^- \*\*holds\*\*", PAGE, re.MULTILINE))
    others = len(re.findall(r"^- \*\*does not hold\*\*", PAGE, re.MULTILINE))
    assert f"**{holds} of {holds + others} conclusions hold.**" in PAGE
    assert others


def test_every_conclusion_that_does_not_hold_is_looked_into() -> None:
    lines = PAGE.splitlines()
    for i, line in enumerate(lines):
        if line.startswith("- **does not hold**"):
            assert lines[i + 1].startswith("  "), line


def test_a_finding_is_written_with_its_verdict_and_reason() -> None:
    finding = Finding(
        "X figure 1",
        "a title",
        "some data",
        "| a |",
        [Claim("it is so", True, "1 of 1", "never shown"), Claim("not so", False, why="Why")],
    )
    page = finding.page()
    assert "- **holds**: it is so (1 of 1)." in page
    assert "- **does not hold**: not so.\n  Why" in page
    assert "never shown" not in page


def test_what_claims_are_made_of() -> None:
    assert always([1, 2], [1, 2])
    assert not always([1, 2.1], [1, 2])
    assert always([1, 2.1], [1, 2], 0.1)
    assert mostly([1, 1, 1, 3], [2, 2, 2, 2])
    assert not mostly([1, 1, 3, 3], [2, 2, 2, 2])
    assert wins([1, 3], [2, 2]) == "1 of 2"
    assert [said(x) for x in (0.12345, 12345.6, float("inf"))] == ["0.123", "12,346", "∞"]
    assert table("k", ["a", "b"], [(2, [1, 0.5])]) == "| k | a | b |\n|--:|--:|--:|\n| 2 | 1 | 0.5 |"
