"""`ontomask taxonomy`: what people see and how it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ontomask.cli import cli
from ontomask.errors import OntomaskError

FIXTURES = Path(__file__).parents[1] / "fixtures" / "taxonomies"
OBO = str(FIXTURES / "pets.obo")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["taxonomy", *words])


def test_info_counts() -> None:
    done = run("info", "wordnet")
    assert done.exit_code == 0
    facts = dict(line.strip().split("  ", 1) for line in done.output.splitlines() if line.startswith("  "))
    assert facts["concepts"].strip() == "82,115"
    assert facts["depth"].strip().startswith("20 nodes")
    assert facts["roots"].strip() == "entity (00001740-n)"


def test_info_of_a_file_shows_its_warnings(tmp_path: Path) -> None:
    file = tmp_path / "two.csv"
    file.write_text("child,parent\na,b\nc,d\n", encoding="utf-8")
    done = run("info", str(file))
    assert "b, d" in done.output
    assert "warning: it has 2 roots" in done.output


@pytest.mark.parametrize(
    "words", [["heart attack"], ["wordnet", "heart attack"], ["-t", "wordnet", "heart attack"], ["heart", "attack"]]
)
def test_search_looks_in_wordnet_unless_told_otherwise(words: list[str]) -> None:
    done = run("search", *words)
    assert done.exit_code == 0
    assert done.output.startswith("1. heart attack  14112855-n\n")
    assert "is a: attack → affliction" in done.output


def test_search_in_a_file() -> None:
    done = run("search", OBO, "popinjay")
    assert "1. parrot  P:4" in done.output
    assert "also: popinjay, polly" in done.output
    assert 'A "feathered" animal.' in run("search", OBO, "P:33").output


def test_search_shows_labels_that_contain_the_words() -> None:
    assert "No label is that; these contain it: " in run("search", "of spain").output


def test_search_suggests() -> None:
    done = run("search", "hart atack")
    assert isinstance(done.exception, OntomaskError)
    assert "Did you mean 'heart attack'" in str(done.exception)


def test_distance() -> None:
    done = run("distance", "wordnet", "coffee", "tea", "--measure", "wup")
    assert done.exit_code == 0
    assert "both are: beverage" in done.output
    assert "wup  0.111111" in done.output
    assert "logsc" in run("distance", "coffee", "tea").output


def test_distance_of_the_nearest_senses() -> None:
    far, near = run("distance", "crane", "bird"), run("distance", "crane", "bird", "--nearest")
    assert float(near.output.split()[-1]) < float(far.output.split()[-1])
    assert "wading bird" in near.output


def test_distance_wants_two_concepts_and_a_known_measure() -> None:
    assert run("distance", "coffee").exit_code == 2
    assert "There is no measure 'wupp'. Did you mean 'wup'" in str(run("distance", "a", "b", "-m", "wupp").exception)


def test_convert_writes_a_file_that_is_read_again(tmp_path: Path) -> None:
    out = tmp_path / "pets.arrow"
    assert run("convert", OBO, str(out)).exit_code == 0
    assert "1. parrot  P:4" in run("search", str(out), "parrot").output
    again = run("convert", OBO, str(out))
    assert "exists" in str(again.exception)
    assert run("convert", OBO, str(out), "--force").exit_code == 0
    assert list(tmp_path.iterdir()) == [out]
    missing = run("convert", OBO, str(tmp_path / "nowhere" / "pets.arrow"))
    assert "Make it first" in str(missing.exception)


def test_check_says_what_is_wrong_and_fails(tmp_path: Path) -> None:
    file = tmp_path / "ring.csv"
    file.write_text("child,parent\na,b\nb,c\nc,a\n", encoding="utf-8")
    done = run("check", str(file))
    assert done.exit_code == 1
    assert "error cycle: its is-a links form a cycle: a → b → c → a" in done.output


def test_check_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.obo"
    file.write_text("[Term]\nid: A\nname: a\nnonsense\n", encoding="utf-8")
    done = run("check", str(file))
    assert done.exit_code == 0
    assert "warning bad-line, line 4: this is not a 'tag: value' pair: skipped" in done.output
    assert "It can be used: 1 concept, 1 warning." in done.output
    assert "nothing to report" in run("check", "wordnet").output


@pytest.mark.parametrize("words", [["info", "no-such"], ["check", "no-such"], ["convert", "no-such", "out"]])
def test_a_missing_source_is_one_line_on_standard_error(words: list[str], tmp_path: Path) -> None:
    code = "from ontomask.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "taxonomy", *words], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: There is no taxonomy 'no-such'")
    assert len(done.stderr.splitlines()) == 1
