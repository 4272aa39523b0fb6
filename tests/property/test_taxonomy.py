"""Graph operations equal their definitions (ALGORITHMS.md 1), written down without arrays, on random DAGs."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import ontomask as om
from ontomask.taxonomy.formats import compiled
from ontomask.taxonomy.lexicon import build_lexicon, fold
from tests.strategies import edge_lists

Edges = list[tuple[str, str]]


@st.composite
def forests(draw: st.DrawFn) -> Edges:
    """One DAG, or two side by side."""
    one = draw(edge_lists(14))
    other = draw(st.just([]) | edge_lists(6))
    return one + [(f"x{a}", f"x{b}") for a, b in other]


class Naive:
    """The definitions, over sets of names."""

    def __init__(self, edges: Edges) -> None:
        self.names = list(dict.fromkeys(name for edge in edges for name in edge))
        self.up: dict[str, set[str]] = {name: set() for name in self.names}
        for child, parent in edges:
            self.up[child].add(parent)
        roots = [name for name in self.names if not self.up[name]]
        if len(roots) > 1:
            self.names.append("*")
            self.up["*"] = set()
            for root in roots:
                self.up[root] = {"*"}

    def number(self, c: str) -> int:
        return self.names.index(c)

    def ancestors(self, c: str) -> set[str]:
        return {c}.union(*(self.ancestors(p) for p in self.up[c]))

    def depth(self, c: str) -> int:
        """Nodes on the longest path up."""
        return 1 + max((self.depth(p) for p in self.up[c]), default=0)

    def links(self, c: str, a: str) -> int:
        """Fewest links from c up to its ancestor a."""
        return 0 if c == a else 1 + min(self.links(p, a) for p in self.up[c] if a in self.ancestors(p))

    def lcs(self, concepts: set[str]) -> str:
        common = set.intersection(*(self.ancestors(c) for c in concepts))
        return min(common, key=lambda a: (-self.depth(a), sum(self.links(c, a) for c in concepts), self.number(a)))

    def descendants(self, a: str) -> set[str]:
        return {c for c in self.names if a in self.ancestors(c)}

    def minimum_hierarchy(self, concepts: set[str]) -> list[str]:
        above = set().union(*(self.ancestors(c) for c in concepts))
        between = above & self.descendants(self.lcs(concepts))
        return sorted(between, key=lambda c: (self.depth(c), self.number(c)))


@settings(max_examples=40)
@given(forests())
def test_every_concept_on_its_own(edges: Edges) -> None:
    tax, naive = om.Taxonomy.from_edges(edges), Naive(edges)
    assert tax.lexicon.ids.to_pylist() == naive.names
    assert len(tax) == len(naive.names) - ("*" in naive.names)
    assert tax.roots == ([c for c in naive.names if naive.up[c] == {"*"}] if "*" in naive.names else [tax.root])
    for c in naive.names:
        assert tax.depth(c) == naive.depth(c)
        assert set(tax.parents(c)) == naive.up[c]
        assert set(tax.children(c)) == {d for d in naive.names if c in naive.up[d]}
        above = tax.ancestors(c)
        assert (set(above), above[-1], above[0], len(above)) == (naive.ancestors(c), c, tax.root, len(set(above)))
        below = tax.descendants(c)
        assert (set(below), below[0], len(below)) == (naive.descendants(c), c, len(set(below)))
        nearness = [naive.links(d, c) for d in below]
        assert nearness == sorted(nearness)


@settings(max_examples=40)
@given(forests())
def test_links_up_are_the_fewest(edges: Edges) -> None:
    tax, naive = om.Taxonomy.from_edges(edges), Naive(edges)
    graph = tax.graph
    ancestry = graph.ancestry
    for c, name in enumerate(naive.names):
        here = slice(ancestry.ptr[c], ancestry.ptr[c + 1])
        for rank, links in zip(ancestry.ranks[here].tolist(), ancestry.links[here].tolist(), strict=True):
            assert links == naive.links(name, naive.names[int(graph.by_rank[rank])])


@settings(max_examples=40)
@given(forests(), st.data())
def test_lcs_of_two_and_of_many(edges: Edges, data: st.DataObject) -> None:
    tax, naive = om.Taxonomy.from_edges(edges), Naive(edges)
    chosen = data.draw(st.lists(st.sampled_from(naive.names), min_size=1, max_size=5))
    assert tax.lcs(*chosen) == naive.lcs(set(chosen))
    assert tax.lcs(*reversed(chosen)) == tax.lcs(*chosen)
    two = data.draw(st.lists(st.sampled_from(naive.names), min_size=2, max_size=2))
    assert tax.lcs(*two) == naive.lcs(set(two))


@settings(max_examples=40)
@given(forests(), st.data())
def test_minimum_hierarchy(edges: Edges, data: st.DataObject) -> None:
    tax, naive = om.Taxonomy.from_edges(edges), Naive(edges)
    chosen = data.draw(st.lists(st.sampled_from(naive.names), min_size=1, max_size=5))
    assert tax.minimum_hierarchy(chosen) == naive.minimum_hierarchy(set(chosen))


@settings(max_examples=25)
@given(forests())
def test_compiling_changes_nothing(edges: Edges) -> None:
    tax = om.Taxonomy.from_edges(edges)
    with tempfile.TemporaryDirectory() as folder:
        compiled.write(tax, Path(folder) / "tax.arrow")
        again = om.load_taxonomy(Path(folder) / "tax.arrow")
        assert repr(again) == repr(tax)
        for name in ("up_ptr", "up", "down_ptr", "down", "order", "depth"):
            assert getattr(again.graph, name).tolist() == getattr(tax.graph, name).tolist()
        for name in ("ids", "labels", "keys"):
            assert getattr(again.lexicon, name).equals(getattr(tax.lexicon, name))


@settings(max_examples=25)
@given(forests(), st.sampled_from(["root", "ids", "labels"]))
def test_a_taxonomy_joined_with_itself(edges: Edges, by: str) -> None:
    """Glued, it is itself again; side by side, each half is."""
    tax = om.Taxonomy.from_edges(edges, name="t")
    both = om.join_taxonomies([tax, tax], by=by)
    assert len(both) == len(tax) * (2 if by == "root" else 1)
    for c in tax.lexicon.ids.to_pylist():
        assert c == "*" or [p for p in both.parents(c) if p != both.root] == [p for p in tax.parents(c) if p != both.root]


def naive_meanings(labels: list[list[str]], stated: dict[str, list[int]]) -> dict[str, list[int]]:
    """Folded label → concepts: as the source states them, then those it names first, then the others."""
    meanings: dict[str, list[int]] = {key: list(found) for key, found in stated.items()}
    for preferred in (True, False):
        for c, row in enumerate(labels):
            for text in row[:1] if preferred else row[1:]:
                found = meanings.setdefault(fold(text), [])
                if c not in found:
                    found.append(c)
    return {key: meanings[key] for key in sorted(meanings) if key and meanings[key]}


TEXTS = st.sampled_from(["a", "A", "b", "a-b", "a b", "A_B", "", "-", "é", "É", "Ω", "ｆ", "f", "𝔸", "zz"])


@settings(max_examples=60)
@given(
    st.lists(st.lists(TEXTS, max_size=4), min_size=1, max_size=7).flatmap(
        lambda rows: st.tuples(
            st.just(rows),
            st.dictionaries(TEXTS.map(fold), st.lists(st.integers(0, len(rows) - 1), max_size=3, unique=True), max_size=3),
        )
    )
)
def test_labels_lead_to_their_concepts_in_the_order_of_senses(case: tuple[list[list[str]], dict[str, list[int]]]) -> None:
    labels, stated = case
    lexicon = build_lexicon([f"c{i}" for i in range(len(labels))], labels, stated)
    found = {key: lexicon.senses_at(i).tolist() for i, key in enumerate(lexicon.keys.to_pylist())}
    assert list(found.items()) == list(naive_meanings(labels, stated).items())
    assert [lexicon.labels_of(c) for c in range(len(labels))] == labels


@given(st.text(max_size=12))
def test_folding_is_the_same_for_ascii_as_for_any_text(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    if text.isascii():
        assert fold(text) == fold(f"{text} é").removesuffix("é").strip()  # the é takes the way of other scripts
        assert fold(text.upper()) == fold(text)
