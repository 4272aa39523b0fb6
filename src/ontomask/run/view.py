"""The counted table as a method sees it, and the way back from its tuples to the values that were counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from .._progress import several
from ..engines.base import Counted
from ..flow import Tuples
from ..matching.matches import Matches
from ..methods.base import Method
from ..semantics.spaces.base import Ints
from .columns import Attribute, weights_of
from .confidential import Secrets
from .meaning import Flags, Meaning, Reading, codes_of, group, understand


@dataclass(frozen=True, eq=False)
class View:
    """The counted table as tuples. `values`: combinations as the engine finds them again; `number`: the tuple of each."""

    tuples: Tuples
    values: pa.Table
    number: Ints
    gone: Flags  # bool[p]: tuples that are not to be released
    unique: int  # combinations as written that one record has
    matches: dict[str, Matches]
    secrets: list[Secrets]


def view_of(
    counted: Counted,
    columns: Sequence[Attribute],
    secret_columns: Sequence[Attribute],
    reading: Reading,
    method: Method,
    weights: Mapping[str, float] | None,
) -> View:
    of = [partial(understand, a, counted.values.column(a.name), counted.counts, reading) for a in columns]
    both = several([*of, *(partial(_secret, a, counted, reading) for a in secret_columns)])
    meanings = both[: len(columns)]
    hidden = {a.name: m for a, m in zip(secret_columns, both[len(columns) :], strict=True)}
    keys = [m.codes for m in meanings]
    gone = np.any([m.gone for m in meanings], axis=0)
    telling = list(hidden.values()) if method.uses_confidential else []
    classes = group([m.codes for m in telling]) if telling else None
    by_tuple = group([*keys, gone.astype(np.int32), *([classes.number] if classes else [])])
    tuples = Tuples(
        codes=np.stack([key[by_tuple.first] for key in keys], axis=1).astype(np.int32),
        counts=by_tuple.add_up(counted.counts),
        spaces=tuple(m.space for m in meanings),
        weights=weights_of(weights, columns),
        confidential=classes.number[by_tuple.first] if classes else None,
    )
    names = [a.name for a in columns] + ([a.name for a in secret_columns] if telling else [])
    values, number, records = counted.values.select(names), by_tuple.number, counted.counts
    if len(names) < counted.values.num_columns:  # counted finer than the engine needs to find a tuple again
        again = group([codes_of(counted, name)[0] for name in names])
        values, number, records = values.take(pa.array(again.first)), number[again.first], again.add_up(records)
    secrets = [_of_tuples(name, m, counted, by_tuple.number) for name, m in hidden.items()]
    matches = {a.name: m.matches for a, m in zip(columns, meanings, strict=True) if m.matches is not None}
    unique = int((records == 1).sum())
    return View(tuples, values, number, gone[by_tuple.first], unique, matches, secrets)


def _secret(attribute: Attribute, counted: Counted, reading: Reading) -> Meaning:
    """A confidential column is never refused for its values: unmatched ones are concepts of their own, missing ones a value."""
    lenient = Reading(measure=reading.measure, senses=reading.senses, unmatched="own", missing="value")
    return understand(attribute, counted.values.column(attribute.name), counted.counts, lenient)


def _of_tuples(name: str, meaning: Meaning, counted: Counted, number: Ints) -> Secrets:
    codes, values = codes_of(counted, name)
    both = group([number, meaning.codes])
    code_of_value = np.zeros(len(values), np.int32)
    code_of_value[codes] = meaning.codes
    return Secrets(
        name,
        meaning.space,
        tuple(values),
        code_of_value,
        number[both.first],
        meaning.codes[both.first],
        both.add_up(counted.counts),
    )
