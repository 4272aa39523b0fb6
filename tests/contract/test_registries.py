"""Whatever is registered can be loaded, or belongs to an extra that says how to install it, and has its documentation."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from ontomask import _registry
from ontomask._registry import ENGINES, FORMATS, MEASURES, METHODS, REPORTS, Entry, Registry
from ontomask.errors import OntomaskError
from ontomask.taxonomy.source import Source

DOCS = Path(__file__).parents[2] / "docs"
REGISTRIES = [value for value in vars(_registry).values() if isinstance(value, Registry)]
ENTRIES = [pytest.param(entry, id=f"{registry.kind}: {entry.name}") for registry in REGISTRIES for entry in registry.entries()]


def test_every_registry_is_looked_at() -> None:
    assert {id(r) for r in (MEASURES, FORMATS, METHODS, ENGINES, REPORTS)} <= {id(r) for r in REGISTRIES}


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_is_registered_loads_and_says_what_it_is(entry: Entry) -> None:
    plug_in = entry.load()
    module = entry.where.partition(":")[0]
    assert import_module(module).__doc__, f"{module} has no docstring"
    assert callable(plug_in) or plug_in.name == entry.name
    assert entry.summary
    assert len(entry.summary) < 80
    assert entry.summary[-1] != "."


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda r: r.kind)
def test_an_unknown_name_is_refused_with_the_known_ones(registry: Registry) -> None:
    with pytest.raises(OntomaskError, match=rf"There is no {registry.kind} 'nonsense'\..*Known: '{next(iter(registry))}'"):
        registry.load("nonsense")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_its_page(name: str) -> None:
    page = (DOCS / "formats" / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {name}: ")
    assert f"(formats/{name}.md)" in (DOCS / "taxonomies.md").read_text(encoding="utf-8")


def test_every_page_of_a_format_has_its_format() -> None:
    assert {page.stem for page in (DOCS / "formats").glob("*.md")} == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_called_as_it_is_registered_and_recognises_nothing_strange(name: str, tmp_path: Path) -> None:
    reader = FORMATS.load(name)
    assert reader.name == name
    (tmp_path / "note.md").write_text("Nothing that anybody would take for a taxonomy.\n", encoding="utf-8")
    assert not reader.sniff(Source(tmp_path / "note.md"))
    assert not reader.sniff(Source(tmp_path))


def test_every_check_is_documented() -> None:
    from ontomask.taxonomy.checks import CHECKS

    page = (DOCS / "taxonomies.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `([a-z-]+)` \| (?:error|warning) \|", page, re.MULTILINE))
    assert rows == {*CHECKS, "bad-line"}


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_documented(name: str) -> None:
    page = DOCS / "measures.md"
    assert re.search(rf"^(?:\| |#+ )`{name}`", page.read_text(encoding="utf-8"), re.MULTILINE), (
        f"{page.name} has no line of {name}"
    )


def test_naming_a_plug_in_imports_none() -> None:
    import subprocess

    code = "import sys, ontomask._registry; print([m for m in sys.modules if m.startswith(('numba', 'pyarrow', 'numpy'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
