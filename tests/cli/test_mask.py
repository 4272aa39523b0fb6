"""`ontomask mask`, `verify`, `demo`, `methods`: from a shell's point of view."""

from __future__ import annotations

import csv
import json
import os
import stat
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

VISITORS = Path(__file__).parents[2] / "src" / "ontomask" / "data" / "visitors.csv"
MEANINGS = VISITORS.with_name("visitors-meanings.csv")
USUAL = ("-q", "reason=wordnet", "-q", "activity=wordnet", "--overrides", f"reason={MEANINGS}", "--method", "recoding")
Run = Callable[..., Any]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_visitors_are_masked_verified_and_reported(ontomask: Run, tmp_path: Path) -> None:
    out, report = tmp_path / "masked.csv", tmp_path / "report.html"
    said = ontomask("mask", VISITORS, "-o", out, *USUAL, "-k", 5, "--drop", "visitor", "--report", report, "--seed", 3)
    assert said.code == 0, said.err
    assert "975 records" in said.out
    assert "213 different combinations of reason and activity; 117 of them single out one person" in said.out
    assert "From the written file, read again: the smallest class has 5 records." in said.out
    assert report.read_text(encoding="utf-8").startswith("<!")
    before, after = rows(VISITORS), rows(out)
    assert list(after[0]) == [c for c in before[0] if c != "visitor"]
    for column in ("age", "gender", "origin", "days", "companions"):
        assert [r[column] for r in after] == [r[column] for r in before]
    assert min(Counter((r["reason"], r["activity"]) for r in after).values()) >= 5
    assert ontomask("verify", out, "-q", "reason", "-q", "activity", "-k", 5).code == 0
    again = ontomask("verify", VISITORS, "-q", "reason", "-q", "activity", "-k", 5)
    assert again.code == 1
    assert "NOT 5-anonymous" in again.out
    assert sorted(p.name for p in tmp_path.iterdir()) == ["masked.csv", "report.html"]


def test_same_seed_same_bytes_and_the_manifest_repeats_the_run(ontomask: Run, tmp_path: Path) -> None:
    first, second, third = (tmp_path / f"{i}.parquet" for i in range(3))
    private = tmp_path / "private"
    assert ontomask("mask", VISITORS, "-o", first, *USUAL, "-k", 4, "--private-manifest", private).code == 0
    manifest = json.loads((private / "manifest.json").read_text(encoding="utf-8"))
    assert {"recipe", "seed", "versions", "input", "output", "flow", "seconds"} <= set(manifest)
    assert all(stat.S_IMODE(p.stat().st_mode) == 0o600 for p in private.iterdir())
    assert ontomask("mask", VISITORS, "-o", second, *USUAL, "-k", 4, "--seed", manifest["seed"]).code == 0
    assert ontomask("mask", "--recipe", private / "recipe.toml", "-o", third).code == 0
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()


def test_a_warning_names_columns_that_look_like_identifiers(ontomask: Run, tmp_path: Path) -> None:
    said = ontomask("mask", VISITORS, "-o", tmp_path / "o.csv", *USUAL)
    assert "The column 'visitor' looks like an identifier" in said.err
    assert "10640" not in said.err


def test_an_existing_file_is_kept_unless_forced(ontomask: Run, tmp_path: Path) -> None:
    out = tmp_path / "masked.csv"
    out.write_text("mine", encoding="utf-8")
    said = ontomask("mask", VISITORS, "-o", out, *USUAL)
    assert said.code == 1
    assert "is there already" in said.err
    assert out.read_text(encoding="utf-8") == "mine"
    assert ontomask("mask", VISITORS, "-o", out, *USUAL, "--force").code == 0
    assert len(rows(out)) == 975


def test_unmatched_words_are_listed_and_nothing_is_written(ontomask: Run, tmp_path: Path) -> None:
    said = ontomask("mask", VISITORS, "-o", tmp_path / "o.csv", "-q", "reason=wordnet")
    assert said.code == 1
    assert "wild nature" in said.err
    assert "--unmatched" in said.err or "unmatched=" in said.err
    assert not list(tmp_path.iterdir())


def test_recipes_refuse_unknown_keys(ontomask: Run, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('[quasi]\nreason = "wordnet"\n[method]\nname = "recoding"\nk = 5\n[options]\nmesure = "path"\n')
    said = ontomask("mask", VISITORS, "-o", tmp_path / "o.csv", "--recipe", recipe)
    assert said.code == 1
    assert "Did you mean 'measure'?" in said.err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ((VISITORS, "-q", "reason=wordnet"), "-o FILE"),
        ((VISITORS, "-o", "x.csv"), "-q COLUMN=KIND"),
        ((VISITORS, "-o", "x.csv", "-q", "reason=wordnet", "-q", "reason=flat"), "twice"),
        ((VISITORS, "-o", "x.csv", "-q", "reason=wordnet", "--weights", "reason"), "NAME=VALUE"),
        ((VISITORS, "-o", "x.csv", "-q", "reason=wordnet", "--weights", "reason=much"), "a number"),
    ],
)
def test_wrong_usage_is_explained(ontomask: Run, arguments: tuple[Any, ...], hint: str) -> None:
    said = ontomask("mask", *arguments)
    assert said.code == 2
    assert hint in said.err


def test_methods_are_listed_and_told_about(ontomask: Run) -> None:
    assert "sa-mdav" in ontomask("methods").out
    assert "guide = semantic" in ontomask("methods", "recoding").out
    said = ontomask("methods", "recodign")
    assert said.code == 1
    assert "Did you mean 'recoding'?" in said.err


def test_demo_makes_a_folder_with_a_masked_table_and_a_report(ontomask: Run, tmp_path: Path) -> None:
    said = ontomask("demo", "--output", tmp_path / "demo")
    assert said.code == 0, said.err
    assert sorted(os.listdir(tmp_path / "demo")) == [
        "report.html",
        "visitors-masked.csv",
        "visitors-meanings.csv",
        "visitors.csv",
    ]
    assert "single out one person" in said.out
    assert not said.err
