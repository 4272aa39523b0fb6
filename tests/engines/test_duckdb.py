"""The embedded engine: every kind of input, both plans, order and other columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ontomask as om
from ontomask.engines import plans

PAIN = [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache")]
QUASI = {"pain": PAIN, "age": "number"}


def people(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "number": np.arange(n),
            "pain": rng.choice(["colic", "ache", "Aches", "lumbago", "migraine"], n),
            "age": rng.integers(20, 50, n),
            "note": rng.choice(["plain", 'it\'s "quoted", twice', "two\nlines", "ünïcode"], n),
        }
    )
    frame.loc[7, "pain"] = None
    return frame


def given(kind: str, frame: pd.DataFrame, folder: Path) -> Any:
    if kind == "pandas":
        return frame
    if kind == "polars":
        return pl.from_pandas(frame)
    if kind == "lazy":
        return pl.from_pandas(frame).lazy()
    table = pa.Table.from_pandas(frame, preserve_index=False)
    if kind == "pyarrow":
        return table
    if kind == "relation":
        return duckdb.connect().from_arrow(table)
    path = folder / f"people.{kind}"
    if kind in ("csv", "csv.gz", "tsv"):
        frame.to_csv(path, index=False, sep="\t" if kind == "tsv" else ",")
    elif kind == "parquet":
        pq.write_table(table, path)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif kind == "duckdb":
        with duckdb.connect(str(path)) as con:
            con.register("t", table)
            con.execute("CREATE TABLE people AS SELECT * FROM t")
    return path


def as_frame(data: Any) -> pd.DataFrame:
    if isinstance(data, pd.DataFrame):
        return data
    if isinstance(data, pl.DataFrame):
        return pd.DataFrame(data.to_dicts())
    table = data if isinstance(data, pa.Table) else data.to_arrow_table()
    return pd.DataFrame(table.to_pylist())


KINDS = ["pandas", "polars", "lazy", "pyarrow", "relation", "csv", "csv.gz", "tsv", "parquet", "jsonl", "duckdb"]


@pytest.mark.parametrize("plan", ["lookup", "join"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_input_gives_the_same_release(
    kind: str, plan: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if plan == "join":
        monkeypatch.setattr(plans, "MOST_LOOKED_UP", 0)
    frame = people()
    expected = om.mask(frame, QUASI, om.Recoding(k=4), seed=1).data
    masked = om.mask(given(kind, frame, tmp_path), QUASI, om.Recoding(k=4), seed=1)
    kinds = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "lazy": pl.DataFrame, "relation": duckdb.DuckDBPyRelation}
    assert isinstance(masked.data, kinds.get(kind, pa.Table))
    found = as_frame(masked.data)
    assert list(found.columns) == list(frame.columns)
    for column in frame.columns:
        want = expected[column].astype(object).where(expected[column].notna(), None)
        have = found[column].astype(object).where(found[column].notna(), None)
        assert [None if x is None else str(x) for x in have] == [None if x is None else str(x) for x in want], column
    assert om.verify(masked.data, list(QUASI), 4).kept


@pytest.mark.parametrize(
    "name", ["data[1].csv", "da*ta.csv", "what?.parquet", "a'b.csv", "x [ab] {c}.jsonl", "p#q.csv", "k=v/a.parquet"]
)
def test_a_path_is_one_file_whatever_its_name(name: str, tmp_path: Path) -> None:
    frame, path = pd.DataFrame({"sex": list("ffmm"), "x": [1, 2, 3, 4]}), tmp_path / name
    path.parent.mkdir(exist_ok=True)
    for other in ("data1.csv", "daXta.csv"):  # what a pattern would find
        (tmp_path / other).write_text("sex,x\nz,9\nz,9\n", encoding="utf-8")
    if name.endswith("parquet"):
        frame.to_parquet(path)
    elif name.endswith("jsonl"):
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False)
    out = path.with_name("out " + path.name)
    masked = om.mask(path, ["sex"], om.Recoding(k=2))
    masked.write(out)
    assert masked.data.column_names == ["sex", "x"]
    assert masked.data.column("sex").to_pylist() == list("ffmm")
    assert om.verify(out, ["sex"], 2).records == 4


def test_types_of_json_are_found_in_all_of_the_file(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = ['{"sex": "f", "x": 1, "at": "2020-01-01T05:00:00"}'] * 30_000 + ['{"sex": "m", "x": "one", "at": null}'] * 2
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    om.mask(path, ["sex"], om.Recoding(k=2)).write(out)
    written = out.read_text(encoding="utf-8").splitlines()
    assert written[0] == '{"sex":"f","x":1,"at":"2020-01-01T05:00:00"}'
    assert written[-1].startswith('{"sex":"m","x":"one"')
