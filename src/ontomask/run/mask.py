"""Mask a table: the only place where engine, matching, method, seed and checks meet."""

from __future__ import annotations

import secrets as randomness
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._processes import each_part
from .._registry import MEASURES, METHODS
from ..engines.base import Assignment, Counted, Engine, Source
from ..errors import DataError, illegal
from ..flow import SUPPRESSED, Flow, Tuples
from ..methods.base import Method, make_method
from ..methods.parts import MOST_TUPLES, EachPart
from .about import facts, recipe_of
from .columns import Attribute, attributes, by_column, check_kinds, check_roles, specs_of
from .confidential import MOST_VALUES, SAMPLED
from .engine import engine_for
from .masked import Masked
from .meaning import Reading
from .meaning_base import missing_said, records_missing
from .plan import Limits, masked_within
from .proof import check_strings, promise, released_words
from .sets import check_sets
from .steps import Observer, Steps
from .suspects import suspects
from .view import View, view_of

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
    max_tuples: int = MOST_TUPLES,
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
    `memory_limit`: as "4GB"; `max_tuples`: more distinct tuples are masked in parts; `threads`: cores to use; `engine`:
    "duckdb", "spark", or an engine (a Spark DataFrame stays on Spark). `progress`: called with the phase ("open", "read",
    "count", "match", "mask"; "evaluate", "write", "verify", "report" as the result is used) and the share of it that is done,
    0 … 1, or None where that is not known; without it nothing is shown.

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
    MEASURES.load(measure)
    reading = Reading(
        measure=measure,
        senses=senses,
        overrides=by_column(overrides, specs),
        unmatched=unmatched,
        missing=missing,
        labels=labels,
    )
    seed, limits = draw_seed(seed), Limits(max_tuples, memory_limit, threads)
    limits.apply()
    running = engine_for(data, engine, memory_limit, threads)
    try:
        with steps("open"):
            source = running.open(data)
            stamp = source.stamp()
            check_roles(source.names, {"quasi": list(specs), "confidential": list(secret_specs), "dropped": dropped})
        columns, secret_columns = steps.take("read", lambda: (attributes(specs), attributes(secret_specs)))
        with steps("count") as share:
            check_kinds(source, [*columns, *secret_columns])
            check_sets(columns, method)
            warnings = suspects(running, source, [*specs, *secret_specs, *dropped])
            with_few = _worth_counting(running, source, secret_columns, method)
            counted = running.count(source, [*specs, *(a.name for a in with_few)], share)
        _check_table(counted, method, source)
        view = steps.take("match", lambda: view_of(counted, columns, with_few, reading, method, weights))
        flow = steps.take("mask", lambda: flow_of(view, method, seed, limits, running.each_part))
        absent = records_missing(counted.values.select(list(specs)), counted.counts)
        promised = f"{promise(flow, method)} {missing_said(absent, missing)}"
        assignment = Assignment(
            values=view.values,
            number=view.number,
            flow=flow,
            released=released_words(view.tuples.spaces, flow, view.values),
            drop=dropped,
            seed=int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> 1),
        )
        check_strings(assignment, method)
        about = facts(source, running, method, reading, view, dropped, list(secret_specs), weights, seed, steps)
        about["proof"] = [promised]
        about["memory"] = flow.notes["memory"]
        if "parts" in flow.notes:
            about["notes"].append(f"{flow.notes['memory']}.")
        about["notes"] += flow.notes.get("sentences", [])
        about["notes"] += _left_out([a.name for a in secret_columns if a not in with_few])
        recipe = recipe_of(data, columns, method, reading, dropped, secret_columns, weights, seed, limits)
    except BaseException:
        if running is not engine:
            running.close()
        raise
    return Masked(
        engine=running, owns_engine=running is not engine, source=source, stamp=stamp, assignment=assignment,
        tuples=view.tuples, method=method, matches=view.matches, secrets=view.secrets, about=about, recipe=recipe, seed=seed,
        steps=steps, warnings=warnings,
    )  # fmt: skip


def _left_out(names: Sequence[str]) -> list[str]:
    """A note on confidential columns with so many values that classes cannot share them."""
    if not names:
        return []
    return [f"l and t were not computed for {', '.join(names)}: more than {MOST_VALUES:,} distinct values."]


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


def draw_seed(seed: int | None) -> int:
    if seed is None:
        return randomness.randbits(63)
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 1 << 64:
        raise illegal("seed", "mask", "be a whole number from 0 to 2^64 - 1", seed)
    return int(seed)


def _worth_counting(engine: Engine, source: Source, columns: Sequence[Attribute], method: Method) -> list[Attribute]:
    """The confidential columns that are counted with the tuples: all where the method needs them, else those of few values."""
    if not columns or method.uses_confidential:
        return list(columns)
    some = engine.sample(source, [a.name for a in columns], SAMPLED)
    return [a for a in columns if len(some.column(a.name).unique()) <= MOST_VALUES]


def _check_table(counted: Counted, method: Method, source: Source) -> None:
    if counted.n == 0:
        raise DataError(f"'{source.name}' has no records, only column names. There is nothing to mask.")
    method.check_size(counted.n)


def flow_of(
    view: View,
    method: Method,
    seed: int,
    limits: Limits | None = None,
    each: EachPart = each_part,
) -> Flow:
    """The method's flow; tuples that are not to be released are kept away from it and put back as suppressed.

    `each`: who masks the parts of a table that is too large to be masked at once.
    """
    limits = limits or Limits()
    tuples, rng = view.tuples, np.random.default_rng(seed)
    if not view.gone.any():
        flow = masked_within(limits, method, tuples, rng, each)
    else:
        kept = np.flatnonzero(~view.gone).astype(np.int32)
        secret = None if tuples.confidential is None else tuples.confidential[kept]
        some = Tuples(tuples.codes[kept], tuples.counts[kept], tuples.spaces, tuples.weights, secret)
        if some.n == 0:
            raise DataError(
                "Every record would be suppressed: nothing is left to mask. Look at the missing and unmatched values."
            )
        method.check_size(some.n)
        inner = masked_within(limits, method, some, rng, each)
        lost = np.flatnonzero(view.gone).astype(np.int32)
        source = np.concatenate([kept[inner.source], lost])
        order = np.argsort(source, kind="stable")
        target = np.concatenate([inner.target, np.full(len(lost), SUPPRESSED, np.int32)])[order]
        count = np.concatenate([inner.count, tuples.counts[lost]])[order]
        flow = Flow(source[order], target, count, inner.targets, dict(inner.notes), inner.found)
    flow.check(tuples)
    return flow
