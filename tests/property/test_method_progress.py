"""Every method that can take long says how far it is, and stops when nobody waits any more."""

from __future__ import annotations

import contextlib
from functools import cache
from typing import ClassVar

import numpy as np
import pytest

from ontomask import _progress
from ontomask._progress import patiently
from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.flow import Flow, Tuples
from ontomask.methods.base import make_method
from ontomask.semantics.spaces.number import NumberSpace
from ontomask.semantics.spaces.taxonomy import TaxonomySpace
from ontomask.taxonomy.taxonomy import Taxonomy

LONG = {
    "refined": {},
    "sa-mdav": {},
    "mdav": {},
    "recoding": {},
    "recoding weighted": {"weighted": True},
    "resampling": {},
    "resampling-heer": {},
    "generalisation": {},
    "rank-swapping": {},
    "rank-swapping-dynamic": {},
}
K = 5


class Recording(_progress._Work):
    """Keeps what could be read whenever something was done, so that no test depends on how often somebody looked."""

    seen: ClassVar[list[float]] = []

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name == "share" and "leave" in self.__dict__ and (now := self.now()) is not None:
            self.seen.append(now)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "EVERY", 0.0002)
    monkeypatch.setattr(_progress, "_Work", Recording)
    Recording.seen.clear()


def check(told: list[float]) -> None:
    """Shares that were told rise from 0 to 1, and kernels that count had counted in the end."""
    assert all(0 < share <= 1 for share in told)
    assert told == sorted(set(told))
    assert all(0 <= share <= 1 for share in Recording.seen)
    assert max(Recording.seen) > 0.5


@cache
def table(records: int = 12_000) -> Tuples:
    """Words of a random tree beside numbers."""
    rng = np.random.default_rng(3)
    tax = Taxonomy.from_edges([(f"c{i}", f"c{int(rng.integers(0, i))}") for i in range(1, 300)])
    words = TaxonomySpace("word", tax, np.arange(300, dtype=np.int32))
    rows = np.column_stack([rng.zipf(1.3, records) % 300, rng.integers(0, 90, records)])
    codes, counts = np.unique(rows, axis=0, return_counts=True)
    tuples = Tuples(codes.astype(np.int32), counts.astype(np.int64), (words, NumberSpace("age", list(range(90)))))
    tuples.geometry  # noqa: B018 - made once for all
    return tuples


def masked(name: str, tuples: Tuples) -> Flow:
    method = make_method(name.split()[0], K, **LONG[name])
    return method.mask(tuples, np.random.default_rng(1))


@pytest.mark.parametrize("name", LONG)
def test_the_shares_of_a_method_rise_and_its_result_is_the_same(name: str) -> None:
    shares: list[float] = []
    alone = masked(name, table())  # compiles, too
    watched = patiently(lambda: masked(name, table()), shares.append)
    check(shares)
    for part in ("source", "target", "count", "targets"):
        assert np.array_equal(getattr(alone, part), getattr(watched, part))


@pytest.mark.parametrize("name", LONG)
def test_a_method_that_nobody_waits_for_stops(name: str) -> None:
    def interrupt(share: float) -> None:
        raise KeyboardInterrupt

    masked(name, table(100))  # compiled: what is left to do is short
    with contextlib.suppress(KeyboardInterrupt):  # a quick one may be done before anybody looks
        patiently(lambda: masked(name, table()), interrupt)
    patiently(lambda: None)  # waits for what was left
    assert not _progress.abandoned()


def test_the_shares_of_an_evaluation_rise() -> None:
    shares: list[float] = []
    flow = masked("recoding", table())
    found = patiently(lambda: evaluate_flow(table(), flow, k=K), shares.append)
    check(shares)
    assert found.to_dict() == evaluate_flow(table(), flow, k=K).to_dict()
