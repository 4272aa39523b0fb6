"""The promise of a method, held against its flow and against what will be written."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from ..engines.base import Assignment
from ..engines.frames import fitted
from ..errors import PromiseError, plural
from ..flow import Flow
from ..methods.base import Method
from ..semantics.spaces.base import Space
from .masked import spoken


def promise(flow: Flow, method: Method) -> str:
    """The proof from the flow, as a sentence; PromiseError where the promise is not kept."""
    if method.promises_k:
        if len(flow.targets) and flow.k < method.k:
            raise PromiseError(
                f"{type(method).__name__} promised classes of at least {method.k:,} records and made one of {flow.k:,}. "
                "Nothing was written. This is a bug in the method: please report it."
            )
        said = f"From the flow: the smallest class has {plural(flow.k, 'record')}, k = {method.k:,} is kept."
    else:
        said = f"{type(method).__name__} does not promise k-anonymity; the smallest class has {plural(flow.k, 'record')}."
    return f"{said} {method.says(flow)}".rstrip()


def released_words(spaces: Sequence[Space], flow: Flow, values: pa.Table) -> pa.Table:
    """What is written for each target, in the types of the columns where the words fit."""
    table = spoken(spaces, flow.targets)
    columns = [fitted(table.column(n).combine_chunks(), values.schema.field(n).type) for n in table.column_names]
    return pa.table(columns, names=table.column_names)


def check_strings(assignment: Assignment, method: Method) -> None:
    """k once more, on what is written: two targets that read alike would only make classes larger, never smaller."""
    flow, names = assignment.flow, assignment.released.column_names
    if not method.promises_k or not len(flow.targets):
        return
    text = [
        pa.array([None if v is None else repr(v) for v in c.to_pylist()]) if pa.types.is_nested(c.type) else c.cast(pa.string())
        for c in assignment.released.columns
    ]
    sizes = pa.table([*text, pa.array(flow.sizes)], names=[*(f"c{j}" for j in range(len(names))), "n"])
    least = pa.compute.min(
        sizes.group_by([f"c{j}" for j in range(len(names))]).aggregate([("n", "sum")]).column("n_sum")
    ).as_py()
    if least < method.k:
        raise PromiseError(
            f"As written, a class has {plural(least, 'record')}, fewer than k = {method.k:,}. Please report this bug."
        )
