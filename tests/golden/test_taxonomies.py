"""Published ontologies, read whole: the counts that their publishers, or other readers, give."""

from __future__ import annotations

import gzip
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

import ontomask as om
from ontomask.taxonomy.formats.icd10cm import packaged

GO = ("go-nucleus.obo", "go-nucleus.owl", "go-nucleus.owl.ttl", "go-nucleus.json")


def edges(tax: om.Taxonomy) -> set[tuple[str, str]]:
    ids = tax.lexicon.ids.to_pylist()
    real = [c for c in range(len(tax.graph)) if not (tax.virtual_root and c == tax.graph.root)]
    return {(ids[c], ids[int(p)]) for c in real for p in tax.graph.parents(c) if not (tax.virtual_root and p == tax.graph.root)}


def several_parents(tax: om.Taxonomy) -> int:
    return sum(len(tax.graph.parents(c)) > 1 for c in range(len(tax.graph)))


def test_one_ontology_in_four_formats_is_one_graph(shared_data: Path) -> None:
    """The links and names as they stand in the JSON are what every reader must find."""
    folder = shared_data / "go_nucleus_formats"
    graph = json.loads((folder / "go-nucleus.json").read_text(encoding="utf-8"))["graphs"][0]
    short = {node["id"]: ":".join(node["id"].rsplit("/", 1)[-1].rsplit("_", 1)) for node in graph["nodes"]}
    expected = {(short[e["sub"]], short[e["obj"]]) for e in graph["edges"] if e["pred"] == "is_a"}
    names = {short[node["id"]]: node["lbl"] for node in graph["nodes"] if node.get("type") == "CLASS" and "lbl" in node}
    for file in GO:
        tax = om.load_taxonomy(folder / file)
        assert len(tax) == 176
        assert edges(tax) == expected
        assert len(expected) == 221
        assert {c: tax.label(c) for c in tax.lexicon.ids.to_pylist() if c in names} == names
    taxa = [om.load_taxonomy(folder / file) for file in GO]
    for c in taxa[0].lexicon.ids.to_pylist():
        assert len({frozenset(tax.labels(c)) for tax in taxa}) == 1
        assert len({tax.gloss(c) for tax in taxa}) == 1


def test_hpo(shared_data: Path) -> None:
    tax = om.load_taxonomy(shared_data / "hpo" / "hp.obo.gz")
    assert (len(tax), len(tax.graph.up), several_parents(tax)) == (19_034, 23_392, 3_627)
    assert sum(not len(tax.graph.children(c)) for c in range(len(tax))) == 13_206
    assert tax.max_depth - 1 == 16  # the publisher counts links
    assert tax.label(tax.root) == "All"
    assert not tax.virtual_root
    assert tax.version == "hp/releases/2025-01-16"
    assert tax.licence == "https://hpo.jax.org/app/license"
    assert tax.label("HP:0004715") == "Multicystic kidney dysplasia"  # an alternative id


def test_disease_ontology(shared_data: Path) -> None:
    tax = om.load_taxonomy(shared_data / "doid" / "doid_min.obo.gz")
    assert (len(tax), len(tax.graph.up), several_parents(tax)) == (11_454, 15_938, 4_210)
    assert sum(not len(tax.graph.children(c)) for c in range(len(tax))) == 9_082
    assert tax.max_depth - 1 == 13
    assert len(tax.lexicon.labels) - len(tax) <= 18_586  # synonyms that repeat a label are not kept twice
    assert tax.xrefs[tax.index("DOID:4")][0] == "MESH:D004194"


def test_the_readers_of_obo_agree_with_fastobo(shared_data: Path) -> None:
    fastobo = pytest.importorskip("fastobo")
    for file in ("doid/doid_min.obo.gz", "go_nucleus_formats/go-nucleus.obo"):
        path = shared_data / file
        tax = om.load_taxonomy(path)
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as handle:
            document = fastobo.load(handle)
        names, links, synonyms, former = {}, set(), {}, {}
        for frame in document:
            if not isinstance(frame, fastobo.term.TermFrame):
                continue
            clauses = [(clause.raw_tag(), clause) for clause in frame]
            if any(tag == "is_obsolete" and clause.obsolete for tag, clause in clauses):
                continue
            id_ = str(frame.id)
            synonyms[id_] = {clause.synonym.desc for tag, clause in clauses if tag == "synonym"}
            links |= {(id_, str(clause.term)) for tag, clause in clauses if tag == "is_a"}
            former |= {str(clause.alt_id): id_ for tag, clause in clauses if tag == "alt_id"}
            names.update((id_, clause.name) for tag, clause in clauses if tag == "name")
        assert set(tax.lexicon.ids.to_pylist()) - {"*"} == set(synonyms)
        assert edges(tax) == links
        for id_, expected in synonyms.items():
            assert tax.label(id_) == names.get(id_, id_)
            assert set(tax.labels(id_)[1:]) == expected - {tax.label(id_)}
        assert {old: tax.lexicon.id(c) for old, c in tax.aliases.items() if old in former} == former


def test_snomed_release(shared_data: Path) -> None:
    tax = om.load_taxonomy(shared_data / "snomed_rf2_fixture")
    assert len(tax) == 101  # 103 concepts, two of them inactive
    assert len(edges(tax)) == 113
    assert tax.label("138875005").startswith("SNOMED CT Concept")
    assert all(label.endswith(")") for label in (tax.label(c) for c in tax.children("138875005")))
    assert tax.version == "20180731"


def test_shopify_categories(shared_data: Path) -> None:
    tax = om.load_taxonomy(shared_data / "shopify_taxonomy" / "en__categories.txt.gz")
    assert (len(tax), len(tax.roots)) == (14_606, 26)
    assert tax.max_depth - 1 == 8
    assert len({tax.label(c) for c in tax.lexicon.ids.to_pylist()} - {"anything"}) == 14_347


def test_arx_hierarchies_of_adult(shared_data: Path) -> None:
    for file in sorted((shared_data / "adult" / "arx_hierarchies").glob("adult_hierarchy_*.csv")):
        tax = om.load_taxonomy(file)
        rows = [line.split(";") for line in file.read_text(encoding="utf-8").split()] if "age" in file.name else []
        assert tax.label(tax.root) == "*", file.name
        for row in rows:
            assert tax.ancestors(row[0]) == list(dict.fromkeys(row))[::-1]


def test_icd_10_cm_has_the_codes_that_its_package_lists() -> None:
    if find_spec("simple_icd_10_cm") is None:  # importing it takes seconds
        pytest.skip("the package simple-icd-10-cm is not installed")
    (codes,) = packaged().parent.glob("code-list*.txt")
    listed = {code for line in codes.read_text(encoding="utf-8").split() if (code := line.replace(".", ""))[1:2].isdigit()}
    tax = om.load_taxonomy("icd10cm")
    assert len(listed) > 90_000
    assert {code for code in listed if "-" not in code and code[0].isupper()} <= set(tax.lexicon.index) | set(tax.aliases)
    ids = {c.replace(".", "") for c in tax.lexicon.ids.to_pylist() if c[0].isupper()}
    assert ids <= set(codes.read_text(encoding="utf-8").split())
    assert tax.label("S72001A") == "Fracture of unspecified part of neck of right femur, initial encounter for closed fracture"
    assert tax.ancestors("I21.02") == ["*", "chapter 9", "I20-I25", "I21", "I21.0", "I21.02"]
