"""The real data sets that benchmarks and tests share; the folder is the one that ONTOMASK_DATA names."""

from __future__ import annotations

import csv
import os
from functools import cache
from pathlib import Path

from ontomask import Taxonomy


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
