"""What each value means, for a person to review: a table, a CSV that can be edited and given back, a summary."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..errors import OutputError
from ..taxonomy.graph import Ints, Longs
from ..taxonomy.taxonomy import Taxonomy

UNMATCHED = -1
_MISSING = ("NoneType", "NAType", "NaTType")  # pandas' own are named, so that it need not be there
# How a value can have been matched, in the order of the ladder, and what it can be where it was not.
HOW = (
    *("override", "id", "exact", "normalised", "lemma", "stem", "head", "own", "root"),
    *("suppressed", "missing", "doubtful", "unmatched"),
)
COLUMNS = ("value", "records", "concept", "label", "sense", "how", "runner_up", "margin", "kind_of")


@dataclass(frozen=True, eq=False)
class Matches:
    """The distinct values of one attribute, in order of first appearance, each with its concept.

    `taxonomy` is the one the concept numbers are of: the one given, or one with concepts added under its root (`own`).
    """

    taxonomy: Taxonomy
    values: list[str | None]
    counts: Longs  # records of each value
    concepts: Ints  # concept numbers, UNMATCHED where there is none
    sense: Ints  # which sense was taken, from 1; 0 where there is none
    senses: Ints  # out of how many
    how: list[str]  # one of HOW
    second: Ints  # concept number of the next best sense (of the best, where that is in doubt), UNMATCHED where there is none
    margin: npt.NDArray[np.float64]  # how much farther that is from the other values, on average; nan: not compared
    heads: Mapping[str, str] = field(default_factory=dict)  # doubtful value → the word in it whose sense is in doubt

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        s = self.summary()
        of = (f"{s['matched_' + what]:,} of {s[what]:,} {what}" for what in ("values", "records"))
        return f"<Matches: {', '.join(of)}>"

    @cached_property
    def labels(self) -> list[str | None]:
        """The preferred label of each value's concept."""
        return [self._label(c) for c in self.concepts.tolist()]

    @cached_property
    def runner_up(self) -> list[str | None]:
        """The preferred label of each value's next best sense, with its parent, for it may be called like the best."""
        return [None if c < 0 else f"{self._label(c)} ({self._kind_of(c)})" for c in self.second.tolist()]

    @cached_property
    def unmatched(self) -> list[int]:
        """Positions of the values that have no concept and were not set aside on purpose, most frequent first."""
        open_ = [i for i, how in enumerate(self.how) if how in ("unmatched", "doubtful")]
        return sorted(open_, key=lambda i: -int(self.counts[i]))

    def table(self, near: int = 100) -> pa.Table:
        """One row per value. For the `near` most frequent unmatched values `runner_up` holds the nearest labels.

        `kind_of` is the parent of the concept: what tells the senses of a word apart.
        """
        from .unmatched import near_labels

        asked = [i for i in self.unmatched if self.how[i] == "unmatched"][:near]
        suggested = dict(zip(asked, near_labels([str(self.values[i]) for i in asked], self.taxonomy), strict=True))
        ids = [None if c < 0 else self.taxonomy.lexicon.id(c) for c in self.concepts.tolist()]
        return pa.table(
            {
                "value": pa.array(self.values, pa.string()),
                "records": pa.array(self.counts, pa.int64()),
                "concept": pa.array(ids, pa.string()),
                "label": pa.array(self.labels, pa.string()),
                "sense": pa.array(
                    [f"{s} of {n}" if s else None for s, n in zip(self.sense.tolist(), self.senses.tolist(), strict=True)],
                    pa.string(),
                ),
                "how": pa.array(self.how, pa.string()),
                "runner_up": pa.array(
                    [" | ".join(suggested.get(i, ())) or second for i, second in enumerate(self.runner_up)], pa.string()
                ),
                "margin": pa.array(self.margin, pa.float64(), from_pandas=True),
                "kind_of": pa.array([None if c < 0 else self._kind_of(c) for c in self.concepts.tolist()], pa.string()),
            }
        )

    def write_csv(self, path: str | Path) -> None:
        """The table as a CSV: edit `concept` (an id or a label; empty: leave unmatched) and give it back as overrides."""
        write_review({"": self}, path)

    def summary(self) -> dict[str, Any]:
        """Values and records: all, matched, and by how they were matched. Missing values do not count."""
        real = np.asarray([how != "missing" for how in self.how], bool)
        matched = real & (self.concepts != UNMATCHED)
        how: dict[str, dict[str, int]] = {}
        for name in HOW:
            here = np.asarray([h == name for h in self.how], bool)
            if here.any() and name != "missing":
                how[name] = {"values": int(here.sum()), "records": int(self.counts[here].sum())}
        values, records = int(real.sum()), int(self.counts[real].sum())
        return {
            "values": values,
            "records": records,
            "matched_values": int(matched.sum()),
            "matched_records": int(self.counts[matched].sum()),
            "share_values": float(matched.sum() / values) if values else 1.0,
            "share_records": float(self.counts[matched].sum() / records) if records else 1.0,
            "how": how,
        }

    def _kind_of(self, concept: int) -> str:
        parents = self.taxonomy.graph.parents(concept)
        return self.taxonomy.lexicon.label(int(parents[0])) if len(parents) else "anything"

    def _label(self, concept: int) -> str | None:
        return None if concept < 0 else self.taxonomy.lexicon.label(concept)


def write_review(matches: Mapping[str, Matches], path: str | os.PathLike[str]) -> None:
    """The tables of one or several columns as one CSV; with several, the first column of the CSV names the column."""
    several = len(matches) > 1
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*(["column"] if several else []), *COLUMNS])
            for column, found in matches.items():
                for row in found.table().to_pylist():
                    writer.writerow([*([column] if several else []), *(_cell(row[name]) for name in COLUMNS)])
    except OSError as error:
        raise OutputError(f"The match review cannot be written to '{path}': {error.strerror}.") from None


def tally(values: Iterable[Any], counts: Sequence[int] | npt.ArrayLike | None) -> tuple[list[str | None], Longs]:
    """Distinct values as texts, in order of first appearance, and how many records have each.

    `values` is a list, or a column of pandas, polars, Arrow or numpy.
    """
    from ..errors import illegal

    if isinstance(values, str):
        raise illegal("values", "match", "be a list or a column of values", "one string", "Put it into a list.")
    way = next((w for w in ("to_pylist", "to_list", "tolist") if hasattr(values, w)), None)
    given: list[Any] = list(values) if way is None else getattr(values, way)()
    times = np.ones(len(given), np.int64) if counts is None else np.asarray(counts, np.int64)
    if len(times) != len(given):
        raise illegal("counts", "match", "have one number per value", f"{len(times)} for {len(given)} values")
    seen: dict[str | None, int] = {}
    for value, n in zip(given, times.tolist(), strict=True):
        text = None if _is_missing(value) else str(value)
        seen[text] = seen.get(text, 0) + n
    return list(seen), np.fromiter(seen.values(), np.int64, count=len(seen))


def _is_missing(value: object) -> bool:
    return value != value if isinstance(value, float) else type(value).__name__ in _MISSING


def _cell(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else value
