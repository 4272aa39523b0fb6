"""A run as a whole, on random tables: every released value is explained by the flow, everything else is untouched."""

from __future__ import annotations

import datetime
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ontomask as om
from ontomask.engines import plans

PAIN = [
    ("colic", "pain"),
    ("ache", "pain"),
    ("lumbago", "ache"),
    ("migraine", "ache"),
    ("pain", "symptom"),
    ("rash", "symptom"),
]
WORDS = st.sampled_from(["colic", "Colic", "ache", "aches", " lumbago", "migraine", "pain", "rash", None, ""])
NUMBERS = st.integers(0, 9) | st.none()
DATES = st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 9)) | st.none()
STEPS = st.sampled_from(["low", "middle", "high"])
OTHERS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=4) | st.none()
QUASI = {"pain": PAIN, "age": "number", "day": "date", "step": "ordinal:low<middle<high", "sex": "flat"}
METHODS = [
    om.Recoding(k=3),
    om.Microaggregation(k=3, variant="sa-mdav"),
    om.Microaggregation(k=2, variant="mdav"),
    om.Resampling(k=2),
    om.Suppression(k=2),
]


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    row = st.tuples(WORDS, NUMBERS, DATES, STEPS, st.sampled_from("fm"), OTHERS)
    rows = draw(st.lists(row, min_size=6, max_size=40))
    frame = pd.DataFrame(rows, columns=["pain", "age", "day", "step", "sex", "other"]).astype({"age": "Int64"})
    frame["row"] = range(len(frame))
    return frame


def normal(value: Any) -> Any:
    """A value as the run compares it; None: missing."""
    if value is None or value is pd.NA or value != value:
        return None
    return value.strip() or None if isinstance(value, str) else value


def tuples(frame: pd.DataFrame, columns: list[str]) -> list[tuple[Any, ...]]:
    return [tuple(normal(v) for v in row) for row in frame[columns].astype(object).itertuples(index=False)]


def said(value: Any) -> Any:
    return None if value is None or value is pd.NA else str(value)


@pytest.mark.parametrize("plan", ["lookup", "join"])
@settings(max_examples=12)
@given(data=st.data())
def test_every_released_value_is_explained_by_the_flow(plan: str, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "MOST_LOOKED_UP", 2000 if plan == "lookup" else 0)
        frame = data.draw(frames())
        columns = data.draw(st.lists(st.sampled_from(list(QUASI)), min_size=1, max_size=3, unique=True))
        if any({normal(v) for v in frame[c]} == {None} for c in columns):  # refused: see test_bad_input.py
            return
        method = data.draw(st.sampled_from(METHODS))
        missing = data.draw(st.sampled_from(["value", "value", "suppress"]))
        seed = data.draw(st.integers(0, 5))
        gone = sum(any(v is None for v in row) for row in tuples(frame, columns))
        if missing == "suppress" and len(frame) - gone < method.k:
            with pytest.raises(om.OntomaskError):
                om.mask(frame, {c: QUASI[c] for c in columns}, method, seed=seed, missing=missing)
            return
        masked = om.mask(frame, {c: QUASI[c] for c in columns}, method, seed=seed, missing=missing)
        explained(frame, masked, columns, method)
        files(frame, masked, columns, method, seed, missing)


def explained(frame: pd.DataFrame, masked: Any, columns: list[str], method: Any) -> None:
    release = masked.data
    # Other columns and the order of the rows: a row is known by its number.
    kept = frame.loc[release["row"].tolist()]
    assert release["row"].is_monotonic_increasing
    assert release["other"].tolist() == kept["other"].tolist()
    assert list(release.columns) == list(frame.columns)
    # How many records of which tuple became what, by meaning: exactly what the flow says.
    number = dict(zip(tuples_of_run(masked, columns), masked._assignment.number.tolist(), strict=True))
    words = [tuple(said(v) for v in row.values()) for row in masked.targets.select(columns).to_pylist()]
    found: Counter[tuple[int, Any]] = Counter()
    after = dict(zip(release["row"], tuples(release, columns), strict=True))
    for row, before in zip(frame["row"], tuples(frame, columns), strict=True):
        now = after.get(row)
        found[number[before], None if now is None else tuple(said(v) for v in now)] += 1
    want: Counter[tuple[int, Any]] = Counter()
    for source, target, count in masked.flow.to_pandas().itertuples(index=False):
        want[source, words[target] if target >= 0 else None] += count
    assert found == want
    if method.promises_k and len(release):
        assert min(Counter(tuples(release, columns)).values()) >= method.k


def tuples_of_run(masked: Any, columns: list[str]) -> list[tuple[Any, ...]]:
    return [tuple(normal(v) for v in row.values()) for row in masked._assignment.values.select(columns).to_pylist()]


def files(frame: pd.DataFrame, masked: Any, columns: list[str], method: Any, seed: int, missing: str) -> None:
    """The same table as a file gives the same release."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.parquet"
        table = pa.Table.from_pandas(frame, preserve_index=False)
        pq.write_table(table, path)
        again = om.mask(path, {c: QUASI[c] for c in columns}, method, seed=seed, missing=missing)
        mine = pa.Table.from_pandas(masked.data, preserve_index=False).to_pydict()
        theirs = again.data.to_pydict()
        for name in frame.columns:
            assert [said(v) for v in mine[name]] == [said(v) for v in theirs[name]]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__ + str(m.settings().get("variant", "")))
def test_same_seed_same_bytes_on_any_number_of_threads(method: Any, tmp_path: Path) -> None:
    frame = pd.DataFrame({"age": [(i * 7919) % 50 for i in range(5000)], "sex": ["fm"[i % 2] for i in range(5000)]})
    frame["row"] = range(5000)
    for suffix in ("csv", "parquet"):
        path = tmp_path / f"in.{suffix}"
        frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path, index=False)
        written = []
        for i, threads in enumerate((1, 2, 2)):
            out = tmp_path / f"out{i}.{suffix}"
            om.mask(path, {"age": "number", "sex": "flat"}, method, seed=9, threads=threads).write(out)
            written.append(out.read_bytes())
        assert written[0] == written[1] == written[2]


def test_a_split_is_drawn_anew_by_another_seed() -> None:
    frame = pd.DataFrame({"age": [30] * 50 + [31] * 3 + [29] * 3, "row": range(56)})
    seen = defaultdict(set)
    for seed in range(4):
        masked = om.mask(frame, {"age": "number"}, om.Microaggregation(k=4, variant="mdav"), seed=seed)
        if masked._assignment.splits:
            seen[str(masked.flow.to_pydict())].add(tuple(masked.data["age"]))
    assert all(len(rows) > 1 for rows in seen.values())
    assert seen


def test_random_tables_on_spark(spark: Any) -> None:
    """The same table on Spark gives the same release; few tables, since each costs a second."""

    @settings(max_examples=4)
    @given(data=st.data())
    def same(data: st.DataObject) -> None:
        frame = data.draw(frames())
        columns = data.draw(st.lists(st.sampled_from(list(QUASI)), min_size=1, max_size=3, unique=True))
        if any({normal(v) for v in frame[c]} == {None} for c in columns):
            return
        missing = data.draw(st.sampled_from(["value", "root"]))
        options: dict[str, Any] = {"seed": data.draw(st.integers(0, 5)), "missing": missing}
        quasi, method = {c: QUASI[c] for c in columns}, data.draw(st.sampled_from(METHODS))
        here = om.mask(frame, quasi, method, **options)
        there = om.mask(frame, quasi, method, engine="spark", **options)
        explained(frame, there, columns, method)
        assert there.flow.equals(here.flow)
        assert there.data.equals(here.data)

    same()
