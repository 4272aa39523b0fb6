"""Every measure equals its definition on random graphs; matrices, pairs, dtypes and threads agree."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask._registry import MEASURES
from ontomask.semantics.measures import base
from ontomask.semantics.measures.items import Items, index, preorder
from ontomask.taxonomy.taxonomy import Taxonomy
from tests.strategies import edge_lists
from tests.twins_measures import GLOSS_TWINS, TWINS, World


@st.composite
def graphs(draw: st.DrawFn) -> Taxonomy:
    """DAGs with one or more roots; concepts with one to three labels, some of them shared."""
    edges = draw(edge_lists(14))
    if draw(st.booleans()):
        edges = [e for e in edges if e[1] != "c0"] + [("c0", "c99")]
    ids = list(dict.fromkeys(c for e in edges for c in e))
    words = st.lists(st.sampled_from([f"w{i}" for i in range(12)]), min_size=1, max_size=3, unique=True)
    return Taxonomy.from_edges(edges, labels={c: draw(words) for c in ids})


@settings(max_examples=40)
@given(graphs(), st.data())
def test_every_measure_equals_its_definition(tax: Taxonomy, data: st.DataObject) -> None:
    concepts = tax.ids(range(len(tax.graph)))
    rows = data.draw(st.lists(st.sampled_from(concepts), min_size=1, max_size=6))
    columns = data.draw(st.lists(st.sampled_from(concepts), min_size=1, max_size=6))
    world = World(tax)
    for name, twin in TWINS.items():
        expected = np.asarray([[twin(world, a, b) for b in columns] for a in rows])
        assert tax.distances(rows, columns, measure=name) == pytest.approx(expected, abs=1e-12), name


@settings(max_examples=20)
@given(graphs(), st.data())
def test_information_from_counts(tax: Taxonomy, data: st.DataObject) -> None:
    concepts = tax.ids(range(len(tax.graph)))
    some = st.sampled_from(concepts)
    counts = data.draw(st.dictionaries(some, st.integers(0, 9), min_size=1).filter(lambda d: any(d.values())))
    world = World(tax, counts)
    for name in ("resnik", "lin", "jcn"):
        expected = np.asarray([[TWINS[name](world, a, b) for b in concepts] for a in concepts])
        assert tax.distances(concepts, measure=name, counts=counts) == pytest.approx(expected, abs=1e-12), name


@settings(max_examples=25)
@given(graphs(), st.data())
def test_measures_of_glosses_equal_their_definitions(tax: Taxonomy, data: st.DataObject) -> None:
    words = st.lists(st.sampled_from([*"bcdefgh", "parting", "number"]), max_size=4)
    for c in range(len(tax.graph)):
        tax.glosses[c] = " ".join(data.draw(words))
        tax.features[c] = data.draw(words.map(lambda x: x[:2]))
    concepts, world = tax.ids(range(len(tax.graph))), World(tax)
    for name, twin in GLOSS_TWINS.items():
        expected = np.asarray([[twin(world, a, b) for b in concepts] for a in concepts])
        assert tax.distances(concepts, measure=name) == pytest.approx(expected, abs=1e-9), name
        left, right = [a for a in concepts for _ in concepts], concepts * len(concepts)
        assert tax.pairwise(left, right, measure=name) == pytest.approx(expected.reshape(-1), abs=1e-9), name


@settings(max_examples=20)
@given(graphs(), st.data())
def test_matrix_pairs_and_precision_agree(tax: Taxonomy, data: st.DataObject) -> None:
    n = len(tax.graph)
    numbers = st.lists(st.integers(0, n - 1), max_size=7).map(lambda x: np.asarray(x, np.int32))
    rows, columns = data.draw(numbers), data.draw(numbers)
    for name in TWINS:
        measure = MEASURES.load(name)
        whole = measure.matrix(tax, rows, columns)
        assert whole.shape == (len(rows), len(columns))
        assert whole.dtype == np.float64
        each = measure.pairs(tax, np.repeat(rows, len(columns)), np.tile(columns, len(rows)))
        assert np.array_equal(each.reshape(whole.shape), whole), name
        assert np.array_equal(measure.matrix(tax, rows, columns, dtype=np.float32), whole.astype(np.float32)), name


def random_taxonomy(n: int, parents: int) -> Taxonomy:
    rng = np.random.default_rng(4)
    return Taxonomy.from_edges([(f"c{c}", f"c{p}") for c in range(1, n) for p in {*rng.integers(0, c, parents).tolist()}])


def test_neither_threads_nor_parts_change_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    tax = random_taxonomy(300, 2)
    every = np.arange(300, dtype=np.int32)
    before = numba.get_num_threads()
    for name in TWINS:
        measure = MEASURES.load(name)
        found = []
        for threads, part in [(1, 1 << 18), (2, 1 << 18), (2, 1000), (before, 37)]:
            monkeypatch.setattr(base, "PART", part)
            numba.set_num_threads(min(threads, before))
            found.append((measure.matrix(tax, every, every), measure.pairs(tax, every, every[::-1])))
        assert all(np.array_equal(m, found[0][0]) and np.array_equal(p, found[0][1]) for m, p in found), name
    numba.set_num_threads(before)


def test_a_taxonomy_too_deep_for_the_table_of_logarithms(monkeypatch: pytest.MonkeyPatch) -> None:
    from ontomask.semantics.measures import jaccard

    tax = random_taxonomy(120, 3)
    every = tax.ids(range(120))
    tabulated = tax.distances(every)
    tax.memo.clear()
    monkeypatch.setattr(jaccard, "LARGEST_TABLE", 1)
    assert tax.distances(every) == pytest.approx(tabulated, abs=1e-15)


@settings(max_examples=25)
@given(graphs())
def test_preorder_numbers_every_concept_after_its_deepest_parent(tax: Taxonomy) -> None:
    graph = tax.graph
    place, at = preorder(tax)
    assert sorted(place.tolist()) == list(range(len(graph)))
    assert np.array_equal(at[place], np.arange(len(graph)))
    assert place[graph.root] == 0
    for c in range(len(graph)):
        deepest = [p for p in graph.parents(c) if graph.depth[p] == graph.depth[c] - 1]
        assert not deepest or place[c] > place[deepest[0]]


@settings(max_examples=25)
@given(graphs(), st.data())
def test_index_gives_the_columns_below_each_concept(tax: Taxonomy, data: st.DataObject) -> None:
    columns = np.asarray(data.draw(st.lists(st.integers(0, len(tax.graph) - 1), max_size=8, unique=True)), np.int32)
    items = Items.ancestors(tax)
    ptr, start, length, links_at, links = index(columns, items)
    world = World(tax)
    for rank, concept in enumerate(tax.ids(tax.graph.by_rank)):
        found = {}
        for r in range(ptr[rank], ptr[rank + 1]):
            for t in range(length[r]):
                found[int(start[r]) + t] = int(links[links_at[r] + t])
        expected = {j: world.up[c][concept] for j, c in enumerate(tax.ids(columns)) if concept in world.up[c]}
        assert found == expected
