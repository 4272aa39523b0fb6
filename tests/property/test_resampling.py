"""Resampling equals its definition, record by record, on random tables."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask.flow import Flow, Tuples
from ontomask.methods.distance import measured_by
from ontomask.methods.resampling import Resampling, Variant, share_out
from ontomask.semantics.geometry import Geometry
from tests.strategies import tables
from tests.twins_centroid import centroid, distance, records

Row = tuple[int, ...]
SETTINGS = [("mode", "equality"), ("mode", None), ("lcs", "jaccard"), ("semantic", None)]


def ordered(g: Geometry, codes: np.ndarray, counts: np.ndarray) -> list[int]:
    """The tuples of a sample's records in the order of the sorting operator."""
    table = np.repeat(np.arange(len(counts)), counts).tolist()
    rows = records(codes, counts)
    middle = centroid(g, rows)
    first = max(table, key=lambda t: (distance(g, middle, tuple(codes[t])), -t))
    return sorted(table, key=lambda t: (t != first, distance(g, tuple(codes[first]), tuple(codes[t])), t))


def twin(tuples: Tuples, method: Resampling, seed: int) -> Counter[tuple[int, Row]]:
    """How many records of each tuple become which values."""
    rng = np.random.default_rng(seed)
    g = measured_by(tuples, method.distance)

    def middle(members: list[int]) -> Row:
        return centroid(g, [tuple(tuples.codes[t]) for t in members], method.centroid)

    out: Counter[tuple[int, Row]] = Counter()
    if method.variant == "heer":
        draws = [rng.multinomial(tuples.n, tuples.counts / tuples.n) for _ in range(method.k)]
        samples = [ordered(g, tuples.codes, drawn) for drawn in draws]
        for i, t in enumerate(ordered(g, tuples.codes, tuples.counts)):
            out[t, middle([sample[i] for sample in samples])] += 1
        return out
    draws, left = share_out(tuples.counts, method.k, rng)
    samples = [ordered(g, tuples.codes, drawn) for drawn in draws]
    sets = [list(members) for members in zip(*samples, strict=True)]
    middles = [middle(members) for members in sets]
    for t in left.tolist():
        at = min(range(len(middles)), key=lambda i: (distance(g, middles[i], tuple(tuples.codes[t])), i))
        sets[at].append(t)
    for members in sets:
        for t in members:
            out[t, middle(members)] += 1
    return out


def as_counter(flow: Flow) -> Counter[tuple[int, Row]]:
    rows = [tuple(row) for row in flow.targets.tolist()]
    entries = zip(flow.source.tolist(), flow.target.tolist(), flow.count.tolist(), strict=True)
    return Counter({(s, rows[t]): w for s, t, w in entries})


@settings(max_examples=60)
@given(tables(), st.integers(2, 6), st.sampled_from(SETTINGS), st.sampled_from(["k-anonymous", "heer"]), st.integers(0, 99))
def test_equals_the_definition(tuples: Tuples, k: int, setting: tuple[str, str | None], variant: Variant, seed: int) -> None:
    k = min(k, tuples.n)
    if k < 2:
        return
    method = Resampling(k, variant, *setting)  # type: ignore[arg-type]
    flow = method.mask(tuples, np.random.default_rng(seed))
    flow.check(tuples)
    assert as_counter(flow) == twin(tuples, method, seed)
    if variant == "k-anonymous":
        assert flow.k >= k


@given(tables(), st.integers(2, 6), st.integers(0, 99))
def test_samples_share_out_the_table(tuples: Tuples, k: int, seed: int) -> None:
    samples, left = share_out(tuples.counts, k, np.random.default_rng(seed))
    assert [int(s.sum()) for s in samples] == [tuples.n // k] * k
    assert len(left) == tuples.n % k
    assert np.array_equal(sum(samples) + np.bincount(left, minlength=tuples.p), tuples.counts)


def test_only_the_k_anonymous_variant_promises_k() -> None:
    assert Resampling(5).promises_k
    assert not Resampling(5, variant="heer").promises_k


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 2.0}, "The 'k' parameter of Resampling must be an int ≥ 2. Got 2.0 instead."),
        ({"k": 2, "variant": "Heer"}, "The 'variant' parameter of Resampling must be one of .* Did you mean 'heer'"),
        (
            {"k": 2, "distance": "wu"},
            "The 'distance' parameter of Resampling must be None, 'equality' or .* 'wup'",
        ),
        ({"k": 2, "centroid": "LCS"}, "Did you mean 'lcs'"),
    ],
)
def test_illegal_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Resampling(**settings)  # type: ignore[arg-type]


def test_a_table_beyond_what_can_be_drawn_from_is_refused() -> None:
    from ontomask.semantics.spaces.flat import FlatSpace

    tuples = Tuples(np.asarray([[0]], np.int32), np.asarray([10**9]), (FlatSpace("sex", ["f"]),))
    with pytest.raises(ValueError, match="less than 1,000,000,000 records"):
        Resampling(5).mask(tuples, np.random.default_rng(0))
