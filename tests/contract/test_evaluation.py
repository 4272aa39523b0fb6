"""Every measure of loss and risk is documented, named as it is registered, and can be plain JSON."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from ontomask import Tuples
from ontomask._registry import LOSSES, RISKS
from ontomask.evaluation.case import Case
from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.flow import make_flow
from ontomask.semantics.spaces.flat import FlatSpace

PAGE = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `([a-z_]+)` \|(.*)$", PAGE, re.MULTILINE))


@pytest.mark.parametrize("name", [*LOSSES, *RISKS])
def test_every_measure_has_a_line_in_the_documentation(name: str) -> None:
    assert name in ROWS, f"docs/evaluation.md says nothing of '{name}'"
    registry = LOSSES if name in LOSSES else RISKS
    source = registry.entry(name).source
    assert source in ROWS[name], f"docs/evaluation.md does not name the source of '{name}': {source}"


def test_the_documentation_names_no_measure_that_there_is_not() -> None:
    assert set(ROWS) == {*LOSSES, *RISKS}


@pytest.mark.parametrize("name", [*LOSSES, *RISKS])
def test_every_measure_is_a_documented_function_of_the_case(name: str) -> None:
    measure = (LOSSES if name in LOSSES else RISKS).load(name)
    assert measure.__doc__
    space = FlatSpace("letter", ["a", "b"])
    tuples = Tuples(np.asarray([[0], [1]], np.int32), np.asarray([3, 2], np.int64), (space,))
    everything_gone = make_flow(np.arange(2), tuples.codes, tuples.counts, np.ones(2, bool))
    for flow in (everything_gone, make_flow(np.arange(2), tuples.codes, tuples.counts)):
        value = measure(Case(tuples=tuples, flow=flow))
        assert value is None or isinstance(value, (int, float, dict))


def test_one_record_can_be_evaluated() -> None:
    tuples = Tuples(np.zeros((1, 1), np.int32), np.ones(1, np.int64), (FlatSpace("letter", ["a"]),))
    found = evaluate_flow(tuples, make_flow(np.arange(1), tuples.codes, tuples.counts))
    assert found.loss["loss_percent"] == 0
    assert found.risk["srl"] == 100
