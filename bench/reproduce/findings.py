"""A figure of a source, and what was found in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ontomask import Flow, Tuples
from ontomask._registry import LOSSES, RISKS
from ontomask.evaluation.case import Case
from ontomask.methods.base import Method


@dataclass(frozen=True)
class Claim:
    """What a source concludes, whether it holds here, in which figures that shows, and why not where it does not."""

    said: str
    holds: bool
    shown: str = ""
    why: str = ""


@dataclass(frozen=True)
class Finding:
    """`figures` as the source numbers them; `data` and how it differs from the source's; a table; claims."""

    figures: str
    title: str
    data: str
    table: str
    claims: list[Claim] = field(default_factory=list)
    remark: str = ""

    def page(self) -> str:
        lines = [f"### {self.figures}: {self.title}", "", f"*Data:* {self.data}.", "", self.table, ""]
        for claim in self.claims:
            shown = f" ({claim.shown})" if claim.shown else ""
            lines.append(f"- **{'holds' if claim.holds else 'does not hold'}**: {claim.said}{shown}.")
            if not claim.holds and claim.why:
                lines.append(f"  {claim.why}")
        if self.remark:
            lines += ["", self.remark]
        return "\n".join(lines)


def measured(tuples: Tuples, flow: Flow, name: str) -> float:
    """One measure of loss or risk."""
    registry = LOSSES if name in LOSSES else RISKS
    return float(registry.load(name)(Case(tuples=tuples, flow=flow)))


def curve(
    tuples: Tuples, make: Callable[[int], Method], ks: Sequence[int], names: Sequence[str], seeds: int = 1
) -> list[list[float]]:
    """For each k the measures, means over `seeds` runs."""
    rows = []
    for k in ks:
        flows = [make(k).mask(tuples, np.random.default_rng(seed)) for seed in range(seeds)]
        rows.append([float(np.mean([measured(tuples, flow, name) for flow in flows])) for name in names])
    return rows


def table(first: str, columns: Sequence[str], rows: Sequence[tuple[object, Sequence[float]]], digits: int = 3) -> str:
    """Markdown; figures with so many significant digits."""
    lines = [f"| {first} | " + " | ".join(columns) + " |", "|--:|" + "--:|" * len(columns)]
    lines += [f"| {name} | " + " | ".join(said(x, digits) for x in row) + " |" for name, row in rows]
    return "\n".join(lines)


def said(x: float, digits: int = 3) -> str:
    """A number as a table shows it."""
    if x == float("inf"):
        return "∞"
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.{digits}g}"


def wins(left: Sequence[float], right: Sequence[float]) -> str:
    """In how many cases the left is not above the right."""
    return f"{sum(a <= b + 1e-12 for a, b in zip(left, right, strict=True))} of {len(left)}"


def always(left: Sequence[float], right: Sequence[float], slack: float = 0.0) -> bool:
    """Whether the left is nowhere above the right (by more than that share of it)."""
    return all(a <= b * (1 + slack) + 1e-12 for a, b in zip(left, right, strict=True))


def mostly(left: Sequence[float], right: Sequence[float]) -> bool:
    """Whether the left is not above the right in at least three quarters of the cases, and less on average."""
    below = sum(a <= b + 1e-12 for a, b in zip(left, right, strict=True))
    return below >= 0.75 * len(left) and float(np.mean(left)) <= float(np.mean(right))
