"""`ontomask evaluate` and `ontomask compare`: from a shell's point of view."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PAIN = "colic,pain\nache,pain\nlumbago,ache\nmigraine,ache\n"
Run = Callable[..., Any]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An original, a masked table of some tool, and the taxonomy of their words."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pain.csv").write_text("child,parent\n" + PAIN, encoding="utf-8")
    words = ["colic", "lumbago", "migraine", "lumbago", "ache", "colic"]
    pay = ["low", "high", "low", "low", "high", "low"]
    rows = [f"{i},{w},{p}" for i, (w, p) in enumerate(zip(words, pay, strict=True))]
    (tmp_path / "original.csv").write_text("nr,pain,pay\n" + "\n".join(rows) + "\n", encoding="utf-8")
    masked = ["*", "lumbago~migraine", "lumbago~migraine", "ache", "ache", "*"]
    (tmp_path / "masked.csv").write_text("nr,pain\n" + "".join(f"{i},{w}\n" for i, w in enumerate(masked)), encoding="utf-8")
    return tmp_path


def test_evaluate_tells_loss_risk_and_how_words_were_read(ontomask: Run, files: Path) -> None:
    said = ontomask("evaluate", "original.csv", "masked.csv", "-q", "pain=pain.csv", "-k", 3, "--confidential", "pay")
    assert said.code == 0, said.err
    assert "6 records; pain; by their place" in said.out
    assert "records_below_k                              6" in said.out
    assert "l_distinct (pay)" in said.out
    assert "pain: 1 × a set of values, read as their least common subsumer" in said.out
    assert "lumbago" not in said.out


def test_evaluate_as_json_and_csv(ontomask: Run, files: Path) -> None:
    usual = ("evaluate", "original.csv", "masked.csv", "-q", "pain=pain.csv", "--id", "nr", "--suppressed")
    told = json.loads(ontomask(*usual, "--json").out)
    assert told["records"] == 6
    assert told["loss"]["suppressed"] == 2
    assert told["risk"]["k"] == 2
    figures = list(csv.DictReader(io.StringIO(ontomask(*usual, "--csv").out)))
    by_name = {(r["part"], r["measure"], r["of"]): r["value"] for r in figures}
    assert float(by_name["loss", "loss_percent", ""]) == pytest.approx(told["loss"]["loss_percent"])
    assert float(by_name["loss", "rmse", "pain"]) == pytest.approx(told["loss"]["rmse"]["pain"])
    assert ontomask(*usual, "--json", "found.json", "--csv", "found.csv").code == 0
    assert json.loads((files / "found.json").read_text(encoding="utf-8")) == told
    again = ontomask(*usual, "--json", "found.json")
    assert again.code == 1
    assert "exists already" in again.err
    assert ontomask(*usual, "--json", "found.json", "--force").code == 0
    assert "does not exist" in ontomask(*usual, "--json", "nowhere/found.json").err


def test_evaluate_refuses_what_it_cannot_match(ontomask: Run, files: Path) -> None:
    (files / "short.csv").write_text("nr,pain\n0,ache\n", encoding="utf-8")
    said = ontomask("evaluate", "original.csv", "short.csv", "-q", "pain=pain.csv")
    assert said.code == 1
    assert "The original has 6 records and the masked table 1." in said.err
    wrong = ontomask("evaluate", "original.csv", "masked.csv", "-q", "pain=pain.csv", "--weights", "pain=much")
    assert wrong.code == 2
    assert "--weights takes COLUMN=NUMBER" in wrong.err


def test_compare_prints_writes_and_draws(ontomask: Run, files: Path) -> None:
    usual = ("compare", "original.csv", "-q", "pain=pain.csv", "-k", "2,3", "--seed", 1)
    some = ("--method", "recoding", "--method", "suppression", "--method", "sa-mdav")
    said = ontomask(*usual, *some, "--csv", "c.csv", "--report", "c.html")
    assert said.code == 0, said.err
    assert "original.csv: 6 records, 4 distinct tuples" in said.out
    assert "* efficient: no other masking here has less of both L and SRL." in said.out
    assert "Not k-anonymous" not in said.out
    rows = list(csv.DictReader(io.StringIO((files / "c.csv").read_text(encoding="utf-8"))))
    assert [(r["method"], r["k"]) for r in rows] == [(m, k) for m in ("recoding", "suppression", "sa-mdav") for k in ("2", "3")]
    assert (files / "c.html").read_text(encoding="utf-8").startswith("<!")
    told = json.loads(ontomask(*usual, *some, "--json").out)
    assert told["about"]["records"] == 6
    assert all(r["k_reached"] >= r["k"] or r["suppressed"] == 6 for r in told["rows"])


def test_compare_names_the_methods_that_promise_no_classes(ontomask: Run, files: Path) -> None:
    words = ("compare", "original.csv", "-q", "pain=pain.csv", "-k", "2", "--method", "recoding", "--method", "rank-swapping")
    assert "Not k-anonymous: rank-swapping." in ontomask(*words, "--report", "n.html").out
    assert "Not k-anonymous: rank-swapping." in (files / "n.html").read_text(encoding="utf-8")


def test_compare_refuses_odd_ks_and_methods(ontomask: Run, files: Path) -> None:
    assert ontomask("compare", "original.csv", "-q", "pain=pain.csv", "-k", "2;3").code == 2
    said = ontomask("compare", "original.csv", "-q", "pain=pain.csv", "--method", "recodin")
    assert said.code == 1
    assert "Did you mean 'recoding'" in said.err
