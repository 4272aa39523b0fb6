"""A swap can be undone with its seed or its flow: neither ever leaves the private manifest."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import ontomask as om
from ontomask.errors import ParameterError

SEED = 918273645546372819
EDGES = [("tennis", "ball game"), ("golf", "ball game"), ("sailing", "water sport"), ("surfing", "water sport")]
EDGES += [("ball game", "sport"), ("water sport", "sport")]


def people(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    sport = rng.choice(["tennis", "golf", "sailing", "surfing"], n).tolist()
    sport[::50] = [None] * len(sport[::50])
    age = rng.integers(18, 90, n)
    return pd.DataFrame({"sport": sport, "age": age, "income": age * 1000 + rng.integers(0, 1000, n), "row": np.arange(n)})


def swapped(variant: str = "joint", **options: object) -> om.Masked:
    method = om.RankSwapping(5, variant)
    return om.mask(people(), {"sport": EDGES, "age": "number"}, method, confidential=["income"], seed=SEED, **options)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_seed_and_flow_are_neither_in_the_release_nor_in_its_public_report(tmp_path: Path, ending: str) -> None:
    out, vault = tmp_path / "out", tmp_path / "vault"
    out.mkdir()
    masked = swapped()
    masked.write(out / f"release.{ending}", manifest=vault)
    masked.report(out / "report.html")
    masked.report(tmp_path / "private.html", private=True)
    flow = masked.flow.to_pandas()
    rows = [f"{r.source},{r.target},{r.count}" for r in flow.itertuples(index=False)]
    assert sorted(path.name for path in out.iterdir()) == sorted([f"release.{ending}", "report.html"])
    for path in out.iterdir():
        content = path.read_bytes()
        assert str(SEED).encode() not in content
        assert int(SEED).to_bytes(8, "little") not in content
        assert b"source" not in content.lower() or path.suffix == ".html"
        text = content.decode("utf-8", errors="ignore")
        compact = re.sub(r"\s+", "", text)
        assert not any("\n".join(rows[i : i + 2]) in text or "".join(rows[i : i + 3]) in compact for i in range(len(rows) - 2))
    if ending == "parquet":
        schema = pq.read_schema(out / "release.parquet")
        assert schema.names == ["sport", "age", "income", "row"]
        assert not schema.metadata or not any(b"seed" in k + v for k, v in schema.metadata.items())
    assert str(SEED) in (tmp_path / "private.html").read_text(encoding="utf-8")
    assert str(SEED) in (vault / "manifest.json").read_text(encoding="utf-8")
    assert pq.read_table(vault / "flow.parquet").num_rows == len(flow)


@pytest.mark.parametrize("variant", ["joint", "dynamic", "static", "distributional", "unrestricted"])
def test_columns_keep_their_values_and_confidential_ones_their_records(variant: str) -> None:
    before, masked = people(), swapped(variant)
    after = masked.data
    for column in ("sport", "age"):
        assert sorted(before[column].astype(str)) == sorted(after[column].astype(str))
    assert not before["age"].equals(after["age"])  # of each sport there are more than k: near ones are equal ones
    assert before["income"].tolist() == after["income"].tolist()
    assert before["row"].tolist() == after["row"].tolist()
    statistics = masked.evaluation.statistics
    assert statistics["sport"]["variance"]["change"] == pytest.approx(0.0, abs=1e-12)
    assert statistics["sport"]["mean"]["distance"] == 0.0
    assert masked.evaluation.loss["similarity"] < 1


def test_what_is_promised_is_said_without_a_value(tmp_path: Path) -> None:
    masked = swapped()
    masked.write(tmp_path / "release.csv")
    said = " ".join(masked.about["proof"])
    assert "does not promise k-anonymity" in said
    assert "every interval held 5 records" in said
    assert "largest rank distance of a swap is" in said
    assert "tennis" not in said
    assert "met nobody unswapped" in said


def test_without_a_seed_two_runs_differ() -> None:
    quasi = {"sport": EDGES, "age": "number"}
    one, other = (om.mask(people(), quasi, om.RankSwapping(5)).data for _ in range(2))
    assert not one.equals(other)


def test_weights_missing_values_and_too_large_a_k() -> None:
    assert swapped(weights={"sport": 5.0}).data["sport"].isna().sum() == 6
    gone = swapped(missing="suppress")
    assert len(gone.data) == 294
    with pytest.raises(ParameterError, match="at most"):
        om.mask(people(20), {"age": "number"}, om.RankSwapping(20))
    one = om.mask(people(), {"age": "number"}, om.RankSwapping(5), seed=1)
    assert "Joint equals dynamic" in one.about["proof"][0]


def test_methods_go_by_their_variants_names() -> None:
    masked = om.mask(people(), {"age": "number"}, "rank-swapping-static", k=4, seed=1)
    assert masked.method == om.RankSwapping(4, "static")
    assert masked.recipe.method == "rank-swapping-static"
