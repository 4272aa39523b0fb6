"""A run from file to verified file: release, flow, evaluation and manifest are the same on every engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ontomask as om
from ontomask.errors import DataError, OutputError
from tests.engines.people import QUASI, given, people

SEED = 3


def patients() -> pd.DataFrame:
    frame = people()
    frame["secret"] = np.random.default_rng(2).choice(["yes", "no", "perhaps"], len(frame))
    frame.loc[[3, 40], "age"] = np.nan
    return frame.astype({"age": "Int64"})


def rows(table: pa.Table) -> list[list[Any]]:
    return [[None if x is None else str(x) for x in row.values()] for row in table.to_pylist()]


def read(path: Path) -> pa.Table:
    """A written file, by the embedded engine: as it was written, in its order."""
    import duckdb

    source = f"{path}/*.parquet" if path.is_dir() else str(path)
    return duckdb.sql(f"SELECT * FROM '{source}'").to_arrow_table()


RUNS: dict[str, tuple[Any, dict[str, Any]]] = {
    "missing as root": (om.Recoding(k=4), {"missing": "root", "drop": ["note"]}),
    "missing suppressed": (om.Microaggregation(k=4, variant="sa-mdav"), {"missing": "suppress", "confidential": ["secret"]}),
    "some suppressed": (om.Suppression(k=3), {"weights": {"pain": 2}, "confidential": ["secret", "number"]}),
    "tuples split": (om.RankSwapping(k=10), {"drop": ["number"], "confidential": {"secret": "flat"}}),
    "intervals": (om.Generalisation(k=5), {"labels": "preferred"}),
    "in parts": (om.Recoding(k=3), {"max_tuples": 40, "threads": 1}),
}


@pytest.mark.parametrize(("kind", "name"), [*zip(["csv", "parquet"] * 3, RUNS, strict=True), ("csv", "tuples split")])
def test_a_run_is_the_same_on_every_engine(kind: str, name: str, spark: Any, tmp_path: Path) -> None:
    method, options = RUNS[name]
    data, told = given(kind, patients(), tmp_path), {}
    for engine in ("duckdb", "spark"):
        masked = om.mask(data, QUASI, method, seed=SEED, engine=engine, **options)
        out = tmp_path / f"{engine}.{kind}"
        masked.write(out, manifest=tmp_path / f"{engine} private")
        evaluation = masked.evaluation.to_dict()
        assert om.verify(out, list(QUASI), 2, engine=engine).records == masked._assignment.kept
        manifest = json.loads((tmp_path / f"{engine} private" / "manifest.json").read_text(encoding="utf-8"))
        flow = pq.read_table(tmp_path / f"{engine} private" / "flow.parquet")
        assert manifest["input"]["sha256"]
        assert manifest["output"]["sha256"]
        told[engine] = {
            "flow": flow.to_pydict(),
            "targets": masked.targets.to_pydict(),
            "tuples": masked.tuples.to_pydict(),
            "data": rows(masked.data),
            "written": rows(read(out)),
            "evaluation": {part: evaluation[part] for part in ("loss", "risk", "statistics")},
            "proof": manifest["proof"],
            "warnings": masked.warnings,
            "notes": masked._flow.notes,
        }
    for what, found in told["spark"].items():
        assert found == told["duckdb"][what], what


@pytest.mark.parametrize("kind", ["pandas", "parquet"])
def test_the_seed_alone_decides(kind: str, engine: str, tmp_path: Path) -> None:
    data, method = given(kind, patients(), tmp_path), om.RankSwapping(k=10)
    found = []
    for i, seed in enumerate((7, 7, 8)):
        om.mask(data, QUASI, method, seed=seed, engine=engine).write(tmp_path / f"{i}.csv")
        found.append((tmp_path / f"{i}.csv").read_bytes())
    assert found[0] == found[1] != found[2]


def test_a_release_is_never_overwritten_by_accident_and_an_input_never(engine: str, tmp_path: Path) -> None:
    path = given("parquet", patients(), tmp_path)
    masked = om.mask(path, QUASI, om.Recoding(k=4), seed=SEED, engine=engine)
    masked.write(tmp_path / "out.parquet")
    with pytest.raises(OutputError, match="is there already"):
        masked.write(tmp_path / "out.parquet")
    masked.write(tmp_path / "out.parquet", force=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.parquet", "people.parquet"]
    assert om.verify(tmp_path / "out.parquet", list(QUASI), 4, engine=engine).kept


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("when", ["collected", "written"])
def test_an_input_that_changes_is_an_error(when: str, kind: str, engine: str, tmp_path: Path) -> None:
    frame = patients()
    path = given(kind, frame, tmp_path)
    masked = om.mask(path, QUASI, om.Recoding(k=4), seed=SEED, engine=engine)
    frame.loc[5, "age"] = 77
    given(kind, frame, tmp_path)
    with pytest.raises(DataError, match="changed while"):
        masked.data if when == "collected" else masked.write(tmp_path / "out.csv")
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_masked_table_beside_its_original(engine: str, tmp_path: Path) -> None:
    frame = patients()
    path, out = given("parquet", frame, tmp_path), tmp_path / "out.csv"
    masked = om.mask(path, QUASI, om.Recoding(k=4), seed=SEED, confidential=["secret"], engine=engine)
    masked.write(out)
    own = masked.evaluation.to_dict()
    by_place = om.evaluate(path, out, QUASI, confidential=["secret"], k=4, engine=engine).to_dict()
    assert by_place["loss"]["sse"] == pytest.approx(own["loss"]["sse"])
    assert by_place["risk"]["srl"] == pytest.approx(own["risk"]["srl"])
    again = pd.read_csv(out).sample(frac=1, random_state=1)
    by_key = om.evaluate(path, again, QUASI, id="number", engine=engine).to_dict()
    assert by_key["loss"]["sse"] == pytest.approx(own["loss"]["sse"])
    with pytest.raises(DataError, match="matched by their place"):
        om.evaluate(path, again.head(9), QUASI, engine=engine)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_nothing_in_and_nothing_out(kind: str, engine: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"age": range(6), "note": ["x"] * 6})
    masked = om.mask(given(kind, frame, tmp_path), {"age": "number"}, om.Suppression(k=2), seed=SEED, engine=engine)
    masked.write(tmp_path / f"out.{kind}")
    assert read(tmp_path / f"out.{kind}").num_rows == 0
    assert read(tmp_path / f"out.{kind}").column_names == ["age", "note"]
    assert masked.data.num_rows == 0
    assert masked.about["proof"][-1] == "Every record was suppressed: the file holds none."
    empty = given(kind, frame.head(0), tmp_path / "empty")
    with pytest.raises(DataError, match=r"has no records, only column names"):
        om.mask(empty, {"age": "flat"}, om.Recoding(k=2), engine=engine)
