"""What only Spark has: its own tables, folders of files, a session that was there before, joins that shuffle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ontomask as om
from ontomask.errors import DataError, OutputError
from tests.engines.people import QUASI, as_frame, people

pytestmark = pytest.mark.filterwarnings("default")  # what PySpark itself warns of is not ours

METHODS = {"whole": om.Recoding(k=4), "split": om.RankSwapping(k=10), "gone": om.Suppression(k=3)}


def alike(left: pd.DataFrame, right: pd.DataFrame) -> bool:
    def plain(frame: pd.DataFrame) -> list[list[Any]]:
        found = frame.astype(object).where(frame.notna(), None)
        return [[None if x is None else str(x) for x in row] for row in found.values.tolist()]

    return list(left.columns) == list(right.columns) and plain(left) == plain(right)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("kind", ["spark", "folder"])
def test_same_release_as_the_embedded_engine(kind: str, name: str, spark: Any, tmp_path: Path) -> None:
    frame, method = people(), METHODS[name]
    expected = om.mask(frame, QUASI, method, seed=1)
    data: Any
    if kind == "spark":
        data = spark.createDataFrame(pa.Table.from_pandas(frame, preserve_index=False))
    else:
        data = tmp_path / "people"
        data.mkdir()
        table = pa.Table.from_pandas(frame, preserve_index=False)
        for i in range(3):
            pq.write_table(table.slice(100 * i, 100), data / f"part-{i}.parquet", row_group_size=30)
    masked = om.mask(data, QUASI, method, seed=1, engine="duckdb" if kind == "spark" else "spark")
    assert masked.about["engine"] == "spark"
    assert np.array_equal(masked._flow.target, expected._flow.target)
    found = masked.data.toPandas() if kind == "spark" else as_frame(masked.data)
    assert alike(found, expected.data)


@pytest.mark.parametrize("target", ["masked.parquet", "masked.csv"])
def test_written_and_verified(target: str, spark: Any, tmp_path: Path) -> None:
    frame = people()
    data = spark.createDataFrame(pa.Table.from_pandas(frame, preserve_index=False))
    masked = om.mask(data, QUASI, om.Recoding(k=4), seed=1, drop=["note"])
    masked.write(tmp_path / target)
    assert [p.name for p in tmp_path.iterdir()] == [target]
    embedded = om.mask(frame, QUASI, om.Recoding(k=4), seed=1, drop=["note"]).data
    again = pq.read_table(tmp_path / target).to_pandas() if target.endswith("parquet") else pd.read_csv(tmp_path / target)
    assert again["number"].tolist() == embedded["number"].tolist()
    assert again["pain"].fillna("").tolist() == embedded["pain"].fillna("").tolist()
    assert om.verify(tmp_path / target, ["pain", "age"], 4).kept
    with pytest.raises(OutputError, match="is there already"):
        masked.write(tmp_path / target)
    masked.write(tmp_path / target, force=True, manifest=tmp_path / "private")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([target, "private"])
    assert "sha256" in (tmp_path / "private" / "manifest.json").read_text()


def test_confidential_columns_and_evaluation_agree(spark: Any) -> None:
    frame = people()
    frame["secret"] = np.random.default_rng(2).choice(["yes", "no"], len(frame))
    given_to_spark = spark.createDataFrame(pa.Table.from_pandas(frame, preserve_index=False))
    here = om.mask(frame, QUASI, om.RankSwapping(k=10), seed=3, confidential=["secret"])
    there = om.mask(given_to_spark, QUASI, om.RankSwapping(k=10), seed=3, confidential=["secret"])
    assert here.evaluation.to_dict()["risk"] == there.evaluation.to_dict()["risk"]
    assert here.evaluation.to_dict()["loss"] == there.evaluation.to_dict()["loss"]
    beside = om.evaluate(frame, here.data, QUASI)
    on_spark = om.evaluate(given_to_spark, there.data, QUASI)
    assert beside.to_dict()["loss"] == on_spark.to_dict()["loss"]
    by_key = om.evaluate(given_to_spark, there.data.orderBy("age", "number"), QUASI, id="number")
    assert by_key.to_dict()["loss"] == on_spark.to_dict()["loss"]
    with pytest.raises(DataError, match="matched by their place"):
        om.evaluate(given_to_spark, there.data.limit(5), QUASI)


def test_names_that_would_break_a_statement(spark: Any) -> None:
    name = "a`b.c; DROP \"x\" 'y' 🙂"
    frame = pd.DataFrame({name: ["x", "x", "y", "y", None, None], "z.w": range(6)})
    masked = om.mask(spark.createDataFrame(pa.Table.from_pandas(frame)), [name], om.Suppression(k=2), seed=0)
    assert masked.data.columns == [name, "z.w"]
    assert masked.data.toPandas()["z.w"].tolist() == list(range(6))


def test_large_values_and_targets_are_shuffled(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from ontomask.engines import spark as engine

    monkeypatch.setattr(engine, "BROADCAST", 0)
    frame = people()
    data = spark.createDataFrame(pa.Table.from_pandas(frame, preserve_index=False))
    expected = om.mask(frame, QUASI, om.RankSwapping(k=10), seed=1).data
    assert alike(om.mask(data, QUASI, om.RankSwapping(k=10), seed=1).data.toPandas(), expected)


def test_command_line_reads_and_writes_folders(spark: Any, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from ontomask.cli import cli

    edges, folder = tmp_path / "pain.csv", tmp_path / "people"
    edges.write_text("child,parent\ncolic,pain\nache,pain\nlumbago,ache\nmigraine,ache\n")
    folder.mkdir()
    table = pa.Table.from_pandas(people(), preserve_index=False)
    for i in range(2):
        pq.write_table(table.slice(150 * i, 150), folder / f"{i}.parquet")
    arguments = ["mask", str(folder), "-o", str(tmp_path / "masked"), "-q", f"pain={edges}", "-q", "age=number"]
    arguments += ["--method", "recoding", "-k", "4", "--engine", "spark", "--master", "local[2]", "--drop", "note"]
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert list((tmp_path / "masked").glob("*.parquet"))
    same = ["verify", str(tmp_path / "masked"), "-q", "pain", "-q", "age", "-k", "4"]
    assert CliRunner().invoke(cli, same, catch_exceptions=False).exit_code == 0
