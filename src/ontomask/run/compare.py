"""Try several methods and k on one table: what each would lose, what could be found, how long it takes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from .._processes import spread
from .._registry import LOSSES, MEASURES, METHODS, RISKS
from ..engines.base import Counted, Engine
from ..errors import DataError, OntomaskError, illegal, listed
from ..evaluation.case import Case, Confidential
from ..methods.base import Method, check_k, make_method
from ..semantics.geometry import MOST_BYTES, table_bytes
from .about import method_name
from .columns import Attribute, attributes, by_column, check_kinds, check_roles, specs_of
from .engine import engine_for
from .mask import draw_seed, flow_of
from .meaning import Reading
from .sets import check_sets
from .steps import Observer, Steps
from .view import View, view_of

MEASURED = ("loss_percent", "similarity", "dm", "kl", "suppressed", "records_below_k", "mrl", "srl", "score")
COLUMNS = ("method", "k", *MEASURED, "k_reached", "l_distinct", "t_equal", "seconds", "efficient", "promises_k", "error")
FEW = 5_000  # distinct tuples up to which starting processes takes longer than the work

Job = tuple[str, Method]


def compare(
    data: Any,
    quasi: Mapping[str, Any] | Sequence[str],
    methods: Iterable[str | Method] | None = None,
    ks: Iterable[int] = (2, 5, 10, 25),
    *,
    measure: str = "logsc",
    confidential: Sequence[str] | Mapping[str, Any] = (),
    weights: Mapping[str, float] | None = None,
    overrides: Mapping[str, Any] | None = None,
    unmatched: str = "error",
    missing: str = "value",
    senses: str = "context",
    alpha: float = 0.5,
    seed: int | None = None,
    workers: int | None = None,
    memory_limit: str | None = None,
    engine: str | Engine = "duckdb",
    progress: Observer | None = None,
) -> pa.Table:
    """A row for each method and k: loss, risk, seconds; `efficient` where no other has less of both L and SRL.

    `methods`: names, or methods as `om.Recoding(k=5)` whose k is replaced by each of `ks`; default: every method that can
    be used on the table. `confidential`: columns for l and t, and for the methods that need them. `workers`: processes that
    share the work (default: as many as there are cores, one for a small table). The other options are those of `mask`, and
    `mask` with the same seed makes what a row speaks of; the phases that `progress` is told of are "open", "read", "count",
    "match" and "compare". `error` says why a method could not be used; its figures are null.

    >>> import pandas as pd, ontomask as om
    >>> pain = [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache")]
    >>> df = pd.DataFrame({"pain": ["colic", "lumbago", "migraine", "lumbago", "ache", "colic"]})
    >>> table = om.compare(df, {"pain": pain}, ["recoding", "suppression"], ks=[2, 3], seed=1)
    >>> table.select(["method", "k", "k_reached", "suppressed"]).to_pylist()[0]
    {'method': 'recoding', 'k': 2, 'k_reached': 2, 'suppressed': 0}
    """
    specs, secret_specs = specs_of(quasi, "quasi"), specs_of(confidential, "confidential")
    if not specs:
        raise illegal("quasi", "compare", "name at least one column", dict(specs))
    jobs, refused = _jobs(methods, ks)
    MEASURES.load(measure)
    if not 0 <= alpha <= 1:
        raise illegal("alpha", "compare", "be a number from 0 to 1", alpha)
    reading = Reading(
        measure=measure, senses=senses, overrides=by_column(overrides, specs), unmatched=unmatched, missing=missing
    )
    seed = draw_seed(seed)
    steps = Steps(progress)
    running = engine_for(data, engine, memory_limit)
    try:
        with steps("open"):
            source = running.open(data)
            check_roles(source.names, {"quasi": list(specs), "confidential": list(secret_specs)})
        columns, secrets = steps.take("read", lambda: (attributes(specs), attributes(secret_specs)))
        with steps("count") as share:
            check_kinds(source, [*columns, *secrets])
            jobs, unfit = _fitting(jobs, columns)
            counted = running.count(source, [*specs, *secret_specs], share)
    finally:
        if running is not engine:
            running.close()
    if counted.n == 0:
        raise DataError(f"'{source.name}' has no records, only column names. There is nothing to mask.")
    views = steps.take("match", lambda: _views(counted, columns, secrets, reading, [m for _, m in jobs], weights))
    rows = steps.take("compare", lambda: list(_rows(views, jobs, alpha, seed, workers)))
    rows += unfit + refused
    _mark(rows)
    about = {
        "input": source.name,
        "records": counted.n,
        "distinct tuples": next(iter(views.values())).tuples.p if views else None,
        "columns": ", ".join(f"{a.name} ({a.spec})" for a in columns),
        "measure": measure,
        "alpha": alpha,
    }
    return _table(rows, about)


def about_comparison(table: pa.Table) -> dict[str, Any]:
    """What a comparison was made of: input, records, columns, measure."""
    return dict(json.loads((table.schema.metadata or {}).get(b"ontomask", b"{}")))


def _jobs(methods: Iterable[str | Method] | None, ks: Iterable[int]) -> tuple[list[Job], list[dict[str, Any]]]:
    """Each method with each k; and rows for those that are not installed."""
    sizes = list(dict.fromkeys(ks))
    if not sizes:
        raise illegal("ks", "compare", "hold at least one k", sizes)
    for k in sizes:
        check_k(k, "compare")
    jobs: list[Job] = []
    refused: list[dict[str, Any]] = []
    for method in methods if methods is not None else METHODS:
        for k in sizes:
            if isinstance(method, Method):
                assert is_dataclass(method)
                jobs.append((_title(method), replace(method, k=k)))
                continue
            try:
                jobs.append((method, make_method(method, k)))
            except ImportError as error:
                refused.append({"method": method, "k": k, "error": str(error)})
    if not jobs and not refused:
        raise illegal("methods", "compare", "name at least one method", [])
    return jobs, refused


def _fitting(jobs: Sequence[Job], columns: Sequence[Attribute]) -> tuple[list[Job], list[dict[str, Any]]]:
    """The jobs of methods that know the columns; and rows that say why the others do not. The error itself where none does."""
    found: list[Job] = []
    unfit: list[dict[str, Any]] = []
    sets = listed([a.name for a in columns if a.kind == "set"])
    for name, method in jobs:
        if sets and not method.takes_sets:
            unfit.append({"method": name, "k": method.k, "error": f"It does not take columns of sets ({sets})."})
        else:
            found.append((name, method))
    if jobs and not found:
        check_sets(columns, jobs[0][1])
    return found, unfit


def _title(method: Method) -> str:
    """The name of a method, and those of its settings that the name does not stand for."""
    name = method_name(method)
    preset = type(method).presets.get(name, {})
    assert is_dataclass(method)
    usual = {f.name: preset.get(f.name, f.default) for f in fields(method)}
    more = [f"{n}={v}" for n, v in method.settings().items() if n != "k" and v != usual[n]]
    return f"{name} ({', '.join(more)})" if more else name


def _views(
    counted: Counted,
    columns: Sequence[Attribute],
    secrets: Sequence[Attribute],
    reading: Reading,
    methods: Sequence[Method],
    weights: Mapping[str, float] | None,
) -> dict[bool, View]:
    """The table as methods see it that use the confidential columns (True) and that do not."""
    found: dict[bool, View] = {}
    for method in methods:
        uses = method.uses_confidential
        if uses not in found:
            again = found.get(not uses) if not secrets else None  # without a confidential column the table is one class
            found[uses] = again or view_of(counted, columns, secrets, reading, method, weights)
    return found


def _rows(
    views: Mapping[bool, View], jobs: Sequence[Job], alpha: float, seed: int, workers: int | None
) -> Iterator[dict[str, Any]]:
    """The rows, in the order of the jobs."""
    largest = max((v.tuples.p for v in views.values()), default=0)
    number = (os.cpu_count() or 1) if workers is None else workers
    if workers is None and largest <= FEW:
        number = 1
    bare = {uses: replace(view, tuples=view.tuples.bare(), matches={}) for uses, view in views.items()}
    shared = (bare if number > 1 else views, alpha, seed)
    yield from spread(_measure, shared, jobs, number)


def _measure(shared: tuple[Mapping[bool, View], float, int], job: Job) -> dict[str, Any]:
    """One row. What a method refuses (such as k above the records) becomes its `error`."""
    (views, alpha, seed), (name, method) = shared, job
    row: dict[str, Any] = {"method": name, "k": method.k, "promises_k": method.promises_k}
    view = views[method.uses_confidential]
    spaces = view.tuples.spaces
    if not any(space.lazy for space in spaces) and table_bytes(spaces) <= MOST_BYTES:
        view.tuples.geometry  # noqa: B018 - shared by all methods: not part of the time of one
    start = time.perf_counter()
    try:
        flow = flow_of(view, method, seed)
    except (OntomaskError, MemoryError) as error:
        return {**row, "error": str(error) or "The memory is too small for it."}
    row["seconds"] = time.perf_counter() - start
    hidden = {}
    if len(np.unique(flow.source)) == len(flow.source):  # else only the records know who went where
        hidden = {s.name: Confidential.of_tuples(flow, s.space, s.source, s.code, s.count) for s in view.secrets}
    case = Case(tuples=view.tuples, flow=flow, k=method.k, alpha=alpha, confidential=hidden)
    for registry in (LOSSES, RISKS):
        row |= {n: registry.load(n)(case) for n in MEASURED if n in registry}
    row["k_reached"] = RISKS.load("k")(case)
    if row["srl"] is not None:  # not worked out for very large tables
        row["score"] = alpha * row["loss_percent"] + (1 - alpha) * row["srl"]
    if hidden:
        row["l_distinct"] = min(RISKS.load("l_distinct")(case).values())
        row["t_equal"] = max(RISKS.load("t_equal")(case).values())
    return row


def _mark(rows: Sequence[dict[str, Any]]) -> None:
    """`efficient`: no other masking loses less and gives away less (ties: both stay); where both are known."""
    done = [r for r in rows if r.get("error") is None and r.get("srl") is not None]
    for row in done:
        row["efficient"] = not any(
            o["loss_percent"] <= row["loss_percent"]
            and o["srl"] <= row["srl"]
            and (o["loss_percent"] < row["loss_percent"] or o["srl"] < row["srl"])
            for o in done
        )


def _table(rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> pa.Table:
    kinds = {
        **dict.fromkeys(("method", "error"), pa.string()),
        **dict.fromkeys(("k", "k_reached", "records_below_k", "suppressed", "l_distinct"), pa.int64()),
        **dict.fromkeys(("efficient", "promises_k"), pa.bool_()),
    }
    arrays = [pa.array([_plain(r.get(n)) for r in rows], kinds.get(n, pa.float64())) for n in COLUMNS]
    return pa.table(arrays, names=list(COLUMNS)).replace_schema_metadata({"ontomask": json.dumps(dict(about))})


def _plain(value: Any) -> Any:
    """numpy's numbers as Python's; discernibility, which may be larger than 64 bits, as a float."""
    value = value.item() if hasattr(value, "item") else value
    return float(value) if isinstance(value, int) and abs(value) >= 1 << 63 else value
