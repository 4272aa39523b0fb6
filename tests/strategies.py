"""Random taxonomies, spaces and tables for property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from ontomask.flow import Tuples
from ontomask.semantics.spaces.base import Space
from ontomask.semantics.spaces.date import DateSpace
from ontomask.semantics.spaces.flat import FlatSpace
from ontomask.semantics.spaces.number import NumberSpace
from ontomask.semantics.spaces.ordinal import OrdinalSpace
from ontomask.semantics.spaces.taxonomy import TaxonomySpace
from ontomask.taxonomy.taxonomy import Taxonomy


@st.composite
def edge_lists(draw: st.DrawFn, most: int = 24) -> list[tuple[str, str]]:
    """is-a links of a connected DAG with one root "c0" and several parents here and there."""
    n = draw(st.integers(2, most))
    edges: list[tuple[str, str]] = []
    for c in range(1, n):
        parents = draw(st.lists(st.integers(0, c - 1), min_size=1, max_size=3, unique=True))
        edges += [(f"c{c}", f"c{p}") for p in parents]
    return draw(st.permutations(edges))


def taxonomies(most: int = 24) -> st.SearchStrategy[Taxonomy]:
    return edge_lists(most).map(Taxonomy.from_edges)


@st.composite
def taxonomy_spaces(draw: st.DrawFn, most_values: int = 8, measure: str = "logsc") -> TaxonomySpace:
    tax = draw(taxonomies())
    concepts = draw(st.lists(st.integers(0, len(tax.graph) - 1), min_size=1, max_size=most_values, unique=True))
    return TaxonomySpace("word", tax, concepts, measure=measure)


@st.composite
def flat_spaces(draw: st.DrawFn, most_values: int = 6) -> FlatSpace:
    return FlatSpace("flat", [f"v{i}" for i in range(draw(st.integers(1, most_values)))])


@st.composite
def line_spaces(draw: st.DrawFn, most_values: int = 8) -> Space:
    """Numbers, dates or ordered words, now and then with a missing value."""
    points = draw(st.lists(st.integers(0, 12) | st.none(), min_size=1, max_size=most_values, unique=True))
    kind = draw(st.sampled_from(["number", "quantile", "date", "ordinal"]))
    if kind == "date":
        return DateSpace("date", [None if x is None else f"2010-01-{x + 1:02}" for x in points])
    if kind == "ordinal":
        order = [f"step {x}" for x in range(13)]
        return OrdinalSpace("ordinal", [None if x is None else order[x] for x in points], order)
    return NumberSpace("number", points, range="quantile" if kind == "quantile" else "full")


def spaces() -> st.SearchStrategy[Space]:
    return st.one_of(taxonomy_spaces(), flat_spaces(), line_spaces())


@st.composite
def tables(draw: st.DrawFn, most_attributes: int = 3, most_tuples: int = 14, most_count: int = 6) -> Tuples:
    """Distinct tuples with counts, over one to three attributes of any kind."""
    chosen = draw(st.lists(spaces(), min_size=1, max_size=most_attributes))
    row = st.tuples(*(st.integers(0, s.q - 1) for s in chosen))
    rows = draw(st.lists(row, min_size=1, max_size=most_tuples, unique=True))
    counts = draw(st.lists(st.integers(1, most_count), min_size=len(rows), max_size=len(rows)))
    return Tuples(np.asarray(rows, np.int32).reshape(len(rows), len(chosen)), np.asarray(counts, np.int64), tuple(chosen))
