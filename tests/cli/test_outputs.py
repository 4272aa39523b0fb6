"""What is read is never overwritten, two outputs never share a file, and nothing is replaced unasked."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ontomask.cli.tell import percent

Run = Callable[..., Any]


DATA = "person,age,town\n" + "".join(f"{i},{30 + i % 4},{'AB'[i % 2]}\n" for i in range(40))
QUASI = ("-q", "age=number", "-q", "town", "--drop", "person", "-k", "5")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(DATA, encoding="utf-8")
    return path


@pytest.mark.parametrize("option", ["--report", "--private-report", "--patterns"])
def test_even_force_does_not_put_an_output_over_the_input(ontomask: Run, people: Path, option: str) -> None:
    said = ontomask("mask", people, "-o", people.with_name("o.csv"), *QUASI, option, people, "--force")
    assert said.code == 1
    assert f"{option} names '{people}', which is an input and never overwritten" in said.err
    assert people.read_text(encoding="utf-8") == DATA
    assert not people.with_name("o.csv").exists()


def test_a_link_to_the_input_is_the_input(ontomask: Run, people: Path) -> None:
    link = people.with_name("link.html")
    link.symlink_to(people)
    said = ontomask("mask", people, "-o", people.with_name("o.csv"), *QUASI, "--report", link, "--force")
    assert said.code == 1
    assert people.read_text(encoding="utf-8") == DATA


def test_overrides_and_recipes_are_inputs_too(ontomask: Run, people: Path) -> None:
    meanings = people.with_name("meanings.csv")
    meanings.write_text("value,concept\nA,town\nB,city\n", encoding="utf-8")
    words = ("-q", "town=wordnet", "--overrides", f"town={meanings}", "--drop", "person")
    assert ontomask("mask", people, "-o", meanings, *words, "--force").code == 1
    assert ontomask("compare", people, *words[:4], "--csv", meanings, "--force").code == 1
    assert ontomask("match", people, "-q", "town=wordnet", "--overrides", meanings, "-o", meanings, "--force").code == 1
    assert meanings.read_text(encoding="utf-8").startswith("value,concept")
    recipe = people.with_name("recipe.toml")
    text = f'[input]\npath = "{people}"\n[quasi]\nage = "number"\n[method]\nname = "recoding"\nk = 5\n'
    recipe.write_text(text, encoding="utf-8")
    said = ontomask("mask", "--recipe", recipe, "-o", people.with_name("o.csv"), "--report", recipe, "--force")
    assert said.code == 1
    assert recipe.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("command", [("evaluate",), ("compare",), ("match",)])
def test_other_commands_keep_their_input(ontomask: Run, people: Path, command: tuple[str]) -> None:
    release = people.with_name("release.csv")
    shutil.copyfile(people, release)
    more = {"evaluate": (release, "-q", "age=number", "--csv"), "compare": ("-q", "age=number", "--json")}
    said = ontomask(*command, people, *more.get(command[0], ("-q", "town=wordnet", "-o")), people, "--force")
    assert said.code == 1
    assert "never overwritten" in said.err
    assert people.read_text(encoding="utf-8") == DATA


def test_two_outputs_are_two_files(ontomask: Run, people: Path) -> None:
    out = people.with_name("o.csv")
    said = ontomask("mask", people, "-o", out, *QUASI, "--report", people.parent / "." / "o.csv")
    assert said.code == 1
    assert "-o and --report both name" in said.err
    assert not out.exists()


def test_a_report_is_kept_unless_forced(ontomask: Run, people: Path) -> None:
    report = people.with_name("r.html")
    report.write_text("mine", encoding="utf-8")
    said = ontomask("mask", people, "-o", people.with_name("o.csv"), *QUASI, "--report", report)
    assert said.code == 1
    assert "exists already" in said.err
    assert report.read_text(encoding="utf-8") == "mine"
    assert not people.with_name("o.csv").exists()


def test_the_demo_leaves_what_its_command_needs(ontomask: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = ontomask("demo")
    assert said.code == 0, said.err
    names = {"visitors.csv", "visitors-meanings.csv", "visitors-masked.csv", "report.html"}
    assert {p.name for p in (tmp_path / "demo").iterdir()} == names
    by_hand = said.out.partition("The same by hand:")[2].replace("\\\n", " ").split()
    assert ontomask(*by_hand[1:]).code == 0
    again = ontomask("demo")
    assert again.code == 1
    assert "--force" in again.err


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0 %"),
        (0.004, "less than 0.1 %"),
        (0.1, "0.1 %"),
        (3.62, "3.6 %"),
        (99.97, "more than 99.9 %"),
        (100, "100 %"),
        (134.8, "134.8 %"),
    ],
)
def test_shares_are_not_rounded_to_nothing_or_everything(value: float, said: str) -> None:
    assert percent(value) == said


def test_report_and_terminal_count_the_same_combinations(ontomask: Run, people: Path) -> None:
    people.write_text("town\n" + "town\n" * 20 + "towns\n" * 20, encoding="utf-8")
    out, report = people.with_name("o.csv"), people.with_name("r.html")
    said = ontomask("mask", people, "-o", out, "-q", "town=wordnet", "--report", report)
    assert "2 different combinations of town" in said.out
    assert "1 different combinations of meanings, written in 2 ways" in " ".join(report.read_text(encoding="utf-8").split())
