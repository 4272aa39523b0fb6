"""Microaggregation of sets equals its definition; what it releases is what it says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask.flow import Tuples
from ontomask.methods.sets import SetMicroaggregation, _clusters
from ontomask.semantics import rulers
from ontomask.semantics.rulers import DISTANCES, RecordRuler, SetRuler
from ontomask.semantics.spaces import sets as sets_space
from ontomask.semantics.spaces.base import Space
from ontomask.semantics.spaces.flat import FlatSpace
from ontomask.semantics.spaces.sets import SetSpace, joined, split
from ontomask.semantics.spaces.taxonomy import TaxonomySpace
from ontomask.taxonomy.taxonomy import Taxonomy

from ..strategies import line_spaces, taxonomies

ONE = 1 << 24
NAMES = sorted(DISTANCES)


@st.composite
def tables_of_sets(draw: st.DrawFn, most_tuples: int = 9) -> Tuples:
    """A set attribute over words or plain items, now and then with an ordinary one beside it."""
    if draw(st.booleans()):
        tax = draw(taxonomies(14))
        inner: Space = TaxonomySpace("word", tax, np.arange(len(tax.graph)), measure="jaccard")
    else:
        inner = FlatSpace("item", [f"i{x}" for x in range(draw(st.integers(1, 8)))])
    item = st.integers(0, inner.q - 1)
    sets = draw(st.lists(st.frozensets(item, max_size=5), min_size=1, max_size=most_tuples, unique=True))
    terms = [[f"t{c}.{i}" for i in range(1 + c % 3)] for c in range(inner.q)]
    space = SetSpace("set", [sorted(s) for s in sets], inner, terms)
    spaces: tuple[Space, ...] = (space,)
    rows = [(c,) for c in range(space.q)]
    if draw(st.booleans()):
        line = draw(line_spaces())
        spaces = (space, line)
        rows = draw(st.lists(st.tuples(st.integers(0, space.q - 1), st.integers(0, line.q - 1)), min_size=1, unique=True))
    counts = draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    weights = draw(st.sampled_from([None, np.asarray([3.0, 1.0][: len(spaces)])]))
    return Tuples(np.asarray(rows, np.int32), np.asarray(counts, np.int64), spaces, weights)


def naive_distance(space: SetSpace, a: int, b: int, name: str, semantic: bool) -> float:
    """SETS eq. 2-6 and 9; empty sets as SetSpace says."""
    one, other = space.set_of(a).tolist(), space.set_of(b).tolist()
    if not one or not other:
        return float(len(one) != len(other))
    d = space.inner.between(one, other) if semantic else np.asarray([[float(x != y) for y in other] for x in one])
    if name == "average":
        return float(d.mean())
    if name in ("min", "max"):
        return float(d.min() if name == "min" else d.max())
    least = [d.min(axis=axis) if name == "minsum" else d.max(axis=axis) for axis in (0, 1)]
    return float((least[0].sum() + least[1].sum()) / (len(one) + len(other)))


@given(tables_of_sets(), st.sampled_from(NAMES), st.booleans())
@settings(max_examples=40)
def test_distances_and_sums_equal_the_definition(table: Tuples, name: str, semantic: bool) -> None:
    space = table.spaces[0]
    assert isinstance(space, SetSpace)
    ruler = SetRuler(space, table.codes[:, 0].astype(np.int64), table.counts, name, semantic)
    to = np.arange(table.p)
    naive = np.asarray([[naive_distance(space, a, b, name, semantic) for b in table.codes[:, 0]] for a in table.codes[:, 0]])
    found = np.stack([ruler.reach(t, to) for t in to])
    assert found / ONE == pytest.approx(naive, abs=1e-6)
    rest = table.counts.copy()
    rest[0] -= 1
    ruler.lose(0, 1)
    assert ruler.sums(to) / ONE == pytest.approx(naive @ rest, abs=1e-4)
    if name == "average" and semantic:
        codes = table.codes[:, 0]
        assert space.between(codes, codes) == pytest.approx(naive)
        assert space.along(codes, codes[::-1]) == pytest.approx(np.diagonal(naive[:, ::-1]))


def ruler_of(table: Tuples, name: str, semantic: bool) -> RecordRuler:
    return RecordRuler(table.spaces, table.codes, table.counts, table.weights, name, semantic)


def naive_clusters(ruler: RecordRuler, table: Tuples, k: int) -> list[Counter[int]]:
    """MDAV over a list of records."""
    records = [t for t in range(table.p) for _ in range(table.counts[t])]
    d = np.stack([ruler.reach(t, np.arange(table.p)) for t in range(table.p)])
    found = []

    def farthest(t: int) -> int:
        return max(records, key=lambda o: (d[t, o], -o))

    def cluster(seed: int) -> None:
        near = sorted(records, key=lambda o: (d[seed, o], o))[: k - 1]
        for t in near:
            records.remove(t)
        found.append(Counter([seed, *near]))

    while len(records) >= 2 * k:
        both = len(records) >= 3 * k
        held = np.bincount(records, minlength=table.p)
        sums = ruler.sums(np.arange(table.p))
        middle = min(records, key=lambda t: (sums[t], t))
        assert d[middle] @ held == pytest.approx(min(d[t] @ held for t in records), abs=ONE)
        r = farthest(middle)
        records.remove(r)
        if both:
            s = farthest(r)
            records.remove(s)
        cluster(r)
        if both:
            cluster(s)
        for c in found[-1 - both :]:
            for t, amount in c.items():
                ruler.lose(t, amount)
    found.append(Counter(records))
    return found


@given(tables_of_sets(), st.sampled_from(NAMES), st.booleans(), st.integers(2, 4))
@settings(max_examples=40)
def test_clusters_equal_the_definition(table: Tuples, name: str, semantic: bool, k: int) -> None:
    if table.n < k:
        return
    source, cluster, records = _clusters(ruler_of(table, name, semantic), table, k)
    naive = naive_clusters(ruler_of(table, name, semantic), table, k)
    found = [Counter() for _ in naive]  # type: list[Counter[int]]
    for t, c, amount in zip(source.tolist(), cluster.tolist(), records.tolist(), strict=True):
        found[c][t] += amount
    assert found == naive
    assert cluster.max() + 1 == len(naive)
    assert all(k <= c.total() < 2 * k for c in found)


@given(tables_of_sets(), st.sampled_from(NAMES), st.booleans(), st.integers(2, 4), st.integers(0, 99))
@settings(max_examples=30)
def test_every_released_set_is_shared_and_says_what_a_centroid_means(
    table: Tuples, name: str, semantic: bool, k: int, seed: int
) -> None:
    if table.n < k:
        return
    space = table.spaces[0]
    assert isinstance(space, SetSpace)
    assert space.terms is not None
    flow = SetMicroaggregation(k, name, semantic).mask(table, np.random.default_rng(seed))  # type: ignore[arg-type]
    flow.check(table)
    written = Counter()  # type: Counter[tuple[object, ...]]
    for target, size in zip(flow.targets, flow.sizes, strict=True):
        written[tuple(str(s.say(int(c))) for s, c in zip(table.spaces, target, strict=True))] += int(size)
        assert target.tolist() in table.codes.tolist()
        words = space.say(int(target[0])) or []
        assert sorted(int(w[1:].split(".")[0]) for w in words) == space.set_of(int(target[0])).tolist()
        assert all(w in space.terms[int(w[1:].split(".")[0])] for w in words)
    assert min(written.values()) >= k


def test_words_are_drawn_evenly() -> None:
    space = SetSpace("set", [[0, 1]], FlatSpace("item", ["a", "b"]), [["a1", "a2", "a3"], ["b"]])
    seen: Counter[str] = Counter()
    rng = np.random.default_rng(1)
    for _ in range(3000):
        space.draw_terms([0], rng)
        first, second = space.say(0)
        assert second == "b"
        seen[first] += 1
    assert set(seen) == {"a1", "a2", "a3"}
    assert max(abs(n - 1000) for n in seen.values()) < 120  # 4.6 standard deviations


def test_the_example_of_the_source() -> None:
    """SETS 3.1.1: {swimming, mediterranean} and {windsurfing, mediterranean} are .25 apart by minsum."""
    edges = [("swimming", "water sports"), ("windsurfing", "water sports"), ("water sports", "sports")]
    tax = Taxonomy.from_edges([*edges, ("mediterranean", "sports")])
    inner = TaxonomySpace("place", tax, tax.indices(["swimming", "windsurfing", "mediterranean"]), measure="jaccard")
    space = SetSpace("set", [[0, 2], [1, 2]], inner)
    ruler = SetRuler(space, np.arange(2), np.ones(2, np.int64), "minsum", True)
    assert ruler.reach(0, np.arange(2))[1] / ONE == 0.25


@given(st.lists(st.text("ab|\"' ,", min_size=1, max_size=6).filter(lambda s: s == s.strip()), max_size=5))
def test_items_survive_being_written_as_one_text(items: list[str]) -> None:
    kept = [i for i in items if i]
    assert split(joined(kept, "|"), "|") == kept


@given(tables_of_sets())
@settings(max_examples=25)
def test_large_sets_are_reckoned_as_small_ones(table: Tuples) -> None:
    """Where distances of concepts are not kept, and what large sets sum up to is remembered, nothing else comes out."""
    before = SetMicroaggregation(2).mask(table, np.random.default_rng(0)) if table.n >= 2 else None
    rows = np.arange(table.spaces[0].h)
    apart = table.spaces[0].between(rows, rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rulers, "MOST_CONCEPTS", 0)
        patch.setattr(rulers, "LARGE", 2)
        patch.setattr(sets_space, "TOGETHER", 1)
        again = _fresh(table)
        if before is not None:
            for _ in range(2):  # the second time from memory
                after = SetMicroaggregation(2).mask(again, np.random.default_rng(0))
                assert np.array_equal(after.source, before.source)
                assert np.array_equal(after.target, before.target)
                assert np.array_equal(after.targets, before.targets)
        for _ in range(2):
            assert np.allclose(again.spaces[0].between(rows, rows), apart, rtol=0, atol=1e-12)


def _fresh(table: Tuples) -> Tuples:
    """The same table; its sets have remembered nothing."""
    space = table.spaces[0]
    assert isinstance(space, SetSpace)
    sets = [space.set_of(c).tolist() for c in range(space.q)]
    copy = SetSpace(space.name, sets, space.inner, space.terms, space.delimiter)
    return Tuples(table.codes, table.counts, (copy, *table.spaces[1:]), table.weights)
