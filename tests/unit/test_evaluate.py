"""om.evaluate: any masked table beside its original."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import ontomask as om
from ontomask.errors import DataError, MatchingError, ParameterError

PAIN = [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache"), ("headache", "ache")]
ORIGINAL = pd.DataFrame(
    {
        "id": range(12),
        "pain": ["colic", "lumbago", "migraine", "lumbago", "headache", "ache"] * 2,
        "age": [30, 31, 35, 39, 44, 51, 52, 58, 60, 61, 70, 75],
        "sex": list("ffmmfmfmfmff"),
        "pay": ["low", "high", "low", "low", "high", "high"] * 2,
    }
)
QUASI: dict[str, Any] = {"pain": PAIN, "age": "number", "sex": "flat"}


def flat(evaluation: om.Evaluation) -> dict[str, float]:
    """Every figure by its path, the means left out: of numbers read from CSV they are text."""
    figures: dict[str, float] = {}

    def walk(path: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "mean":
                    continue
                walk(f"{path}/{key}", inner)
        elif isinstance(value, (int, float)):
            figures[path] = value

    told = evaluation.to_dict()
    walk("", {part: told[part] for part in ("loss", "risk", "statistics")})
    return figures


@pytest.mark.parametrize(
    "method",
    [
        om.Recoding(k=2),
        om.Recoding(k=4),
        om.Microaggregation(k=3),
        om.Microaggregation(k=3, variant="mdav"),
        om.Resampling(k=3),
        om.RankSwapping(k=4),
        om.Suppression(k=2),
    ],
    ids=lambda m: f"{type(m).__name__}-{m.k}",
)
def test_of_a_release_says_what_the_masking_said(method: Any) -> None:
    quasi = {"pain": PAIN, "sex": "flat"}
    masked = om.mask(ORIGINAL, quasi, method, confidential=["pay"], seed=7)
    told = masked.evaluation
    found = om.evaluate(ORIGINAL, masked, quasi, k=method.k, confidential=["pay"], id="id", suppressed=True)
    assert flat(found) == pytest.approx(flat(told))


def test_a_table_beside_itself_lost_nothing_and_hides_nothing() -> None:
    found = om.evaluate(ORIGINAL, ORIGINAL, QUASI)
    assert found.loss["loss_percent"] == found.loss["changed"] == found.loss["clustering"] == 0
    assert (
        found.loss["similarity"]
        == found.statistics["pain", "age"]["correlation"]["original"]
        / (found.statistics["pain", "age"]["correlation"]["masked"])
    )
    assert found.risk["mrl"] == found.risk["srl"] == 100
    assert found.risk["k"] == 1


def test_generalised_values_of_all_kinds_are_read_and_counted() -> None:
    masked = pd.DataFrame(
        {
            "pain": ["Pain", "{lumbago, migraine}", "*", None, "lumbago~headache", "Some", *ORIGINAL["pain"][6:]],
            "age": ["30-39"] * 4 + ["[44, 52)"] * 2 + ["*"] + [str(a) for a in ORIGINAL["age"][7:]],
            "sex": ["*", "{f, m}", None, *"mfmfmfmff"],
        }
    )
    with pytest.raises(MatchingError, match=r"1 values of the masked column 'pain' .*'Some'.*hierarchies="):
        om.evaluate(ORIGINAL, masked, QUASI)
    anything = om.evaluate(ORIGINAL, masked, QUASI, unresolved="root")
    told = anything.notes["resolved"]
    assert told["pain"]["a suppressed cell, read as the root"] == 2
    assert told["pain"]["not known, read as the root"] == 1
    assert told["pain"]["a set of values, read as their least common subsumer"] == 2
    assert told["age"] == {
        "a suppressed cell, read as the root": 1,
        "another value, a set or an interval": 2,
        "a value of the original": 5,
    }
    assert told["sex"]["another value, a set or an interval"] == 1
    assert anything.risk["k"] == 1


def test_levels_of_a_hierarchy_are_what_they_cover(tmp_path: Path) -> None:
    path = tmp_path / "pain.csv"
    path.write_text("colic;Belly;*\nlumbago;Else;*\nmigraine;Else;*\nheadache;Else;*\nache;Else;*\n", encoding="utf-8")
    masked = pd.DataFrame({"pain": ["Belly" if p == "colic" else "Else" for p in ORIGINAL["pain"]]})
    found = om.evaluate(ORIGINAL, masked, {"pain": PAIN}, hierarchies={"pain": path}, k=3)
    assert found.risk["k"] == 2
    assert found.risk["records_below_k"] == 2
    same = pd.DataFrame({"pain": ["colic" if p == "colic" else "ache" for p in ORIGINAL["pain"]]})
    assert found.loss == om.evaluate(ORIGINAL, same, {"pain": PAIN}).loss


def test_k_is_that_of_the_strings() -> None:
    masked = ORIGINAL.assign(pain=["ache", "{lumbago, migraine}"] * 6)
    found = om.evaluate(ORIGINAL, masked, {"pain": PAIN}, confidential=["pay"])
    assert found.risk["k"] == 6  # two strings, though both are read as "ache"
    assert found.risk["classes"] == 2
    assert "classes" in found.notes
    assert found.risk["l_distinct"]["pay"] == 2


def test_records_are_matched_by_place_or_by_id() -> None:
    masked = om.mask(ORIGINAL, QUASI, om.Recoding(k=3), seed=1).data
    by_place = om.evaluate(ORIGINAL, masked, QUASI)
    shuffled = masked.sample(frac=1, random_state=3)
    assert om.evaluate(ORIGINAL, shuffled, QUASI, id="id").loss["sse"] == pytest.approx(by_place.loss["sse"])
    assert by_place.notes["records matched"] == "by their place"


def test_left_out_records_must_be_declared() -> None:
    masked = ORIGINAL.iloc[:9]
    with pytest.raises(DataError, match="12 records and the masked table 9"):
        om.evaluate(ORIGINAL, masked, QUASI)
    with pytest.raises(DataError, match="12 records and the masked table 9"):
        om.evaluate(ORIGINAL, masked, QUASI, suppressed=True)
    with pytest.raises(DataError, match=r"3 records of the original are not .* suppressed=True"):
        om.evaluate(ORIGINAL, masked, QUASI, id="id")
    found = om.evaluate(ORIGINAL, masked, QUASI, id="id", suppressed=True)
    assert found.loss["suppressed"] == 3
    assert found.risk["mrl"] == 75


def test_records_that_say_nothing_are_suppressed_where_that_is_declared() -> None:
    masked = ORIGINAL.astype(str)
    masked.loc[[2, 5], ["pain", "age", "sex"]] = "*"
    assert om.evaluate(ORIGINAL, masked, QUASI).loss["suppressed"] == 0
    assert om.evaluate(ORIGINAL, masked, QUASI, suppressed=True).loss["suppressed"] == 2


def test_ids_must_identify() -> None:
    with pytest.raises(DataError, match="'sex' does not identify the records of the original"):
        om.evaluate(ORIGINAL, ORIGINAL, {"pain": PAIN}, id="sex")
    with pytest.raises(DataError, match="'id' does not identify the records of the masked table: 1 of"):
        om.evaluate(ORIGINAL, ORIGINAL.assign(id=[0, *range(11)]), {"pain": PAIN}, id="id", suppressed=True)
    with pytest.raises(DataError, match="has 1 record with a 'id' that the original does not have"):
        om.evaluate(ORIGINAL, ORIGINAL.assign(id=[99, *range(1, 12)]), {"pain": PAIN}, id="id", suppressed=True)


def test_missing_values_stay_values_where_the_original_has_them() -> None:
    gaps = ORIGINAL.assign(pain=ORIGINAL["pain"].where(ORIGINAL["id"] > 1, None))
    same = om.evaluate(gaps, gaps, QUASI)
    assert same.loss["distance"] == 0
    assert same.notes["resolved"]["pain"]["a missing value, as in the original"] == 1
    assert same.notes["missing"].startswith(f"{int(gaps['pain'].isna().sum())} record")
    assert "missing" not in om.evaluate(ORIGINAL, ORIGINAL, QUASI).notes


def test_models_learn_from_the_release() -> None:
    found = om.evaluate(ORIGINAL, ORIGINAL, QUASI, learn=["pay"]).loss["accuracy"]["pay"]
    assert set(found) == {"majority", "tree", "tree_original", "logistic", "logistic_original"}
    assert found["tree"] == found["tree_original"]


def test_arrow_and_files_give_the_same(tmp_path: Path) -> None:
    masked = om.mask(ORIGINAL, QUASI, om.Recoding(k=3), seed=1).data
    expected = flat(om.evaluate(ORIGINAL, masked, QUASI))
    ORIGINAL.to_csv(tmp_path / "o.csv", index=False)
    masked.to_parquet(tmp_path / "m.parquet", index=False)
    assert flat(om.evaluate(tmp_path / "o.csv", tmp_path / "m.parquet", QUASI)) == expected
    table = pa.Table.from_pandas(masked, preserve_index=False)
    assert flat(om.evaluate(pa.Table.from_pandas(ORIGINAL, preserve_index=False), table, QUASI)) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quasi": {}}, "name at least one column"),
        ({"unresolved": "guess"}, "'unresolved' parameter of evaluate must be 'error' or 'root'"),
        ({"measure": "logsk"}, "no measure 'logsk'"),
        ({"alpha": 2}, "'alpha' parameter"),
        ({"clusters": 1}, "'clusters' parameter"),
        ({"id": "nr"}, "no column 'nr'"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises((ParameterError, DataError), match=message):
        om.evaluate(ORIGINAL, ORIGINAL, **{"quasi": QUASI, **options})


def test_a_column_that_the_masked_table_lacks_is_named() -> None:
    with pytest.raises(DataError, match="In the masked table: There is no column 'pain'"):
        om.evaluate(ORIGINAL, ORIGINAL.drop(columns="pain"), QUASI)


@pytest.mark.parametrize("spec", [("set:|", PAIN), "set:|"], ids=["meanings", "plain"])
def test_sets_are_evaluated_as_their_masking_was(spec: Any, tmp_path: Path) -> None:
    sets = ["colic|lumbago", "migraine", "lumbago|headache", "ache|colic", "", "migraine|headache"] * 2
    data = ORIGINAL.assign(pain=sets)
    masked = om.mask(data, {"pain": spec}, om.SetMicroaggregation(k=4), seed=2)
    told, found = masked.evaluation, om.evaluate(data, masked.data, {"pain": spec})
    assert found.loss["sse"] == pytest.approx(told.loss["sse"])
    assert found.risk["k"] == told.risk["k"] >= 4
    assert found.risk["mrl"] == pytest.approx(told.risk["mrl"])
    nothing = om.evaluate(data, data.assign(pain="*"), {"pain": spec})
    assert nothing.notes["resolved"]["pain"] == {"a suppressed cell, read as the root": 1}


def test_lists_are_evaluated_too() -> None:
    lists = pa.table({"pain": [["colic", "ache"], ["migraine"], ["ache"], None] * 3, "age": list(range(12))})
    same = om.evaluate(lists, lists, {"pain": ("set", PAIN)})
    assert same.loss["changed"] == 0
    assert same.risk["classes"] == 4


@pytest.mark.parametrize("weights", [[9, 8, 1, 9, 1], [5, 7, 5, 6, 1], [2, 8, 4, 6, 2, 4], [5, 6, 1, 8, 5, 1]])
def test_rounding_takes_no_similarity_below_0(weights: list[float]) -> None:
    """The shares of these weights add up to a little more than 1."""
    of = {f"column {i}": weight for i, weight in enumerate(weights)}
    table = pa.table({name: [str(i) for i in range(6)] for name in of})
    masked = om.mask(table, dict.fromkeys(of, "flat"), om.Suppression(k=2), weights=of)
    assert masked.evaluation.loss["similarity"] == 0.0
