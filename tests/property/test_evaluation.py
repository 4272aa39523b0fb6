"""Every measure against its naive twin, which goes over the n records one by one."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycanon import anonymity

from ontomask.evaluation.case import Case, Confidential
from ontomask.evaluation.diversity import transport
from ontomask.evaluation.evaluate import Evaluation, evaluate_flow
from ontomask.flow import Flow, Tuples, make_flow
from ontomask.semantics.spaces.base import Space
from tests.strategies import spaces, tables


@dataclass
class Masking:
    """A flow, and the same written out record by record."""

    tuples: Tuples
    flow: Flow
    before: list[tuple[int, ...]]
    after: list[tuple[int, ...] | None]  # None: suppressed


@st.composite
def maskings(draw: st.DrawFn, split: bool = True, suppress: bool = True) -> Masking:
    tuples = draw(tables(most_tuples=8, most_count=4))
    for j, space in enumerate(tuples.spaces):
        space.name = f"attribute {j}"
    source, rows, counts, gone = [], [], [], []
    for s in range(tuples.p):
        left = int(tuples.counts[s])
        while left:
            take = draw(st.integers(1, left)) if split else left
            kept = draw(st.booleans())
            row = tuples.codes[s].tolist() if kept else [draw(st.integers(0, x.h - 1)) for x in tuples.spaces]
            source.append(s)
            rows.append(row)
            counts.append(take)
            gone.append(suppress and draw(st.integers(0, 4)) == 0)
            left -= take
    flow = make_flow(np.asarray(source), np.asarray(rows), np.asarray(counts), np.asarray(gone, bool))
    flow.check(tuples)
    before, after = [], []
    for s, t, c in zip(flow.source, flow.target, flow.count, strict=True):
        for _ in range(c):
            before.append(tuple(tuples.codes[s].tolist()))
            after.append(tuple(flow.targets[t].tolist()) if t >= 0 else None)
    return Masking(tuples, flow, before, after)


def record_distance(spaces: tuple[Space, ...], outcome: tuple[int, ...], original: tuple[int, ...]) -> float:
    return sum(float(s.between([a], [b])[0, 0]) for s, a, b in zip(spaces, outcome, original, strict=True)) / len(spaces)


@given(maskings())
def test_loss_equals_its_twins(masking: Masking) -> None:
    t = masking.tuples
    n = len(masking.before)
    top = tuple(s.top for s in t.spaces)
    after = [top if a is None else a for a in masking.after]
    got = evaluate_flow(t, masking.flow).loss
    far = [record_distance(t.spaces, a, b) for a, b in zip(after, masking.before, strict=True)]
    assert got["distance"] == pytest.approx(sum(far) / n, abs=1e-12)
    assert got["similarity"] == pytest.approx(1 - sum(far) / n, abs=1e-12)
    assert got["sse"] == pytest.approx(sum(d * d for d in far), abs=1e-12)
    for j, space in enumerate(t.spaces):
        squares = [float(space.between([a[j]], [b[j]])[0, 0]) ** 2 for a, b in zip(after, masking.before, strict=True)]
        assert got["rmse"][space.name] == pytest.approx(math.sqrt(sum(squares) / n), abs=1e-12)
    sizes = Counter(masking.after)
    assert got["dm"] == sum(g * g for g in sizes.values())
    f, masked = Counter(masking.before), Counter(after)
    kl = sum(f[x] / n * math.log(f[x] / n / max(masked[x] / n, 1 / (2 * n))) for x in f)
    assert got["kl"] == pytest.approx(kl, abs=1e-12)
    assert got["suppressed"] == masking.after.count(None)
    moved = [a is None or a != b for a, b in zip(masking.after, masking.before, strict=True)]
    assert got["changed"] == pytest.approx(100 * sum(moved) / n)


@given(maskings(), st.integers(2, 6))
def test_risk_equals_its_twins(masking: Masking, k: int) -> None:
    t, n = masking.tuples, len(masking.before)
    got = evaluate_flow(t, masking.flow, k=k).risk
    released = [a for a in masking.after if a is not None]
    sizes = Counter(released)
    assert got["k"] == min(sizes.values(), default=0)
    assert got["classes"] == len(sizes)
    below = sum(1 for a in released if sizes[a] < k)
    assert got["records_below_k"] == below
    assert got["share_below_k"] == pytest.approx(100 * below / max(1, len(released)))
    assert got["prosecutor_max"] == max((1 / sizes[a] for a in released), default=0)
    assert got["prosecutor_mean"] == pytest.approx(sum(1 / sizes[a] for a in released) / max(1, len(released)))
    found = 0.0
    for i, masked in enumerate(masking.after):  # FUSION 14-15
        equal = [o for o, original in enumerate(masking.before) if masked is not None and original == masked]
        if i in equal:
            found += 1 / len(equal)
    assert got["mrl"] == pytest.approx(100 * found / n)


@given(maskings())
def test_semantic_linkage_equals_its_twin(masking: Masking) -> None:
    t, n = masking.tuples, len(masking.before)
    tables = [t.geometry.table(j) for j in range(t.m)]

    def far(masked: tuple[int, ...], original: tuple[int, ...]) -> int:
        return sum(int(table[a, b]) for table, a, b in zip(tables, masked, original, strict=True))

    found = 0.0
    for i, original in enumerate(masking.before):  # THESIS 8.1-8.4
        distance = {j: far(a, original) for j, a in enumerate(masking.after) if a is not None}
        nearest = [j for j, d in distance.items() if d == min(distance.values())]
        if i in nearest:
            found += 1 / len(nearest)
    assert evaluate_flow(t, masking.flow).risk["srl"] == pytest.approx(100 * found / n)


@given(maskings())
def test_sst_is_least_among_all_candidates_of_the_table(masking: Masking) -> None:
    t = masking.tuples
    case = Case(tuples=t, flow=masking.flow)
    for j, space in enumerate(t.spaces):
        sums = space.distances @ np.bincount(t.codes[:, j], weights=t.counts, minlength=space.q)
        assert sums[case.middle[j]] <= sums[: space.q].min() + 1e-9
    middle = tuple(case.middle.tolist())
    sst = sum(record_distance(t.spaces, middle, b) ** 2 for b in masking.before)
    loss = evaluate_flow(t, masking.flow).loss
    assert loss["sst"] == pytest.approx(sst, abs=1e-12)
    if sst and loss["sse"]:
        assert loss["loss_percent"] == pytest.approx(100 * loss["sse"] / sst)


# --- confidential columns -------------------------------------------------------------------------------------------


@st.composite
def with_confidential(draw: st.DrawFn) -> tuple[Masking, Confidential, list[int]]:
    masking = draw(maskings(suppress=draw(st.booleans())))
    space = draw(spaces())
    secret = [draw(st.integers(0, space.q - 1)) for _ in masking.before]
    number = {tuple(row.tolist()): i for i, row in enumerate(masking.flow.targets)}
    target = [-1 if a is None else number[a] for a in masking.after]
    cells = Counter(zip(target, secret, strict=True))
    rows = np.asarray([[t, c, w] for (t, c), w in cells.items()])
    column = Confidential(space, rows[:, 0].astype(np.int32), rows[:, 1].astype(np.int32), rows[:, 2])
    return masking, column, secret


@given(with_confidential())
def test_l_and_t_equal_pycanon_and_the_transport_of_each_class(made: tuple[Masking, Confidential, list[int]]) -> None:
    masking, column, secret = made
    risk = evaluate_flow(masking.tuples, masking.flow, confidential={"secret": column}).risk
    shown = [(str(a), f"value {s:03}") for a, s in zip(masking.after, secret, strict=True) if a is not None]
    if not shown:
        assert risk["l_distinct"]["secret"] == risk["t_equal"]["secret"] == 0
        return
    table = pd.DataFrame(shown, columns=["quasi", "secret"]).astype(object)
    assert risk["k"] == anonymity.k_anonymity(table, ["quasi"])
    assert risk["l_distinct"]["secret"] == anonymity.l_diversity(table, ["quasi"], ["secret"])
    entropies = []
    whole = table.secret.value_counts(normalize=True)
    far, worst = column.space.distances[: column.space.q], 0.0
    for _, rows in table.groupby("quasi"):
        share = rows.secret.value_counts(normalize=True)
        entropies.append(math.exp(-sum(x * math.log(x) for x in share)))
        have = np.zeros(column.space.q)
        want = np.zeros(column.space.q)
        have[[int(name[-3:]) for name in share.index]] = share
        want[[int(name[-3:]) for name in whole.index]] = whole
        worst = max(worst, transport(have, want, far))
    assert risk["l_entropy"]["secret"] == pytest.approx(min(entropies))
    assert int(min(entropies) + 1e-9) - anonymity.entropy_l_diversity(table, ["quasi"], ["secret"]) in (0, 1)  # it truncates
    assert risk["t_semantic"]["secret"] == pytest.approx(worst, abs=1e-7)
    assert risk["t_equal"]["secret"] == pytest.approx(anonymity.t_closeness(table.astype("string"), ["quasi"], ["secret"]))


def test_transport_is_the_earth_movers_distance() -> None:
    line = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    assert transport(np.asarray([1.0, 0, 0]), np.asarray([0, 0.5, 0.5]), line) == pytest.approx(1.5)
    assert transport(np.asarray([0.5, 0.5, 0]), np.asarray([0, 0.5, 0.5]), line) == pytest.approx(1.0)


@given(maskings(split=False))
def test_confidential_counts_of_tuples_follow_the_flow(masking: Masking) -> None:
    t, flow = masking.tuples, masking.flow
    space = t.spaces[0]
    column = Confidential.of_tuples(flow, space, np.arange(t.p, dtype=np.int32), t.codes[:, 0], t.counts)
    assert column.target.tolist() == flow.target.tolist()


# --- the whole ------------------------------------------------------------------------------------------------------


@given(maskings())
def test_evaluation_is_plain_json_and_says_itself(masking: Masking) -> None:
    import json

    evaluation = evaluate_flow(masking.tuples, masking.flow, alpha=0.25)
    assert isinstance(evaluation, Evaluation)
    told: dict[str, Any] = json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))
    assert told["records"] == len(masking.before)
    assert set(told) >= {"loss", "risk", "statistics"}
    assert "srl" in repr(evaluation)
    score = 0.25 * evaluation.loss["loss_percent"] + 0.75 * evaluation.risk["srl"]
    assert evaluation.risk["score"] == pytest.approx(score)
    assert evaluation.score(0.25) == pytest.approx(score)
