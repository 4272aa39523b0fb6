"""`ontomask mask --method patterns`: records, the table of patterns, or that alone."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
PEOPLE = """sex,town,pay
f,Bonn,low
m,Bonn,low
m,,high
m,,high
f,Kiel,high
"""
USUAL = ("-q", "sex", "-q", "town", "--confidential", "pay", "--method", "patterns", "-k", 2, "--set", "max_indifferent=1")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE, encoding="utf-8")
    return path


def test_the_table_of_patterns_beside_the_records(ontomask: Run, people: Path, tmp_path: Path) -> None:
    out, patterns = tmp_path / "out.csv", tmp_path / "patterns.csv"
    said = ontomask("mask", people, "-o", out, "--patterns", patterns, *USUAL, "--set", "conditions=>,<")
    assert said.code == 0, said.err
    with patterns.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["sex", "town", "pay", "support"], ["*", "Bonn", "low", "2"], ["m", "", "high", "2"]]
    assert out.read_text(encoding="utf-8").splitlines() == ["sex,town,pay", "*,Bonn,low", "*,Bonn,low", "m,,high", "m,,high"]


def test_patterns_alone(ontomask: Run, people: Path, tmp_path: Path) -> None:
    patterns = tmp_path / "patterns.csv"
    said = ontomask("mask", people, "--patterns", patterns, *USUAL, "--set", "conditions=<")
    assert said.code == 0, said.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["patterns.csv", "people.csv"]
    again = ontomask("mask", people, "--patterns", patterns, *USUAL)
    assert again.code == 1
    assert "exists already" in again.err


def test_a_recipe_repeats_patterns(ontomask: Run, people: Path, tmp_path: Path) -> None:
    out, private = tmp_path / "out.csv", tmp_path / "private"
    said = ontomask("mask", people, "-o", out, *USUAL, "--set", "conditions=>,<", "--private-manifest", private)
    assert said.code == 0, said.err
    text = (private / "recipe.toml").read_text(encoding="utf-8")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(f'{text}\n[output]\npatterns = "{tmp_path / "patterns.csv"}"\n', encoding="utf-8")
    said = ontomask("mask", "--recipe", recipe, "-o", tmp_path / "again.csv")
    assert said.code == 0, said.err
    assert (tmp_path / "again.csv").read_bytes() == out.read_bytes()
    assert (tmp_path / "patterns.csv").read_text(encoding="utf-8").startswith("sex,town,pay,support\n")


def test_what_does_not_go_together(ontomask: Run, people: Path, tmp_path: Path) -> None:
    patterns = tmp_path / "patterns.csv"
    said = ontomask("mask", people, "--patterns", patterns, "-q", "sex", "--method", "recoding", "-k", 2)
    assert said.code == 1
    assert "only the method Patterns finds some" in said.err
    said = ontomask("mask", people, "--patterns", patterns, *USUAL, "--private-manifest", tmp_path / "private")
    assert said.code == 2
    assert not patterns.exists()
