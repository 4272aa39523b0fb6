"""om.compare: several maskings of one table."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import ontomask as om
from ontomask.errors import DataError, ParameterError
from ontomask.run.compare import about_comparison

PAIN = [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache"), ("headache", "ache")]
TABLE = pd.DataFrame(
    {
        "pain": ["colic", "lumbago", "migraine", "lumbago", "headache", "ache"] * 3,
        "sex": list("ffmmfmfmfmffmmmfff"),
        "pay": ["low", "high", "low", "low", "high", "high"] * 3,
    }
)
QUASI: dict[str, Any] = {"pain": PAIN, "sex": "flat"}


def test_a_row_is_what_masking_gives() -> None:
    methods = ["recoding", "resampling", om.Microaggregation(k=2, variant="mdav", centroid="mode"), "rank-swapping"]
    table = om.compare(TABLE, QUASI, methods, ks=[2, 4], seed=5, confidential=["pay"])
    assert table.num_rows == 8
    for row in table.to_pylist():
        method = om.Microaggregation(k=row["k"], variant="mdav", centroid="mode")
        name = row["method"]
        if name.startswith("mdav"):
            assert name == "mdav (centroid=mode)"
            masked = om.mask(TABLE, QUASI, method, seed=5, confidential=["pay"])
        else:
            masked = om.mask(TABLE, QUASI, name, k=row["k"], seed=5, confidential=["pay"])
        told = masked.evaluation
        for measure in ("loss_percent", "similarity", "dm", "kl", "suppressed"):
            assert row[measure] == pytest.approx(told.loss[measure])
        for measure in ("mrl", "srl", "score", "records_below_k"):
            assert row[measure] == pytest.approx(told.risk[measure])
        assert row["k_reached"] == told.risk["k"]
        if row["l_distinct"] is not None:
            assert row["l_distinct"] == told.risk["l_distinct"]["pay"]
        assert row["seconds"] >= 0
        assert row["error"] is None


def test_patterns_need_no_confidential_column() -> None:
    row = om.compare(TABLE, QUASI, ["patterns"], ks=[3], seed=1).to_pylist()[0]
    assert row["error"] is None
    masked = om.mask(TABLE, QUASI, "patterns", k=3, seed=1)
    assert row["suppressed"] == masked.evaluation.loss["suppressed"]


def test_the_frontier_is_what_nothing_beats() -> None:
    rows = om.compare(TABLE, QUASI, ["recoding", "sa-mdav", "suppression", "generalisation"], ks=[2, 3, 6], seed=1).to_pylist()
    points = [(r["loss_percent"], r["srl"]) for r in rows]
    for row, (x, y) in zip(rows, points, strict=True):
        beaten = any((a <= x and b < y) or (a < x and b <= y) for a, b in points)
        assert row["efficient"] == (not beaten)
    assert any(r["efficient"] for r in rows)


def test_what_a_method_refuses_is_said_in_its_row() -> None:
    rows = om.compare(TABLE, QUASI, ["recoding"], ks=[2, 19], seed=1).to_pylist()
    assert rows[0]["error"] is None
    assert "at most the number of records" in rows[1]["error"]
    assert rows[1]["loss_percent"] is None


def test_processes_find_the_same() -> None:
    names = ["recoding", "resampling"]
    one = om.compare(TABLE, QUASI, names, ks=[2], seed=3, workers=1).drop_columns(["seconds"])
    two = om.compare(TABLE, QUASI, names, ks=[2], seed=3, workers=2).drop_columns(["seconds"])
    assert one.equals(two)


def test_about_says_what_was_compared() -> None:
    about = about_comparison(om.compare(TABLE, QUASI, ["suppression"], ks=[2], seed=1))
    assert about["records"] == 18
    assert about["columns"] == "pain ((given in Python)), sex (flat)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ks": []}, "'ks' parameter of compare must hold at least one k"),
        ({"ks": [1]}, "'k' parameter of compare must be an int ≥ 2"),
        ({"methods": []}, "'methods' parameter of compare must name at least one method"),
        ({"methods": ["recodin"]}, "no method 'recodin'"),
        ({"quasi": {}}, "name at least one column"),
        ({"alpha": -1}, "'alpha' parameter"),
        ({"data": TABLE.iloc[:0]}, "no records"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises((ParameterError, DataError), match=message):
        om.compare(**{"data": TABLE, "quasi": QUASI, **options})
