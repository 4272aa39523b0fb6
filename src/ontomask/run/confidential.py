"""Confidential columns: they are released as they are; what a class gives away about them is measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..engines.base import Assignment, Engine, Source
from ..evaluation.case import Confidential
from ..flow import Flow
from ..semantics.spaces.base import Ints, Longs, Space

MOST_VALUES = 1000  # distinct values of a confidential column; above, l and t say nothing
SAMPLED = 100_000  # records that are looked at to know


@dataclass(frozen=True, eq=False)
class Secrets:
    """A confidential column as counted: `count[i]` records of tuple `source[i]` hold value `code[i]` of `space`."""

    name: str
    space: Space
    values: tuple[object, ...]  # the value of each code, as the engine counts it
    codes: Ints  # the code of each of these values
    source: Ints
    code: Ints
    count: Longs


def as_released(secrets: Secrets, flow: Flow, engine: Engine, source: Source, assignment: Assignment) -> Confidential:
    """The column by class of the release. Where tuples split only the records know who went where: they are counted again."""
    if not assignment.splits:
        return Confidential.of_tuples(flow, secrets.space, secrets.source, secrets.code, secrets.count)
    table = engine.tally(source, assignment, [secrets.name])
    code = dict(zip(secrets.values, secrets.codes.tolist(), strict=True))
    return Confidential(
        secrets.space,
        np.asarray(table.column("target"), dtype=np.int32),
        np.asarray([code[v] for v in table.column(secrets.name).to_pylist()], dtype=np.int32),
        np.asarray(table.column("count"), dtype=np.int64),
    )
