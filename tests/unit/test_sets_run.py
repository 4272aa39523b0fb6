"""Columns of sets, end to end: lists, texts with a delimiter, bad input."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from click.testing import CliRunner

import ontomask as om
from ontomask import flow
from ontomask._registry import METHODS
from ontomask.cli import cli
from ontomask.errors import DataError, MatchingError, ParameterError
from ontomask.evaluation import case, statistics
from ontomask.evaluation import evaluate as evaluating

SPORTS = [("tennis", "ball game"), ("golf", "ball game"), ("sailing", "water sport"), ("surfing", "water sport")]
SPORTS += [("ball game", "sport"), ("water sport", "sport")]
LEAVES = ["tennis", "golf", "sailing", "surfing"]


def rows(n: int = 60) -> list[list[str] | None]:
    rng = np.random.default_rng(3)
    found: list[list[str] | None] = [rng.choice(LEAVES, rng.integers(1, 4), replace=False).tolist() for _ in range(n)]
    found[3], found[4], found[5] = None, [], ["golf", "golf", " tennis "]
    return found


def classes(column: pd.Series) -> Counter[str]:  # type: ignore[type-arg]
    return Counter(str(v) for v in column)


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_a_list_column(kind: str, tmp_path: Path) -> None:
    data = pd.DataFrame({"sport": rows(), "age": np.arange(60) % 40, "n": np.arange(60)})
    given = data if kind == "pandas" else pa.Table.from_pandas(data)
    masked = om.mask(given, {"sport": ("set", SPORTS), "age": "number"}, om.SetMicroaggregation(k=4), seed=1)
    released = masked.data if kind == "pandas" else masked.data.to_pandas()
    assert min(Counter(zip(released["sport"].map(str), released["age"], strict=True)).values()) >= 4
    words = {word for value in released["sport"] if value is not None for word in value}
    assert words <= set(LEAVES)
    assert released["n"].tolist() == list(range(60))
    assert masked.evaluation.risk["k"] >= 4
    assert 0 < masked.evaluation.loss["sse"] < masked.evaluation.loss["sst"]
    masked.write(tmp_path / "out.parquet")
    assert om.verify(tmp_path / "out.parquet", ["sport", "age"], k=4).kept
    masked.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert not any(word in text for word in LEAVES)


def test_a_text_with_a_delimiter(tmp_path: Path) -> None:
    texts = ["" if not r else "|".join(r) for r in rows()]
    pd.DataFrame({"sport": texts}).to_csv(tmp_path / "in.csv", index=False)
    masked = om.mask(tmp_path / "in.csv", {"sport": ("set:|", SPORTS)}, om.SetMicroaggregation(k=5, distance="minsum"), seed=1)
    masked.write(tmp_path / "out.csv")
    released = pd.read_csv(tmp_path / "out.csv", keep_default_na=False)["sport"]
    assert min(classes(released).values()) >= 5
    assert {w for v in released for w in v.split("|") if w} <= set(LEAVES)
    assert om.verify(tmp_path / "out.csv", ["sport"], k=5).kept


def test_a_delimiter_within_quotes_is_none() -> None:
    data = pd.DataFrame({"item": ['"salt|pepper"|milk'] * 3 + ["milk|bread"] * 3})
    masked = om.mask(data, {"item": "set:|"}, om.SetMicroaggregation(k=3), seed=1)
    assert sorted(set(masked.data["item"])) == ["bread|milk", 'milk|"salt|pepper"']


def test_plain_items_compare_by_equality() -> None:
    data = pd.DataFrame({"item": [["a", "b"], ["a", "b"], ["c"], ["c"], ["c", "d"], ["a", "b", "e"]]})
    masked = om.mask(data, {"item": "set"}, om.SetMicroaggregation(k=3, distance="minsum", semantic=False), seed=1)
    assert masked.data["item"].map(list).tolist() == [["a", "b"], ["a", "b"], ["c"], ["c"], ["c"], ["a", "b"]]


def test_free_texts_are_taken_apart_into_phrases() -> None:
    texts = [["a new violin"], ["cheap trumpets"], ["a piano for my mother"], ["violin"]]
    masked = om.mask(
        pd.DataFrame({"query": texts}), {"query": "set::wordnet"}, om.SetMicroaggregation(k=2), unmatched="suppress", seed=1
    )
    words = {word for value in masked.data["query"] if value is not None for word in value}
    assert words & {"violin", "trumpets", "piano"}
    assert all(" new" not in word for word in words)


def test_items_without_a_meaning() -> None:
    data = pd.DataFrame({"sport": [["tennis", "xqz"], ["golf"], ["xqz"], ["sailing"], ["surfing"]]})
    quasi = {"sport": ("set", SPORTS)}
    with pytest.raises(MatchingError):
        om.mask(data, quasi, om.SetMicroaggregation(k=2))
    gone = om.mask(data, quasi, om.SetMicroaggregation(k=2), unmatched="suppress", seed=1)
    assert len(gone.data) == 4
    assert "1 of 5 distinct items mean nothing" in " ".join(gone.about["notes"])
    assert len(om.mask(data, quasi, om.SetMicroaggregation(k=2), unmatched="own", seed=1).data) == 5
    assert len(om.mask(data, quasi, om.SetMicroaggregation(k=2), unmatched="root", seed=1).data) == 5


def test_missing_sets_follow_the_policy() -> None:
    data = pd.DataFrame({"sport": rows()})
    quasi = {"sport": ("set", SPORTS)}
    with pytest.raises(DataError, match="missing in 2 records"):
        om.mask(data, quasi, om.SetMicroaggregation(k=3), missing="error")
    assert len(om.mask(data, quasi, om.SetMicroaggregation(k=3), missing="suppress", seed=1).data) == 58
    with pytest.raises(DataError, match="missing in every record"):
        om.mask(pd.DataFrame({"sport": [[], [], []]}), quasi, om.SetMicroaggregation(k=2))


def test_one_giant_set() -> None:
    giant = [f"item {i}" for i in range(50_000)]
    data = pd.DataFrame({"item": [giant, ["item 1"], ["item 2", "item 3"], ["item 1"], ["item 2"]]})
    masked = om.mask(data, {"item": "set"}, om.SetMicroaggregation(k=2), seed=1)
    assert min(classes(masked.data["item"]).values()) >= 2


def test_what_is_no_set_is_refused_by_name(tmp_path: Path) -> None:
    data = pd.DataFrame({"sport": rows()})
    with pytest.raises(ParameterError, match="SetMicroaggregation"):
        om.mask(data, {"sport": ("set", SPORTS)}, om.Recoding(k=3))
    with pytest.raises(DataError, match="take it as one: 'set'"):
        om.mask(data, {"sport": "flat"}, om.Recoding(k=3))
    with pytest.raises(DataError, match="something between its items"):
        om.mask(pd.DataFrame({"sport": ["a|b", "c"]}), {"sport": "set"}, om.SetMicroaggregation(k=2))
    with pytest.raises(ParameterError, match="one character between the items"):
        om.mask(pd.DataFrame({"sport": ["a|b", "c"]}), {"sport": "set:||"}, om.SetMicroaggregation(k=2))
    for mixed in ([["a"], 3, ["x"]], [["a", 3], ["x"]], [["a"], "b"]):
        with pytest.raises(DataError, match="does not hold only lists of items of one type"):
            om.mask(pd.DataFrame({"sport": mixed}), {"sport": "set"}, om.SetMicroaggregation(k=2))
    (tmp_path / "mixed.jsonl").write_text('{"sport": ["a", 3]}\n{"sport": ["x"]}\n', encoding="utf-8")
    with pytest.raises(DataError, match="holds lists with items of several types"):
        om.mask(tmp_path / "mixed.jsonl", {"sport": "set"}, om.SetMicroaggregation(k=2))
    with pytest.raises(DataError, match="does not hold only lists"):
        om.mask(pd.DataFrame({"sport": [["a"], 3, ["x"]]}), {"sport": "set"}, om.SetMicroaggregation(k=2))
    with pytest.raises(DataError, match="lists of lists"):
        om.mask(pd.DataFrame({"sport": [[["a"]], [["b"]]]}), {"sport": "set"}, om.SetMicroaggregation(k=2))


def test_one_item_per_row_and_one_basket_per_line(tmp_path: Path) -> None:
    long = pd.DataFrame({"user": [7, 8, 7, 9, 8, 9, 9], "query": ["tennis", "golf", "golf", "sailing", "golf", None, "a|b"]})
    table = om.sets_of_long(long, "user", "query")
    assert table.to_pydict() == {"user": [7, 8, 9], "query": ["tennis|golf", "golf", 'sailing|"a|b"']}
    with pytest.raises(DataError, match="no column 'quer'"):
        om.sets_of_long(long, "user", "quer")
    with pytest.raises(DataError, match="belong to nobody"):
        om.sets_of_long(pd.DataFrame({"user": [1, None], "query": ["a", "b"]}), "user", "query")
    (tmp_path / "baskets.txt").write_text('milk,bread\n"salt, fine",milk\n\n', encoding="utf-8")
    assert om.read_baskets(tmp_path / "baskets.txt").to_pydict() == {"items": ["milk|bread", "salt, fine|milk", None]}


def test_command_line_knows_sets(tmp_path: Path) -> None:
    edges = tmp_path / "sports.csv"
    edges.write_text("child,parent\n" + "\n".join(f"{c},{p}" for c, p in SPORTS) + "\n", encoding="utf-8")
    given = [r for r in rows() if r]
    pd.DataFrame({"sport": ["|".join(r) for r in given], "n": range(len(given))}).to_csv(tmp_path / "in.csv", index=False)
    (tmp_path / "baskets.txt").write_text("\n".join(",".join(r) for r in given) + "\n", encoding="utf-8")
    pairs = [(i, item) for i, r in enumerate(given) for item in r]
    pd.DataFrame(pairs, columns=["user", "sport"]).to_csv(tmp_path / "long.csv", index=False)
    calls = {
        "in": ("in.csv", "sport", ["--set", "sport=|", "--set", "distance=minsum"]),
        "baskets": ("baskets.txt", "items", ["--baskets", ","]),
        "long": ("long.csv", "sport", ["--long", "user,sport", "--drop", "user"]),
    }
    for name, (file, column, more) in calls.items():
        out = tmp_path / f"{name}-masked.csv"
        result = CliRunner().invoke(
            cli,
            ["mask", str(tmp_path / file), "-o", str(out), "-q", f"{column}={edges}", "--method", "sets", "-k", "4", *more],
        )
        assert result.exit_code == 0, result.output
        assert min(classes(pd.read_csv(out)[column]).values()) >= 4
        again = tmp_path / f"{name}-again.csv"
        keep = ["--private-manifest", str(tmp_path / f"{name}-private"), "--force", "--seed", "3"]
        usual = ["mask", str(tmp_path / file), "-o", str(out), "-q", f"{column}={edges}", "--method", "sets", "-k", "4", *more]
        assert CliRunner().invoke(cli, [*usual, *keep]).exit_code == 0
        recipe = str(tmp_path / f"{name}-private" / "recipe.toml")
        result = CliRunner().invoke(cli, ["mask", "--recipe", recipe, "-o", str(again)])
        assert result.exit_code == 0, result.output
        assert again.read_bytes() == out.read_bytes()
        in_python = om.mask(**om.Recipe.read(recipe).arguments())
        assert in_python.data.column(column).to_pylist() == pd.read_csv(out)[column].tolist()
        manifest = json.loads((tmp_path / f"{name}-private" / "manifest.json").read_text())
        assert manifest["input"]["name"] == file
        assert manifest["input"]["sha256"] is not None
    both = ["--long", "a,b", "--baskets", ","]
    result = CliRunner().invoke(
        cli, ["mask", str(tmp_path / "in.csv"), "-o", str(tmp_path / "x.csv"), "-q", "sport", "--method", "sets", *both]
    )
    assert result.exit_code != 0


def test_more_sets_than_all_pairs_are_looked_at_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "build_geometry", lambda *_: pytest.fail("a table of all pairs of sets"))
    for module in (case, statistics, evaluating):
        monkeypatch.setattr(module, "MOST_SETS", 3)
    texts = ["|".join(r) for r in rows(20) if r]
    data = tmp_path / "in.csv"
    pd.DataFrame({"sport": texts}).to_csv(data, index=False)
    usual = [str(data), "-q", "sport=set:|", "--method", "sets", "-k"]
    result = CliRunner().invoke(
        cli, ["mask", *usual, "3", "-o", str(tmp_path / "out.csv"), "--report", str(tmp_path / "r.html")]
    )
    assert result.exit_code == 0, result.output
    assert "looks for the same in the release finds the right record" in result.output
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "can be linked by equality" in text
    assert "sets to each other" in text
    assert "above the best possible" not in text
    result = CliRunner().invoke(cli, ["compare", *usual, "2,3", "--report", str(tmp_path / "c.html")])
    assert result.exit_code == 0, result.output
    found = om.compare(data, {"sport": "set:|"}, ["sets"], ks=[2]).to_pylist()[0]
    assert found["srl"] is None
    assert found["score"] is None
    assert found["error"] is None
    assert found["mrl"] is not None


def test_the_review_of_a_column_of_sets(tmp_path: Path) -> None:
    (tmp_path / "sports.csv").write_text("child,parent\n" + "\n".join(f"{c},{p}" for c, p in SPORTS) + "\n", encoding="utf-8")
    texts = ["tennis|golf", "golf|xqz", "golf"]
    pd.DataFrame({"sport": texts}).to_csv(tmp_path / "in.csv", index=False)
    spec, review = f"sport=set:|:{tmp_path / 'sports.csv'}", tmp_path / "review.csv"
    result = CliRunner().invoke(cli, ["match", str(tmp_path / "in.csv"), "-q", spec, "-o", str(review)])
    assert result.exit_code == 0, result.output
    rows = pd.read_csv(review).set_index("value")["records"].to_dict()
    assert rows == {"tennis": 1, "golf": 3, "xqz": 1}
    result = CliRunner().invoke(cli, ["match", str(tmp_path / "in.csv"), "-q", "sport=set:|"])
    assert result.exit_code != 0


def test_methods_are_compared_on_sets(tmp_path: Path) -> None:
    data = pd.DataFrame({"item": ["a|b", "b", "a", "c|d", "d", "c|d"]})
    found = om.compare(data, {"item": "set:|"}, methods=["sets"], ks=[2, 3])
    assert len(found) == 2
    every = om.compare(data, {"item": "set:|"}, ks=[2]).to_pylist()
    assert {r["method"] for r in every} == set(METHODS)
    for row in every:
        assert (row["error"] is None) == (row["method"] == "sets")
        assert row["error"] is None or row["error"] == "It does not take columns of sets ('item')."
    data.to_csv(tmp_path / "in.csv", index=False)
    result = CliRunner().invoke(cli, ["compare", str(tmp_path / "in.csv"), "-q", "item=set:|", "-k", "2,3"])
    assert result.exit_code == 0, result.output
    assert result.output.count("does not take columns of sets") == 1
    (tmp_path / "set.txt").write_text("a,b\nb\na\nc,d\nd\nc,d\n", encoding="utf-8")
    usual = ["compare", str(tmp_path / "set.txt"), "--baskets", ",", "-q", "items", "--method", "sets", "-k", "2,3"]
    baskets = CliRunner().invoke(cli, usual)
    assert baskets.exit_code == 0, baskets.output
    assert "set.txt: 6 records" in baskets.output
    with pytest.raises(ParameterError, match="SetMicroaggregation"):
        om.compare(data, {"item": "set:|"}, methods=["recoding"], ks=[2])
