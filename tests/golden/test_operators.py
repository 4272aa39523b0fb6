"""Worked examples 4 to 6 of THESIS chapter 4, through the operators."""

from __future__ import annotations

import numpy as np
import pytest

import ontomask as om
from ontomask.semantics.geometry import Geometry, build_geometry
from ontomask.semantics.operators import centroid_of, compare
from ontomask.semantics.spaces.taxonomy import TaxonomySpace

pytest.importorskip("ontomask.semantics.measures.path")

SYMPTOM = {
    "symptom": ["pain", "inflammation"],
    "pain": ["colic", "ache"],
    "ache": ["lumbago", "migraine"],
    "inflammation": ["appendicitis", "gastritis"],
}
CARE = {
    "medical care": ["therapy", "hospitalisation"],
    "therapy": ["rehabilitation", "medication"],
    "medication": ["antibiotic", "analgesic"],
    "analgesic": ["aspirin", "codeine"],
}


def tree(children: dict[str, list[str]]) -> om.Taxonomy:
    return om.Taxonomy.from_edges([(c, p) for p, cs in children.items() for c in cs])


def one_attribute(values: list[str]) -> tuple[Geometry, TaxonomySpace]:
    tax = tree(SYMPTOM)
    space = TaxonomySpace("symptom", tax, tax.indices(values), measure="path")
    return build_geometry([space]), space


def test_example_4_sums_of_every_candidate() -> None:
    counts = {"colic": 1, "lumbago": 3, "migraine": 2, "pain": 1, "appendicitis": 1, "gastritis": 1}
    geometry, space = one_attribute(list(counts))
    codes = np.arange(len(counts), dtype=np.int32)[:, None]
    weights = np.asarray(list(counts.values()), np.int64)
    sums = {space.say(c): round(float(compare(geometry, [c], codes, weights).sum()) * geometry.unit, 6) for c in range(space.h)}
    words = ["colic", "lumbago", "migraine", "appendicitis", "gastritis", "pain", "ache", "inflammation", "symptom"]
    assert sums == dict(zip(words, [24, 19, 21, 34, 34, 17, 16, 27, 22], strict=True))
    assert om.centroid(list(counts), tree(SYMPTOM), list(counts.values()), measure="path") == "ache"
    assert space.say(centroid_of(geometry, codes, weights)[0]) == "ache"


def test_example_5_once_each() -> None:
    values = ["colic", "lumbago", "migraine", "appendicitis", "gastritis"]
    assert om.centroid(values, tree(SYMPTOM), measure="path") == "pain"


def test_example_6_two_attributes() -> None:
    table = [
        ("colic", "antibiotic", 1),
        ("lumbago", "rehabilitation", 3),
        ("migraine", "aspirin", 2),
        ("appendicitis", "hospitalisation", 1),
        ("gastritis", "codeine", 1),
        ("lumbago", "codeine", 2),
        ("colic", "hospitalisation", 1),
    ]
    spaces, columns = [], []
    for j, children in enumerate((SYMPTOM, CARE)):
        tax = tree(children)
        values = list(dict.fromkeys(row[j] for row in table))
        spaces.append(TaxonomySpace(str(j), tax, tax.indices(values), measure="path"))
        columns.append([values.index(row[j]) for row in table])
    geometry = build_geometry(spaces)
    codes = np.asarray(columns, np.int32).T
    counts = np.asarray([row[2] for row in table], np.int64)
    found = {}
    for kind in ("semantic", "lcs", "mode"):
        centre = centroid_of(geometry, codes, counts, kind)
        total = round(float(compare(geometry, centre, codes, counts).sum()) * geometry.unit, 6)
        found[kind] = (*(s.say(c) for s, c in zip(spaces, centre, strict=True)), total)
    assert found == {
        "semantic": ("ache", "medication", 21),
        "lcs": ("symptom", "medical care", 30),
        "mode": ("lumbago", "rehabilitation", 24.5),
    }
