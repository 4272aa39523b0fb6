"""Every kind of input gives the same release on every engine; order, types and other columns stay as they were."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ontomask as om
from tests.engines.people import QUASI, as_frame, given, people

KINDS = ["pandas", "polars", "lazy", "pyarrow", "relation", "csv", "csv.gz", "tsv", "parquet", "jsonl", "duckdb"]
OBJECTS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "lazy": pl.DataFrame, "relation": duckdb.DuckDBPyRelation}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_input_gives_the_same_release(kind: str, engine: str, tmp_path: Path) -> None:
    frame = people()
    expected = om.mask(frame, QUASI, om.Recoding(k=4), seed=1).data
    masked = om.mask(given(kind, frame, tmp_path), QUASI, om.Recoding(k=4), seed=1, engine=engine)
    assert masked.about["engine"] == engine
    assert isinstance(masked.data, OBJECTS.get(kind, pa.Table))
    found = as_frame(masked.data)
    assert list(found.columns) == list(frame.columns)
    for column in frame.columns:
        want = expected[column].astype(object).where(expected[column].notna(), None)
        have = found[column].astype(object).where(found[column].notna(), None)
        assert [None if x is None else str(x) for x in have] == [None if x is None else str(x) for x in want], column
    assert om.verify(masked.data, list(QUASI), 4, engine=engine).kept


@pytest.mark.parametrize(
    "name", ["data[1].csv", "da*ta.csv", "what?.parquet", "a'b.csv", "x [ab] {c}.jsonl", "p#q.csv", "k=v/a.parquet"]
)
def test_a_path_is_one_file_whatever_its_name(name: str, tmp_path: Path, engine: str) -> None:
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
    masked = om.mask(path, ["sex"], om.Recoding(k=2), engine=engine)
    masked.write(out)
    assert masked.data.column_names == ["sex", "x"]
    assert masked.data.column("sex").to_pylist() == list("ffmm")
    assert om.verify(out, ["sex"], 2, engine=engine).records == 4


def test_types_of_json_are_found_in_all_of_the_file(tmp_path: Path, engine: str) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = ['{"sex": "f", "x": 1, "at": "2020-01-01T05:00:00"}'] * 30_000 + ['{"sex": "m", "x": "one", "at": null}'] * 2
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    om.mask(path, ["sex"], om.Recoding(k=2), engine=engine).write(out)
    written = out.read_text(encoding="utf-8").splitlines()
    assert written[0] == '{"sex":"f","x":1,"at":"2020-01-01T05:00:00"}'
    assert written[-1].startswith('{"sex":"m","x":"one"')
