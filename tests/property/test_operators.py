"""compare, centroid and order equal what one would do record by record."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontomask as om
from ontomask.errors import OntomaskError
from ontomask.flow import Tuples
from ontomask.semantics.operators import centroid_of, centroids_of, compare, order
from ontomask.taxonomy.taxonomy import Taxonomy
from tests import twins_centroid as naive
from tests.strategies import tables, taxonomies

KINDS = [
    ("semantic", "hierarchy"),
    ("semantic", "values"),
    ("mode", "hierarchy"),
    ("lcs", "hierarchy"),
    ("consensus", "hierarchy"),
]


@given(tables(), st.data())
def test_centroids_equal_the_naive_ones_in_every_kind(table: Tuples, data: st.DataObject) -> None:
    g = table.geometry
    groups = data.draw(st.lists(st.lists(st.integers(0, table.p - 1), min_size=1, max_size=6), min_size=1, max_size=4))
    rows = np.concatenate(groups)
    ptr = np.cumsum([0, *map(len, groups)])
    for kind, candidates in KINDS:
        found = centroids_of(g, table.codes, rows, ptr, table.counts[rows], kind, candidates)
        expected = [
            naive.centroid(g, naive.records(table.codes[group], table.counts[group]), kind, candidates) for group in groups
        ]
        assert found.tolist() == [list(c) for c in expected]


@given(tables(), st.booleans())
def test_order_starts_at_the_farthest_and_grows(table: Tuples, weighted: bool) -> None:
    g = table.geometry
    rows = [tuple(r) for r in table.codes.tolist()]
    w = [int(c) if weighted else 1 for c in table.counts]
    centre = naive.centroid(g, naive.records(table.codes, table.counts))
    first = max(range(len(rows)), key=lambda i: (w[i] * naive.distance(g, centre, rows[i]), -i))
    rest = sorted((i for i in range(len(rows)) if i != first), key=lambda i: w[i] * naive.distance(g, rows[first], rows[i]))
    assert order(g, table.codes, table.counts, weighted).tolist() == [first, *rest]


@given(tables())
def test_compare_weighs_groups_of_equal_records(table: Tuples) -> None:
    g = table.geometry
    centre = centroid_of(g, table.codes, table.counts)
    plain = compare(g, centre, table.codes)
    assert plain.tolist() == [naive.distance(g, tuple(centre), tuple(r)) for r in table.codes.tolist()]
    assert compare(g, centre, table.codes, table.counts).tolist() == (plain * table.counts).tolist()


@given(tables())
def test_a_random_centroid_is_a_record_of_its_group(table: Tuples) -> None:
    drawn = centroid_of(table.geometry, table.codes, table.counts, "random", rng=np.random.default_rng(1))
    again = centroid_of(table.geometry, table.codes, table.counts, "random", rng=np.random.default_rng(1))
    assert drawn.tolist() in table.codes.tolist()
    assert drawn.tolist() == again.tolist()


@given(taxonomies(), st.data())
def test_centroid_by_names_is_the_one_of_the_kernels(tax: Taxonomy, data: st.DataObject) -> None:
    from ontomask.semantics.geometry import build_geometry
    from ontomask.semantics.spaces.taxonomy import TaxonomySpace

    values = data.draw(st.lists(st.sampled_from(tax.ids(range(len(tax)))), min_size=1, max_size=12))
    distinct = list(dict.fromkeys(values))
    space = TaxonomySpace("word", tax, tax.indices(distinct))
    codes = np.asarray([distinct.index(v) for v in values], np.int32)[:, None]
    for kind, candidates in KINDS:
        expected = centroid_of(build_geometry([space]), codes, None, kind, candidates)[0]
        assert om.centroid(values, tax, kind=kind, candidates=candidates) == space.say(expected)
        counted = om.centroid(distinct, tax, [values.count(v) for v in distinct], kind=kind, candidates=candidates)
        assert counted == space.say(expected)
    assert om.centroid(values, tax, kind="random", seed=3) in values


def test_labels_are_taken_and_an_id_is_given() -> None:
    tax = Taxonomy.from_edges([("1", "0"), ("2", "0")], labels={"1": ["colic"], "2": ["ache", "aches"]})
    assert om.centroid(["aches", "ache", "colic"], tax) == "2"
    assert om.centroid(iter(["aches"]), tax, kind="lcs") == "2"


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"kind": "semantik"}, "Did you mean 'semantic'"),
        ({"candidates": "all"}, "'hierarchy', 'values'"),
        ({"counts": [1]}, "whole numbers"),
        ({"counts": [1, -1]}, "whole numbers"),
        ({"counts": [0.5, 1.5]}, "whole numbers"),
        ({"counts": [0, 0]}, "at least one value"),
    ],
)
def test_illegal_settings_are_refused(settings: dict[str, object], part: str) -> None:
    tax = Taxonomy.from_edges([("a", "r"), ("b", "r")])
    with pytest.raises(OntomaskError, match=part):
        om.centroid(["a", "b"], tax, **settings)
