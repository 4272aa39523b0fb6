"""The tables that methods are measured on, as distinct tuples with counts."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from ontomask import Taxonomy, load_taxonomy
from ontomask.flow import Tuples
from ontomask.semantics.spaces.base import Space
from ontomask.semantics.spaces.taxonomy import TaxonomySpace

from .data import folder, icd9cm, procedures

# THESIS, table 12: what words of Adult are called in WordNet.
ADULT_OVERRIDES = {
    "Tech-support": "technician",
    "Craft-repair": "craftsman",
    "Other-service": "worker",
    "Exec-managerial": "executive",
    "Prof-specialty": "specialist",
    "Handlers-cleaners": "cleaner",
    "Machine-op-inspct": "operator",
    "Adm-clerical": "clerk",
    "Farming-fishing": "skilled worker",
    "Transport-moving": "carrier",
    "Priv-house-serv": "housekeeper",
    "Protective-serv": "guard",
    "Armed-Forces": "soldier",
    "Sales": "salesperson",
    "Outlying-US(Guam-USVI-etc)": "american state",
    "Holand-Netherlands": "netherlands",
    "Hong": "hong kong",
    "Columbia": "colombia",
    "South": "south korea",
    "Trinadad&Tobago": "trinidad and tobago",
}


def tuples_of(rows: Iterable[tuple[str, ...]], spaces: Sequence[tuple[Space, dict[str, int]]]) -> Tuples:
    """Distinct rows, in order of first occurrence, with counts."""
    counted = Counter(rows)
    codes = [[code[value] for value, (_, code) in zip(row, spaces, strict=True)] for row in counted]
    return Tuples(np.asarray(codes, np.int32), np.fromiter(counted.values(), np.int64), tuple(space for space, _ in spaces))


def context_senses(words: Sequence[str], tax: Taxonomy) -> dict[str, int]:
    """For each word the sense with the least sum over the other words of the distance to their nearest sense."""
    senses = [tax.find(w) for w in words]
    flat = list(dict.fromkeys(s for some in senses for s in some))
    at = {s: i for i, s in enumerate(flat)}
    apart = tax.distances(flat)
    rows = [[at[s] for s in some] for some in senses]
    chosen = {}
    for i, (word, mine) in enumerate(zip(words, rows, strict=True)):
        cost = [sum(apart[s, others].min() for o, others in enumerate(rows) if o != i) for s in mine]
        chosen[word] = tax.index(flat[mine[int(np.argmin(cost))]])
    return chosen


@cache
def adult(measure: str = "logsc") -> Tuples:
    """Occupation × native-country of Adult's complete training records: 30,162 records."""
    tax = load_taxonomy("wordnet")
    with (folder() / "adult" / "adult.data").open(encoding="utf-8", newline="") as file:
        rows = [tuple(cell.strip() for cell in row) for row in csv.reader(file) if len(row) == 15]
    rows = [(row[6], row[13]) for row in rows if "?" not in row]
    spaces = []
    for j, name in enumerate(("occupation", "native-country")):
        words = list(dict.fromkeys(row[j] for row in rows))
        sense = context_senses([ADULT_OVERRIDES.get(w, w) for w in words], tax)
        concepts = [sense[ADULT_OVERRIDES.get(w, w)] for w in words]
        distinct = list(dict.fromkeys(concepts))
        space = TaxonomySpace(name, tax, distinct, measure=measure)
        spaces.append((space, {w: distinct.index(c) for w, c in zip(words, concepts, strict=True)}))
    return tuples_of(rows, spaces)


@cache
def nhds(columns: tuple[str, ...] = ("dx01", "dx02"), measure: str = "logsc") -> Tuples:
    """Diagnoses (dx…) and procedures (pc…) of the discharge survey of 2010, the stays that have all of them."""
    with gzip.open(folder() / "nhds2010" / "nhds2010.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = [tuple(row[c] for c in columns) for row in csv.DictReader(file)]
    rows = [row for row in rows if all(cell and cell != "NA" for cell in row)]
    spaces = []
    for j, name in enumerate(columns):
        words = list(dict.fromkeys(row[j] for row in rows))
        tax = procedures(words) if name.startswith("pc") else icd9cm()
        space = TaxonomySpace(name, tax, tax.indices(words), measure=measure)
        spaces.append((space, {w: c for c, w in enumerate(words)}))
    return tuples_of(rows, spaces)
