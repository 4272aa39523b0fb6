"""Whatever its name, a method keeps what every method promises.

The suite runs over all registered names, so a method that is registered and missing, undocumented or unlisted fails here.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ontomask._registry import METHODS
from ontomask.flow import Flow, Tuples
from ontomask.methods.base import Method, make_method
from ontomask.semantics.spaces.base import Space
from ontomask.semantics.spaces.date import DateSpace
from ontomask.semantics.spaces.flat import FlatSpace
from ontomask.semantics.spaces.number import NumberSpace
from ontomask.semantics.spaces.ordinal import OrdinalSpace
from ontomask.semantics.spaces.taxonomy import MISSING, TaxonomySpace
from ontomask.taxonomy.taxonomy import Taxonomy

NAMES = list(METHODS)
DOCS = Path(__file__).parents[2] / "docs" / "methods"


@cache
def sports() -> Taxonomy:
    edges = [("water sport", "sport"), ("ball game", "sport"), ("sailing", "water sport"), ("surfing", "water sport")]
    edges += [("windsurfing", "surfing"), ("windsurfing", "sailing"), ("tennis", "ball game"), ("golf", "ball game")]
    return Taxonomy.from_edges(edges)


def words(*concepts: str | None) -> TaxonomySpace:
    tax = sports()
    return TaxonomySpace("sport", tax, [MISSING if c is None else tax.index(c) for c in concepts])


def of_kind(kind: str) -> Space:
    """Six values of each kind, one of them missing."""
    if kind == "taxonomy":
        return words("sailing", "tennis", None, "windsurfing", "golf", "sport")
    if kind == "number":
        return NumberSpace("age", [20, 35, None, 21, 90, 50])
    if kind == "ordinal":
        steps = ["none", "low", "middle", "high", "top"]
        return OrdinalSpace("step", ["low", "high", None, "none", "top", "middle"], steps)
    if kind == "date":
        return DateSpace("day", ["2010-01-01", "2010-03-01", None, "2011-01-01", "2010-02-01", "2012-01-01"])
    return FlatSpace("sex", ["f", "m", None, "d", "x", "y"])


KINDS = ("taxonomy", "number", "ordinal", "date", "flat")


def table(*kinds: str, seed: int = 1, p: int = 30, most: int = 4, weights: list[float] | None = None) -> Tuples:
    """Random distinct tuples over attributes of these kinds; two confidential classes."""
    rng = np.random.default_rng(seed)
    spaces = tuple(of_kind(kind) for kind in kinds)
    rows = rng.integers(0, 6, (p, len(kinds)))
    _, first = np.unique(rows, axis=0, return_index=True)
    codes = rows[np.sort(first)].astype(np.int32)
    counts = rng.integers(1, most + 1, len(codes))
    return with_classes(Tuples(codes, counts, spaces, None if weights is None else np.asarray(weights)))


def with_classes(tuples: Tuples) -> Tuples:
    """Every second tuple belongs to the second confidential class."""
    return Tuples(tuples.codes, tuples.counts, tuples.spaces, tuples.weights, (np.arange(tuples.p) % 2).astype(np.int32))


def run(method: Method, tuples: Tuples, seed: int = 7) -> Flow:
    """Mask, and hold the result against what holds for every method."""
    before = tuples.codes.copy(), tuples.counts.copy(), None if tuples.weights is None else tuples.weights.copy()
    flow = method.mask(tuples, np.random.default_rng(seed))
    assert np.array_equal(tuples.codes, before[0]), "the input was touched"
    assert np.array_equal(tuples.counts, before[1]), "the input was touched"
    assert tuples.weights is None or np.array_equal(tuples.weights, before[2]), "the input was touched"
    flow.check(tuples)
    assert [a.dtype for a in (flow.source, flow.target, flow.count, flow.targets)] == [np.int32, np.int32, np.int64, np.int32]
    assert flow.targets.shape == (len(flow.targets), tuples.m)
    pairs = list(zip(flow.source.tolist(), flow.target.tolist(), strict=True))
    assert pairs == sorted(set(pairs)), "not sorted, or an entry stands twice"
    assert set(flow.target.tolist()) - {-1} == set(range(len(flow.targets))), "a target that nothing goes to"
    assert len(np.unique(flow.targets, axis=0)) == len(flow.targets), "two targets are equal"
    for j, space in enumerate(tuples.spaces):
        assert ((flow.targets[:, j] >= 0) & (flow.targets[:, j] < space.h)).all()
    if method.promises_k and len(flow.targets):
        assert flow.k >= method.k
    if method.keeps_marginals:
        for j in range(tuples.m):
            was = np.bincount(tuples.codes[:, j], weights=tuples.counts, minlength=tuples.spaces[j].h)
            became = np.bincount(flow.targets[:, j], weights=flow.sizes, minlength=tuples.spaces[j].h)
            assert np.array_equal(was, became)
    return flow


def same(one: Flow, other: Flow) -> bool:
    arrays = ("source", "target", "count", "targets")
    return all(np.array_equal(getattr(one, a), getattr(other, a)) for a in arrays) and one.notes == other.notes


@pytest.mark.parametrize("name", NAMES)
class TestEveryMethod:
    @pytest.mark.parametrize("kinds", [*((kind,) for kind in KINDS), KINDS, ("taxonomy", "taxonomy")], ids="-".join)
    def test_any_kind_of_attribute(self, name: str, kinds: tuple[str, ...]) -> None:
        run(make_method(name, 3), table(*kinds))

    def test_same_seed_same_result(self, name: str) -> None:
        tuples = table("taxonomy", "number", "flat")
        assert same(run(make_method(name, 3), tuples), run(make_method(name, 3), tuples))

    def test_a_seed_does_not_depend_on_what_ran_before(self, name: str) -> None:
        """A method draws from its own generator only."""
        tuples = table("taxonomy", "flat")
        first = run(make_method(name, 3), tuples)
        np.random.default_rng().random(5)
        run(make_method(name, 2), table("number", seed=4))
        assert same(first, run(make_method(name, 3), tuples))

    @pytest.mark.parametrize("k", [2, 5, 17])
    def test_many_k(self, name: str, k: int) -> None:
        run(make_method(name, k), table("taxonomy", "ordinal", p=60))

    def test_weights(self, name: str) -> None:
        tuples = table("taxonomy", "number", weights=[1.0, 0.25])
        run(make_method(name, 3), tuples)

    def test_many_attributes(self, name: str) -> None:
        run(make_method(name, 2), table(*(2 * KINDS), p=20))

    def test_all_equal(self, name: str) -> None:
        tuples = with_classes(Tuples(np.zeros((1, 2), np.int32), np.asarray([9]), (words("golf"), FlatSpace("sex", ["f"]))))
        flow = run(make_method(name, 3), tuples)
        assert flow.targets.tolist() == [[0, 0]], "nobody can be told apart, so nothing has to change"
        assert flow.suppressed == 0

    def test_k_of_all_records(self, name: str) -> None:
        """Rank swapping leaves a record out of its own interval, so there one less is the end."""
        tuples = table("taxonomy", p=8)
        run(make_method(name, tuples.n if METHODS.load(name).promises_k else tuples.n - 1), tuples)

    def test_all_missing(self, name: str) -> None:
        tuples = with_classes(Tuples(np.zeros((1, 1), np.int32), np.asarray([4]), (words(None),)))
        assert run(make_method(name, 2), tuples).targets.tolist() == [[0]]

    def test_one_record(self, name: str) -> None:
        tuples = with_classes(Tuples(np.zeros((1, 1), np.int32), np.asarray([1]), (words("golf"),)))
        with pytest.raises(ValueError, match=r"The 'k' parameter of \w+ must be at most the number of records, 1\. Got 2"):
            make_method(name, 2).mask(tuples, np.random.default_rng(0))

    def test_k_beyond_the_table(self, name: str) -> None:
        tuples = table("taxonomy")
        said = r"at most the number of records, [0-9,]+(, less one: [^.]+)?\. Got \d+ instead\. Choose a smaller k"
        with pytest.raises(ValueError, match=said):
            make_method(name, tuples.n + 1).mask(tuples, np.random.default_rng(0))

    def test_empty_table(self, name: str) -> None:
        empty = Tuples(np.zeros((0, 1), np.int32), np.zeros(0, np.int64), (words(),), None, np.zeros(0, np.int32))
        with pytest.raises(ValueError, match="at most the number of records, 0"):
            make_method(name, 2).mask(empty, np.random.default_rng(0))

    @pytest.mark.parametrize("k", [1, 0, -5, 2.5, "5", True, None])
    def test_illegal_k(self, name: str, k: object) -> None:
        with pytest.raises(ValueError, match=r"The 'k' parameter of \w+ must be an int ≥ 2\. Got .* instead\. k = 5"):
            make_method(name, k)  # type: ignore[arg-type]

    def test_unknown_settings_are_refused(self, name: str) -> None:
        with pytest.raises(ValueError, match=f"There is no setting 'kk' of the method '{name}'"):
            make_method(name, 2, kk=3)

    def test_settings_make_the_method_again(self, name: str) -> None:
        method = make_method(name, 4)
        assert type(method)(**method.settings()) == method
        with pytest.raises(AttributeError):
            method.k = 1  # frozen

    def test_the_command_line_lists_it_and_tells_its_settings(self, name: str) -> None:
        from click.testing import CliRunner

        from ontomask.cli import cli

        listed = CliRunner().invoke(cli, ["methods"]).output
        assert any(line.split()[0] == name for line in listed.splitlines())
        told = CliRunner().invoke(cli, ["methods", name]).output
        assert all(f"  {setting}" in told for setting in make_method(name, 2).settings())

    def test_says_what_it_does(self, name: str) -> None:
        """One page per method, which names it, shows it in Python and says what it promises."""
        cls = METHODS.load(name)
        assert cls.__doc__
        assert METHODS.entry(name).summary
        pages = {page.stem: page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")}
        own = [stem for stem, text in pages.items() if f"`{name}`" in text and cls.__name__ in text]
        assert own, f"no page in docs/methods names `{name}` and {cls.__name__}"
        assert any(">>>" in pages[stem] and "## What it promises" in pages[stem] for stem in own)
