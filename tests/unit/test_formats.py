"""Every reader on one small graph, written in its format; and what is peculiar to each."""

from __future__ import annotations

import gzip
import shutil
import sys
from pathlib import Path

import pytest

import ontomask as om
from ontomask._registry import FORMATS
from ontomask.taxonomy.formats import compiled, icd10cm
from ontomask.taxonomy.load import find_format, read_draft
from ontomask.taxonomy.source import Source

FIXTURES = Path(__file__).parents[1] / "fixtures" / "taxonomies"
# animal above pet and bird, parrot below both, canary below bird: file → its format
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
    "rf2": "rf2",
    "omop": "omop",
    "wordnet": "wordnet",
}
PETS = {("pet", "animal"), ("bird", "animal"), ("parrot", "pet"), ("parrot", "bird"), ("canary", "bird")}


def links(tax: om.Taxonomy) -> set[tuple[str, str]]:
    """The is-a links by preferred label."""
    label = tax.lexicon.label
    return {(label(c), label(int(p))) for c in range(len(tax.graph)) for p in tax.graph.parents(c)}


def test_every_registered_format_has_a_small_file_here() -> None:
    assert set(FORMATS) == {*FILES.values(), "compiled"}


@pytest.mark.parametrize(("file", "format"), FILES.items())
def test_the_format_is_found_out_and_can_be_named(file: str, format: str) -> None:
    source = Source(FIXTURES / file)
    assert find_format(source).name == format
    assert om.load_taxonomy(FIXTURES / file, format=format).lexicon.ids.equals(om.load_taxonomy(FIXTURES / file).lexicon.ids)


@pytest.mark.parametrize("file", [f for f in FILES if f not in ("icd10cm.xml", "mesh.bin", "mesh.xml")])
def test_every_format_gives_the_same_graph(file: str) -> None:
    tax = om.load_taxonomy(FIXTURES / file)
    assert links(tax) == PETS
    assert tax.label(tax.root) == "animal"
    assert not tax.problems
    if file not in ("hierarchy.csv", "paths.txt"):
        assert tax.labels("parrot")[:2] == ["parrot", "popinjay"]
        assert tax.find("Popinjay") == tax.find("parrot")


@pytest.mark.parametrize("file", [f for f in FILES if (FIXTURES / f).is_file()])
def test_a_gz_file_is_read_directly(file: str, tmp_path: Path) -> None:
    packed = tmp_path / (file + ".gz")
    packed.write_bytes(gzip.compress((FIXTURES / file).read_bytes()))
    tax, plain = om.load_taxonomy(packed), om.load_taxonomy(FIXTURES / file)
    assert (tax.name, tax.lexicon.ids, links(tax)) == (plain.name, plain.lexicon.ids, links(plain))


@pytest.mark.parametrize("folder", ["rf2", "omop"])
def test_a_folder_of_gz_files_is_read_directly(folder: str, tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / folder, tmp_path / folder)
    for file in sorted(f for f in (tmp_path / folder).rglob("*") if f.is_file()):
        file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert links(om.load_taxonomy(tmp_path / folder)) == PETS


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "omop", tmp_path / "omop")
    for file in (*(tmp_path / "omop").iterdir(), tmp_path / "edges.csv", tmp_path / "pets.obo"):
        plain = file if file.exists() else FIXTURES / file.name
        file.write_bytes(b"\xef\xbb\xbf" + plain.read_bytes())
    for name in ("omop", "edges.csv", "pets.obo"):
        assert links(om.load_taxonomy(tmp_path / name)) == PETS


def test_lines_may_end_as_on_windows(tmp_path: Path) -> None:
    for name in ("edges.csv", "hierarchy.csv", "paths.txt", "pets.obo", "mesh.bin", "pets.ttl"):
        (tmp_path / name).write_bytes((FIXTURES / name).read_bytes().replace(b"\n", b"\r\n"))
        assert links(om.load_taxonomy(tmp_path / name)) == links(om.load_taxonomy(FIXTURES / name))


@pytest.mark.parametrize("file", FILES)
def test_a_compiled_taxonomy_is_the_same(file: str, tmp_path: Path) -> None:
    plain = om.load_taxonomy(FIXTURES / file)
    compiled.write(plain, tmp_path / "compiled.arrow")
    tax = om.load_taxonomy(tmp_path / "compiled.arrow")
    assert repr(tax) == repr(plain)
    assert tax.lexicon.keys.equals(plain.lexicon.keys)
    assert tax.lexicon.labels.equals(plain.lexicon.labels)
    assert links(tax) == links(plain)
    for name in ("glosses", "features", "xrefs", "aliases", "problems", "licence"):
        there, here = getattr(tax, name), getattr(plain, name)
        assert (dict(there) if hasattr(there, "keys") else there) == here


def test_obo_passes_over_obsolete_terms_and_follows_former_ids() -> None:
    tax = om.load_taxonomy(FIXTURES / "pets.obo")
    assert tax.labels("P:4") == ["parrot", "popinjay", "polly"]  # the exact synonym before the related one
    assert tax.label("P:33") == tax.label("P:6") == "bird"  # alternative; obsolete and replaced
    assert tax.gloss("bird") == 'A "feathered" animal.'
    assert tax.xrefs[tax.index("bird")] == ["Y:3"]
    assert (tax.name, tax.version) == ("pets", "2024-05")


def test_obo_skips_bad_lines_and_reports_their_numbers(tmp_path: Path) -> None:
    file = tmp_path / "bad.obo"
    file.write_text(
        "[Term]\nid: A\nname: a\nthis is no tag\nsynonym: unquoted\n\n[Term]\nid: B\nid: C\nis_a: A\n", encoding="utf-8"
    )
    tax = om.load_taxonomy(file)
    assert links(tax) == {("B", "a")}
    found = [(p.code, p.severity, p.line) for p in tax.problems if p.code == "bad-line"]
    assert found == [("bad-line", "warning", n) for n in (4, 5, 9)]


def test_many_bad_lines_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "bad.obo"
    file.write_text("[Term]\nid: A\nname: a\n" + "nonsense\n" * 50, encoding="utf-8")
    problems = om.load_taxonomy(file).problems
    assert len(problems) == 21
    assert problems[-1].message == "30 more bad lines were skipped"


def test_obographs_are_read_as_obo_is() -> None:
    tax, obo = om.load_taxonomy(FIXTURES / "pets.json"), om.load_taxonomy(FIXTURES / "pets.obo")
    assert tax.lexicon.ids.equals(obo.lexicon.ids)
    assert tax.labels("P:4") == obo.labels("P:4")
    assert tax.label("P:33") == tax.label("P:6") == "bird"
    assert tax.xrefs == obo.xrefs
    assert tax.version == obo.version


def test_owl_skips_restrictions_and_deprecated_classes() -> None:
    tax = om.load_taxonomy(FIXTURES / "pets.owl")
    assert len(tax) == 5
    assert "dodo" not in tax
    assert tax.labels("P:3") == ["bird", "Vogel"]  # English first
    assert tax.label("http://purl.obolibrary.org/obo/P_3") == "bird"  # the address leads to the concept, too


@pytest.mark.parametrize(("file", "package", "extra"), [("pets.owl", "pyoxigraph", "rdf"), ("pets.ttl", "pyoxigraph", "rdf")])
def test_a_missing_package_is_named_with_its_extra(
    file: str, package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    shutil.copy(FIXTURES / file, tmp_path)
    with pytest.raises(om.OntomaskError, match=rf"'{package}', which is not installed.*ontomask\[{extra}\]"):
        om.load_taxonomy(tmp_path / file)


def test_the_icd_package_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(icd10cm, "find_spec", lambda name: None)
    with pytest.raises(om.OntomaskError, match=r"ontomask\[icd10\]"):
        om.load_taxonomy("icd10cm")


def test_skos_keeps_other_languages() -> None:
    tax = om.load_taxonomy(FIXTURES / "pets.ttl")
    assert tax.find("Tier") == ["http://example.org/animal"]
    assert tax.gloss("canary") == "a yellow bird"


@pytest.mark.parametrize("suffix", [".nt", ".rdf", ".jsonld", ""])
def test_other_rdf_syntaxes(suffix: str, tmp_path: Path) -> None:
    ox = pytest.importorskip("pyoxigraph")
    syntax = {".nt": ox.RdfFormat.N_TRIPLES, ".rdf": ox.RdfFormat.RDF_XML, ".jsonld": ox.RdfFormat.JSON_LD}
    quads = ox.parse(path=str(FIXTURES / "pets.ttl"), format=ox.RdfFormat.TURTLE)
    file = tmp_path / f"pets{suffix}"
    triples = (ox.Triple(q.subject, q.predicate, q.object) for q in quads)
    ox.serialize(triples, str(file), format=syntax.get(suffix, ox.RdfFormat.TURTLE))
    assert find_format(Source(file)).name == "rdf"
    assert links(om.load_taxonomy(file)) == PETS


def test_rf2_reads_active_rows_and_names_by_the_fully_specified_name() -> None:
    tax = om.load_taxonomy(FIXTURES / "rf2")
    assert "600" not in tax  # inactive concept
    assert tax.labels("400") == ["parrot", "popinjay"]  # the inactive synonym is gone
    assert tax.labels("300") == ["bird", 'der "Vogel"']  # quotes are text
    assert tax.version == "20240101"


def test_rf2_without_snapshot_says_so(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "rf2", tmp_path / "rf2")
    for file in sorted((tmp_path / "rf2").rglob("*.txt")):
        file.rename(file.with_name(file.name.replace("Snapshot", "Full")))
    with pytest.raises(om.OntomaskError, match="no sct2_Concept_Snapshot file"):
        om.load_taxonomy(tmp_path / "rf2")


def test_omop_reads_ancestors_where_there_are_no_relationships(tmp_path: Path) -> None:
    folder = tmp_path / "omop"
    shutil.copytree(FIXTURES / "omop", folder)
    (folder / "CONCEPT_RELATIONSHIP.csv").unlink()
    rows = ["ancestor_concept_id\tdescendant_concept_id\tmin_levels_of_separation\tmax_levels_of_separation"]
    pairs = [(2, 1), (3, 1), (4, 2), (4, 3), (5, 3)]
    rows += [f"{parent}\t{child}\t1\t1" for child, parent in pairs]
    rows += ["1\t4\t2\t2", "1\t5\t2\t2", *(f"{i}\t{i}\t0\t0" for i in range(1, 6))]
    (folder / "CONCEPT_ANCESTOR.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    tax = om.load_taxonomy(folder)
    assert links(tax) == PETS
    assert tax.label("PETS:p4") == "parrot"


def test_mesh_takes_no_notice_of_an_empty_tree_number(tmp_path: Path) -> None:
    file = tmp_path / "mesh.bin"
    file.write_text("*NEWRECORD\nMH = Eye\nMN = \nMN = A09\nUI = D1\n", encoding="utf-8")
    assert om.load_taxonomy(file).parents("D1") == ["A"]


def test_mesh_leaves_out_a_link_that_closes_a_cycle(tmp_path: Path) -> None:
    file = tmp_path / "mesh.bin"
    file.write_text(
        "*NEWRECORD\nMH = ethics\nMN = K01\nMN = K02.1\nUI = D1\n*NEWRECORD\nMH = morals\nMN = K02\nMN = K01.1\nUI = D2\n",
        encoding="utf-8",
    )
    tax = om.load_taxonomy(file)
    assert [p.code for p in tax.problems] == ["cycle"]
    assert links(tax) == {("ethics", "Humanities"), ("morals", "Humanities"), ("ethics", "morals")}


def test_icd_makes_the_seventh_character() -> None:
    tax = om.load_taxonomy(FIXTURES / "icd10cm.xml")
    assert tax.label("S00.01XA") == "Abrasion of scalp, initial encounter"
    assert tax.parents("S0001XA") == ["S00.01"]
    assert tax.find("scratched scalp") == ["S00.01"]
    assert tax.parents("T07") == ["chapter 19"]  # a section of one category is the category


def test_icd_keeps_to_the_list_of_valid_codes_beside_it(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "icd10cm.xml", tmp_path)
    (tmp_path / "icd10cm-codes-2026.txt").write_text("S0001XA Abrasion of scalp, initial encounter\n", encoding="utf-8")
    tax = om.load_taxonomy(tmp_path / "icd10cm.xml")
    assert tax.children("S00.01") == ["S00.01XA"]


def test_paths_may_bring_ids(tmp_path: Path) -> None:
    file = tmp_path / "categories.txt"
    file.write_text("# Version: 1\n1 - Animals\n5 - Animals > Birds\n7 - Animals > Birds - of prey\n", encoding="utf-8")
    tax = om.load_taxonomy(file)
    assert tax.parents("7") == ["1"]
    assert tax.label("7") == "Birds - of prey"


def test_edges_without_header_and_with_other_delimiters(tmp_path: Path) -> None:
    for delimiter in ",;\t|":
        file = tmp_path / "links.csv"
        rows = [("pet", "animal"), ("bird", "animal"), ("parrot", "pet"), ("parrot", "bird"), ("canary", "bird")]
        file.write_text("".join(f"{a}{delimiter}{b}\n" for a, b in rows), encoding="utf-8")
        tax = om.load_taxonomy(file)
        assert links(tax) == PETS
        assert tax.lexicon.ids.to_pylist() == ["pet", "animal", "bird", "parrot", "canary"]  # order of first appearance


def test_edges_whose_columns_have_names_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "items.csv"
    file.write_text("sku;name;parent_sku;price\nA;alpha;;1\nB;beta;A;2\n", encoding="utf-8")
    tax = om.load_taxonomy(file)
    assert links(tax) == {("beta", "alpha")}
    assert tax.parents("B") == ["A"]


def test_hierarchy_keeps_repeated_cells_as_one_concept(tmp_path: Path) -> None:
    file = tmp_path / "work.csv"
    file.write_text("Sales;Sales;*\nArmed;Other;*\n", encoding="utf-8")
    assert links(om.load_taxonomy(file)) == {("Sales", "*"), ("Armed", "Other"), ("Other", "*")}


def test_wn_lmf_orders_labels_by_members_and_ignores_verbs() -> None:
    tax = om.load_taxonomy(FIXTURES / "wn-lmf.xml")
    assert tax.labels("s4") == ["parrot", "popinjay"]
    assert "s6" not in tax
    assert tax.features[tax.index("s5")] == ["pet"]
    assert (tax.name, tax.version, tax.licence) == ("pets", "1.0", "CC0")


def test_the_draft_of_a_file_can_be_had_unchecked() -> None:
    draft = read_draft(Source(FIXTURES / "edges.csv"))
    assert not isinstance(draft, om.Taxonomy)
    assert draft.format == "edges"
