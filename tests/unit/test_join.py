"""Several taxonomies as one."""

from __future__ import annotations

import pytest

import ontomask as om
from ontomask.taxonomy.build import build
from ontomask.taxonomy.draft import Draft

PETS = om.Taxonomy.from_edges([("dog", "pet"), ("parrot", "pet")], {"parrot": ["parrot", "popinjay"]}, name="pets")
BIRDS = om.Taxonomy.from_edges([("b2", "b1"), ("b3", "b1")], {"b1": ["bird"], "b2": ["Parrot"], "b3": ["canary"]}, name="birds")


def test_side_by_side_they_keep_their_concepts_under_a_virtual_root() -> None:
    tax = om.join_taxonomies([PETS, BIRDS])
    assert tax.virtual_root
    assert tax.roots == ["pet", "b1"]
    assert len(tax) == len(PETS) + len(BIRDS)
    assert tax.lcs("dog", "b3") == tax.root
    assert tax.find("parrot") == ["parrot", "b2"]  # the first taxonomy's sense first
    assert tax.name == "pets + birds"


def test_the_same_id_twice_gets_the_name_before_it() -> None:
    other = om.Taxonomy.from_edges([("parrot", "colour")], name="colours")
    tax = om.join_taxonomies([PETS, other])
    assert tax.parents("parrot") == ["pet"]
    assert tax.parents("colours:parrot") == ["colour"]
    assert om.join_taxonomies([PETS, other], by="ids").parents("parrot") == ["pet", "colour"]


def test_joined_three_times_ids_stay_distinct() -> None:
    tax = om.join_taxonomies([PETS, PETS, PETS])
    assert len(tax) == 3 * len(PETS)


def test_glued_by_labels() -> None:
    tax = om.join_taxonomies([PETS, BIRDS], by="labels")
    assert tax.parents("parrot") == ["pet", "b1"]
    assert tax.labels("parrot") == ["parrot", "popinjay", "Parrot"]
    assert tax.label("b2") == "parrot"  # its id leads to the glued concept
    assert len(tax) == len(PETS) + len(BIRDS) - 1


def test_an_ambiguous_label_glues_nothing() -> None:
    two = om.Taxonomy.from_edges([("x", "r"), ("y", "r")], {"x": ["dog"], "y": ["dog"]}, name="two")
    assert len(om.join_taxonomies([PETS, two], by="labels")) == len(PETS) + len(two)


def test_two_concepts_of_one_taxonomy_never_become_one() -> None:
    """dog = x by its preferred label; parrot has x's other label, which must not pull the two together."""
    other = om.Taxonomy.from_edges([("x", "r")], {"x": ["dog", "parrot"]}, name="other")
    tax = om.join_taxonomies([PETS, other], by="labels")
    assert tax.parents("dog") == ["pet", "r"]
    assert tax.parents("parrot") == ["pet"]


def _with_references(edges: list[tuple[str, str]], xrefs: dict[str, list[str]], name: str) -> om.Taxonomy:
    return build(Draft(name=name, edges=edges, xrefs=xrefs))


def test_glued_by_references_to_one_another_and_to_third_ones() -> None:
    one = _with_references([("A:1", "A:0"), ("A:2", "A:0")], {"A:1": ["SNOMEDCT_US_2023:77"], "A:2": ["UMLS:C1"]}, "one")
    two = _with_references([("77", "7"), ("78", "7")], {"78": ["umls:C1"]}, "SNOMED CT")
    tax = om.join_taxonomies([one, two], by="xrefs")
    assert tax.parents("A:1") == tax.parents("A:2") == ["A:0", "7"]
    assert tax.xrefs[tax.index("A:2")] == ["UMLS:C1", "umls:C1"]


def test_where_they_contradict_each_other_they_stay_apart() -> None:
    upside_down = om.Taxonomy.from_edges([("pet", "dog"), ("Parrot", "thing"), ("dog", "thing")], name="odd")
    tax = om.join_taxonomies([PETS, upside_down], by="labels")
    assert tax.parents("dog") == ["pet"]
    assert tax.parents("odd:dog") == ["thing"]
    assert tax.parents("parrot") == ["pet", "thing"]  # what is not disputed is glued
    (found,) = (p.message for p in tax.problems if p.code == "contradiction")
    assert found == ("4 concepts are not glued because the taxonomies contradict each other there: 'dog', 'dog', 'pet', 'pet'")


def test_virtual_roots_are_not_joined() -> None:
    forest = om.Taxonomy.from_edges([("a", "b"), ("c", "d")], name="forest")
    tax = om.join_taxonomies([forest, PETS], by="labels")
    assert tax.roots == ["b", "d", "pet"]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(om.OntomaskError, match="'by' parameter"):
        om.join_taxonomies([PETS], by="magic")
    with pytest.raises(om.OntomaskError, match="'taxonomies' parameter"):
        om.join_taxonomies([])
