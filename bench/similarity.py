"""How measures agree with people: correlations with the judgements of Rubenstein & Goodenough and of Miller & Charles.

A pair of nouns gets the distance of its nearest pair of senses in WordNet 3.0; correlations are between the ratings and
the negative distance. Intervals are bootstrap percentiles over the pairs of nouns.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from ontomask import Taxonomy, load_taxonomy
from ontomask._registry import MEASURES
from ontomask.errors import TaxonomyError

from .data import folder

PAGE = "docs/measures.md"
DICTIONARY = Path("/usr/share/wordnet")
SETS = {"rg65": "Rubenstein & Goodenough, 65 pairs", "mc30": "Miller & Charles, 30 pairs"}
RESAMPLES = 5000
# (rg65, mc30). THESIS table 4 collects values from several authors, most of them on WordNet 2.
THESIS = {
    "path": (None, 0.59),
    "wup": (None, 0.74),
    "lch": (0.77, 0.74),
    "rodriguez": (None, 0.71),
    "tversky": (None, 0.73),
    "xsim": (None, 0.74),
    "logsc": (0.86, 0.85),
    "resnik": (0.72, 0.72),
    "lin": (0.72, 0.70),
    "jcn": (0.75, 0.73),
}
# Measured elsewhere on WordNet 3.0, by other implementations.
ELSEWHERE = {
    "path": (0.78, 0.76),
    "wup": (0.79, 0.78),
    "lch": (0.84, 0.78),
    "jaccard": (0.83, 0.79),
    "logsc": (0.85, 0.81),
    "lin": (0.87, 0.84),
    "jcn": (0.87, 0.88),
}


def run() -> dict[str, Any]:
    tax = load_taxonomy(DICTIONARY if DICTIONARY.is_dir() else "wordnet")
    found: dict[str, Any] = {}
    for name in SETS:
        with (folder() / "similarity_benchmarks" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        ratings = np.asarray([float(row["rating"]) for row in rows])
        pairs = [(row["word1"], row["word2"]) for row in rows]
        for measure in MEASURES:
            try:
                near = -nearest_senses(tax, pairs, measure)
            except TaxonomyError:  # no glosses without the dictionary
                continue
            if measure == "path":  # as all who quote it: the similarity 1/(path + 1)
                near = 1 / (1 - near)
            found.setdefault(measure, {})[name] = correlations(ratings, near)
    return {"wordnet": tax.version, "resamples": RESAMPLES, "measures": found}


def nearest_senses(tax: Taxonomy, pairs: list[tuple[str, str]], measure: str) -> np.ndarray:
    """Of each pair of words the least distance of any two of their senses."""
    return np.asarray([tax.distances(tax.find(a), tax.find(b), measure=measure).min() for a, b in pairs])


def correlations(ratings: np.ndarray, near: np.ndarray) -> dict[str, list[float]]:
    """Pearson and Spearman, each with the ends of its 95 % bootstrap interval."""
    from scipy.stats import rankdata

    rng = np.random.default_rng(65)
    drawn = rng.integers(0, len(ratings), (RESAMPLES, len(ratings)))
    found = {}
    for name, prepare in (("pearson", lambda x: x), ("spearman", lambda x: rankdata(x, axis=-1))):
        whole = _pearson(prepare(ratings), prepare(near))
        again = _pearson(prepare(ratings[drawn]), prepare(near[drawn]))
        found[name] = [round(float(x), 3) for x in (whole, *np.nanpercentile(again, [2.5, 97.5]))]
    return found


def _pearson(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    x = x - x.mean(axis=-1, keepdims=True)
    y = y - y.mean(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):  # a sample in which all pairs are at one distance has no correlation
        return (x * y).sum(axis=-1) / np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))


def table(result: dict[str, Any]) -> str:
    lines = [
        "| measure | rg65 Pearson | rg65 Spearman | mc30 Pearson | mc30 Spearman "
        "| THESIS table 4: rg65, mc30 | elsewhere: rg65, mc30 |",
        "|---|---|---|---|---|---|---|",
    ]
    for measure, sets in result["measures"].items():
        cells = []
        for name in SETS:
            for kind in ("pearson", "spearman"):
                value, low, high = sets[name][kind]
                cells.append(f"{value:.2f} ({low:.2f} to {high:.2f})")
        for quoted in (THESIS, ELSEWHERE):
            both = quoted.get(measure)
            cells.append(", ".join("–" if x is None else f"{x:.2f}" for x in both) if both else "–")
        lines.append(f"| {measure} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
