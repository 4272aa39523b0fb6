"""Columns that are not masked keep their types and values, in memory and in files; what an engine cannot keep, it says."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ontomask as om
from ontomask.errors import DataError

MOMENT = datetime.datetime(2020, 7, 1, 5, 30)
TYPES: dict[str, Any] = {
    "small": pa.array([1, None, 3, 4, 5, 6], pa.int8()),
    "real": pa.array([0.1, float("inf"), None, 2.5, 1e300, -0.0]),
    "exact": pa.array([Decimal("1.10")] * 6, pa.decimal128(38, 10)),
    "day": pa.array([datetime.date(1500, 2, 3)] * 6),
    "local": pa.array([MOMENT] * 6, pa.timestamp("us")),
    "moment": pa.array([MOMENT.replace(tzinfo=datetime.UTC)] * 6, pa.timestamp("us", tz="UTC")),
    "truth": pa.array([True, None, False] * 2),
    "bytes": pa.array([b"\x00\xff"] * 6),
    "nested": pa.array([{"a": 1, "b": ["x", None]}] * 6),
    "text": pa.array(["a", " b ", "", None, "c\x00d", "ünï\n😀"]),
}
SEX = pa.array(["f", "f", "f", "m", "m", "m"])


@pytest.mark.parametrize("given", ["table", "file"])
def test_other_columns_keep_their_types(given: str, engine: str, tmp_path: Path) -> None:
    table = pa.table({"sex": SEX, **TYPES})
    pq.write_table(table, tmp_path / "in.parquet")
    masked = om.mask(table if given == "table" else tmp_path / "in.parquet", ["sex"], om.Recoding(k=3), seed=1, engine=engine)
    masked.write(tmp_path / "out.parquet")
    for found in (masked.data, pq.read_table(tmp_path / "out.parquet")):
        for name in TYPES:
            want = table.column(name)
            assert pa.types.is_nested(want.type) or found.schema.field(name).type in (want.type, pa.timestamp("us", "Etc/UTC"))
            assert found.column(name).to_pylist() == want.to_pylist(), name


@pytest.mark.parametrize(
    ("name", "kind", "quasi"),
    [
        ("day", "date", "date"),
        ("local", "timestamp[us]", "date"),
        ("exact", "decimal128(38, 10)", "number"),
        ("truth", "bool", "flat"),
    ],
)
def test_masked_columns_keep_their_types(name: str, kind: str, quasi: str, engine: str, tmp_path: Path) -> None:
    pq.write_table(pa.table({name: TYPES[name]}), tmp_path / "in.parquet")
    masked = om.mask(tmp_path / "in.parquet", {name: quasi}, om.Recoding(k=2), seed=1, engine=engine)
    assert str(masked.data.schema.field(name).type).replace("date32[day]", "date") == kind
    assert set(masked.data.column(name).to_pylist()) <= set(TYPES[name].to_pylist())


@pytest.mark.parametrize("values", [pa.array([datetime.time(5, 1)] * 6), pa.array([MOMENT] * 6, pa.timestamp("ns"))])
def test_types_that_spark_does_not_have(values: Any, spark: Any, tmp_path: Path) -> None:
    table = pa.table({"sex": SEX, "other": values})
    pq.write_table(table, tmp_path / "in.parquet")
    with pytest.raises(DataError, match=r"The column 'other' is of type .*, which Spark does not read\. Make it text"):
        om.mask(tmp_path / "in.parquet", ["sex"], om.Recoding(k=3), engine="spark")
    masked = om.mask(table, ["sex"], om.Recoding(k=3), engine="spark")  # a table in memory: the column need not travel
    masked.write(tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").column("other").to_pylist() == values.to_pylist()


def test_moments_do_not_move_with_the_time_zone_of_a_session(spark: Any) -> None:
    from pyspark.sql.pandas.types import from_arrow_schema

    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        table = pa.table({"local": TYPES["local"], "moment": TYPES["moment"], "n": range(6)})
        data = spark.createDataFrame(table, schema=from_arrow_schema(table.schema, prefer_timestamp_ntz=True))
        masked = om.mask(data, {"local": "date", "moment": "flat"}, om.Recoding(k=3), seed=1).data.toArrow()
        assert masked.column("local").to_pylist() == TYPES["local"].to_pylist()
        assert [m.astimezone(datetime.UTC) for m in masked.column("moment").to_pylist()] == TYPES["moment"].to_pylist()
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)
