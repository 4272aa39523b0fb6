"""Clustering and classification against naive twins and other people's code."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from ontomask import Taxonomy
from ontomask.evaluation import clustering
from ontomask.evaluation.case import Case, Labelled
from ontomask.evaluation.clustering import partition_distance, ward
from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.evaluation.learning import features
from ontomask.flow import Tuples, make_flow
from ontomask.semantics.spaces.number import NumberSpace
from ontomask.semantics.spaces.taxonomy import TaxonomySpace
from tests.property.test_evaluation import Masking, maskings


def entropy(parts: list[Any]) -> float:
    return -sum(c / len(parts) * math.log2(c / len(parts)) for c in Counter(parts).values())


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4)), min_size=1, max_size=8))
def test_distance_of_partitions_is_that_of_the_records(entries: list[tuple[int, int, int]]) -> None:
    left = [a for a, _, n in entries for _ in range(n)]
    right = [b for _, b, n in entries for _ in range(n)]
    both = entropy(list(zip(left, right, strict=True)))
    expected = (2 * both - entropy(left) - entropy(right)) / both if both else 0.0
    a, b, counts = zip(*entries, strict=True)
    assert partition_distance(a, b, counts) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30)
@given(st.integers(1, 9), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_weighted_ward_is_ward_of_the_records(p: int, clusters: int, seed: int) -> None:
    rng = np.random.default_rng(seed)  # distances without ties, and not Euclidean either
    d = np.triu(rng.random((p, p)), 1)
    d += d.T
    counts = rng.integers(1, 4, p)
    of = np.repeat(np.arange(p), counts)
    found = ward(d, counts, clusters)[of]
    if len(of) == 1:
        assert found.tolist() == [0]
        return
    records = squareform(d[np.ix_(of, of)])
    # scipy joins records; ours joins tuples: with p ≤ clusters equal records stay together all the same
    expected = fcluster(linkage(records, "ward"), min(clusters, p), "maxclust")
    assert partition_distance(found, expected, np.ones(len(of))) == pytest.approx(0, abs=1e-12)


@settings(max_examples=20)
@given(maskings())
def test_clustering_is_a_distance_and_0_where_nothing_changed(masking: Masking) -> None:
    t = masking.tuples
    assert 0 <= evaluate_flow(t, masking.flow).loss["clustering"] <= 1
    same = make_flow(np.arange(t.p), t.codes, t.counts)
    assert evaluate_flow(t, same, clusters=2).loss["clustering"] == 0


def test_many_tuples_are_sampled_and_the_evaluation_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ontomask.evaluation.clustering.MOST", 20)
    monkeypatch.setattr("ontomask.evaluation.evaluate.MOST", 20)
    space = NumberSpace("age", list(range(60)))
    t = Tuples(np.arange(60, dtype=np.int32)[:, None], np.full(60, 3, np.int64), (space,))
    flow = make_flow(np.arange(60), t.codes // 10 * 10, t.counts)
    evaluation = evaluate_flow(t, flow, clusters=3)
    assert evaluation.notes["clustering"] == "measured on a random sample of 20 of 180 records"
    assert evaluation.loss["clustering"] == evaluate_flow(t, flow, clusters=3).loss["clustering"]
    source, _, count = clustering._sample(flow.source, flow.target, flow.count)
    assert count.sum() == 20
    assert (count <= 3).all()
    assert len(set(source.tolist())) == len(source)


def test_models_learn_from_generalised_words_what_they_say_of_special_ones() -> None:
    tax = Taxonomy.from_edges(
        [
            *(("welder", "metalworker"), ("smith", "metalworker"), ("metalworker", "worker")),
            *(("nurse", "carer"), ("midwife", "carer"), ("carer", "worker")),
        ]
    )
    words = ["welder", "smith", "nurse", "midwife"]
    space = TaxonomySpace("job", tax, tax.indices(words))
    t = Tuples(np.arange(4, dtype=np.int32)[:, None], np.full(4, 100, np.int64), (space,))
    above = [space.concepts.tolist().index(tax.index(a)) for a in ("metalworker", "metalworker", "carer", "carer")]
    flow = make_flow(np.arange(4), np.asarray(above)[:, None], t.counts)
    data = Labelled(np.arange(4), flow.target, np.asarray([0, 0, 1, 1]), t.counts)
    found = evaluate_flow(t, flow, labelled={"pay": data}).loss["accuracy"]["pay"]
    assert found["tree"] == found["logistic"] == found["tree_original"] == 100
    assert 40 < found["majority"] < 60
    nothing = make_flow(np.arange(4), np.full((4, 1), space.top), t.counts)
    lost = evaluate_flow(t, nothing, labelled={"pay": Labelled(np.arange(4), nothing.target, data.label, t.counts)})
    assert lost.loss["accuracy"]["pay"]["tree"] < 60


def test_features_are_ancestors_and_scaled_numbers() -> None:
    tax = Taxonomy.from_edges([("welder", "worker"), ("nurse", "worker")])
    jobs, ages = TaxonomySpace("job", tax, tax.indices(["welder", "nurse"])), NumberSpace("age", [20, 60, None])
    x = features((jobs, ages), np.asarray([[0, 0], [1, 1], [2, 2], [0, ages.top]], np.int32)).toarray()
    assert x.tolist() == [[1, 0, 1, 0, 1], [0, 1, 1, 1, 1], [0, 0, 1, 0, 0], [1, 0, 1, 0, 0]]


@settings(max_examples=15)
@given(maskings(), st.integers(0, 3))
def test_accuracy_is_a_percentage_whatever_is_suppressed(masking: Masking, labels: int) -> None:
    t, flow = masking.tuples, masking.flow
    data = Labelled(flow.source, flow.target, np.arange(len(flow.source)) % (labels + 1), flow.count)
    found = Case(tuples=t, flow=flow, labelled={"x": data})
    for value in evaluate_flow(t, flow, labelled=found.labelled).loss["accuracy"]["x"].values():
        assert 0 <= value <= 100
