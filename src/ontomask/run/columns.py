"""What a quasi-identifier's column is taken as: words of a taxonomy, numbers, dates, ordered or plain values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from .._progress import several
from ..engines.base import Source
from ..errors import DataError, did_you_mean, illegal, listed
from ..semantics.spaces.base import Floats
from ..semantics.spaces.sets import DELIMITERS
from ..taxonomy.load import BUNDLED, load_taxonomy
from ..taxonomy.taxonomy import Taxonomy

KINDS = ("flat", "number", "number:quantile", "ordinal:low<middle<high", "date", "set", "set:|:TAXONOMY")


@dataclass(frozen=True, eq=False)
class Attribute:
    """A column and how its values compare."""

    name: str
    kind: str  # "taxonomy", "flat", "number", "ordinal", "date", "set"
    spec: str  # as a recipe writes it; a taxonomy without a name of its own: "(given in Python)"
    taxonomy: Taxonomy | None = None
    range: str = "full"
    order: tuple[str, ...] = ()
    delimiter: str | None = None  # of a set that is written as one text; None: a list


def attribute(name: str, spec: Any) -> Attribute:
    """The attribute that a specification means.

    >>> attribute("pain", "ordinal:low<middle<high").order
    ('low', 'middle', 'high')
    """
    if isinstance(spec, Taxonomy):
        return Attribute(name, "taxonomy", spec.name or "(given in Python)", spec)
    if isinstance(spec, os.PathLike):
        spec = os.fspath(spec)
    if isinstance(spec, str):
        return _said(name, spec.strip())
    if isinstance(spec, tuple) and len(spec) == 2 and str(spec[0]).partition(":")[0] == "set":  # ("set:|", taxonomy)
        inner = attribute(name, spec[1])
        return replace(_set(name, str(spec[0])), spec=f"{spec[0]}:{inner.spec}", taxonomy=_taxonomy_of(inner))
    if isinstance(spec, Sequence) and all(isinstance(e, Sequence) and len(e) == 2 for e in spec) and len(spec):
        return Attribute(name, "taxonomy", "(given in Python)", Taxonomy.from_edges(spec, name=name))
    raise illegal(
        f"quasi['{name}']",
        "mask",
        "be a taxonomy, the name or path of one, a list of (child, parent) pairs, or one of " + listed(KINDS),
        type(spec).__name__,
    )


def _said(name: str, spec: str) -> Attribute:
    kind, _, rest = spec.partition(":")
    if kind in ("flat", "date") and not rest:
        return Attribute(name, kind, spec)
    if kind == "number" and rest in ("", "full", "quantile"):
        return Attribute(name, kind, spec, range=rest or "full")
    if kind == "ordinal":
        steps = tuple(step.strip() for step in rest.split("<"))
        if len(steps) < 2 or not all(steps) or len(set(steps)) < len(steps):
            raise illegal(f"quasi['{name}']", "mask", "list its steps from low to high: 'ordinal:low<middle<high'", spec)
        return Attribute(name, kind, spec, order=steps)
    if kind == "set":
        return _set(name, spec)
    near = did_you_mean(spec, (*KINDS, *BUNDLED))
    if near and spec not in BUNDLED and not os.path.exists(spec):
        raise illegal(f"quasi['{name}']", "mask", f"be a taxonomy or one of {listed(KINDS)}", spec, near.strip())
    return Attribute(name, "taxonomy", spec, load_taxonomy(spec))


def _set(name: str, spec: str) -> Attribute:
    """ "set", "set::wordnet" (a list), "set:|", "set:|:wordnet" (one text with a delimiter)."""
    _, _, rest = spec.partition(":")
    delimiter, _, words = rest.partition(":")
    delimiter = DELIMITERS.get(delimiter.strip().lower(), delimiter)
    if len(delimiter) > 1 or delimiter in ('"', "\n", "\r"):
        must = f"give one character between the items, or one of {listed(list(DELIMITERS))}: 'set:|' or 'set:|:wordnet'"
        raise illegal(f"quasi['{name}']", "mask", must, spec)
    inner = attribute(name, words) if words else None
    taxonomy = _taxonomy_of(inner) if inner else None
    return Attribute(name, "set", spec, taxonomy, delimiter=delimiter or None)


def _taxonomy_of(inner: Attribute) -> Taxonomy | None:
    """What the items of a set mean: a taxonomy, or nothing (flat)."""
    if inner.kind not in ("taxonomy", "flat"):
        raise illegal(f"quasi['{inner.name}']", "mask", "hold items that are words of a taxonomy, or flat", inner.spec)
    return inner.taxonomy


def attributes(specs: Mapping[str, Any]) -> tuple[Attribute, ...]:
    return tuple(several([partial(attribute, name, spec) for name, spec in specs.items()]))


def specs_of(columns: Mapping[str, Any] | Sequence[str] | str | None, parameter: str) -> dict[str, Any]:
    """Column → specification; columns named alone are taken as flat values."""
    if columns is None:
        return {}
    if isinstance(columns, str):
        columns = [columns]
    if isinstance(columns, Mapping):
        return {str(name): spec for name, spec in columns.items()}
    if isinstance(columns, Iterable):
        names = [str(name) for name in columns]
        doubled = [n for n in dict.fromkeys(names) if names.count(n) > 1]
        if doubled:
            raise illegal(parameter, "mask", "name each column once", doubled[0])
        return dict.fromkeys(names, "flat")
    raise illegal(parameter, "mask", "be the names of columns", type(columns).__name__)


def check_roles(names: Sequence[str], roles: Mapping[str, Sequence[str]]) -> None:
    """Every column named is there, and has one role only."""
    seen: dict[str, str] = {}
    for role, columns in roles.items():
        for column in columns:
            if column not in names:
                near = did_you_mean(column, names)
                raise DataError(f"There is no column '{column}' in the table.{near} Its columns: {listed(list(names))}.")
            if column in seen:
                raise DataError(f"The column '{column}' is named as {seen[column]} and as {role}. Choose one.")
            seen[column] = role


def by_column(overrides: Mapping[str, Any] | None, quasi: Mapping[str, Any]) -> dict[str, Any]:
    """Overrides by column, each of a column of quasi."""
    found = dict(overrides or {})
    for column in found:
        if column not in quasi:
            must = f"be {{column: {{value: concept}}}} for columns of quasi ({listed(list(quasi))})"
            raise illegal("overrides", "mask", must, column, "Name it as quasi, too, or leave its overrides out.")
    return found


def check_kinds(source: Source, columns: Sequence[Attribute]) -> None:
    """Every column holds single values, but for those that are taken as sets."""
    for a in columns:
        nested = source.column(a.name).kind == "nested"
        if nested and not (a.kind == "set" and a.delimiter is None):
            raise DataError(
                f"The column '{a.name}' does not hold single values. If they are sets, take it as one: 'set' or 'set::wordnet'."
            )
        if a.kind != "set" or a.delimiter is not None:
            continue
        if not nested:
            lists = "hold lists" if source.column(a.name).type != "object" else "hold only lists of items of one type"
            raise DataError(
                f"The column '{a.name}' does not {lists}. Make every value a list of texts; or, where it is one text with "
                "something between its items, say what: 'set:|'."
            )
        if source.column(a.name).type.startswith("JSON"):
            raise DataError(f"The column '{a.name}' holds lists with items of several types. Make every item a text.")


def weights_of(weights: Mapping[str, float] | None, columns: Sequence[Attribute]) -> Floats | None:
    """The weight of each column in the record distance; None: all alike."""
    if not weights:
        return None
    names = [a.name for a in columns]
    for name, weight in weights.items():
        if name not in names:
            near = did_you_mean(name, names).strip()
            raise illegal("weights", "mask", f"name columns of quasi ({listed(names)})", name, near)
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 < weight < float("inf"):
            raise illegal("weights", "mask", f"give '{name}' a number above 0", weight)
    return np.asarray([float(weights.get(name, 1.0)) for name in names])
