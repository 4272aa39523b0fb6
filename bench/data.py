"""The real data sets that benchmarks and tests share; the folder is the one that ONTOMASK_DATA names."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np

from ontomask import Taxonomy, load_taxonomy
from ontomask.flow import Tuples
from ontomask.semantics.spaces.taxonomy import TaxonomySpace


def folder() -> Path:
    """The data folder; a clear end where there is none."""
    named = os.environ.get("ONTOMASK_DATA", "")
    if not named or not Path(named).is_dir():
        raise SystemExit("Set ONTOMASK_DATA to the folder of real data sets.")
    return Path(named)


@cache
def icd9cm() -> Taxonomy:
    """The ICD-9-CM diagnoses: root, chapters, sub-chapters, three-digit categories, codes of four and five digits.

    Ids are the codes without the dot ("0010"), as the discharge survey writes them; the groups above them, which have no
    code, have ids like "chapter: Neoplasms".
    """
    with (folder() / "icd9cm" / "icd9cm_hierarchy.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    codes = {row["code"] for row in rows}
    edges: dict[tuple[str, str], None] = {}
    labels: dict[str, list[str]] = {"icd9cm": ["ICD-9-CM"]}
    for row in rows:
        code, category = row["code"], row["three_digit"]
        chapter, section = f"chapter: {row['chapter']}", f"section: {row['sub_chapter']}"
        labels[code] = list(dict.fromkeys([row["long_desc"], row["short_desc"]]))
        labels.setdefault(category, [row["major"]])
        labels.setdefault(section, [row["sub_chapter"]])
        labels.setdefault(chapter, [row["chapter"]])
        if code != category:
            # 00321 under 0032 under 003: the longest heading that is a code of the list.
            edges[code, next(code[:n] for n in range(len(code) - 1, 0, -1) if code[:n] in codes or code[:n] == category)] = None
        edges[category, section] = edges[section, chapter] = edges[chapter, "icd9cm"] = None
    return Taxonomy.from_edges(edges, labels, name="ICD-9-CM")


# The chapters of ICD-9-CM, volume 3: first two-digit category, last one, what it is about.
PROCEDURE_CHAPTERS = (
    (0, 0, "procedures and interventions, not elsewhere classified"),
    (1, 5, "nervous system"),
    (6, 7, "endocrine system"),
    (8, 16, "eye"),
    (17, 17, "other miscellaneous procedures"),
    (18, 20, "ear"),
    (21, 29, "nose, mouth and pharynx"),
    (30, 34, "respiratory system"),
    (35, 39, "cardiovascular system"),
    (40, 41, "hemic and lymphatic system"),
    (42, 54, "digestive system"),
    (55, 59, "urinary system"),
    (60, 64, "male genital organs"),
    (65, 71, "female genital organs"),
    (72, 75, "obstetrical procedures"),
    (76, 84, "musculoskeletal system"),
    (85, 86, "integumentary system"),
    (87, 99, "miscellaneous diagnostic and therapeutic procedures"),
)


def procedures(codes: Iterable[str]) -> Taxonomy:
    """A tree over ICD-9-CM procedure codes ("0066"), from their structure: root, chapters, two digits, three digits, codes."""
    edges: dict[tuple[str, str], None] = {}
    for code in sorted(codes):
        for length in range(len(code), 2, -1):
            edges[code[:length], code[: length - 1]] = None
        chapter = next(name for low, high, name in PROCEDURE_CHAPTERS if low <= int(code[:2]) <= high)
        edges[code[:2], f"chapter: {chapter}"] = edges[f"chapter: {chapter}", "procedures"] = None
    return Taxonomy.from_edges(edges, name="ICD-9-CM procedures")


def zipf_pairs(records: int = 20_000_000, concepts: int = 4_000, seed: int = 0) -> Tuples:
    """A synthetic table of two attributes, each with so many WordNet nouns, drawn apart from each other by Zipf's law.

    The i-th most frequent concept is drawn in proportion to 1/i; which concepts they are is drawn evenly. 20 million
    records of 4,000 × 4,000 concepts have about 3 million distinct tuples.
    """
    rng = np.random.default_rng(seed)
    tax = load_taxonomy("wordnet")
    chance = 1 / np.arange(1, concepts + 1)
    upto = np.cumsum(chance / chance.sum())
    spaces = []
    cell = np.zeros(records, np.int64)
    for name in ("first", "second"):
        spaces.append(TaxonomySpace(name, tax, rng.choice(len(tax), concepts, replace=False)))
        drawn = np.minimum(np.searchsorted(upto, rng.random(records)), concepts - 1)
        cell = cell * concepts + drawn
    counts = np.bincount(cell, minlength=concepts**2)
    first = np.empty(concepts**2, np.int64)
    first[cell[::-1]] = np.arange(records - 1, -1, -1)
    present = np.flatnonzero(counts)
    present = present[np.argsort(first[present])]
    codes = np.column_stack([present // concepts, present % concepts]).astype(np.int32)
    return Tuples(codes, counts[present], tuple(spaces))
