"""The page of a comparison: several methods and k on one table, drawn as risk against loss."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import pictures
from .html import put, render
from .svg import number

# Columns of a comparison that the page explains; others are shown as they are.
TITLES = {
    "method": "method",
    "k": "k",
    "loss_percent": "L, %",
    "similarity": "similarity",
    "dm": "DM",
    "kl": "KL",
    "k_reached": "k reached",
    "records_below_k": "records below k",
    "suppressed": "suppressed",
    "mrl": "MRL, %",
    "srl": "SRL, %",
    "score": "score",
    "seconds": "seconds",
}


def efficient(loss: Sequence[float], risk: Sequence[float]) -> list[bool]:
    """Which points no other point beats: none has less of one without more of the other (ties: both stay).

    >>> efficient([1, 2, 3, 3], [9, 5, 6, 1])
    [True, True, False, True]
    """
    found = []
    for x, y in zip(loss, risk, strict=True):
        beaten = any(a <= x and b <= y and (a < x or b < y) for a, b in zip(loss, risk, strict=True))
        found.append(not beaten)
    return found


def comparison_page(rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any] | None = None, risk: str = "srl") -> str:
    """One row for each masking: `method`, `k`, `loss_percent`, `srl`, … (plain numbers). `about`: facts on the run."""
    done = [r for r in rows if r.get("loss_percent") is not None and r.get(risk) is not None]
    best = efficient([r["loss_percent"] for r in done], [r[risk] for r in done])
    dots = [
        pictures.Dot(float(r["loss_percent"]), float(r[risk]), str(r["method"]), f"k = {r['k']}", b)
        for r, b in zip(done, best, strict=True)
    ]
    picture = pictures.scatter("map", "Risk and loss of each masking", dots, "loss L, percent", f"risk {risk.upper()}, percent")
    names = [n for n in TITLES if any(r.get(n) is not None for r in rows)]
    table = [[_cell(r.get(n)) for n in names] for r in rows]
    frontier = {(str(r["method"]), r["k"]) for r, b in zip(done, best, strict=True) if b}
    marks = [(str(r["method"]), r["k"]) in frontier for r in rows]
    return render(
        "comparison.html.j2",
        picture_of_all=picture,
        headers=[(TITLES[n], n != "method") for n in names],
        rows=list(zip(table, marks, strict=True)),
        failed=not_done(rows),
        unpromised=without_promise(rows),
        facts=[(name, str(value)) for name, value in (about or {}).items()],
    )


def without_promise(rows: Sequence[Mapping[str, Any]]) -> str:
    """Which methods do not promise k-anonymous classes, so that nobody takes their k for one; empty where all do.

    >>> without_promise([{"method": "a", "promises_k": False}, {"method": "b", "promises_k": True}])
    'Not k-anonymous: a. What is promised instead stands on the page of the method.'
    """
    names = list(dict.fromkeys(str(r["method"]) for r in rows if r.get("promises_k") is False and not r.get("error")))
    if not names:
        return ""
    return f"Not k-anonymous: {', '.join(names)}. What is promised instead stands on the page of the method."


def not_done(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was not done and why, methods with the same reason together.

    >>> not_done([{"method": "a", "k": 2, "error": "No."}, {"method": "b", "k": 2, "error": "No."}, {"method": "c", "k": 2}])
    ['a, b, k = 2: No.']
    """
    sizes: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        if row.get("error"):
            sizes.setdefault((str(row["error"]), str(row["method"])), []).append(row["k"])
    methods: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for (error, method), ks in sizes.items():
        methods.setdefault((error, tuple(ks)), []).append(method)
    return [f"{', '.join(who)}, k = {', '.join(f'{k:,}' for k in ks)}: {error}" for (error, ks), who in methods.items()]


def write_comparison(
    rows: Sequence[Mapping[str, Any]], path: str | os.PathLike[str], about: Mapping[str, Any] | None = None
) -> None:
    """The comparison as one offline HTML file; complete or not there at all. It names no value of the data."""
    put(comparison_page(rows, about), path)


def _cell(value: Any) -> str:
    return (
        number(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        else str("–" if value is None else value)
    )
