"""Rank swapping at the edges, and that it keeps what it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import ontomask as om
from ontomask.errors import ParameterError, PromiseError
from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.flow import Tuples, make_flow
from ontomask.methods.base import make_method
from ontomask.methods.rank_swapping import RankSwapping, Variant
from ontomask.semantics.spaces.flat import FlatSpace
from ontomask.semantics.spaces.number import NumberSpace
from ontomask.semantics.spaces.taxonomy import MISSING, TaxonomySpace
from ontomask.taxonomy.taxonomy import Taxonomy

VARIANTS: tuple[Variant, ...] = ("joint", "dynamic", "static", "distributional", "unrestricted")


def grid(side: int = 8, each: int = 1) -> Tuples:
    """Two numbers that say the same: (0, 0), (1, 1) …"""
    line = np.arange(side, dtype=np.int32)
    spaces = tuple(NumberSpace(name, list(range(side))) for name in ("a", "b"))
    return Tuples(np.stack([line, line], axis=1), np.full(side, each, np.int64), spaces)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_seed_gives_the_same_release_and_another_one_another(variant: Variant) -> None:
    table = grid(40)
    flows = [RankSwapping(5, variant).mask(table, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    said = [(f.source.tolist(), f.targets[f.target].tolist()) for f in flows]
    assert said[0] == said[1] != said[2]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_constant_attribute_stays_and_missing_values_are_swapped_like_any_other(variant: Variant) -> None:
    tax = Taxonomy.from_edges(
        [("dog", "animal"), ("cat", "animal"), ("rose", "plant"), ("animal", "thing"), ("plant", "thing")]
    )
    words = TaxonomySpace("word", tax, [*tax.indices(["dog", "cat", "rose"]), MISSING])
    codes = np.asarray([[0, 0], [1, 0], [2, 0], [3, 0]], np.int32)
    table = Tuples(codes, np.asarray([3, 4, 2, 3], np.int64), (words, FlatSpace("one", ["x"])))
    flow = RankSwapping(6, variant).mask(table, np.random.default_rng(3))
    assert set(flow.targets[:, 1].tolist()) == {0}
    assert flow.count[flow.targets[flow.target, 0] == 3].sum() == 3
    assert np.array_equal(table.codes, codes)


def test_weights_say_which_attribute_stays_together() -> None:
    """With all the weight on the first attribute its values move less, the other's more."""
    rng = np.random.default_rng(5)
    codes = rng.permutation(np.unique(rng.integers(0, 30, (100, 2)), axis=0)).astype(np.int32)
    spaces = tuple(NumberSpace(name, list(range(30))) for name in ("a", "b"))
    counts = np.ones(len(codes), np.int64)
    moved = []
    for weights in (None, np.asarray([1.0, 0.0])):
        table = Tuples(codes, counts, spaces, weights)
        flow = RankSwapping(3).mask(table, np.random.default_rng(1))
        far = np.abs(table.codes[flow.source] - flow.targets[flow.target])
        moved.append((far * flow.count[:, None]).sum(axis=0) / table.n)
    assert moved[1][0] < moved[0].min() < moved[0].max() < moved[1][1]


def test_joint_keeps_the_correlation_best_and_what_is_together_already_stays() -> None:
    table = grid(60)
    kept = {}
    for variant in VARIANTS:
        flow = RankSwapping(4, variant).mask(table, np.random.default_rng(1))
        kept[variant] = evaluate_flow(table, flow).statistics["a", "b"]["correlation"]["masked"]
    assert max(kept, key=kept.__getitem__) in ("joint", "dynamic")
    assert kept["unrestricted"] < 0.5 < 0.9 < kept["joint"]
    flow = RankSwapping(4).mask(grid(each=6), np.random.default_rng(1))
    assert np.array_equal(flow.targets[flow.target], grid().codes)  # six equal records hold an interval of four
    assert flow.notes["probabilistic_k"] == 4
    assert flow.notes["class_probability"] == 0.25


def test_k_leaves_room_for_the_record_itself() -> None:
    table = grid(8)
    with pytest.raises(ParameterError, match="at most the number of records, 8, less one"):
        RankSwapping(9).mask(table, np.random.default_rng(1))
    with pytest.raises(ParameterError, match="at most the number of records, 8, less one"):
        RankSwapping(8, "dynamic").mask(table, np.random.default_rng(1))
    RankSwapping(8, "unrestricted").mask(table, np.random.default_rng(1)).check(table)
    RankSwapping(7).mask(table, np.random.default_rng(1)).check(table)


def test_the_run_says_when_weights_have_no_effect_and_when_records_are_missing() -> None:
    data = pd.DataFrame({"a": ["x", "y", "z", None, "x", "y"], "b": range(6)})
    masked = om.mask(
        data, {"a": "flat", "b": "number"}, RankSwapping(2, "static"), weights={"b": 3}, missing="suppress", seed=1
    )
    assert "Weights had no effect" in masked.about["proof"][0]
    assert "Every column of the released records holds the values it held" in masked.about["proof"][0]
    assert sorted(masked.data["a"]) == sorted(data["a"].dropna())
    masked = om.mask(data, {"a": "flat", "b": "number"}, RankSwapping(2), weights={"b": 3}, seed=1)
    assert "Weights" not in masked.about["proof"][0]
    assert "Every column holds the values it held" in masked.about["proof"][0]


def test_settings_are_checked() -> None:
    with pytest.raises(ParameterError, match="int ≥ 2"):
        RankSwapping(1)
    with pytest.raises(ParameterError, match="'joint'"):
        RankSwapping(3, "join")  # type: ignore[arg-type]
    assert make_method("rank-swapping", 5, variant="static") == RankSwapping(5, "static")
    assert not RankSwapping.promises_k
    assert RankSwapping.keeps_marginals


def test_a_flow_that_changes_a_column_is_caught() -> None:
    table = grid(4)
    flow = make_flow(np.arange(4), table.codes[[0, 0, 2, 3]], table.counts)
    with pytest.raises(PromiseError, match="'a'"):
        flow.check_marginals(table)
    gone = replace(make_flow(np.arange(4), table.codes, table.counts), target=np.asarray([-1, 1, 2, 3], np.int32))
    with pytest.raises(PromiseError):
        gone.check_marginals(table)
