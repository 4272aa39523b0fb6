"""What a run tells about itself: facts for the report, and the recipe that repeats it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from .. import __version__
from .._registry import METHODS
from ..engines.base import Engine, Source
from ..methods.base import Method
from ..methods.parts import MOST_TUPLES
from ..recipe import Recipe
from .columns import Attribute
from .meaning import Reading
from .plan import Limits
from .steps import Steps
from .view import View


def method_name(method: Method) -> str:
    """The name under which a method with these settings is registered; the class's own where it is not."""
    where = f"{type(method).__module__}:{type(method).__qualname__}"
    names = [e.name for e in METHODS.entries() if e.where == where]
    settings, presets = method.settings(), type(method).presets
    fitting = [n for n in names if all(settings.get(key) == value for key, value in presets.get(n, {}).items())]
    if fitting:  # the name that says most
        return max(fitting, key=lambda n: len(presets.get(n, {})))
    return names[0] if names else type(method).__name__


def facts(
    source: Source,
    engine: Engine,
    method: Method,
    reading: Reading,
    view: View,
    dropped: Sequence[str],
    secrets: Sequence[str],
    weights: Mapping[str, float] | None,
    seed: int,
    steps: Steps,
) -> dict[str, Any]:
    """Facts of the run; the report decides which of them are public."""
    notes = list(source.notes)
    for space in view.tuples.spaces:
        statement = getattr(space, "statement", "")
        if statement:
            notes.append(f"{space.name}: {statement}")
    return {
        "input": source.name,
        "method": method_name(method),
        "settings": method.settings(),
        "promises_k": method.promises_k,
        "k": method.k,
        "n": view.tuples.n,
        "p": view.tuples.p,
        "combinations": len(view.values),
        "unique": view.unique,
        "measure": reading.measure,
        "senses": reading.senses,
        "missing": reading.missing,
        "unmatched": reading.unmatched,
        "labels": reading.labels,
        "weights": dict(weights or {}),
        "dropped": list(dropped),
        "confidential": list(secrets),
        "engine": engine.name,
        "versions": versions(),
        "seed": seed,
        "seconds": steps.seconds,
        "notes": notes,
    }


def versions() -> dict[str, str]:
    """Of everything that computes."""
    from importlib.metadata import version
    from platform import python_version

    names = ("numpy", "numba", "pyarrow", "duckdb")
    return {"ontomask": __version__, "python": python_version(), **{name: version(name) for name in names}}


def recipe_of(
    data: Any,
    columns: Sequence[Attribute],
    method: Method,
    reading: Reading,
    dropped: Sequence[str],
    secrets: Sequence[Attribute],
    weights: Mapping[str, float] | None,
    seed: int,
    limits: Limits,
) -> Recipe:
    """The recipe of a run: `om.mask(data, **recipe.arguments())` repeats it."""
    usual = Reading()
    chosen = {n: getattr(reading, n) for n in ("measure", "unmatched", "missing", "senses", "labels")}
    options: dict[str, Any] = {n: v for n, v in chosen.items() if v != getattr(usual, n)}
    options |= {"drop": list(dropped), "confidential": {a.name: a.spec for a in secrets}, "memory_limit": limits.memory_limit}
    if limits.max_tuples != MOST_TUPLES:  # another split gives another release
        options["max_tuples"] = limits.max_tuples
    return Recipe(
        quasi={a.name: a.spec for a in columns},
        method=method_name(method),
        k=method.k,
        settings=_settings(method),
        options={**{n: v for n, v in options.items() if v}, "seed": seed},
        weights=dict(weights or {}),
        overrides={c: dict(o) if isinstance(o, Mapping) else str(o) for c, o in reading.overrides.items()},
        input={"path": str(data)} if isinstance(data, (str, os.PathLike)) else {},
    )


def _settings(method: Method) -> dict[str, Any]:
    """The settings without k, those that the method's name stands for left out."""
    preset = type(method).presets.get(method_name(method), {})
    return {n: v for n, v in method.settings().items() if n != "k" and v is not None and not (n in preset and preset[n] == v)}
