"""Semantic statistics: against their definition over pairs of records, against dcor, and at the edges."""

from __future__ import annotations

import dcor
import numpy as np
import pytest

from ontomask.errors import DataError
from ontomask.evaluation.case import Case
from ontomask.evaluation.statistics import centred, correlation, covariance, describe, mean, rmse, variance
from ontomask.flow import Tuples, make_flow
from ontomask.semantics.spaces.flat import FlatSpace
from ontomask.semantics.spaces.taxonomy import TaxonomySpace
from ontomask.taxonomy.taxonomy import Taxonomy

SYMPTOMS = [
    ("pain", "symptom"),
    ("inflammation", "symptom"),
    ("colic", "pain"),
    ("ache", "pain"),
    ("lumbago", "ache"),
    ("migraine", "ache"),
    ("appendicitis", "inflammation"),
    ("gastritis", "inflammation"),
]


def symptoms(*values: str, measure: str = "jaccard") -> TaxonomySpace:
    tax = Taxonomy.from_edges(SYMPTOMS)
    return TaxonomySpace("symptom", tax, tax.indices(values), measure=measure)


def test_numbers_are_those_of_dcor() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 12, 300), rng.integers(0, 7, 300)
    y[x > 6] = x[x > 6] // 2
    left = centred(np.abs(np.subtract.outer(np.arange(12), np.arange(12))), x)
    right = centred(np.abs(np.subtract.outer(np.arange(7), np.arange(7))), y)
    a, b = x.astype(float), y.astype(float)
    assert covariance(left, right) == pytest.approx(dcor.distance_covariance(a, b), abs=1e-9)
    assert correlation(left, right) == pytest.approx(dcor.distance_correlation(a, b), abs=1e-9)
    assert left.variance == pytest.approx(np.sqrt(dcor.distance_stats(a, a).covariance_xy ** 2), abs=1e-9)


def test_words_are_those_of_dcor() -> None:
    """dcor takes points: equality is a simplex, and any matrix can be centred and multiplied by its own functions."""
    rng = np.random.default_rng(2)
    space = symptoms("colic", "lumbago", "migraine", "gastritis", "pain")
    x, y = rng.integers(0, 5, 200), rng.integers(0, 3, 200)
    y[x < 2] = 0
    ours = covariance(centred(1 - np.eye(5), x), centred(1 - np.eye(3), y))
    assert ours == pytest.approx(dcor.distance_covariance(np.eye(5)[x] / np.sqrt(2), np.eye(3)[y] / np.sqrt(2)), abs=1e-9)
    d = space.distances[:5]
    a, b = dcor.double_centered(d[np.ix_(x, x)]), dcor.double_centered((1 - np.eye(3))[np.ix_(y, y)])
    assert covariance(centred(d, x), centred(1 - np.eye(3), y)) ** 2 == pytest.approx(dcor.mean_product(a, b), abs=1e-9)


def test_independent_attributes_have_exactly_no_correlation() -> None:
    x, y = np.repeat(np.arange(6), 5), np.tile(np.arange(5), 6)
    left = centred(np.abs(np.subtract.outer(np.arange(6), np.arange(6))) / 7, x)
    assert correlation(left, centred((1 - np.eye(5)) / 3, y)) == 0.0


def test_a_constant_attribute_has_no_variance_and_no_correlation() -> None:
    constant, other = centred([[0.0]], [0, 0, 0]), centred(1 - np.eye(3), [0, 1, 2])
    assert constant.variance == 0.0
    assert correlation(constant, other) == 0.0


def test_an_attribute_is_wholly_correlated_with_itself() -> None:
    column = centred(1 - np.eye(4), [0, 1, 2, 3, 3], [5, 1, 2, 7, 4])
    assert correlation(column, column) == pytest.approx(1.0, abs=1e-12)


def test_one_record() -> None:
    one = centred([[0.0]], [0])
    assert (one.variance, covariance(one, one), correlation(one, one)) == (0.0, 0.0, 0.0)


def test_no_records_is_refused() -> None:
    with pytest.raises(DataError, match="at least one record"):
        variance(np.zeros((0, 0)), [])
    with pytest.raises(DataError, match="at least one record"):
        mean(FlatSpace("x", ["a"]), [], [])


def test_ties_of_the_mean_go_to_the_candidate_with_most_records_then_to_the_deepest() -> None:
    space = FlatSpace("x", ["a", "b", "c"])
    assert mean(space, [0, 1, 2], [2, 3, 3]) == 1
    chain = TaxonomySpace("x", Taxonomy.from_edges([("low", "high"), ("high", "top")]), [0, 1], measure="jaccard")
    assert chain.say(mean(chain, [0, 1], [1, 1])) == "low"


def test_mean_of_masked_words_looks_beyond_the_values() -> None:
    space = symptoms("colic", "lumbago", "gastritis")
    codes = [c for c in range(space.h) if space.say(c) in ("ache", "colic")]
    assert min(codes) < space.q <= max(codes)
    assert space.say(mean(space, codes, [1 if c < space.q else 3 for c in codes])) == "ache"


def test_rmse() -> None:
    assert rmse([0.0, 0.5, 1.0], [2, 1, 1]) == pytest.approx(np.sqrt((0.25 + 1) / 4))
    assert rmse([], []) == 0.0


def test_description_of_a_masking() -> None:
    space, sex = symptoms("colic", "lumbago", "gastritis"), FlatSpace("sex", ["f", "m"])
    tuples = Tuples(np.asarray([[0, 0], [1, 0], [2, 1]], np.int32), np.asarray([4, 3, 3]), (space, sex))
    same = describe(Case(tuples=tuples, flow=make_flow(np.arange(3), tuples.codes, tuples.counts)))
    assert list(same) == ["symptom", "sex", ("symptom", "sex")]
    assert same["symptom"]["rmse"] == 0.0
    assert same["symptom"]["mean"] == {"original": "colic", "masked": "colic", "distance": 0.0}
    assert same["symptom", "sex"]["correlation"]["change"] == 0.0
    gone = make_flow(np.arange(3), tuples.codes, tuples.counts, np.asarray([False, False, True]))
    described = describe(Case(tuples=tuples, flow=gone))
    assert described["sex"]["variance"]["masked"] == pytest.approx(variance(1 - np.eye(2), [7, 3]))
    assert described["sex"]["rmse"] == pytest.approx(np.sqrt(0.3))
    empty = Tuples(np.zeros((0, 1), np.int32), np.zeros(0, np.int64), (sex,))
    assert describe(Case(tuples=empty, flow=make_flow(np.zeros(0), empty.codes, empty.counts))) == {}


def test_the_mean_of_very_many_values_is_looked_for_among_the_best_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    from ontomask.evaluation import statistics
    from ontomask.semantics.spaces.number import NumberSpace

    values = list(range(400))
    space = NumberSpace("age", values)
    counts = np.r_[np.ones(200, np.int64), np.full(200, 3)]
    exact = statistics.mean(space, np.arange(400), counts)
    monkeypatch.setattr(statistics, "MOST_WEIGHED", 1000)
    assert statistics.mean(space, np.arange(400), counts) == exact
