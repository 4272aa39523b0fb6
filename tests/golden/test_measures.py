"""Worked examples of the sources for measures, each by its source's name."""

from __future__ import annotations

import numpy as np
import pytest

import ontomask as om
from ontomask.semantics.geometry import build_geometry
from ontomask.semantics.operators import compare
from ontomask.semantics.spaces.taxonomy import TaxonomySpace


def tree(children: dict[str, list[str]]) -> om.Taxonomy:
    return om.Taxonomy.from_edges([(c, p) for p, cs in children.items() for c in cs])


DISORDERS = tree(
    {
        "disorder": ["degenerative disorder", "X"],
        "degenerative disorder": ["asbestosis", "Y"],
        "Y": ["amyotrophia", "myofibrosis"],
        "X": ["allergy", "squint"],
    }
)
NERVOUS_SYSTEM = tree(
    {
        "nervous system": ["coma", "neuropathy", "varicella"],
        "coma": ["hepatic", "hypoglycemic"],
        "varicella": ["ophthalmicus", "auricularis"],
    }
)
SPORTS = tree({"entity": ["place", "water sport"], "water sport": ["swimming", "windsurfing"], "place": ["mediterranean"]})


def test_thesis_table_5() -> None:
    values = ["asbestosis", "amyotrophia", "myofibrosis", "allergy", "squint", "degenerative disorder"]
    table = [
        [0, 0.68, 0.68, 0.85, 0.85, 0.42],
        [0.68, 0, 0.49, 0.87, 0.87, 0.58],
        [0.68, 0.49, 0, 0.87, 0.87, 0.58],
        [0.85, 0.87, 0.87, 0, 0.58, 0.81],
        [0.85, 0.87, 0.87, 0.58, 0, 0.81],
        [0.42, 0.58, 0.58, 0.81, 0.81, 0],
    ]
    found = DISORDERS.distances(values, measure="logsc")
    assert found == pytest.approx(np.asarray(table), abs=0.01)  # the table cuts .4854 and .8074 off, or rounds them up
    assert DISORDERS.distance("asbestosis", "amyotrophia") == pytest.approx(np.log2(1 + 3 / 5))


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        ("coma", "hepatic", 0.20),
        ("coma", "nervous system", 0.33),
        ("coma", "neuropathy", 0.50),
        ("neuropathy", "nervous system", 0.33),
        ("neuropathy", "hepatic", 0.60),
        ("hepatic", "ophthalmicus", 0.67),
    ],
)
def test_swap_figures_1_to_4_distances(a: str, b: str, distance: float) -> None:
    assert NERVOUS_SYSTEM.distance(a, b, measure="wup") == pytest.approx(distance, abs=0.005)


def ranked(reference: str, values: list[str]) -> list[tuple[str, float]]:
    """Values by growing distance to the reference, as figures 2 and 3 draw them."""
    space = TaxonomySpace("disorder", NERVOUS_SYSTEM, NERVOUS_SYSTEM.indices(values), measure="wup")
    geometry = build_geometry([space])
    codes = np.arange(len(values), dtype=np.int32)[:, None]
    far = compare(geometry, [values.index(reference)], codes) * geometry.unit
    return [(values[i], round(float(far[i]), 2)) for i in np.argsort(far, kind="stable")]


FIGURE = ["nervous system", "coma", "neuropathy", "hepatic", "hypoglycemic"]


def test_swap_figure_2_ranked_from_coma() -> None:
    assert ranked("coma", FIGURE) == [
        ("coma", 0),
        ("hepatic", 0.20),
        ("hypoglycemic", 0.20),
        ("nervous system", 0.33),
        ("neuropathy", 0.50),
    ]


def test_swap_figure_3_ranked_from_neuropathy() -> None:
    assert ranked("neuropathy", FIGURE) == [
        ("neuropathy", 0),
        ("nervous system", 0.33),
        ("coma", 0.50),
        ("hepatic", 0.60),
        ("hypoglycemic", 0.60),
    ]


def test_swap_figure_4_ranked_from_neuropathy() -> None:
    values = [*FIGURE, "varicella", "ophthalmicus", "auricularis"]
    order = ranked("neuropathy", values)
    assert [v for v, _ in order[:2]] == ["neuropathy", "nervous system"]
    assert {v for v, _ in order[2:4]} == {"coma", "varicella"}
    assert {v for v, _ in order[4:]} == {"hypoglycemic", "hepatic", "auricularis", "ophthalmicus"}


def test_sets_example_of_the_minimum_sum() -> None:
    """{swimming, mediterranean} against {windsurfing, mediterranean}: ((½ + 0) + (½ + 0)) / (2 + 2) = .25 by `jaccard`."""
    one, other = ["swimming", "mediterranean"], ["windsurfing", "mediterranean"]
    d = SPORTS.distances(one, other, measure="jaccard")
    assert d[0, 0] == 0.5
    assert (d.min(axis=1).sum() + d.min(axis=0).sum()) / 4 == 0.25


def test_intrinsic_information_of_seco() -> None:
    """IC(root) = 0, IC(leaf) = 1, between them by the number of descendants."""
    assert DISORDERS.distance("allergy", "asbestosis", measure="resnik") == 1
    assert DISORDERS.distance("amyotrophia", "myofibrosis", measure="resnik") == pytest.approx(np.log(3) / np.log(9))
    assert DISORDERS.distance("amyotrophia", "myofibrosis", measure="lin") == pytest.approx(np.log(3) / np.log(9))
    assert DISORDERS.distance("Y", "amyotrophia", measure="jcn") == pytest.approx(np.log(3) / np.log(9) / 2)
