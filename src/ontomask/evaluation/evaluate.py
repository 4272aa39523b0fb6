"""The evidence on which a release is decided: loss, risk and statistics of a masking, from its flow."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .._progress import stages
from .._registry import LOSSES, RISKS, Registry
from ..errors import DataError
from ..flow import Flow, Tuples
from ..semantics.geometry import table_bytes
from ..semantics.spaces.base import Longs
from .case import MOST_SETS, Case, Confidential, Labelled
from .clustering import MOST, sampled
from .statistics import describe

# How long measures take beside the others, and the statistics beside all measures: from which the share done is told.
LONG = {"srl": 40, "clustering": 20, "accuracy": 20, "sst": 5, "kl": 5, "t_semantic": 5}
DESCRIBED = 100


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation:
    """What a masking lost and what can be found in it.

    `loss` and `risk` map the names in `LOSSES` and `RISKS` (_registry.py) to numbers, or to one number per column.
    `statistics` maps the name of an attribute to its mean, variance and rmse, and a pair of names to
    the correlation. `settings` are those of the evaluation, `notes` what it has to say about itself.
    """

    records: int
    attributes: tuple[str, ...]
    loss: Mapping[str, Any]
    risk: Mapping[str, Any]
    statistics: Mapping[str | tuple[str, str], Mapping[str, Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)

    def score(self, alpha: float = 0.5) -> float:
        """α·L + (1−α)·RL, both in percent: L of the loss, RL the semantic record linkage."""
        if "srl" not in self.risk:
            raise DataError("There is no score: the record linkage was not computed for so many distinct values.")
        return float(alpha * self.loss["loss_percent"] + (1 - alpha) * self.risk["srl"])

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON: pairs of attributes become "a × b", infinities and unknowns null."""
        return {
            "records": self.records,
            "attributes": list(self.attributes),
            "loss": _plain(self.loss),
            "risk": _plain(self.risk),
            "statistics": _plain(self.statistics),
            "settings": _plain(self.settings),
            "notes": _plain(self.notes),
        }

    def __repr__(self) -> str:
        lines = [f"<Evaluation of {self.records:,} records, {', '.join(self.attributes)}"]
        for title, part in (("loss", self.loss), ("risk", self.risk)):
            lines.append(f"  {title}: " + " · ".join(f"{name} {_shown(x)}" for name, x in part.items()))
        for name, row in self.statistics.items():
            said = "  ".join(f"{what} {_shown(x)}" for what, x in row.items() if what != "mean")
            lines.append(f"  {name if isinstance(name, str) else ' × '.join(name)}: {said}")
        return "\n".join(lines) + ">"


def evaluate_flow(
    tuples: Tuples,
    flow: Flow,
    *,
    k: int | None = None,
    alpha: float = 0.5,
    confidential: Mapping[str, Confidential] | None = None,
    labelled: Mapping[str, Labelled] | None = None,
    written: Longs | None = None,
    clusters: int = 5,
    notes: Mapping[str, Any] | None = None,
) -> Evaluation:
    """Loss, risk and statistics of a masking.

    `k`: what class sizes are held against (default 2: records that stay unique); `alpha`: the weight of loss in the score;
    `confidential`: the confidential columns as released, for l and t; `labelled`: the columns that models learn to predict
    (needs scikit-learn); `written`: the sizes of the classes of equal strings, where several strings are read as one (see
    `Case`); `clusters`: how many a cluster analysis of original and masked records makes.
    """
    case = Case(
        tuples=tuples,
        flow=flow,
        k=2 if k is None else k,
        alpha=alpha,
        confidential=dict(confidential or {}),
        labelled=dict(labelled or {}),
        written=written,
        clusters=clusters,
    )
    losing, risking, describing = stages(*(sum(LONG.get(name, 1) for name in r) for r in (LOSSES, RISKS)), DESCRIBED)
    with losing:
        loss = _measured(LOSSES, case)
    with risking:
        risk = _measured(RISKS, case)
    with describing:
        statistics = describe(case)
    said = dict(notes or {})
    if sampled(case):
        said["clustering"] = f"measured on a random sample of {min(MOST, tuples.n):,} of {tuples.n:,} records"
    if not case.fits:
        sets = max((space.q for space in tuples.spaces if space.lazy), default=0)
        needed = f"{table_bytes(tuples.spaces) / 1e9:,.1f} GB" if sets <= MOST_SETS else f"of {sets:,} sets to each other"
        said["size"] = (
            "SRL, the score, and statistics of columns with very many values were left out: they need the distances of all "
            f"values at once, {needed}. The mean of such a column was looked for among the best on a sample."
        )
    if "srl" in risk:
        risk["score"] = alpha * loss["loss_percent"] + (1 - alpha) * risk["srl"]
    return Evaluation(
        records=tuples.n,
        attributes=tuple(s.name for s in tuples.spaces),
        loss=loss,
        risk=risk,
        statistics=statistics,
        settings={"k": case.k, "alpha": alpha, "clusters": clusters},
        notes=said,
    )


def _measured(measures: Registry, case: Case) -> dict[str, Any]:
    """Every measure of a registry; those that do not apply (no confidential column) give None and are left out."""
    found = {}
    for name, stage in zip(measures, stages(*(LONG.get(name, 1) for name in measures)), strict=True):
        with stage:
            found[name] = measures.load(name)(case)
    return {name: value for name, value in found.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k if isinstance(k, str) else " × ".join(map(str, k)): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{k} {_shown(v)}" for k, v in value.items()) + ")"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
