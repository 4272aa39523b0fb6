"""DataFrames keep what they had: types, index, order; and carry nothing along that tells what was masked."""

from __future__ import annotations

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ontomask as om

SEX = ["f", "m"] * 10 + ["x"]


def test_pandas_types_stay(engine: str) -> None:
    frame = pd.DataFrame(
        {
            "sex": pd.Categorical(SEX),
            "age": pd.array(range(21), dtype="Int16"),
            "height": np.linspace(1, 2, 21).astype("float32"),
            "day": pd.date_range("2020-01-01", periods=21),
            "yes": [True] * 21,
            "thing": [{"a": 1}] * 21,
            "text": pd.array(["t"] * 21, dtype="string"),
        }
    )
    masked = om.mask(
        frame, {"sex": "flat", "age": "number", "height": "number", "day": "date"}, om.Recoding(k=3), seed=1, engine=engine
    ).data
    assert masked.dtypes.drop("sex").equals(frame.dtypes.drop("sex"))
    for column in ("yes", "thing", "text"):
        assert masked[column].tolist() == frame[column].tolist()
    assert frame["sex"].tolist() == SEX


@pytest.mark.parametrize("kind", ["string", "string[pyarrow]", object])
def test_masked_text_stays_the_text_it_was(kind: str, engine: str) -> None:
    frame = pd.DataFrame({"sex": pd.Series([*SEX[:20], None], dtype=kind)})
    masked = om.mask(frame, ["sex"], om.Recoding(k=2), seed=1, engine=engine).data
    assert masked["sex"].dtype == frame["sex"].dtype


def test_columns_that_look_like_identifiers_are_warned_about(engine: str) -> None:
    telling = ["userId", "E-Mail", "nhs_number", "full name", "birthdate", "zip_code", "Telefon", "mrn", "id2"]
    plain = ["valid", "candid", "mobility", "widely", "shipment", "namesake", "zipper"]
    frame = pd.DataFrame({"sex": SEX, **{name: [1] * 21 for name in (*telling, *plain)}})
    frame["contact"] = [f"someone{i % 2}@example.org" for i in range(21)]
    frame["nr"] = range(21)
    said = "\n".join(om.mask(frame, ["sex"], om.Recoding(k=2), engine=engine).warnings)
    assert [name for name in (*telling, *plain, "contact", "nr") if f"'{name}'" in said] == [*telling, "contact", "nr"]


def test_categories_that_are_gone_do_not_travel_along(engine: str) -> None:
    frame = pd.DataFrame({"sex": pd.Categorical(SEX, categories=["f", "m", "x", "never"])})
    frame.attrs["secret"] = "x"
    masked = om.mask(frame, ["sex"], om.Suppression(k=2), engine=engine).data
    assert sorted(masked["sex"].cat.categories) == ["f", "m"]
    assert masked.attrs == {}
    polars = pl.DataFrame({"sex": pl.Series(SEX, dtype=pl.Enum(["f", "m", "x"]))})
    assert sorted(om.mask(polars, ["sex"], om.Suppression(k=2), engine=engine).data.schema["sex"].categories) == ["f", "m"]
    arrow = pa.table({"sex": pa.array(SEX).dictionary_encode()}).replace_schema_metadata({"secret": "x"})
    found = om.mask(arrow, ["sex"], om.Suppression(k=2), engine=engine).data
    assert sorted(found.column("sex").combine_chunks().dictionary.to_pylist()) == ["f", "m"]
    assert not found.schema.metadata


def test_row_numbers_of_suppressed_records_are_not_told(engine: str) -> None:
    frame = pd.DataFrame({"sex": [*SEX[10:], *SEX[:10]]})
    assert list(om.mask(frame, ["sex"], om.Suppression(k=2), engine=engine).data.index) == list(range(20))


def test_an_index_that_says_something_stays_and_is_warned_about(engine: str) -> None:
    frame = pd.DataFrame({"sex": SEX}, index=[f"person {i}" for i in range(21)])
    masked = om.mask(frame, ["sex"], om.Recoding(k=2), engine=engine)
    assert list(masked.data.index) == list(frame.index)
    assert any("index" in warning for warning in masked.warnings)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([decimal.Decimal("1.50"), decimal.Decimal("2.25"), decimal.Decimal("9.75")] * 4, "number"),
        ([datetime.datetime(2020, 1, d, 5, tzinfo=datetime.UTC) for d in (1, 2, 9)] * 4, "date"),
        ([True, False, True] * 4, "flat"),
        ([2**60, 2**60 + 1, 7] * 4, "flat"),
    ],
)
def test_arrow_types_stay(values: list[object], kind: str, engine: str) -> None:
    table = pa.table({"x": values})
    masked = om.mask(table, {"x": kind}, om.Recoding(k=4), engine=engine).data
    assert masked.schema == table.schema
    assert set(masked.column("x").to_pylist()) <= set(values)


def test_codes_in_whole_numbers_stay_whole_numbers(engine: str) -> None:
    tax = om.Taxonomy.from_edges([("11", "1"), ("12", "1"), ("1", "0"), ("2", "0")])
    frame = pd.DataFrame({"code": [11, 12, 11, 2, 2, 12, 1]})
    masked = om.mask(frame, {"code": tax}, om.Recoding(k=2), engine=engine).data
    assert masked["code"].dtype == frame["code"].dtype


def test_values_that_no_longer_fit_become_text(engine: str) -> None:
    frame = pd.DataFrame({"age": [1, 2, 3, 4, 5, 6], "sex": list("ffmmfm")})
    masked = om.mask(frame, {"age": "number", "sex": "flat"}, om.Generalisation(k=3), engine=engine).data
    assert set(masked["sex"]) <= {"f", "m", "*"}
