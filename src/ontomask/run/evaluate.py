"""Evaluate any masked table beside its original, whichever tool made it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from .._registry import MEASURES
from ..engines.base import Engine, Source
from ..errors import DataError, illegal
from ..evaluation.evaluate import Evaluation, evaluate_flow
from ..matching.resolve import read_hierarchy
from .beside import beside
from .columns import attributes, by_column, check_kinds, check_roles, specs_of, weights_of
from .engine import engine_for
from .masked import Masked
from .meaning import Reading
from .meaning_base import missing_said, records_missing
from .steps import Observer, Steps

__all__ = ["Evaluation", "evaluate"]


def evaluate(
    original: Any,
    masked: Any,
    quasi: Mapping[str, Any] | Sequence[str],
    *,
    measure: str = "logsc",
    confidential: Sequence[str] | Mapping[str, Any] = (),
    learn: Sequence[str] = (),
    id: str | None = None,
    suppressed: bool = False,
    hierarchies: Mapping[str, str | os.PathLike[str]] | None = None,
    k: int | None = None,
    alpha: float = 0.5,
    clusters: int = 5,
    weights: Mapping[str, float] | None = None,
    overrides: Mapping[str, Any] | None = None,
    unmatched: str = "error",
    unresolved: str = "error",
    missing: str = "value",
    senses: str = "context",
    memory_limit: str | None = None,
    threads: int | None = None,
    engine: str | Engine = "duckdb",
    progress: Observer | None = None,
) -> Evaluation:
    """What a masked table lost and what can be found in it; `original`, `masked`, `quasi` are given as to `mask`.

    Records are matched by their place, or by the column `id` that identifies them in both tables. `suppressed=True`
    declares that records may have been suppressed: left out (needs `id`), or saying `*` in every quasi-identifier.

    A masked word may be a value, the label or id of a concept, a level of a hierarchy (`hierarchies`: column → CSV of
    value;level1;level2;…), a set such as {a, b} or a~b, an interval, or `*`. What covers several values is read as their least
    common subsumer; `notes["resolved"]` says how many masked words were read in which way. `unresolved="root"` reads words
    that are none of these as saying anything, instead of refusing them.

    `confidential` columns get l and t (as released where the masked table has them); those in `learn` are what models learn
    to predict (needs scikit-learn). `k`: what class sizes are held against. `alpha`: the weight of loss in the score.
    `clusters`: of the cluster analysis. The other options are those of `mask`; the phases that `progress` is told of are
    "open", "read", "pair", "match" and "evaluate".

    >>> import pandas as pd, ontomask as om
    >>> pain = [("colic", "pain"), ("ache", "pain"), ("lumbago", "ache"), ("migraine", "ache")]
    >>> original = pd.DataFrame({"pain": ["colic", "lumbago", "migraine", "lumbago"]})
    >>> masked = pd.DataFrame({"pain": ["*", "{lumbago, migraine}", "ache", "ache"]})
    >>> found = om.evaluate(original, masked, {"pain": pain}, k=2)
    >>> found.risk["k"], found.risk["records_below_k"], round(found.loss["loss_percent"], 1)
    (1, 2, 86.4)
    """
    if isinstance(masked, Masked):
        masked = masked.data
    specs, secret_specs = specs_of(quasi, "quasi"), specs_of(confidential, "confidential")
    if not specs:
        raise illegal("quasi", "evaluate", "name at least one column", dict(specs))
    learned = list(specs_of(learn, "learn"))
    for name in learned:
        secret_specs.setdefault(name, "flat")
    MEASURES.load(measure)
    if unresolved not in ("error", "root"):
        raise illegal("unresolved", "evaluate", "be 'error' or 'root'", unresolved)
    reading = Reading(
        measure=measure, senses=senses, overrides=by_column(overrides, specs), unmatched=unmatched, missing=missing
    )
    levels = {name: read_hierarchy(path) for name, path in by_column(hierarchies, specs).items()}
    steps = Steps(progress)
    running = engine_for(original, engine, memory_limit, threads)
    try:
        with steps("open"):
            before, after = running.open(original), running.open(masked)
            roles = {"quasi": list(specs), "confidential": list(secret_specs), **({"id": [id]} if id else {})}
            check_roles(before.names, roles)
            _check_masked(after, [*specs, *([id] if id else [])])
        columns, secrets = steps.take("read", lambda: (attributes(specs), attributes(secret_specs)))
        with steps("pair"):
            for source, asked in ((before, [*columns, *secrets]), (after, columns)):
                check_kinds(source, asked)
            paired = running.pair(before, after, list(specs), [(a.name in after.names, a.name) for a in secrets], id)
    finally:
        if not isinstance(engine, Engine):
            running.close()
    if not len(paired.counts):
        raise DataError(f"'{before.name}' has no records. There is nothing to evaluate.")
    missing_rows = int(paired.counts[~paired.released].sum())
    if missing_rows and not suppressed:
        raise DataError(
            f"{missing_rows:,} records of the original are not in the masked table. Say suppressed=True if they were left out."
        )
    case = steps.take(
        "match",
        lambda: beside(
            paired,
            columns,
            secrets,
            reading,
            weights=weights_of(weights, columns),
            hierarchies=levels,
            unresolved=unresolved,
            suppressed=suppressed,
            learn=learned,
        ),
    )
    notes: dict[str, Any] = {"records matched": f"by the column '{id}'" if id else "by their place", "resolved": case.resolved}
    if suppressed:
        notes["suppressed"] = "records that were left out, or say '*' in every quasi-identifier"
    there = paired.released
    absent = records_missing(paired.after.select(list(specs)).filter(pa.array(there)), paired.counts[there])
    if absent:  # k is counted on what is written, whatever `missing` says of distances
        notes["missing"] = missing_said(absent, "value")
    if case.written is not None:
        notes["classes"] = "of equal strings, of which some are read as one tuple of concepts"
    return steps.take(
        "evaluate",
        lambda: evaluate_flow(
            case.tuples,
            case.flow,
            k=k,
            alpha=alpha,
            clusters=clusters,
            confidential=case.confidential,
            labelled=case.labelled,
            written=case.written,
            notes=notes,
        ),
    )


def _check_masked(source: Source, names: Sequence[str]) -> None:
    try:
        check_roles(source.names, {"quasi": names})
    except DataError as error:
        raise DataError(f"In the masked table: {error}") from None
