"""What is in a table, and what is wrong with it: every engine reads the same, and refuses the same in the same words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

import ontomask as om
from ontomask._registry import ENGINES
from ontomask.errors import DataError, OntomaskError, OutputError, PromiseError
from tests.small_table import frame, mask

NAMES = ['say "hi"', "a;b", "x'); DROP TABLE y; --", "😀 mood", "om n", "g0", "t", "SELECT", "with space ", "c0,c1", "a`b.c"]


def test_values_missing_in_every_record(engine: str) -> None:
    data = frame()
    data["pain"] = None
    with pytest.raises(DataError, match=r"'pain' is missing in every record. Drop it"):
        mask(data, engine=engine)


def test_missing_values_can_be_refused_without_showing_any(engine: str) -> None:
    data = frame()
    data.loc[3:5, "pain"] = None
    with pytest.raises(DataError, match="missing in 3 records"):
        mask(data, missing="error", engine=engine)


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("value", "3 records have a missing value, which counts as a value of its own, equal to other missing ones."),
        ("root", "3 records have a missing value, which is read as anything where there is a taxonomy"),
        ("suppress", "3 records have a missing value and were left out."),
    ],
)
def test_the_policy_for_missing_values_is_said_with_k(missing: str, said: str, engine: str) -> None:
    data = frame()
    data.loc[3:5, "pain"] = None
    assert said in mask(data, missing=missing, engine=engine).about["proof"][0]
    assert mask(frame(), missing=missing, engine=engine).about["proof"][0].endswith("No value is missing.")


def test_one_distinct_tuple_is_left_as_it_is(engine: str) -> None:
    data = pd.DataFrame({"pain": ["colic"] * 6})
    assert mask(data, engine=engine).data["pain"].tolist() == ["colic"] * 6


@pytest.mark.parametrize("policy", ["root", "own", "suppress"])
def test_unmatched_values_by_policy(policy: str, engine: str) -> None:
    data = frame(40)
    data.loc[:4, "pain"] = "thing"
    masked = mask(data, unmatched=policy, engine=engine)
    assert len(masked.data) == (35 if policy == "suppress" else 40)
    assert om.verify(masked.data, ["pain"], 2, engine=engine).kept
    assert ("thing" in masked.data["pain"].tolist()) == (policy == "own")


def test_nested_columns_are_refused_by_name(engine: str) -> None:
    data = frame()
    data["sets"] = [["a", "b"]] * len(data)
    with pytest.raises(DataError, match="'sets' does not hold single values"):
        mask(data, {"sets": "flat"}, engine=engine)
    assert mask(data, engine=engine).data["sets"].tolist() == data["sets"].tolist()


def test_columns_of_mixed_types_are_refused_by_name(engine: str) -> None:
    data = frame()
    data["sex"] = ["f", 1] * 10
    with pytest.raises(DataError, match="'sex' holds values of several types"):
        mask(data, {"sex": "flat"}, engine=engine)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl", "duckdb"])
def test_column_names_may_be_anything(suffix: str, tmp_path: Path, engine: str) -> None:
    data = pd.DataFrame({name: [f"v{(i * (j + 3)) % 4}" for i in range(30)] for j, name in enumerate(NAMES)})
    path, out = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
    with duckdb.connect(str(path) if suffix == "duckdb" else ":memory:") as con:
        con.register("d", data)
        con.execute("CREATE TABLE t AS SELECT * FROM d")
        if suffix != "duckdb":
            con.execute(f"COPY t TO '{path}'" + (" (FORMAT json)" if suffix == "jsonl" else ""))
    masked = om.mask(path, dict.fromkeys(NAMES[:5], "flat"), om.Recoding(k=3), seed=1, drop=NAMES[-1:], engine=engine)
    masked.write(out)
    assert masked.data.column_names == NAMES[:-1]
    assert om.verify(out, NAMES[:5], 3, engine=engine).kept
    for name in NAMES[5:-1]:
        assert masked.data.column(name).to_pylist() == data[name].tolist()


def test_very_many_columns(tmp_path: Path, engine: str) -> None:
    path, many = tmp_path / "wide.csv", 10_000 if engine == "duckdb" else 200  # Spark plans each column on its own
    header = ",".join(f"c{i}" for i in range(many))
    path.write_text(header + "\n" + "".join(",".join([str(i % 3)] * many) + "\n" for i in range(9)), encoding="utf-8")
    masked = om.mask(path, ["c7", f"c{many - 1}"], om.Recoding(k=3), engine=engine)
    masked.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"pain,sex\n", "no records"),
        (b"pain,sex\ncolic,f\nache,m,secretvalue\n", "Line 3 of 'people.csv' has 3 fields instead of 2"),
        (b"pain,sex\ncolic,f\nsecretvalue\n", "Line 3 of 'people.csv' has 1 fields instead of 2"),
        (b'pain,sex\ncolic,f\n"secretvalue,m\n', "never ends"),
        (b"pain,sex\ncolic,f\nache\x00,m\n", "NUL byte in line 3"),
        (b"pain,pain\ncolic,ache\n", "columns 1 and 2 are both called 'pain'"),
        (b"pain,Pain\ncolic,ache\n", "differ only in capitals"),
        (b"pain,,\ncolic,ache,x\n", "columns 2, 3 have no name"),
        ("pain,sex\ncolic,f\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_bad_csv_is_refused_with_its_line(content: bytes, said: str, tmp_path: Path, engine: str) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    with pytest.raises(DataError) as found:
        mask(path, engine=engine).write(tmp_path / "out.csv")
    assert said in str(found.value)
    assert "secretvalue" not in str(found.value)
    assert [p.name for p in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("people.xlsx", b"PK", "its name does not say which format"),
        ("people.parquet", b"PAR1 but not really", "is damaged, or not in the format"),
        ("people.jsonl", b'{"pain": "colic"\n', "is damaged, or not in the format"),
        ("people.csv.gz", b"\x1f\x8b\x08 cut", "gzip data cannot be unfolded"),
        ("people.parquet.gz", b"PAR1", ".gz goes with CSV"),
    ],
)
def test_bad_files(name: str, content: bytes, said: str, tmp_path: Path, engine: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as found:
        mask(tmp_path / name, engine=engine)
    assert said in str(found.value)


def test_folders_are_no_tables(tmp_path: Path, engine: str) -> None:
    with pytest.raises(DataError, match="is a folder"):
        mask(tmp_path, engine=engine)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    path = tmp_path / "people.csv"
    frame().to_csv(path, index=False)
    monkeypatch.setattr("os.access", lambda *_: False)  # for root everything may be read
    with pytest.raises(DataError, match="may not be read by you"):
        mask(path, engine=engine)


def test_tables_of_a_database_file_are_named(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE a AS SELECT 'colic' AS pain FROM range(9); CREATE TABLE b AS SELECT 1 AS x")
    with pytest.raises(DataError, match=r"holds several tables. Name one behind a #"):
        mask(path, engine=engine)
    with pytest.raises(DataError, match=r"There is no table 'aa'.*Did you mean 'a'"):
        mask(f"{path}#aa", engine=engine)
    assert mask(f"{path}#a", engine=engine).data.num_rows == 9


def test_the_input_is_never_overwritten(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "people.csv"
    frame().to_csv(path, index=False)
    before = path.read_bytes()
    (tmp_path / "link.csv").symlink_to(path)
    for output in (path, tmp_path / "link.csv"):
        with pytest.raises(OutputError, match="is the input itself"):
            mask(path, engine=engine).write(output, force=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "said"),
    [("no/out.csv", "does not exist"), ("out.docx", "does not say which format"), (".", "which format|is a folder")],
)
def test_outputs_that_cannot_be(name: str, said: str, tmp_path: Path, engine: str) -> None:
    with pytest.raises(OntomaskError) as found:
        mask(engine=engine).write(tmp_path / name)
    assert re.search(said, str(found.value))


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    masked = mask(engine=engine)
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(OutputError, match="Nothing may be written to the folder"):
        masked.write(tmp_path / "out.csv")


def test_a_broken_promise_removes_the_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    masked, running = mask(engine=engine), ENGINES.load(engine)
    write = running.write

    def forget(self: Any, source: Any, assignment: Any, path: Path, *rest: Any) -> None:
        write(self, source, assignment, path, *rest)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join([lines[0], "zzz,f,1\n", *lines[2:]]), encoding="utf-8")

    monkeypatch.setattr(running, "write", forget)
    with pytest.raises(PromiseError, match="not 2-anonymous"):
        masked.write(tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_a_table_within_a_file_of_one_table(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "t.csv"
    frame().to_csv(path, index=False)
    with pytest.raises(DataError, match="'#x' would name a table of a database file"):
        mask(f"{path}#x", engine=engine)
