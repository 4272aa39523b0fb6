"""Patterns in words: what may be released in place of the records (PATTERN 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ..errors import ParameterError
from ..flow import Flow, Tuples
from ..semantics.spaces.base import ANYTHING
from .confidential import Secrets


def pattern_table(tuples: Tuples, flow: Flow, secrets: Sequence[Secrets]) -> pa.Table:
    """A column per attribute, `*` where a pattern is indifferent, the confidential columns, and `support`: its records."""
    found = flow.found
    if found is None:
        raise ParameterError("This masking has no patterns: only the method Patterns finds some. Mask with om.Patterns(k).")
    columns = {}
    for j, space in enumerate(tuples.spaces):
        said = [ANYTHING if code < 0 else space.say(int(code)) for code in found.values[:, j]]
        columns[space.name] = pa.array([None if word is None else str(word) for word in said], pa.string())
    if tuples.confidential is not None:
        for secret in secrets:  # all tuples of a class have the same values: any of them tells
            code = np.zeros(int(tuples.confidential.max()) + 1, np.int32)
            code[tuples.confidential[secret.source]] = secret.code
            words = secret.space.words(code[found.classes].tolist())
            columns[secret.name] = pa.array([None if word is None else str(word) for word in words], pa.string())
    support = "support"
    while support in columns:
        support += "_"
    return pa.table({**columns, support: pa.array(found.support)})
