"""What every registered measure keeps: identity, symmetry, range, legal options, a place in the documentation."""

from __future__ import annotations

import re
from inspect import getdoc
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

import ontomask as om
from ontomask._registry import MEASURES
from ontomask.cli import cli
from ontomask.errors import OntomaskError, TaxonomyError
from ontomask.semantics.measures.base import ByRule
from ontomask.taxonomy.taxonomy import Taxonomy

PAGE = (Path(__file__).parents[2] / "docs" / "measures.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `([a-z-]+)` \|(.*)$", PAGE.split("<!-- bench")[0], re.MULTILINE))


def world(n: int = 80) -> Taxonomy:
    """A DAG with labels, features and glosses for every measure."""
    rng = np.random.default_rng(11)
    edges = [(f"c{c}", f"c{p}") for c in range(1, n) for p in {*rng.integers(0, c, 2).tolist()}]
    words = [f"word{letter}" for letter in "abcdefghijklmnopqrst"]
    tax = om.Taxonomy.from_edges(edges, labels={f"c{c}": [f"c{c}", *rng.choice(words, 2)] for c in range(n)}, name="world")
    tax.glosses = {c: " ".join(rng.choice(words, 5)) for c in range(n)}
    tax.features = {c: list(rng.choice(words, 2)) for c in range(0, n, 3)}
    return tax


@pytest.fixture(scope="module")
def tax() -> Taxonomy:
    return world()


@pytest.mark.parametrize("name", list(MEASURES))
class TestEveryMeasure:
    def test_is_named_as_it_is_registered_and_says_what_it_is(self, name: str) -> None:
        measure = MEASURES.load(name)
        assert measure.name == name
        assert getdoc(measure)

    def test_identical_concepts_are_at_distance_0_and_others_in_its_range(self, name: str, tax: Taxonomy) -> None:
        measure = MEASURES.load(name)
        every = np.arange(len(tax), dtype=np.int32)
        d = measure.matrix(tax, every, every)
        assert (d.diagonal() == 0).all()
        assert not np.isnan(d).any()
        assert d.min() >= 0
        assert d.max() <= measure.bound(tax)
        assert d.max() > 0

    def test_is_symmetric_or_says_that_it_is_not(self, name: str, tax: Taxonomy) -> None:
        measure = MEASURES.load(name)
        every = np.arange(len(tax), dtype=np.int32)
        d = measure.matrix(tax, every, every)
        assert np.allclose(d, d.T, atol=1e-12, rtol=0) == measure.symmetric

    def test_matrix_and_pairs_are_the_same_distances(self, name: str, tax: Taxonomy) -> None:
        measure = MEASURES.load(name)
        rows, columns = np.asarray([3, 70, 3], np.int32), np.asarray([0, 9, 79, 3], np.int32)
        d = measure.matrix(tax, rows, columns)
        pairs = measure.pairs(tax, np.repeat(rows, 4), np.tile(columns, 3))
        assert np.allclose(pairs.reshape(3, 4), d, atol=1e-12, rtol=0)
        small = measure.matrix(tax, rows, columns, dtype=np.float32)
        assert small.dtype == np.float32
        assert np.allclose(small, d, atol=1e-6)

    def test_nothing_and_one_concept_can_be_compared(self, name: str) -> None:
        measure = MEASURES.load(name)
        none = np.zeros(0, np.int32)
        one = om.Taxonomy.from_edges([], labels={"only": ["only"]})
        one.glosses = {0: "the only concept"}
        assert measure.matrix(one, none, none).shape == (0, 0)
        assert measure.pairs(one, none, none).shape == (0,)
        assert measure.matrix(one, np.zeros(1, np.int32), np.zeros(1, np.int32)).tolist() == [[0]]

    def test_refuses_what_it_does_not_know(self, name: str, tax: Taxonomy) -> None:
        with pytest.raises(OntomaskError, match=rf"measure '{name}'") as refused:
            tax.distance("c1", "c2", measure=name, colour="red")
        assert "'colour'" in str(refused.value)
        with pytest.raises(OntomaskError, match="float64 or float32"):
            tax.distances(["c1"], measure=name, dtype=np.int64)
        with pytest.raises(OntomaskError, match="as long as"):
            tax.pairwise(["c1"], ["c2", "c3"], measure=name)

    def test_is_on_its_page_and_on_the_command_line(self, name: str) -> None:
        entry = MEASURES.entry(name)
        assert name in ROWS, f"docs/measures.md has no line for '{name}'"
        assert entry.source in ROWS[name], f"docs/measures.md does not name the source of '{name}': {entry.source}"
        runner = CliRunner()
        listed = runner.invoke(cli, ["measures"])
        assert listed.exit_code == 0
        assert re.search(rf"^{name} +{re.escape(entry.summary)}.*{re.escape(entry.source)}", listed.output, re.MULTILINE)
        told = runner.invoke(cli, ["measures", name])
        assert told.exit_code == 0
        assert entry.source in told.output


def test_the_page_names_no_measure_that_there_is_not() -> None:
    assert set(ROWS) == set(MEASURES)


@pytest.mark.parametrize("name", ["rodriguez", "xsim", "vector"])
def test_without_glosses_the_error_says_what_to_do(name: str) -> None:
    bare = om.Taxonomy.from_edges([("a", "c"), ("b", "c")])
    with pytest.raises(TaxonomyError, match=r"carries none\. Load one that does, .*logsc"):
        bare.distance("a", "b", measure=name)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("lch", {"depth": 0}),
        ("lch", {"depth": True}),
        ("resnik", {"counts": {"c1": -1}}),
        ("lin", {"counts": {}}),
        ("jcn", {"counts": {"nowhere": 1}}),
        ("rodriguez", {"weights": (1, 2)}),
    ],
)
def test_illegal_options_are_refused(name: str, options: dict[str, object], tax: Taxonomy) -> None:
    with pytest.raises(OntomaskError):
        tax.distance("c1", "c2", measure=name, **options)


def test_options_of_one_call_do_not_stay_for_the_next(tax: Taxonomy) -> None:
    counts = {f"c{c}": 1 + c % 5 for c in range(80)}
    plain = tax.distance("c5", "c60", measure="lin")
    counted = tax.distance("c5", "c60", measure="lin", counts=counts)
    assert counted != plain
    counts["c60"] = 500  # changed by the caller afterwards
    assert tax.distance("c5", "c60", measure="lin", counts=counts) != counted
    assert tax.distance("c5", "c60", measure="lin") == plain
    whole = tax.distance("c5", "c60", measure="path")
    assert tax.distance("c5", "c60", measure="path", normalised=True) == whole / (2 * (tax.max_depth - 1))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("path:normalised=true", {"normalised": True}),
        ("lch:depth=19", {"depth": 19}),
        ("rodriguez:weights=0.5/0.25/0.25", {"weights": (0.5, 0.25, 0.25)}),
        ("lin:counts=FILE", {"counts": {"c7": 4, "c60": 1}}),
    ],
)
def test_options_may_follow_a_colon(text: str, options: dict[str, object], tax: Taxonomy, tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text("concept,count\nc7,3\nc60,1\nc7,1\n", encoding="utf-8")
    every = tax.ids(range(len(tax)))
    said = tax.distances(every, every, measure=text.replace("FILE", str(tmp_path / "counts.csv")))
    np.testing.assert_array_equal(said, tax.distances(every, every, measure=text.partition(":")[0], **options))
    assert not np.array_equal(said, tax.distances(every, every, measure=text.partition(":")[0]))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("path:normalized=true", "Did you mean 'normalised'?"),
        ("path:normalised=1", "The 'normalised' parameter of path must be true or false. Got '1' instead."),
        ("lch:depth=deep", "The 'depth' parameter of lch must be an int ≥ 1."),
        ("lch:", "as 'lch:depth=…'"),
        ("logsc:depth=3", "be 'logsc' alone"),
        ("lin:counts=nowhere.csv", "It cannot be read: No such file"),
        ("rodriguez:weights=a/b", "be numbers with '/' between them"),
        ("lhc:depth=3", "There is no measure 'lhc'. Did you mean 'lch'"),
    ],
)
def test_options_after_a_colon_are_checked(text: str, said: str, tax: Taxonomy) -> None:
    with pytest.raises(OntomaskError, match=re.escape(said)):
        tax.distance("c7", "c60", measure=text)


def test_a_run_masks_evaluates_and_remembers_options(tmp_path: Path) -> None:
    table = pa.table({"pain": ["colic", "ache", "colic", "lumbago", "lumbago"], "age": [30, 31, 50, 52, 31]})
    quasi = {"pain": [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache")], "age": "number"}
    masked = om.mask(table, quasi, om.Recoding(k=2), measure="path:normalised=true", seed=1)
    assert masked.recipe.options["measure"] == "path:normalised=true"
    assert masked.evaluation.loss["distance"] <= 1.0
    assert (
        om.evaluate(table, masked.data, quasi, measure="path:normalised=true").loss["distance"]
        == masked.evaluation.loss["distance"]
    )


def test_measures_of_rules_share_one_kernel() -> None:
    assert sum(isinstance(MEASURES.load(name), ByRule) for name in MEASURES) == 10
