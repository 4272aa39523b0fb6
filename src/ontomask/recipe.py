"""One TOML file = one run.

    [input]
    path = "visitors.csv"

    [output]
    path = "masked.csv"
    report = "report.html"

    [quasi]
    reason = "wordnet"
    age = "number"

    [method]
    name = "sa-mdav"
    k = 5

    [options]
    drop = ["id"]
    seed = 7

A file of another shape says so in [input]: `long = ["user", "query"]` for one item per row, `baskets = ","` for one set a line.
Unknown keys are refused. A recipe with a seed is private, like the seed: with both, a masking can be repeated.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._registry import METHODS
from .engines.baskets import gathered
from .errors import DataError, ParameterError, did_you_mean, illegal, listed, unknown
from .methods.base import Method, make_method

# What each section may hold, and the TOML type of each: for [quasi], [weights] and [overrides] keys are columns.
INPUT = {"path": str, "long": list, "baskets": str}
OUTPUT = {"path": str, "report": str, "patterns": str, "private_report": str, "private_manifest": str, "force": bool}
OPTIONS: dict[str, type | tuple[type, ...]] = {
    "measure": str,
    "drop": list,
    "confidential": (list, dict),
    "unmatched": str,
    "missing": str,
    "senses": str,
    "labels": str,
    "seed": int,
    "memory_limit": str,
    "max_tuples": int,
}
SECTIONS = ("input", "output", "quasi", "method", "options", "weights", "overrides")
_BARE = re.compile(r"^[A-Za-z0-9_-]+$")
_TYPES = {str: "text", bool: "true or false", int: "a whole number", list: "a list", dict: "a table"}
GIVEN = "(given in Python)"  # stands for a taxonomy that has no name


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A run, as data. `options` are the parameters of `om.mask` of the same names, those that are not the default."""

    quasi: Mapping[str, str]
    method: str
    k: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    overrides: Mapping[str, Any] = field(default_factory=dict)
    input: Mapping[str, Any] = field(default_factory=dict)
    output: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Recipe:
        """From a TOML file; DataError where it is none, UnknownNameError where a key is not known."""
        try:
            with Path(path).open("rb") as file:
                content = tomllib.load(file)
        except OSError as error:
            raise DataError(f"The recipe '{path}' cannot be read: {error.strerror}.") from None
        except (tomllib.TOMLDecodeError, UnicodeError) as error:
            raise DataError(f"The recipe '{path}' is not TOML: {error}.") from None
        return cls.from_dict(content)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Recipe:
        """From sections, checked."""
        for section, value in content.items():
            if section not in SECTIONS:
                raise unknown("section", section, SECTIONS, of="in a recipe")
            if not isinstance(value, dict):
                raise ParameterError(f"In a recipe '{section}' is a section: write [{section}] on a line of its own.")
        parts: dict[str, dict[str, Any]] = {name: dict(content.get(name, {})) for name in SECTIONS}
        _check("input", parts["input"], INPUT)
        check_shape(parts["input"])
        _check("output", parts["output"], OUTPUT)
        _check("options", parts["options"], OPTIONS)
        _check("quasi", parts["quasi"], dict.fromkeys(parts["quasi"], str))
        _check("weights", parts["weights"], dict.fromkeys(parts["weights"], (int, float)))
        _check("overrides", parts["overrides"], dict.fromkeys(parts["overrides"], (str, dict)))
        method = parts["method"]
        for key in ("name", "k"):
            if key not in method:
                raise ParameterError(f"A recipe needs {key} in its section [method].{did_you_mean(key, method, cutoff=0.5)}")
        name, k = method.pop("name"), method.pop("k")
        if not isinstance(name, str):
            raise ParameterError("In a recipe's section [method] 'name' must be text.")
        METHODS.entry(name)
        found = cls(
            quasi=parts["quasi"], method=name, k=k, settings=method, options=parts["options"], weights=parts["weights"],
            overrides=parts["overrides"], input=parts["input"], output=parts["output"],
        )  # fmt: skip
        found.make_method()
        return found

    def make_method(self) -> Method:
        return make_method(self.method, self.k, **{n: tuple(v) if isinstance(v, list) else v for n, v in self.settings.items()})

    def arguments(self) -> dict[str, Any]:
        """What `om.mask` is called with, `data` aside where the input was no file."""
        found = self.but_data()
        if "path" in self.input:
            found["data"] = gathered(self.input["path"], self.input)
        return found

    def but_data(self) -> dict[str, Any]:
        """What `om.mask` is called with besides `data`."""
        unnamed = [column for column, spec in self.quasi.items() if spec == GIVEN]
        if unnamed:
            raise ParameterError(
                f"The taxonomy of {listed(unnamed)} was given in Python and has no name. Save it to a file and name that."
            )
        found: dict[str, Any] = {"quasi": dict(self.quasi), "method": self.make_method(), **self.options}
        if self.weights:
            found["weights"] = dict(self.weights)
        if self.overrides:
            found["overrides"] = dict(self.overrides)
        return found

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """The sections, empty ones left out."""
        method = {"name": self.method, "k": self.k, **self.settings}
        parts = {"input": self.input, "output": self.output, "quasi": self.quasi, "method": method, "options": self.options,
                 "weights": self.weights, "overrides": self.overrides}  # fmt: skip
        return {name: dict(part) for name, part in parts.items() if part}

    def to_toml(self) -> str:
        """The text of the file."""
        lines: list[str] = []
        for section, part in self.to_dict().items():
            lines += [f"[{section}]", *(f"{_key(k)} = {_value(v)}" for k, v in part.items() if v is not None), ""]
        return "\n".join(lines)

    def write(self, path: str | os.PathLike[str]) -> None:
        """The file."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")


def check_shape(given: Mapping[str, Any]) -> None:
    """The shape of an input that is not a table of records: one at most, and complete."""
    if "long" in given and "baskets" in given:
        raise ParameterError("'long' and 'baskets' are two shapes of a table. Choose one.")
    if "long" in given and (len(given["long"]) != 2 or not all(isinstance(name, str) and name for name in given["long"])):
        raise illegal("long", "a recipe", "name two columns: the record's and the item's", given["long"])


def _check(section: str, part: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for key, value in part.items():
        if key not in known:
            raise unknown("key", key, known, of=f"in a recipe's section [{section}]")
        types = known[key] if isinstance(known[key], tuple) else (known[key],)
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            must = " or ".join(_TYPES.get(t, "a number") for t in dict.fromkeys(types))
            raise ParameterError(f"In a recipe's section [{section}] '{key}' must be {must}.{did_you_mean(str(value), ())}")


def _key(name: str) -> str:
    return name if _BARE.match(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(k))} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return repr(value.item() if hasattr(value, "item") else value)
