"""The plan for many tuples: targets by hash, split tuples by row number, little memory."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ontomask as om
from ontomask.engines import places, plans
from ontomask.engines.base import Assignment
from ontomask.engines.duckdb import DuckDB
from ontomask.errors import DataError, OutputError
from ontomask.flow import Flow

HASHES = st.integers(0, 2**64 - 1) | st.integers(0, 40) | st.integers(2**64 - 40, 2**64 - 1)


@settings(max_examples=40, deadline=None)
@given(st.lists(HASHES, min_size=1, max_size=60, unique=True), st.lists(HASHES, max_size=20))
def test_places_are_those_of_a_dictionary(known: list[int], others: list[int]) -> None:
    place = {h: i for i, h in enumerate(known)}
    asked = [*known, *others]
    found = places.Index(np.array(known, np.uint64))(np.array(asked, np.uint64))
    assert found.tolist() == [place.get(h, -1) for h in asked]


def split_by_hand(words: list[str], flow: dict[str, list[tuple[str | None, int]]], seed: int) -> list[str | None]:
    """What each record is released as: records of a word in the order of (MD5 of seed and row, row), the flow in turn."""
    rows = defaultdict(list)
    for n, word in enumerate(words):
        rows[word].append(n)
    found: list[str | None] = [None] * len(words)
    for word, mine in rows.items():
        mine.sort(key=lambda n: (hashlib.md5(f"{seed}:{n}".encode(), usedforsecurity=False).hexdigest(), n))
        targets = [target for target, count in flow[word] for _ in range(count)]
        for n, target in zip(mine, targets, strict=True):
            found[n] = target
    return found


@pytest.mark.parametrize("kind", ["csv", "parquet", "pandas"])
@pytest.mark.parametrize("seed", [0, 17])
def test_records_of_a_split_tuple_go_by_row_number(kind: str, seed: int, tmp_path: Path) -> None:
    words = np.random.default_rng(seed).choice(["x", "y", "z"], 200, p=[0.6, 0.3, 0.1]).tolist()
    values = list(dict.fromkeys(words))
    n = [words.count(w) for w in values]
    lines = [(0, 0, n[0] - 30), (0, 2, 20), (0, -1, 10), (1, 1, n[1]), (2, 0, 1), (2, 1, n[2] - 1)]
    source, target, count = (np.array(c) for c in zip(*lines, strict=True))
    flow = Flow(source.astype(np.int32), target.astype(np.int32), count, np.arange(3, dtype=np.int32)[:, None])
    assignment = Assignment(
        pa.table({"w": values}), np.arange(3, dtype=np.int32), flow, pa.table({"w": ["A", "B", "C"]}), seed=seed
    )
    frame = pd.DataFrame({"w": words, "row": range(200)})
    by_hand: dict[str, list[Any]] = defaultdict(list)
    for s, t, c in lines:
        by_hand[values[s]].append((None if t < 0 else "ABC"[t], c))
    want = [(w, i) for i, w in enumerate(split_by_hand(words, by_hand, seed)) if w is not None]
    path = tmp_path / f"in.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "parquet":
        pq.write_table(pa.table(frame), path)
    engine = DuckDB()
    found = engine.collect(engine.open(frame if kind == "pandas" else path), assignment)
    engine.close()
    released = pa.table(found).to_pydict()
    assert [(w, int(n)) for w, n in zip(released["w"], released["row"], strict=True)] == want


def table_of(path: Path) -> Path:
    """Words, numbers that are missing or not, dates; blanks that do not count, and a separator within a word."""
    rng = np.random.default_rng(4)
    day = pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 3, 400), "D")
    frame = pd.DataFrame(
        {"w": rng.choice(["a", "b", "a\x1fb", None], 400), "x": rng.choice([0.0, 1.5, np.nan], 400), "day": day}
    )
    pq.write_table(pa.table(frame.assign(row=np.arange(400))), path)
    return path


@pytest.mark.parametrize("salted", [False, True])
def test_types_and_missing_values_stay(salted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if salted:
        hashed = plans.hashed
        monkeypatch.setattr(plans, "hashed", lambda r, types, salt: hashed(r, types, salt) if salt else "hash(1)")
    path, quasi = table_of(tmp_path / "in.parquet"), {"w": "flat", "x": "number", "day": "date"}
    masked = om.mask(path, quasi, om.Recoding(k=9), seed=1)
    assert not plans.looks_up(masked._assignment)
    masked.write(tmp_path / "out.parquet")
    before, after, made = pq.read_table(path), pq.read_table(tmp_path / "out.parquet"), masked._assignment
    released = made.released.to_pylist()
    becomes = {tuple(v.values()): released[t] for v, t in zip(made.values.to_pylist(), made.target, strict=True)}
    records = [(w, None if x is None or x != x else x, day) for w, x, day, _ in (r.values() for r in before.to_pylist())]
    assert after.schema.types == before.schema.types
    assert after.to_pylist() == [becomes[r] | {"row": n} for n, r in enumerate(records)]


def test_combinations_that_always_look_alike_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "hashed", lambda records, types, salt: "hash(1)")
    masked = om.mask(table_of(tmp_path / "in.parquet"), {"w": "flat"}, om.Recoding(k=9))
    with pytest.raises(DataError, match="look alike to the database"):
        masked.write(tmp_path / "out.parquet")
    assert [p.name for p in tmp_path.iterdir()] == ["in.parquet"]


def test_values_that_were_not_counted_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table_of(tmp_path / "in.parquet")
    masked = om.mask(path, {"w": "flat"}, om.Recoding(k=9))
    pq.write_table(pq.read_table(path).set_column(0, "w", pa.array(["new"] * 400)), path)
    with pytest.raises(DataError, match="changed while it was being masked"):
        masked.write(tmp_path / "out.parquet")
    assert [p.name for p in tmp_path.iterdir()] == ["in.parquet"]


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(places.os, "posix_fallocate", full)
    frame = pd.DataFrame({"w": list("aaaabbbbccccdddd") * 4})
    masked = om.mask(frame, {"w": "flat"}, om.Resampling(k=3), seed=1)
    assert masked._assignment.splits
    with pytest.raises(OutputError, match="disk is full"):
        masked.write(tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_many_combinations_in_little_memory(tmp_path: Path) -> None:
    """60 MB of CSV, 10,000 combinations that split: an engine that joined and sorted records needed more than this."""
    path = tmp_path / "in.csv"
    duckdb.execute(
        "COPY (SELECT i AS row, 'word ' || hash(i) % 100 AS a, 'place ' || hash(i * 7) % 100 AS b, hash(i * 3) AS x, "
        f"md5(i::VARCHAR) AS y FROM range(800000) t(i)) TO '{path}' (FORMAT csv)"
    )
    assert path.stat().st_size > 55e6
    for name, limit in (("little", "90MB"), ("much", None)):
        masked = om.mask(path, ["a", "b"], om.Resampling(k=100), seed=1, memory_limit=limit, threads=2)
        masked.write(tmp_path / f"{name}.csv")
    assert masked._assignment.splits
    assert (tmp_path / "little.csv").read_bytes() == (tmp_path / "much.csv").read_bytes()
