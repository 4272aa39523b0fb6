"""A small table with what tables have, in every shape in which it may be given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

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
    folder.mkdir(exist_ok=True)
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
