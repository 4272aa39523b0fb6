"""Mask a table: the only place where engine, matching, method, seed and checks meet."""

from __future__ import annotations

import inspect
import os
import secrets as randomness
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from .. import __version__
from .._registry import ENGINES, MEASURES, METHODS
from ..engines.base import Assignment, Counted, Engine, Source
from ..engines.frames import fitted
from ..errors import DataError, PromiseError, illegal
from ..flow import SUPPRESSED, Flow, Tuples
from ..methods.base import Method, check_k_of_table, make_method
from ..recipe import Recipe
from ..semantics.spaces.base import Ints, Space
from .columns import Attribute, attributes, check_roles, specs_of
from .confidential import MOST_VALUES, SAMPLED, Secrets
from .masked import Masked, spoken
from .meaning import Meaning, Reading, codes_of, group, understand
from .steps import Observer, Steps
from .suspects import suspects

__all__ = ["Masked", "mask"]


def mask(
    data: Any,
    quasi: Mapping[str, Any] | Sequence[str],
    method: Method | str,
    *,
    k: int | None = None,
    measure: str = "logsc",
    drop: Sequence[str] = (),
    confidential: Sequence[str] | Mapping[str, Any] = (),
    weights: Mapping[str, float] | None = None,
    overrides: Mapping[str, Any] | None = None,
    unmatched: str = "error",
    missing: str = "value",
    senses: str = "context",
    labels: str = "table",
    seed: int | None = None,
    memory_limit: str | None = None,
    threads: int | None = None,
    engine: str | Engine = "duckdb",
    progress: Observer | None = None,
) -> Masked:
    """Mask the quasi-identifiers of a table and verify the result.

    `data`: a path (CSV, TSV, Parquet, JSON lines, .gz; "file.duckdb#table"), a database URL, a pandas, polars or pyarrow
    table, a DuckDB relation. `quasi`: column → taxonomy (object, name, path, list of (child, parent)), "flat", "number",
    "number:quantile", "ordinal:low<middle<high" or "date". `method`: as `om.Recoding(k=5)`, or its name with `k=`.

    `drop`: columns that are left out; `confidential`: columns that stay as they are and about which a class should not give
    away much. `weights`: of columns in the distance of two records. `overrides`: column → {value: concept} or the path of
    a CSV. `unmatched`: "error", "root", "own", "suppress". `missing`: "value" (a value of its own at distance 1 from all
    others), "root" (anything; where there is no taxonomy, a value), "suppress", "error". `senses`: "context", "first".
    `labels`: "table" (each concept is written as the table mostly does), "preferred". `seed`: else the system's randomness.

    >>> import pandas as pd, ontomask as om
    >>> df = pd.DataFrame({"pain": ["colic", "ache", "colic", "lumbago"], "age": [31, 33, 35, 60]})
    >>> masked = om.mask(df, {"pain": [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache")]}, om.Recoding(k=2), seed=1)
    >>> masked.data["pain"].tolist()
    ['colic', 'lumbago', 'colic', 'lumbago']
    """
    steps = Steps(progress)
    method = _method(method, k)
    specs, secret_specs = specs_of(quasi, "quasi"), specs_of(confidential, "confidential")
    if not specs:
        raise illegal("quasi", "mask", "name at least one column", dict(specs))
    dropped = tuple(specs_of(drop, "drop"))
    MEASURES.entry(measure)
    reading = Reading(
        measure=measure,
        senses=senses,
        overrides=_by_column(overrides, specs),
        unmatched=unmatched,
        missing=missing,
        labels=labels,
    )
    seed = _seed(seed)
    running = engine if isinstance(engine, Engine) else ENGINES.load(engine)(memory_limit=memory_limit, threads=threads)
    try:
        with steps("open"):
            source = running.open(data)
            check_roles(source.names, {"quasi": list(specs), "confidential": list(secret_specs), "dropped": dropped})
            _check_kinds(source, [*specs, *secret_specs])
            columns, secret_columns = attributes(specs), attributes(secret_specs)
            warnings = suspects(running, source, [*specs, *secret_specs, *dropped])
            counted_secrets = _worth_counting(running, source, secret_columns, method)
        with steps("count") as share:
            counted = running.count(source, [*specs, *(a.name for a in counted_secrets)], share)
        _check_table(counted, method, source)
        with steps("match"):
            view = _view(counted, columns, counted_secrets, reading, method, weights)
        with steps("mask"):
            flow = _flow(view, method, seed)
            promised = _promise(view.tuples, flow, method)
        recipe = Recipe(
            quasi={a.name: a.spec for a in columns},
            method=method_name(method),
            k=method.k,
            settings=_settings(method),
            options=_options(
                measure=measure, drop=list(dropped), confidential={a.name: a.spec for a in secret_columns}, unmatched=unmatched,
                missing=missing, senses=senses, labels=labels, seed=seed, memory_limit=memory_limit,
            ),
            weights=dict(weights or {}),
            overrides={c: o if isinstance(o, Mapping) else str(o) for c, o in reading.overrides.items()},
            input={"path": str(data)} if isinstance(data, (str, os.PathLike)) else {},
        )  # fmt: skip
        about = _about(source, running, method, reading, view, dropped, list(secret_specs), weights, seed, steps)
        about["proof"] = [promised]
        if len(counted_secrets) < len(secret_columns):
            left = [a.name for a in secret_columns if a not in counted_secrets]
            about["notes"].append(
                f"l and t were not computed for {', '.join(left)}: more than {MOST_VALUES:,} distinct values."
            )
        assignment = Assignment(
            values=view.values,
            number=view.number,
            flow=flow,
            released=_released(view.tuples.spaces, flow, view.values),
            drop=dropped,
            seed=int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> 1),
        )
        _check_strings(assignment, method)
    except BaseException:
        if not isinstance(engine, Engine):
            running.close()
        raise
    return Masked(
        engine=running, source=source, assignment=assignment, tuples=view.tuples, method=method, matches=view.matches,
        secrets=view.secrets, about=about, recipe=recipe, seed=seed, steps=steps, warnings=warnings,
    )  # fmt: skip


def method_name(method: Method) -> str:
    """The name under which a method with these settings is registered; the class's own where it is not."""
    where = f"{type(method).__module__}:{type(method).__qualname__}"
    names = [e.name for e in METHODS.entries() if e.where == where]
    settings, presets = method.settings(), type(method).presets
    fitting = [n for n in names if all(settings.get(key) == value for key, value in presets.get(n, {}).items())]
    if fitting:  # the name that says most
        return max(fitting, key=lambda n: len(presets.get(n, {})))
    return names[0] if names else type(method).__name__


def _settings(method: Method) -> dict[str, Any]:
    """The settings without k, those that the method's name stands for left out."""
    preset = type(method).presets.get(method_name(method), {})
    return {n: v for n, v in method.settings().items() if n != "k" and v is not None and not (n in preset and preset[n] == v)}


def _options(**given: Any) -> dict[str, Any]:
    """Parameters that are not the default."""
    usual = {name: p.default for name, p in inspect.signature(mask).parameters.items()}
    return {name: v for name, v in given.items() if v != usual[name] and v not in (None, [], {})}


def _method(method: Method | str, k: int | None) -> Method:
    if isinstance(method, Method):
        if k is not None and k != method.k:
            raise illegal("k", "mask", f"be given once (the method has k = {method.k})", k)
        return method
    if isinstance(method, str):
        METHODS.entry(method)
        if k is None:
            raise illegal("k", "mask", "be given with the name of a method", k, "k = 5 is a common choice.")
        return make_method(method, k)
    raise illegal("method", "mask", "be a method such as om.Recoding(k=5), or the name of one", type(method).__name__)


def _seed(seed: int | None) -> int:
    if seed is None:
        return randomness.randbits(63)
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 1 << 64:
        raise illegal("seed", "mask", "be a whole number from 0 to 2^64 - 1", seed)
    return int(seed)


def _by_column(overrides: Mapping[str, Any] | None, quasi: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(overrides or {})
    for column in found:
        if column not in quasi:
            raise illegal("overrides", "mask", "be {column: {value: concept}} for columns of quasi", column)
    return found


def _check_kinds(source: Source, columns: Sequence[str]) -> None:
    for name in columns:
        if source.column(name).kind == "nested":
            raise DataError(
                f"The column '{name}' holds {source.column(name).type}, not single values. Split it into columns first."
            )


def _worth_counting(engine: Engine, source: Source, columns: Sequence[Attribute], method: Method) -> list[Attribute]:
    """The confidential columns that are counted with the tuples: all where the method needs them, else those of few values."""
    if not columns or method.uses_confidential:
        return list(columns)
    some = engine.sample(source, [a.name for a in columns], SAMPLED)
    return [a for a in columns if len(some.column(a.name).unique()) <= MOST_VALUES]


def _check_table(counted: Counted, method: Method, source: Source) -> None:
    if counted.n == 0:
        raise DataError(f"'{source.name}' has no records, only column names. There is nothing to mask.")
    check_k_of_table(method.k, type(method).__name__, counted.n)


@dataclass(frozen=True, eq=False)
class View:
    """The counted table as tuples. `values`: combinations as the engine finds them again; `number`: the tuple of each."""

    tuples: Tuples
    values: pa.Table
    number: Ints
    gone: np.ndarray[Any, np.dtype[np.bool_]]  # bool[p]: tuples that are not to be released
    unique: int  # combinations as written that one record has
    matches: dict[str, Any]
    secrets: list[Secrets]


def _view(
    counted: Counted,
    columns: Sequence[Attribute],
    secret_columns: Sequence[Attribute],
    reading: Reading,
    method: Method,
    weights: Mapping[str, float] | None,
) -> View:
    meanings = [understand(a, counted.values.column(a.name), counted.counts, reading) for a in columns]
    hidden = {a.name: _secret(a, counted, reading) for a in secret_columns}
    keys = [m.codes for m in meanings]
    gone = np.any([m.gone for m in meanings], axis=0)
    telling = list(hidden.values()) if method.uses_confidential else []
    if method.uses_confidential and not telling:
        raise illegal("confidential", "mask", f"name at least one column for {type(method).__name__}", [])
    classes = group([m.codes for m in telling]) if telling else None
    by_tuple = group([*keys, gone.astype(np.int32), *([classes.number] if classes else [])])
    tuples = Tuples(
        codes=np.stack([key[by_tuple.first] for key in keys], axis=1).astype(np.int32),
        counts=by_tuple.add_up(counted.counts),
        spaces=tuple(m.space for m in meanings),
        weights=_weights(weights, columns),
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


def _weights(weights: Mapping[str, float] | None, columns: Sequence[Attribute]) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    if not weights:
        return None
    names = [a.name for a in columns]
    for name, weight in weights.items():
        if name not in names:
            raise illegal("weights", "mask", "name columns of quasi", name)
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 < weight < float("inf"):
            raise illegal("weights", "mask", f"give '{name}' a number above 0", weight)
    return np.asarray([float(weights.get(name, 1.0)) for name in names])


def _flow(view: View, method: Method, seed: int) -> Flow:
    """The method's flow; tuples that are not to be released are kept away from it and put back as suppressed."""
    tuples, rng = view.tuples, np.random.default_rng(seed)
    if not view.gone.any():
        flow = method.mask(tuples, rng)
    else:
        kept = np.flatnonzero(~view.gone).astype(np.int32)
        secret = None if tuples.confidential is None else tuples.confidential[kept]
        some = Tuples(tuples.codes[kept], tuples.counts[kept], tuples.spaces, tuples.weights, secret)
        if some.n == 0:
            raise DataError(
                "Every record would be suppressed: nothing is left to mask. Look at the missing and unmatched values."
            )
        check_k_of_table(method.k, type(method).__name__, some.n)
        inner = method.mask(some, rng)
        lost = np.flatnonzero(view.gone).astype(np.int32)
        source = np.concatenate([kept[inner.source], lost])
        order = np.argsort(source, kind="stable")
        target = np.concatenate([inner.target, np.full(len(lost), SUPPRESSED, np.int32)])[order]
        count = np.concatenate([inner.count, tuples.counts[lost]])[order]
        flow = Flow(source[order], target, count, inner.targets, dict(inner.notes))
    flow.check(tuples)
    return flow


def _promise(tuples: Tuples, flow: Flow, method: Method) -> str:
    """The proof from the flow, as a sentence; PromiseError where the promise is not kept."""
    if method.promises_k:
        if len(flow.targets) and flow.k < method.k:
            raise PromiseError(
                f"{type(method).__name__} promised classes of at least {method.k:,} records and made one of {flow.k:,}. "
                "Nothing was written. This is a bug in the method: please report it."
            )
        said = f"From the flow: the smallest class has {flow.k:,} records, k = {method.k:,} is kept."
    else:
        said = f"{type(method).__name__} does not promise k-anonymity; the smallest class has {flow.k:,} records."
    return f"{said} {method.says(flow)}".rstrip()


def _released(spaces: Sequence[Space], flow: Flow, values: pa.Table) -> pa.Table:
    """What is written for each target, in the types of the columns where the words fit."""
    table = spoken(spaces, flow.targets)
    columns = [fitted(table.column(n).combine_chunks(), values.schema.field(n).type) for n in table.column_names]
    return pa.table(columns, names=table.column_names)


def _check_strings(assignment: Assignment, method: Method) -> None:
    """k once more, on what is written: two targets that read alike would only make classes larger, never smaller."""
    flow, names = assignment.flow, assignment.released.column_names
    if not method.promises_k or not len(flow.targets):
        return
    text = [c.cast(pa.string()) for c in assignment.released.columns]
    sizes = pa.table([*text, pa.array(flow.sizes)], names=[*(f"c{j}" for j in range(len(names))), "n"])
    least = pa.compute.min(
        sizes.group_by([f"c{j}" for j in range(len(names))]).aggregate([("n", "sum")]).column("n_sum")
    ).as_py()
    if least < method.k:
        raise PromiseError(f"As written, a class has {least:,} records, fewer than k = {method.k:,}. Please report this bug.")


def _about(
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
        "versions": _versions(),
        "seed": seed,
        "seconds": steps.seconds,
        "notes": notes,
    }


def _versions() -> dict[str, str]:
    from importlib.metadata import version
    from platform import python_version

    names = ("numpy", "numba", "pyarrow", "duckdb")
    return {"ontomask": __version__, "python": python_version(), **{name: version(name) for name in names}}
