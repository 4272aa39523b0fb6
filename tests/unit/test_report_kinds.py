"""What the report says of patterns, of sets and of swaps: privately with values, publicly without."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ontomask as om
from ontomask.report.html import subject_of
from ontomask.report.summarise import summarise

SPORTS = [("tennis", "ball game"), ("golf", "ball game"), ("sailing", "water sport"), ("surfing", "water sport")]
SPORTS += [("ball game", "sport"), ("water sport", "sport")]
LEAVES = ["tennis", "golf", "sailing", "surfing"]
SEED = 918273645


def said(masked: om.Masked, folder: Path, private: bool) -> str:
    masked.report(folder / "report.html", private=private)
    text = re.sub(r"<(style|script)>.*?</\1>", "", (folder / "report.html").read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def patterns() -> om.Masked:
    people = {
        "sex": ["f", "f", "f", "m", "m", "m", "x", "m", None],
        "town": ["Bonn", "Bonn", "Kiel", "Kiel", "Kiel", "Kiel", "Trier", "Worms", "Mainz"],
        "pay": ["low", "low", "low", "high", "high", "high", "high", "odd", "high"],
    }
    method = om.Patterns(2, max_indifferent=1)
    return om.mask(pd.DataFrame(people), ["sex", "town"], method, confidential=["pay"], missing="suppress", seed=SEED)


def test_patterns_and_why_records_are_not_released(tmp_path: Path) -> None:
    masked = patterns()
    found = summarise(subject_of(masked))
    reasons = {row["why"]: row["records"] for row in found["not_released"]}
    assert reasons == {
        "their confidential class has fewer than k records": "1",
        "no pattern covers them": "1",
        "missing or unmatched values": "1",
    }
    assert sum(int(n) for n in reasons.values()) == masked.evaluation.loss["suppressed"]
    assert not any("discarded" in note for note in found["notes"])
    public, private = said(masked, tmp_path, False), said(masked, tmp_path, True)
    for text in (public, private):
        assert "Records that are not in the release, and why" in text
        assert "2 patterns were found, each supported by 3 records" in text
    assert not any(value in public for value in ("Kiel", "Bonn", str(SEED)))
    assert "The best supported patterns" in private
    assert "m Kiel 3" in private
    assert "f * 3" in private


def test_sets_are_shown_as_sets_of_items(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    texts = ["|".join(rng.choice(LEAVES, rng.integers(1, 4), replace=False)) for _ in range(30)]
    masked = om.mask(pd.DataFrame({"likes": texts}), {"likes": ("set:|", SPORTS)}, om.SetMicroaggregation(k=3), seed=SEED)
    public, private = said(masked, tmp_path, False), said(masked, tmp_path, True)
    assert re.search(r"a set of \d items? with \d of the \d in it before", private)
    assert "another set" in public
    assert "in it before" not in public  # the size of one record's set may tell whose it is
    assert "golf" not in public
    assert str(SEED) not in public
    assert re.search(r"\{(\w+, )*\w+\} → \{(\w+, )*\w+\}", private)
    assert "|" not in private
    assert "likes set logsc" in public


@pytest.mark.parametrize("variant", ["joint", "dynamic"])
def test_swaps_say_what_is_promised_and_hide_the_seed(variant: str, tmp_path: Path) -> None:
    data = pd.DataFrame({"a": list("xxyyzz") * 4, "b": np.arange(24) % 7})
    method = om.RankSwapping(k=4, variant=variant)  # type: ignore[arg-type]
    masked = om.mask(data, {"a": "flat", "b": "number"}, method, seed=SEED)
    public = said(masked, tmp_path, False)
    assert "every column keeps exactly the values it had" in public
    assert re.search(r"The largest rank distance of a swap is \d", public)
    assert ("Probabilistic k-anonymity" in public) == (variant == "joint")
    assert str(SEED) not in public
    assert str(SEED) in said(masked, tmp_path, True)


def test_each_way_of_matching_stands_once_for_each_column() -> None:
    data = pd.DataFrame({"one": ["tennis", "golf", "sailing", "surfing"], "two": ["Golf", "golf", "boats", "surfing"]})
    quasi = {"one": SPORTS, "two": SPORTS}
    masked = om.mask(data, quasi, om.Recoding(k=2), overrides={"two": {"boats": "sailing"}}, seed=1)
    matching = summarise(subject_of(masked))["matching"]
    rows = {row[0]: [float(share) for share in row[1:]] for row in matching["values"].rows}
    for shares in rows.values():
        assert sum(shares) == pytest.approx(100)
    assert rows["one"] != rows["two"]
