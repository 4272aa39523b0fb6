"""CSV as it is found in the wild; every other cell comes out as it went in."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest

import ontomask as om
from ontomask.engines.csv_files import dialect

ROWS = [
    ["pain", "note", "number"],
    ["colic", 'he said "no", twice', "007"],
    ["ache", "two\nlines; really", "1e5"],
    ["ache", "", " 3.10 "],
    ["colic", "ünïcode 😀", "2020-01-01"],
    ["colic", "a\tb|c", "+1"],
]
PAIN = [("colic", "pain"), ("ache", "pain")]


def written(rows: list[list[str]], delimiter: str = ",", end: str = "\n") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize(("delimiter", "end"), [(",", "\n"), (",", "\r\n"), (";", "\n"), ("\t", "\r\n"), ("|", "\n")])
def test_delimiters_quotes_line_ends(delimiter: str, end: str, tmp_path: Path, engine: str) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_bytes(written(ROWS, delimiter, end).encode())
    masked = om.mask(path, {"pain": PAIN}, om.Recoding(k=2), engine=engine)
    masked.write(out)
    with out.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file, delimiter=delimiter)) == ROWS
    assert "read as UTF-8" in masked._source.notes[0]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_encodings_are_found_and_said(encoding: str, tmp_path: Path, engine: str) -> None:
    rows = [["schmerz", "ort"], ["kolik", "Köln"], ["übelkeit", "Orléans"], ["übelkeit", "Málaga"], ["kolik", "Ávila"]]
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_bytes(written(rows).encode(encoding))
    masked = om.mask(path, ["schmerz"], om.Recoding(k=2), engine=engine)
    masked.write(out)
    assert ("Latin-1" in masked._source.notes[0]) == (encoding == "latin-1")
    with out.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == rows


def test_compressed_in_and_out(tmp_path: Path, engine: str) -> None:
    path, out = tmp_path / "in.csv.gz", tmp_path / "out.tsv.gz"
    path.write_bytes(gzip.compress(written(ROWS).encode()))
    om.mask(path, {"pain": PAIN}, om.Recoding(k=2), engine=engine).write(out)
    assert list(csv.reader(io.StringIO(gzip.decompress(out.read_bytes()).decode(), newline=""), delimiter="\t")) == ROWS


def test_a_ragged_line_does_not_mislead_the_dialect(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("a;b\n1,5;2\n1,5;3\n2,5;3;4\n", encoding="utf-8")
    assert dialect(path, ".csv").delimiter == ";"


def test_one_column(tmp_path: Path, engine: str) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("sex\nf\nm\nf\nm\n", encoding="utf-8")
    om.mask(path, ["sex"], om.Recoding(k=2), engine=engine).write(out)
    assert out.read_text(encoding="utf-8") == "sex\nf\nm\nf\nm\n"


def test_empty_and_blank_cells_are_missing_and_blanks_around_words_do_not_count(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "in.csv"
    path.write_text('pain,x\ncolic,1\n colic ,2\n,3\n"",4\n"  ",5\n', encoding="utf-8")
    masked = om.mask(path, {"pain": PAIN}, om.Recoding(k=2), engine=engine)
    assert masked.tuples.to_pydict() == {"pain": ["colic", None], "count": [2, 3]}
    assert masked.data.column("pain").to_pylist() == ["colic", "colic", None, None, None]
