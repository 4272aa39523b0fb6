"""Tables masked in parts: still a masking, still k-anonymous, still explained."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask.flow import Tuples
from ontomask.methods.parts import mask_in_parts, split
from ontomask.methods.recoding import Recoding
from ontomask.methods.suppression import Suppression
from ontomask.semantics.geometry import build_geometry
from ontomask.semantics.spaces.base import Space
from ontomask.semantics.spaces.part import line_up, part_of
from tests.strategies import spaces, tables


@given(spaces(), st.data())
def test_a_part_means_what_the_whole_means(space: Space, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.integers(0, space.q - 1), min_size=1, unique=True))
    part, code = part_of(space, values)
    assert code[: part.q].tolist() == values
    assert len(set(code.tolist())) == part.h == len(code)
    assert code[part.top] == space.top
    assert np.array_equal(part.distances, space.between(code, code[: part.q]))
    for c in range(part.h):
        assert code[part.ancestors(c)].tolist() == space.ancestors(int(code[c])).tolist()
        assert part.say(c) == space.say(int(code[c]))
    wanted = {a for v in values for a in space.ancestors(v).tolist()} | {space.top}
    assert set(code.tolist()) == wanted
    build_geometry([part])  # all that kernels need is there


@given(spaces())
def test_values_below_a_concept_stand_together(space: Space) -> None:
    place = line_up(space)
    assert len(set(place.tolist())) == space.q
    if hasattr(space, "low"):
        known = [v for v in np.argsort(place) if space.low[v] == space.low[v]]
        assert all(space.low[a] <= space.low[b] for a, b in pairwise(known))


@settings(max_examples=40)
@given(tables(most_tuples=20), st.integers(2, 4), st.integers(1, 6), st.none() | st.integers(1, 4))
def test_masked_in_parts(tuples: Tuples, k: int, most: int, values: int | None) -> None:
    if tuples.n < k:
        return
    parts = split(tuples, k, most_tuples=most, most_values=values)
    records = np.bincount(parts.number, weights=tuples.counts)
    assert records.min() >= k
    assert set(parts.number.tolist()) == set(range(len(parts)))
    flow = mask_in_parts(Recoding(k=k), tuples, np.random.default_rng(3), parts)
    flow.check(tuples)
    assert flow.k >= k
    again = mask_in_parts(Recoding(k=k), tuples, np.random.default_rng(3), parts)
    assert np.array_equal(flow.target, again.target)
    for s, t in zip(flow.source, flow.target, strict=True):  # recoding releases tuples of the same part
        same = (tuples.codes == flow.targets[t]).all(axis=1)
        assert parts.number[np.flatnonzero(same)[0]] == parts.number[s]


@settings(max_examples=20)
@given(tables())
def test_one_part_is_the_method_itself(tuples: Tuples) -> None:
    if tuples.n < 2:
        return
    parts = split(tuples, 2)
    assert len(parts) == 1
    inside = mask_in_parts(Recoding(k=2), tuples, np.random.default_rng(0), parts)
    plain = Recoding(k=2).mask(tuples, np.random.default_rng(0))
    assert np.array_equal(inside.targets[inside.target], plain.targets[plain.target])
    gone = mask_in_parts(Suppression(k=3), tuples, np.random.default_rng(0), parts) if tuples.n >= 3 else None
    assert gone is None or gone.suppressed == Suppression(k=3).mask(tuples, np.random.default_rng(0)).suppressed


@pytest.mark.slow
def test_processes_give_what_one_gives() -> None:
    from ontomask.semantics.spaces.number import NumberSpace
    from ontomask.semantics.spaces.taxonomy import TaxonomySpace
    from ontomask.taxonomy.taxonomy import Taxonomy

    edges = [(f"{d}{i}", f"{'abcd'[i % 4]}") for d in "abcd" for i in range(12)] + [(x, "root") for x in "abcd"]
    tax = Taxonomy.from_edges(edges)
    words = TaxonomySpace(
        "word", tax, np.asarray([i for i in range(len(tax.graph)) if tax.lexicon.id(i)[1:].isdigit()], np.int32)
    )
    ages = NumberSpace("age", list(range(30)))
    rng = np.random.default_rng(5)
    codes = np.unique(np.column_stack([rng.integers(0, words.q, 600), rng.integers(0, 30, 600)]), axis=0).astype(np.int32)
    tuples = Tuples(codes, rng.integers(1, 4, len(codes)), (words, ages))
    parts = split(tuples, 5, most_tuples=150)
    assert len(parts) >= 3
    one = mask_in_parts(Recoding(k=5), tuples, np.random.default_rng(1), parts)
    two = mask_in_parts(Recoding(k=5), tuples, np.random.default_rng(1), parts, workers=2)
    assert np.array_equal(one.source, two.source)
    assert np.array_equal(one.targets[one.target], two.targets[two.target])


def test_a_part_travels_without_the_others() -> None:
    import pickle

    import pyarrow as pa

    from ontomask._processes import each_part

    def size(shared: None, rows: pa.Table) -> pa.Table:
        return pa.table({"size": [len(pickle.dumps(rows))], "rows": [rows.num_rows]})

    rows = pa.table({"part": np.repeat(np.arange(100, dtype=np.int32), 50), "source": np.arange(5000)})
    found = pa.concat_tables(each_part(size, None, rows, pa.schema([])))
    assert found.column("rows").to_pylist() == [50] * 100
    assert max(found.column("size").to_pylist()) < 2000


def test_a_run_plans_its_memory_and_says_when_it_splits() -> None:
    import pandas as pd

    import ontomask as om
    from ontomask.run.plan import PER_TUPLE, Limits, part_bytes, plan, rows_of

    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(0, 90, 600), "size": rng.integers(100, 200, 600)})
    quasi = {"age": "number", "size": "number"}
    whole = om.mask(frame, quasi, om.Recoding(k=3), seed=1)
    assert "tuples" in whole.about["memory"]
    assert not any("split" in note for note in whole.about["notes"])
    split_run = om.mask(frame, quasi, om.Recoding(k=3), seed=1, max_tuples=150, threads=1)
    assert split_run.k >= 3
    assert any("parts of near records" in note for note in split_run.about["notes"])
    assert om.verify(split_run.data, ["age", "size"], 3).kept
    made = plan(whole._tuples, om.Recoding(k=3), Limits(memory_limit="60KB"))
    assert made.parts is not None
    assert made.needed <= 60_000 + PER_TUPLE * whole._tuples.p
    held = rows_of(made.parts)
    assert sorted(np.concatenate(held).tolist()) == list(range(whole._tuples.p))
    sizes = [part_bytes(whole._tuples, rows) for rows in held]
    assert max(sizes) * made.workers <= 60_000
    assert "at a time" in made.said
    most = max(len(np.unique(whole._tuples.codes[made.parts.number == i, 0])) for i in range(len(made.parts)))
    assert most < whole._tuples.spaces[0].q
    with pytest.raises(om.OntomaskError, match="max_tuples"):
        om.mask(frame, quasi, om.Recoding(k=3), max_tuples=0)


@given(tables(most_attributes=2), st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_bytes_of_a_part_are_those_of_its_spaces(tuples: Tuples, seed: int) -> None:
    from ontomask.run.plan import COPIES, PER_TUPLE, part_bytes
    from ontomask.semantics.geometry import table_bytes
    from ontomask.semantics.spaces.part import part_of

    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(tuples.p, rng.integers(1, tuples.p + 1), replace=False))
    spaces = [part_of(s, np.unique(tuples.codes[rows, j]))[0] for j, s in enumerate(tuples.spaces)]
    assert part_bytes(tuples, rows) == COPIES * table_bytes(spaces) + PER_TUPLE * len(rows)


def test_evaluation_of_what_does_not_fit_leaves_out_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd

    import ontomask as om
    from ontomask.evaluation import bound, case, statistics

    frame = pd.DataFrame({"age": np.random.default_rng(0).integers(0, 60, 300)})
    masked = om.mask(frame, {"age": "number"}, om.Recoding(k=3), seed=1)
    full = masked.evaluation
    monkeypatch.setattr(case, "MOST_BYTES", 10)
    monkeypatch.setattr(bound, "MOST_BYTES", 10)
    monkeypatch.setattr(statistics, "MOST_VALUES", 2)
    again = om.mask(frame, {"age": "number"}, om.Recoding(k=3), seed=1)
    assert again.evaluation.loss == full.loss
    assert "srl" not in again.evaluation.risk
    assert "variance" not in again.evaluation.statistics["age"]
    assert any("left out" in str(note) for note in again.evaluation.notes.values())
    # Nothing asks for the tables of distances: the report, too, is written without them.
    monkeypatch.setattr(Tuples, "geometry", property(lambda self: pytest.fail("distances of all values at once")))
    again.report(tmp_path / "report.html")
    assert "are not held at once" in (tmp_path / "report.html").read_text(encoding="utf-8")
