"""Files that are no taxonomy: one clear error each, never a traceback, never a hang."""

from __future__ import annotations

import gzip
import os
import random
from pathlib import Path

import pytest

import ontomask as om
from ontomask._registry import FORMATS

FIXTURES = Path(__file__).parents[1] / "fixtures" / "taxonomies"
ROWS = b"child,parent\n" + b"canary,bird\n" * 3_000_000


def bomb(root: str) -> bytes:
    """Entities of entities: a kilobyte that unfolds to gigabytes."""
    nested = "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 20}">' for i in range(8))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{nested}]><{root}>&i;</{root.split()[0]}>'.encode()


RDF = 'rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"'
OUTSIDE = b'<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><LexicalResource>&x;</LexicalResource>'
# name of the file → (contents, what the error must say)
BAD = {
    "empty.obo": (b"", "it is empty"),
    "binary.csv": (random.Random(7).randbytes(100_000), "it holds binary data"),
    "zeros.obo": (bytes(1000), "holds binary data"),
    "archive.zip": (b"PK\x03\x04rest", "Unpack it"),
    "latin.obo": ("[Term]\nid: a\nname: café\n".encode("latin-1"), "line 3, cannot be read as a taxonomy: it is not UTF-8"),
    "wide.csv": ("child,parent\na,b\n".encode("utf-16"), "it is UTF-16 text"),
    "page.html": (b"<!DOCTYPE html><html><body>no</body></html>", "no format recognises it"),
    "prose.txt": (b"It was the best of times,\nit was the worst, of times, and so\non\n", "no format recognises it"),
    "line.obo": (b"[Term]\nid: a\nname: " + b"x" * 10_000_000, "a line is longer than 1,000,000 characters"),
    "line.txt": (b"a > " * 2_500_000, "a line is longer than 1,000,000 characters"),
    "line.csv": (b'"' * 10_000_000, "no format recognises it"),
    "cut.obo.gz": (gzip.compress((FIXTURES / "pets.obo").read_bytes())[:-20], "gzip data is damaged or cut off"),
    "bomb.csv.gz": (gzip.compress(ROWS, 9), "unfolds to more than 100 times its size"),
    "cut.owl": ((FIXTURES / "pets.owl").read_bytes()[:-200], "not well-formed RDF"),
    "cut.ttl": ((FIXTURES / "pets.ttl").read_bytes()[:-20], "line 9, cannot be read as a taxonomy: it is not well-formed RDF"),
    "cut.json": ((FIXTURES / "pets.json").read_bytes()[:-40], "not well-formed JSON"),
    "number.json": (b'{"graphs": ' + b"1" * 10_000, "not well-formed JSON"),
    "types.json": (b'{"graphs": [{"nodes": [{"id": "a", "type": "CLASS", "lbl": 5}]}]}', "int where a text should be"),
    "other.json": (b'{"graphs": 1}', "no OBO graph"),
    "cut.xml": ((FIXTURES / "wn-lmf.xml").read_bytes()[:-200], "not well-formed XML"),
    "cut.arrow": (b"ARROW1\0\0" + bytes(64), "damaged or cut off"),
    "bomb.xml": (bomb("LexicalResource"), "declares the XML entity 'a'"),
    "bomb.owl": (bomb(RDF), "declares the XML entity 'b'"),
    "bomb2.xml": (bomb("ICD10CM.tabular"), "declares the XML entity 'a'"),
    "bomb3.xml": (bomb("DescriptorRecordSet"), "declares the XML entity 'a'"),
    "outside.xml": (OUTSIDE, "declares the XML entity 'x'"),
    "deep.xml": (b"<LexicalResource>" + b"<a>" * 200_000, "nested more than 200 deep"),
    "deep.jsonld": (b'{"@context":' + b"[" * 200_000, "not well-formed RDF"),
    "headers.csv": (b"child,parent,label\n", "there is no concept in it"),
    "headers.obo": (b"format-version: 1.4\n", r"no \[Term\] stanza"),
    "short.csv": (b"child,parent\na,b\nc\n", "line 3, .* needs a child and a parent"),
    "step.txt": (b"a > b\na > > c\n", "line 2, .*a step of the path is empty"),
    "ragged.csv": (b"a;b;*\n" * 300 + b"c;*\n", "line 301, .*a row has 2 cells where the first has 3"),
    "record.bin": (b"*NEWRECORD\nMH = x\nnonsense\n", "line 3, .*not a 'TAG = value' line"),
    "nothing.ttl": (b"<http://a/b> <http://a/c> <http://a/d> .\n", "neither a class nor a SKOS concept"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_clear_error(name: str, tmp_path: Path) -> None:
    contents, message = BAD[name]
    file = tmp_path / name
    file.write_bytes(contents)
    with pytest.raises(om.OntomaskError, match=message) as refusal:
        om.load_taxonomy(file)
    assert len(str(refusal.value)) < 500
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ["binary.csv", "prose.txt", "empty.obo", "page.html", "deep.xml", "bomb.xml", "line.csv"])
def test_a_file_of_another_format_is_refused_by_every_reader(name: str, format: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(BAD[name][0])
    with pytest.raises(om.OntomaskError):
        om.load_taxonomy(file, format=format)


@pytest.mark.parametrize("format", FORMATS)
def test_a_folder_without_known_files_is_refused_by_every_reader(format: str, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "readme.txt").write_text("hello", encoding="utf-8")
    with pytest.raises(om.OntomaskError):
        om.load_taxonomy(tmp_path, format=format)
    with pytest.raises(om.OntomaskError, match="no WordNet dictionary, no RF2 release and no OMOP vocabulary"):
        om.load_taxonomy(tmp_path)


def test_a_release_whose_file_lacks_a_column_or_a_cell(tmp_path: Path) -> None:
    (tmp_path / "CONCEPT.csv").write_text("concept_id\tconcept_name\n1\ta\n", encoding="utf-8")
    with pytest.raises(om.OntomaskError, match="header has not exactly one column 'vocabulary_id', 'concept_code'"):
        om.load_taxonomy(tmp_path)
    whole = (FIXTURES / "omop" / "CONCEPT.csv").read_text(encoding="utf-8")
    (tmp_path / "CONCEPT.csv").write_text(whole + "7\tcut", encoding="utf-8")
    (tmp_path / "CONCEPT_RELATIONSHIP.csv").write_bytes((FIXTURES / "omop" / "CONCEPT_RELATIONSHIP.csv").read_bytes())
    with pytest.raises(om.OntomaskError, match=r"CONCEPT\.csv.*not a table of 10 columns"):
        om.load_taxonomy(tmp_path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(om.OntomaskError, match="neither a file nor a folder"):
        om.load_taxonomy(tmp_path / "pipe")


@pytest.mark.parametrize("name", ["no/such/file.obo", "a\0b", "x" * 5000, ""])
def test_impossible_names(name: str) -> None:
    with pytest.raises(om.OntomaskError):
        om.load_taxonomy(name)
