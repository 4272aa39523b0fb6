"""`ontomask match`: the review on the screen and as a file that can be given back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TABLE = "id,job,country\n1,plumber,Japan\n2,lathe operator,Peru\n3,crane operator,Peru\n4,welders,\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_it_shows_and_writes_what_may_be_given_back(ontomask: Callable[..., Any], table: Path, tmp_path: Path) -> None:
    review = tmp_path / "review.csv"
    said = ontomask("match", table, "-q", "job=wordnet", "-q", "country=wordnet", "-o", review)
    assert said.code == 0
    assert "job in wordnet: 2 of 4 values matched (50.0%)" in said.out
    assert "country in wordnet: 2 of 2 values matched (100.0%), 3 of 3 records" in said.out
    assert "doubtful: 2 values, 2 records" in said.out
    text = review.read_text(encoding="utf-8")
    assert text.startswith("column,value,records,concept,label")
    # One line for the word in doubt settles both phrases; what the review leaves empty stays open to it.
    review.write_text(text + "job,operator,,10378780-n\n", encoding="utf-8")
    again = ontomask("match", table, "-q", "job=wordnet", "--overrides", review)
    assert "4 of 4 values matched" in again.out


def test_an_existing_review_is_not_overwritten(ontomask: Callable[..., Any], table: Path, tmp_path: Path) -> None:
    review = tmp_path / "review.csv"
    review.write_text("mine", encoding="utf-8")
    said = ontomask("match", table, "-q", "job=wordnet", "-o", review)
    assert (said.code, review.read_text(encoding="utf-8")) == (1, "mine")
    assert "--force" in said.err
    assert ontomask("match", table, "-q", "job=wordnet", "-o", review, "--force").code == 0


@pytest.mark.parametrize(
    ("quasi", "code", "message"),
    [("jb=wordnet", 1, "Did you mean 'job'?"), ("job=wrdnet", 1, "Did you mean 'wordnet'?"), ("job", 2, "COLUMN=TAXONOMY")],
)
def test_what_is_refused(ontomask: Callable[..., Any], table: Path, quasi: str, code: int, message: str) -> None:
    said = ontomask("match", table, "-q", quasi)
    assert said.code == code
    assert message in said.err
