"""Damaged files: whatever is done to a small valid file, a reader gives a taxonomy or an OntomaskError."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ontomask as om
from ontomask.taxonomy.formats import compiled

FIXTURES = Path(__file__).parents[1] / "fixtures" / "taxonomies"
FILES = {
    "edges.csv": "edges",
    "hierarchy.csv": "hierarchy",
    "paths.txt": "paths",
    "pets.obo": "obo",
    "pets.json": "obograph",
    "pets.owl": "owl",
    "pets.ttl": "rdf",
    "wn-lmf.xml": "wn-lmf",
    "mesh.bin": "mesh",
    "mesh.xml": "mesh",
    "icd10cm.xml": "icd10cm",
    "pets.arrow": "compiled",
}
FOLDERS = {"rf2": "rf2", "omop": "omop", "wordnet": "wordnet"}
# What breaks readers: ends of lines and fields, quotes, brackets, markup, numbers out of range, bytes that are not UTF-8.
SNIPPETS = [
    b"",
    b"\n",
    b"\t",
    b'"',
    b",",
    b";",
    b">",
    b"<",
    b"&",
    b"]]>",
    b"\x00",
    b"\xff\xfe",
    b"\xc3",
    b"-1",
    b"99999999999",
    b"P:4",
    b"id:",
]
Damage = tuple[int, int, bytes]  # where, how many bytes go, what comes instead


def damages() -> st.SearchStrategy[list[Damage]]:
    one = st.tuples(st.integers(0, 1 << 20), st.integers(0, 40), st.sampled_from(SNIPPETS) | st.binary(max_size=6))
    return st.lists(one, min_size=1, max_size=4)


def damaged(contents: bytes, damage: list[Damage]) -> bytes:
    for at, gone, instead in damage:
        here = at % (len(contents) + 1)
        contents = contents[:here] + instead + contents[here + gone :]
    return contents


def read(path: Path, format: str | None) -> None:
    """Load it and use what comes."""
    with contextlib.suppress(om.OntomaskError):
        tax = om.load_taxonomy(path, format=format)
        for concept in tax.lexicon.ids.to_pylist()[:20]:
            tax.label(concept)
            tax.parents(concept)
        repr(tax)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixtures, and a compiled one."""
    folder = tmp_path_factory.mktemp("small") / "taxonomies"
    shutil.copytree(FIXTURES, folder)
    compiled.write(om.load_taxonomy(folder / "pets.obo"), folder / "pets.arrow")
    return folder


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=40)
@given(damage=damages(), named=st.booleans())
@example(damage=[(0, 1 << 20, b"")], named=True)
@example(damage=[(37, 37, b"")], named=False)  # an empty tree number of MeSH
def test_a_damaged_file(name: str, small: Path, damage: list[Damage], named: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(damaged((small / name).read_bytes(), damage))
        read(file, FILES[name] if named else None)


@pytest.mark.parametrize("name", FOLDERS)
@settings(max_examples=30)
@given(which=st.integers(0, 2), damage=damages(), lost=st.booleans())
def test_a_damaged_folder(name: str, small: Path, which: int, damage: list[Damage], lost: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / name
        shutil.copytree(small / name, place)
        files = sorted(file for file in place.rglob("*") if file.is_file())
        file = files[which % len(files)]
        if lost:
            file.unlink()
        else:
            file.write_bytes(damaged(file.read_bytes(), damage))
        read(place, FOLDERS[name])


@pytest.mark.parametrize("format", sorted({*FILES.values()}))
@settings(max_examples=15)
@given(text=st.text(max_size=60) | st.text(alphabet='ab;,>\n\t"|*: <&[]', max_size=40))
def test_any_text_for_any_reader(format: str, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "text"
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        read(file, format)


@settings(max_examples=60)
@given(at=st.integers(0, 1 << 20), bit=st.integers(0, 7))
def test_one_bit_of_a_compiled_taxonomy(small: Path, at: int, bit: int) -> None:
    """It is found out, or it was one of those that fill up the file and say nothing."""
    whole = om.load_taxonomy(small / "pets.arrow")
    contents = bytearray((small / "pets.arrow").read_bytes())
    contents[at % len(contents)] ^= 1 << bit
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pets.arrow"
        file.write_bytes(contents)
        try:
            tax = om.load_taxonomy(file, format="compiled")
        except om.OntomaskError:
            return
        for name in ("up_ptr", "up", "down_ptr", "down", "order", "depth", "root"):
            assert np.array_equal(getattr(tax.graph, name), getattr(whole.graph, name))
        for name in ("ids", "labels", "keys"):
            assert getattr(tax.lexicon, name).equals(getattr(whole.lexicon, name))
        assert dict(tax.xrefs) == dict(whole.xrefs)
