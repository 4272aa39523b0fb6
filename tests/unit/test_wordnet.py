"""The bundled WordNet, and the dictionary folder it is compiled from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ontomask as om
from ontomask.taxonomy.load import BUNDLED

DEBIAN = Path("/usr/share/wordnet")


def test_the_bundled_wordnet_is_the_nouns_of_3_0() -> None:
    tax = om.load_taxonomy("wordnet")
    assert len(tax) == 82_115
    assert (tax.name, tax.version, tax.virtual_root) == ("wordnet", "3.0", False)
    assert tax.label(tax.root) == "entity"
    assert tax.label(tax.find("heart attack")[0]) == "heart attack"


def test_senses_stand_in_the_order_of_the_dictionary() -> None:
    tax = om.load_taxonomy("wordnet")
    assert [tax.label(c) for c in tax.find("dog")][:3] == ["dog", "frump", "dog"]
    assert tax.find("baby-sitter") == tax.find("Baby sitter")


def test_instances_count_as_is_a() -> None:
    tax = om.load_taxonomy("wordnet")
    assert "European country" in [tax.label(p) for p in tax.parents("Spain")]


def test_the_same_source_is_loaded_once() -> None:
    assert om.load_taxonomy("wordnet") is om.load_taxonomy("wordnet")


def test_the_bundled_file_is_small_and_its_licence_stands_beside_it() -> None:
    file = BUNDLED["wordnet"]
    assert file.stat().st_size <= 4 << 20
    assert "Princeton University" in (file.parent / f"LICENSE-{file.stem}.txt").read_text(encoding="utf-8")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_loading_needs_little_memory_and_no_compiler() -> None:
    code = (
        "import sys, ontomask as om\ntax = om.load_taxonomy('wordnet'); tax.find('dog'); tax.parents('dog')\n"
        "assert 'numba' not in sys.modules\n"
        "print(next(l.split()[1] for l in open('/proc/self/status') if l.startswith('VmRSS')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 180_000  # kB; measured: 145,000


@pytest.mark.skipif(not (DEBIAN / "data.noun").is_file(), reason="Debian's wordnet-base is not installed")
def test_the_dictionary_folder_gives_the_same_graph_and_the_glosses() -> None:
    tax, bundled = om.load_taxonomy(DEBIAN), om.load_taxonomy("wordnet")
    assert tax.lexicon.ids.equals(bundled.lexicon.ids)
    assert tax.lexicon.labels.equals(bundled.lexicon.labels)
    assert tax.graph.up.tolist() == bundled.graph.up.tolist()
    assert tax.lexicon.senses.tolist() == bundled.lexicon.senses.tolist()
    assert tax.gloss("dog").startswith("a member of the genus Canis")
    assert not bundled.glosses
