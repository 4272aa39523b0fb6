"""Options of measures: by name in Python, after a colon ("path:normalised=true") where a measure is named by a text."""

from __future__ import annotations

import csv
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...errors import DataError, illegal, unknown
from ...taxonomy.graph import Ints
from ...taxonomy.taxonomy import Taxonomy

if TYPE_CHECKING:
    from .base import Distances, Measure


def options_of(make: Callable[..., Any]) -> dict[str, Any]:
    """The options of a measure and what they usually are: the parameters of its function after the first."""
    return {p.name: p.default for p in list(inspect.signature(make).parameters.values())[1:]}


def check_options(name: str, options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for option in options:
        if not known:
            raise illegal("options", f"the measure '{name}'", "be none: it has no settings", option)
        if option not in known:
            raise unknown("option", option, known, of=f"of the measure '{name}'")


class Adjustable:
    """A measure whose options a text can settle."""

    name: str
    known: dict[str, Any]

    def asked(self: Any, text: str) -> WithOptions:
        """This measure with the options in "OPTION=VALUE,OPTION=VALUE"."""
        return WithOptions(self, options_from(text, self.name, self.known))


@dataclass(frozen=True, eq=False)
class WithOptions:
    """A measure some of whose options are settled."""

    measure: Measure
    settled: Mapping[str, Any]

    @property
    def name(self) -> str:
        return self.measure.name

    @property
    def symmetric(self) -> bool:
        return self.measure.symmetric

    @property
    def known(self) -> dict[str, Any]:
        return {**self.measure.known, **self.settled}

    def matrix(
        self, taxonomy: Taxonomy, rows: Ints, columns: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        return self.measure.matrix(taxonomy, rows, columns, dtype, **{**self.settled, **options})

    def pairs(
        self, taxonomy: Taxonomy, left: Ints, right: Ints, dtype: npt.DTypeLike = np.float64, **options: Any
    ) -> Distances:
        return self.measure.pairs(taxonomy, left, right, dtype, **{**self.settled, **options})

    def bound(self, taxonomy: Taxonomy, **options: Any) -> float:
        return self.measure.bound(taxonomy, **{**self.settled, **options})


def options_from(text: str, name: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """The options in "OPTION=VALUE,OPTION=VALUE" of the measure `name`; a list of numbers has "/" between them.

    >>> options_from("weights=0.5/0.25/0.25", "rodriguez", {"weights": (1 / 3, 1 / 3, 1 / 3)})
    {'weights': (0.5, 0.25, 0.25)}
    """
    found: dict[str, Any] = {}
    for part in text.split(","):
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if not known:
            raise illegal("measure", "a masking", f"be '{name}' alone, which has no options", f"{name}:{text}")
        if not equals:
            example = f"{name}:{next(iter(known))}=…"
            raise illegal("measure", "a masking", f"name an option and its value, as '{example}'", f"{name}:{text}")
        check_options(name, {option: value}, known)
        found[option] = READ[option](option, name, value)
    return found


def _flag(option: str, of: str, value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise illegal(option, of, "be true or false", value)
    return value.lower() == "true"


def _whole(option: str, of: str, value: str) -> int:
    if not value.isdigit():
        raise illegal(option, of, "be an int ≥ 1", value)
    return int(value)


def _numbers(option: str, of: str, value: str) -> tuple[float, ...]:
    try:
        return tuple(float(number) for number in value.split("/"))
    except ValueError:
        raise illegal(option, of, "be numbers with '/' between them, as 0.5/0.3/0.2", value) from None


def _counts(option: str, of: str, value: str) -> dict[str, float]:
    """Of a CSV of concept,count; a first line without a number is a header."""
    try:
        with Path(value).open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file, strict=True) if row]
    except (OSError, UnicodeError, csv.Error) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not a CSV in UTF-8"
        raise illegal(option, of, "be the path of a CSV of concept,count", value, f"It cannot be read: {why}.") from error
    found: dict[str, float] = {}
    for line, row in enumerate(rows, 1):
        try:
            concept, count = row[0], float(row[1])
        except (IndexError, ValueError):
            if line == 1:
                continue
            raise DataError(f"{value}, row {line}: a line of counts is concept,count, and its second cell a number.") from None
        found[concept] = found.get(concept, 0.0) + count
    return found


READ: Mapping[str, Callable[[str, str, str], Any]] = {
    "normalised": _flag,
    "depth": _whole,
    "weights": _numbers,
    "counts": _counts,
}
