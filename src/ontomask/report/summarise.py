"""From a masking to what its report says: a plain dictionary that the templates show and do not compute on.

For maintainers: `summarise` decides *what* may be said. The public version (`private=False`) carries no cell value, no seed
and no flow. What may name a value takes `private` as an argument.
Pictures are made here as well, because they hold figures; the templates only place them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._registry import LOSSES, METHODS, RISKS, Registry
from ..errors import plural
from ..evaluation.bound import lower_bound
from ..evaluation.evaluate import Evaluation
from ..flow import Flow, Tuples
from ..semantics.spaces.base import ANYTHING
from . import pictures, tree, why
from .pictures import Picture
from .svg import number
from .words import said

MOST_BARS = 15
DISCARDED = "discarded: "  # how a method's note on records that it left out begins
WHY = {
    "discarded: confidential class of fewer than k": "their confidential class has fewer than k records",
    "discarded: no pattern": "no pattern covers them",
    "discarded: pattern without k records left": "other patterns took so many records that theirs was left with fewer than k",
}

# What a public report may tell of a run, and how it is called there. Everything else in `about` is private.
PUBLIC_FACTS = {
    "method": "Method",
    "settings": "Settings",
    "measure": "Distance measure",
    "senses": "Senses",
    "missing": "Missing values",
    "unmatched": "Unmatched values",
    "weights": "Attribute weights",
    "dropped": "Columns dropped",
    "confidential": "Confidential columns",
    "engine": "Engine",
    "memory": "Memory",
    "versions": "Versions",
    "seconds": "Seconds",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Subject:
    """What a report is about. `matches`: by column, what matching found; `proof`: sentences on what was verified."""

    tuples: Tuples
    flow: Flow
    evaluation: Evaluation
    k: int
    method: str
    promises_k: bool
    keeps_marginals: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)
    matches: Mapping[str, Any] = field(default_factory=dict)
    proof: tuple[str, ...] = ()


def summarise(subject: Subject, private: bool = False) -> dict[str, Any]:
    """Everything the page shows."""
    tuples, flow, evaluation = subject.tuples, subject.flow, subject.evaluation
    return {
        "private": private,
        "headline": _headline(subject),
        "attributes": [
            {
                "name": s.name,
                "kind": s.kind,
                "distinct": number(s.q),
                "measure": getattr(getattr(s, "inner", s), "measure", None),
            }
            for s in tuples.spaces
        ],
        "promise": _promise(subject),
        "notes": _notes(evaluation),
        "not_released": _not_released(subject),
        "beyond": float(evaluation.loss["loss_percent"]) > 100,
        "patterns": _patterns(subject, private),
        "classes": _classes(subject),
        "loss": _measures(LOSSES, evaluation.loss),
        "best_possible": _best_possible(subject),
        "risk": _measures(RISKS, evaluation.risk),
        "per_attribute": _per_attribute(evaluation),
        "correlations": _correlations(evaluation),
        "replacements": _replacements(subject, private),
        "tree": _tree(subject, private),
        "distributions": [_distribution(subject, j, private) for j in range(tuples.m)] if flow.targets.size else [],
        "risk_curve": _risk_curve(subject),
        "matching": _matching(subject.matches, private),
        "facts": _facts(subject.about, private),
    }


def _headline(s: Subject) -> dict[str, str]:
    e = s.evaluation
    return {
        "records": number(s.tuples.n),
        "released": number(s.tuples.n - s.flow.suppressed),
        "suppressed": number(s.flow.suppressed),
        "tuples": number(s.tuples.p),
        "classes": number(len(s.flow.targets)),
        "unique": number(int((s.tuples.counts == 1).sum())),
        "written": ""
        if (c := s.about.get("combinations", s.tuples.p)) == s.tuples.p
        else number(c),  # several spell one meaning
        "k": number(s.flow.k),
        "loss": number(float(e.loss["loss_percent"])),
        "similarity": number(100 * float(e.loss["similarity"])),
        "linked": number(e.risk.get("srl", e.risk.get("mrl"))),
        "linked_by": "meaning" if "srl" in e.risk else "equality",
        "method": s.method,
        "summary": METHODS.entry(s.method).summary if s.method in METHODS else "",
        "source": METHODS.entry(s.method).source if s.method in METHODS else "",
    }


def _promise(s: Subject) -> dict[str, Any]:
    """The promise in words, whether it is kept, and what was looked at to know."""
    if s.promises_k:
        kept = not len(s.flow.targets) or s.flow.k >= s.k
        words = (
            f"Every released record shares its masked values with at least {s.k - 1:,} others, "
            f"so that nobody can be told from fewer than {s.k:,} records."
        )
        found = f"The smallest class of the release has {plural(s.flow.k, 'record')}."
    else:
        kept = True
        words = "This method does not promise k-anonymous classes."
        if s.keeps_marginals:
            words += " It promises that every column keeps exactly the values it had, each as often as before."
        found = f"The smallest class of the release has {plural(s.flow.k, 'record')}."
    return {"kept": kept, "k_anonymous": s.promises_k, "words": words, "found": found, "proof": list(s.proof)}


def _notes(e: Evaluation) -> list[str]:
    """Sentences on the run and on what was measured; what was discarded has a table of its own."""
    texts = {name: text for name, text in e.notes.items() if isinstance(text, str) and not text.startswith(DISCARDED)}
    return [f"{name}: {text}" if name in LOSSES else text for name, text in texts.items()]


def _not_released(s: Subject) -> list[dict[str, str]]:
    """Why records are not in the release: as the method noted it; the others had no place in it from the start."""
    if not s.flow.suppressed:
        return []
    notes = {name: n for name, n in s.flow.notes.items() if name.startswith(DISCARDED) and isinstance(n, int) and n}
    said = {WHY.get(name, name.removeprefix(DISCARDED)): n for name, n in notes.items()}
    rest = s.flow.suppressed - sum(said.values())
    if rest:
        why = (
            "missing or unmatched values"
            if said or s.method != "suppression"
            else f"fewer than {s.k:,} records alike, or missing or unmatched values"
        )
        said[why] = rest
    total = max(1, s.tuples.n)
    return [{"why": why, "records": number(n), "share": number(100 * n / total)} for why, n in said.items()]


def _patterns(s: Subject, private: bool) -> dict[str, Any] | None:
    """How many patterns of which support; privately the best supported ones."""
    found = s.flow.found
    if found is None or not len(found):
        return None
    most = np.argsort(-found.support, kind="stable")[: MOST_BARS if private else 0]
    rows = [
        [ANYTHING if c < 0 else said(space, c) for c, space in zip(found.values[i], s.tuples.spaces, strict=True)]
        + [number(int(found.support[i]))]
        for i in most
    ]
    return {
        "found": plural(len(found), "pattern"),
        "used": number(int(str(s.flow.notes.get("patterns used", len(found))))),
        "support": _range(int(found.support.min()), int(found.support.max())),
        "columns": [space.name for space in s.tuples.spaces],
        "rows": rows,
    }


def _range(least: int, most: int) -> str:
    return plural(most, "record") if least == most else f"{least:,} to {plural(most, 'record')}"


def _best_possible(s: Subject) -> str:
    """How far the loss is from the least that any k-anonymous masking could have; nothing where that is not comparable."""
    if not s.promises_k or s.flow.suppressed or not s.tuples.p:
        return ""
    return lower_bound(s.tuples, s.k).said(float(s.evaluation.loss["sse"]))


def _measures(registry: Registry, found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of name, value, what it means, source."""
    rows = []
    for name, value in found.items():
        if name == "score":
            summary, source = "weighted mean of L and semantic record linkage", "THESIS 8"
        else:
            entry = registry.entry(name) if name in registry else None
            summary, source = (entry.summary, entry.source) if entry else ("", "")
        shown = value.items() if isinstance(value, Mapping) else [("", value)]
        for column, x in shown:
            plain = x if isinstance(x, (int, float)) else None
            rows.append({"name": name, "column": column, "value": number(plain), "says": summary, "source": source})
    return rows


def _classes(s: Subject) -> Picture:
    """How many percent of the records are in classes of which size, before and after."""
    top = int(max(s.tuples.counts.max(initial=1), s.flow.sizes.max(initial=1)))
    edges = sorted({1, 2, 3, 5, 10, 20, 50, 100, 1000, s.k})
    edges = [x for x in edges if x <= top] or [1]
    labels = []
    for low, high in zip(edges, [*(x - 1 for x in edges[1:]), top], strict=True):
        labels.append(f"{low:,}" if low == high else f"{low:,}+" if high == top and low >= 100 else f"{low:,}–{high:,}")
    series = {}
    for who, sizes in (("before", s.tuples.counts), ("after", s.flow.sizes)):
        cell = np.searchsorted(edges, sizes, side="right") - 1
        held = np.bincount(cell, weights=sizes, minlength=len(edges))
        series[who] = (100 * held / max(1, s.tuples.n)).tolist()
    return pictures.columns(
        "classes", "Records by the size of their class", labels, series, "records that look alike", "percent of the records"
    )


def _per_attribute(e: Evaluation) -> dict[str, Any]:
    rows = []
    for name in e.attributes:
        row = e.statistics.get(name)
        if row:
            variance = row.get("variance", {})
            rows.append((name, float(row["rmse"]), variance.get("original"), variance.get("masked")))
    picture = pictures.bars(
        "rmse", "How far the values of each column moved", [r[0] for r in rows], {"RMSE": [r[1] for r in rows]},
        "root of the mean squared distance (0 nothing, 1 everything)", top_value=0.1,
    )  # fmt: skip
    table = [{"name": r[0], "rmse": number(r[1]), "before": number(r[2]), "after": number(r[3])} for r in rows]
    return {"picture": picture, "rows": table}


def _correlations(e: Evaluation) -> list[dict[str, str]]:
    found = []
    for pair, row in e.statistics.items():
        if isinstance(pair, tuple) and "correlation" in row:
            both = row["correlation"]
            found.append(
                {"pair": " × ".join(pair), "before": number(both["original"]), "after": number(both["masked"]),
                 "change": number(both["change"])}
            )  # fmt: skip
    return found


def _replacements(s: Subject, private: bool) -> list[dict[str, Any]]:
    rows = []
    for r in why.costliest(s.tuples, s.flow, swapped=s.keeps_marginals):
        what = f"{r.before} → {r.after}" if private else r.relation
        rows.append(
            {
                "attribute": r.attribute, "what": what, "relation": r.named if private else "",
                "records": r.records, "distance": f"{r.distance:.3f}", "share": number(r.share), "why": r.reason,
            }
        )  # fmt: skip
    return rows


def _tree(s: Subject, private: bool) -> Picture | None:
    choice = tree.choose(s.tuples, s.flow)
    return tree.draw(choice, names=private) if choice else None


def _distribution(s: Subject, j: int, private: bool) -> Picture:
    """The most frequent values before and after; the public version shows frequencies by rank, without the values."""
    space, t = s.tuples.spaces[j], s.tuples
    before = np.bincount(t.codes[:, j], weights=t.counts, minlength=space.h)
    kept = s.flow.target >= 0
    after = np.bincount(s.flow.targets[s.flow.target[kept], j], weights=s.flow.count[kept], minlength=space.h)
    if private:
        most = np.argsort(-(before + after), kind="stable")[:MOST_BARS]
        most = most[(before + after)[most] > 0]
        shown = {"before": before[most].tolist(), "after": after[most].tolist()}
        title = f"“{space.name}”: the most frequent values"
        return pictures.bars(f"values{j}", title, [said(space, c) for c in most], shown, "records")
    curves = {}
    for who, held in (("before", before), ("after", after)):
        sizes = np.sort(held[held > 0])[::-1]
        total = max(1.0, float(sizes.sum()))
        curves[who] = ((np.arange(len(sizes)) + 1).tolist(), (100 * np.cumsum(sizes) / total).tolist())
    return pictures.steps(
        f"values{j}", f"“{space.name}”: what share of the records its most frequent values cover", curves,
        "number of values, the most frequent first", "percent of the records", staircase=False,
    )  # fmt: skip


def _risk_curve(s: Subject) -> Picture:
    """Share of the records whose class is at most so large: the left end is who can be found."""
    curves = {}
    for who, sizes in (("before", s.tuples.counts), ("after", s.flow.sizes)):
        each, number_of = np.unique(sizes, return_counts=True)
        held = 100 * np.cumsum(each * number_of) / max(1, s.tuples.n)
        xs, ys = [1.0, *each.astype(float).tolist()], [0.0, *held.tolist()]
        curves[who] = (xs, ys)
    mark = (float(s.k), f"k = {s.k:,}") if s.promises_k else None
    return pictures.steps(
        "risk", "Records in classes of at most this size", curves, "class size (chance to be found: 1 in so many)",
        "percent of the records", mark,
    )  # fmt: skip


def _matching(matches: Mapping[str, Any], private: bool) -> dict[str, Any] | None:
    """How the words of each column found their concepts; privately also the choices that were closest to another one."""
    if not matches:
        return None
    ways = list(dict.fromkeys(h or "unmatched" for found in matches.values() for h in found.how))
    values: dict[str, list[float]] = {w: [] for w in ways}
    records: dict[str, list[float]] = {w: [] for w in ways}
    doubtful = []
    for column, found in matches.items():
        how = np.asarray([h or "unmatched" for h in found.how], object)
        counts = np.asarray(found.counts, np.float64)
        for w in ways:
            values[w].append(100 * float((how == w).mean()) if len(how) else 0.0)
            records[w].append(100 * float(counts[how == w].sum()) / max(1.0, float(counts.sum())))
        if private:
            doubtful += _doubtful(column, found)
    labels = list(matches)
    doubtful.sort(key=lambda row: row["margin"])
    return {
        "values": pictures.shares("match-values", "How values found their concept", labels, values, "percent of the values"),
        "records": pictures.shares("match-records", "The same by records", labels, records, "percent of the records"),
        "doubtful": [{**row, "margin": f"{row['margin']:.3f}"} for row in doubtful[:MOST_BARS]],
    }


def _doubtful(column: str, found: Any) -> list[dict[str, Any]]:
    """Values whose second-best sense was nearly as good."""
    rows: list[dict[str, Any]] = []
    for i, margin in enumerate(found.margin):
        if margin is not None and margin == margin and found.runner_up[i]:
            rows.append(
                {"column": column, "value": str(found.values[i]), "taken": str(found.labels[i]),
                 "other": str(found.runner_up[i]), "margin": float(margin)}
            )  # fmt: skip
    return sorted(rows, key=lambda row: row["margin"])[:MOST_BARS]


def _facts(about: Mapping[str, Any], private: bool) -> list[tuple[str, str]]:
    names = PUBLIC_FACTS if not private else {**PUBLIC_FACTS, **{k: k.replace("_", " ").capitalize() for k in about}}
    names = {**names, **PUBLIC_FACTS}
    return [(title, _fact(about[name])) for name, title in names.items() if about.get(name) not in (None, "", (), [], {})]


def _fact(value: Any) -> str:
    if isinstance(value, Mapping):
        return " · ".join(f"{name}: {_fact(x)}" for name, x in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_fact, value))
    return number(value) if isinstance(value, float) else str(value)
