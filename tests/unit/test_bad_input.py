"""Whatever is wrong with the input is said in one helpful sentence, without a cell value, and nothing is written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import ontomask as om
from ontomask.engines.duckdb import DuckDB
from ontomask.errors import DataError, MatchingError, OntomaskError, OutputError, ParameterError, PromiseError, UnknownNameError
from ontomask.methods.base import make_method

PAIN = [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache")]


def frame(n: int = 20) -> pd.DataFrame:
    words = ["colic", "ache", "lumbago", "migraine"]
    return pd.DataFrame({"pain": [words[i % 4] for i in range(n)], "sex": ["fm"[i % 2] for i in range(n)], "x": [1.5] * n})


def mask(data: Any = None, quasi: Any = None, method: Any = None, **options: Any) -> Any:
    data = frame() if data is None else data
    return om.mask(data, {"pain": PAIN} if quasi is None else quasi, method or om.Recoding(k=2), **options)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"method": "recoding", "k": 1}, ParameterError, "int ≥ 2"),
        ({"method": "recoding"}, ParameterError, "k = 5 is a common choice"),
        ({"method": om.Recoding(k=21)}, ParameterError, "at most the number of records, 20"),
        ({"method": "recodign", "k": 2}, UnknownNameError, "Did you mean 'recoding'?"),
        ({"method": 5}, ParameterError, "om.Recoding(k=5)"),
        ({"measure": "logsk"}, UnknownNameError, "Did you mean 'logsc'?"),
        ({"quasi": {"pian": PAIN}}, DataError, "Did you mean 'pain'?"),
        ({"quasi": {"pain": "wordnte"}}, ParameterError, "Did you mean 'wordnet'?"),
        ({"quasi": {"pain": "/no/such/taxonomy.obo"}}, OntomaskError, "/no/such/taxonomy.obo"),
        ({"quasi": {"pain": 7}}, ParameterError, "be a taxonomy"),
        ({"quasi": {"pain": "ordinal:low"}}, ParameterError, "ordinal:low<middle<high"),
        ({"quasi": {"pain": "numbr"}}, ParameterError, "Did you mean 'number'"),
        ({"quasi": {"pain": "number"}}, DataError, "used as a number"),
        ({"quasi": {}}, ParameterError, "at least one column"),
        ({"quasi": ["sex", "sex"]}, ParameterError, "name each column once"),
        ({"confidential": ["pain"]}, DataError, "named as quasi and as confidential"),
        ({"drop": ["pain"]}, DataError, "named as quasi and as dropped"),
        ({"drop": ["no"]}, DataError, "There is no column 'no'"),
        ({"weights": {"sex": 2}}, ParameterError, "name columns of quasi"),
        ({"weights": {"pain": 0}}, ParameterError, "above 0"),
        ({"overrides": {"sex": {}}}, ParameterError, "columns of quasi"),
        ({"overrides": {"pian": {}}}, ParameterError, "columns of quasi ('pain')"),
        ({"weights": {"pian": 2}}, ParameterError, "Did you mean 'pain'?"),
        ({"unmatched": "ignore"}, ParameterError, "'suppress'"),
        ({"unmatched": "rooot"}, ParameterError, "Did you mean 'root'?"),
        ({"missing": "ignore"}, ParameterError, "'suppress'"),
        ({"seed": -1}, ParameterError, "whole number"),
        ({"seed": True}, ParameterError, "whole number"),
        ({"memory_limit": "much"}, ParameterError, "500MB"),
        ({"data": 7}, DataError, "A table is a path"),
        ({"data": frame(0)}, DataError, "no records"),
        ({"data": "no_such_file.csv"}, DataError, "There is no file"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error) as found:
        mask(**arguments)
    assert said in str(found.value)
    assert isinstance(found.value, OntomaskError)


def test_values_missing_in_every_record() -> None:
    data = frame()
    data["pain"] = None
    with pytest.raises(DataError, match=r"'pain' is missing in every record. Drop it"):
        mask(data)


def test_missing_values_can_be_refused_without_showing_any() -> None:
    data = frame()
    data.loc[3:5, "pain"] = None
    with pytest.raises(DataError, match="missing in 3 records"):
        mask(data, missing="error")


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("value", "3 records have a missing value, which counts as a value of its own, equal to other missing ones."),
        ("root", "3 records have a missing value, which is read as anything where there is a taxonomy"),
        ("suppress", "3 records have a missing value and were left out."),
    ],
)
def test_the_policy_for_missing_values_is_said_with_k(missing: str, said: str) -> None:
    data = frame()
    data.loc[3:5, "pain"] = None
    assert said in mask(data, missing=missing).about["proof"][0]
    assert mask(frame(), missing=missing).about["proof"][0].endswith("No value is missing.")


def test_one_distinct_tuple_is_left_as_it_is() -> None:
    data = pd.DataFrame({"pain": ["colic"] * 6})
    assert mask(data).data["pain"].tolist() == ["colic"] * 6


def test_unmatched_values_are_listed_with_what_can_be_done() -> None:
    data = frame()
    data.loc[0, "pain"] = "lumbagoo"
    with pytest.raises(MatchingError, match="lumbago") as found:
        mask(data)
    assert "overrides" in str(found.value)


@pytest.mark.parametrize("policy", ["root", "own", "suppress"])
def test_unmatched_values_by_policy(policy: str) -> None:
    data = frame(40)
    data.loc[:4, "pain"] = "thing"
    masked = mask(data, unmatched=policy)
    assert len(masked.data) == (35 if policy == "suppress" else 40)
    assert om.verify(masked.data, ["pain"], 2).kept
    assert ("thing" in masked.data["pain"].tolist()) == (policy == "own")


def test_nested_columns_are_refused_by_name() -> None:
    data = frame()
    data["sets"] = [["a", "b"]] * len(data)
    with pytest.raises(DataError, match="'sets' does not hold single values"):
        mask(data, {"sets": "flat"})
    assert mask(data).data["sets"].tolist() == data["sets"].tolist()


def test_columns_of_mixed_types_are_refused_by_name() -> None:
    data = frame()
    data["sex"] = ["f", 1] * 10
    with pytest.raises(DataError, match="'sex' holds values of several types"):
        mask(data, {"sex": "flat"})


NAMES = ['say "hi"', "a;b", "x'); DROP TABLE y; --", "😀 mood", "om n", "g0", "t", "SELECT", "with space ", "c0,c1"]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl", "duckdb"])
def test_column_names_may_be_anything(suffix: str, tmp_path: Path) -> None:
    data = pd.DataFrame({name: [f"v{(i * (j + 3)) % 4}" for i in range(30)] for j, name in enumerate(NAMES)})
    path, out = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
    with duckdb.connect(str(path) if suffix == "duckdb" else ":memory:") as con:
        con.register("d", data)
        con.execute("CREATE TABLE t AS SELECT * FROM d")
        if suffix != "duckdb":
            con.execute(f"COPY t TO '{path}'" + (" (FORMAT json)" if suffix == "jsonl" else ""))
    masked = om.mask(path, dict.fromkeys(NAMES[:5], "flat"), om.Recoding(k=3), seed=1, drop=NAMES[-1:])
    masked.write(out)
    assert masked.data.column_names == NAMES[:-1]
    assert om.verify(out, NAMES[:5], 3).kept
    for name in NAMES[5:-1]:
        assert masked.data.column(name).to_pylist() == data[name].tolist()


def test_ten_thousand_columns(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    header = ",".join(f"c{i}" for i in range(10_000))
    path.write_text(header + "\n" + "".join(",".join([str(i % 3)] * 10_000) + "\n" for i in range(9)), encoding="utf-8")
    masked = om.mask(path, ["c7", "c9999"], om.Recoding(k=3))
    masked.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


# --- files -----------------------------------------------------------------------------------------------------------


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
def test_bad_csv_is_refused_with_its_line_and_nothing_is_written(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    with pytest.raises(DataError) as found:
        mask(path).write(tmp_path / "out.csv")
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
def test_bad_files(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as found:
        mask(tmp_path / name)
    assert said in str(found.value)


def test_folders_are_no_tables(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is a folder"):
        mask(tmp_path)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.csv"
    frame().to_csv(path, index=False)
    monkeypatch.setattr("os.access", lambda *_: False)  # for root everything may be read
    with pytest.raises(DataError, match="may not be read by you"):
        mask(path)


def test_tables_of_a_database_file_are_named(tmp_path: Path) -> None:
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE a AS SELECT 'colic' AS pain FROM range(9); CREATE TABLE b AS SELECT 1 AS x")
    with pytest.raises(DataError, match=r"holds several tables. Name one behind a #"):
        mask(path)
    with pytest.raises(DataError, match=r"There is no table 'aa'.*Did you mean 'a'"):
        mask(f"{path}#aa")
    assert mask(f"{path}#a").data.num_rows == 9


# --- output ----------------------------------------------------------------------------------------------------------


def test_the_input_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    frame().to_csv(path, index=False)
    before = path.read_bytes()
    (tmp_path / "link.csv").symlink_to(path)
    for output in (path, tmp_path / "link.csv"):
        with pytest.raises(OutputError, match="is the input itself"):
            mask(path).write(output, force=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "said"), [("no/out.csv", "does not exist"), ("out.docx", "does not say which format"), (".", "which format")]
)
def test_outputs_that_cannot_be(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(OntomaskError) as found:
        mask().write(tmp_path / name)
    assert said in str(found.value)


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    masked = mask()
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(OutputError, match="Nothing may be written to the folder"):
        masked.write(tmp_path / "out.csv")


FULL = """
import resource, sys, pandas as pd, ontomask as om
data = pd.DataFrame({"sex": ["f", "m"] * 50_000, "x": [f"some text {i}" for i in range(100_000)]})
masked = om.mask(data, ["sex"], om.Suppression(k=5))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    masked.write(sys.argv[1])
except om.OntomaskError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_disk_that_is_full_leaves_nothing_behind(suffix: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / f"o.{suffix}")], capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("OutputError"), ran.stdout + ran.stderr
    assert not list(tmp_path.iterdir())


def test_a_broken_promise_removes_the_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    masked = mask()
    write = DuckDB.write

    def forget(self: DuckDB, source: Any, assignment: Any, path: Path, *rest: Any) -> None:
        write(self, source, assignment, path, *rest)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join([lines[0], "zzz,f,1\n", *lines[2:]]), encoding="utf-8")

    monkeypatch.setattr(DuckDB, "write", forget)
    with pytest.raises(PromiseError, match="not 2-anonymous"):
        masked.write(tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_a_method_that_breaks_its_promise_is_caught() -> None:
    class Lying(om.Recoding):
        def mask(self, tuples: Any, rng: np.random.Generator) -> Any:
            from ontomask.flow import make_flow

            return make_flow(np.arange(tuples.p), tuples.codes, tuples.counts)

    with pytest.raises(PromiseError, match="promised classes of at least 6"):
        mask(method=Lying(k=6))


def test_a_little_memory_is_enough(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"a": rng.integers(0, 40, 200_000), "b": rng.integers(0, 40, 200_000), "c": rng.random(200_000)})
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    data.to_csv(path, index=False)
    om.mask(path, ["a", "b"], om.Recoding(k=100), memory_limit="120MB", threads=2).write(out)
    written = pd.read_csv(out)
    assert np.allclose(written["c"], data["c"])
    assert om.verify(out, ["a", "b"], 100).kept


def test_a_wrong_setting_is_named_before_its_method() -> None:
    with pytest.raises(UnknownNameError, match=r"There is no setting 'guid' of the method 'recoding'\. Did you mean 'guide'\?"):
        make_method("recoding", 5, guid="semantic")


def test_k_is_no_setting() -> None:
    with pytest.raises(
        UnknownNameError, match=r"There is no setting 'k' of the method 'suppression'\. .* k is given on its own"
    ):
        make_method("suppression", 5, k=3)


def test_a_table_within_a_file_of_one_table(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    frame().to_csv(path, index=False)
    with pytest.raises(DataError, match="'#x' would name a table of a database file"):
        mask(f"{path}#x")
