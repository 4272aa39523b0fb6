"""SETS' table 1 on search queries and on patients, with SETS' figures beside; and what masking sets costs."""

from __future__ import annotations

import csv
import gzip
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from ontomask import Taxonomy, Tuples, load_taxonomy
from ontomask.matching.phrases import concepts_of_texts
from ontomask.methods.sets import Distance, SetMicroaggregation
from ontomask.semantics.spaces.flat import FlatSpace
from ontomask.semantics.spaces.sets import SetSpace
from ontomask.semantics.spaces.taxonomy import TaxonomySpace

from .data import folder, icd9cm

PAGE = "docs/methods/sets.md"
KS = (2, 3, 4, 5)
RECORDS = 1000
DISTANCES: tuple[Distance, ...] = get_args(Distance)

# SETS, table 1: loss L of 1,000 users by k = 2, 3, 4, 5; with the meaning of the words, and without.
SETS = {
    ("min", True): (699, 759, 783, 799),
    ("min", False): (825, 863, 883, 895),
    ("max", True): (724, 778, 806, 820),
    ("max", False): (824, 860, 884, 895),
    ("average", True): (639, 692, 724, 745),
    ("average", False): (768, 804, 829, 845),
    ("minsum", True): (683, 733, 759, 781),
    ("minsum", False): (817, 859, 879, 891),
    ("maxsum", True): (716, 780, 819, 838),
    ("maxsum", False): (822, 858, 884, 893),
}

Rows = list[list[str]]


def run() -> dict[str, Any]:
    found: dict[str, Any] = {"study": {}, "speed": speed()}
    for name, (texts, meant, tax) in (("queries", queries()), ("patients", patients())):
        found["study"][name] = study(texts, meant, tax)
    return found


def queries() -> tuple[Rows, list[list[int]], Taxonomy]:
    """What was asked in one state on one day is one user; the users with most queries that mean a noun of WordNet."""
    users: dict[tuple[str, str], dict[str, None]] = {}
    path = folder() / "bing_covid_queries" / "QueriesByState_2020-01-01_2020-01-31.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            users.setdefault((row["Date"], row["State"]), {})[row["Query"]] = None
    distinct = list(dict.fromkeys(q for user in users.values() for q in user))
    tax = load_taxonomy("wordnet")
    texts = concepts_of_texts([[q] for q in distinct], tax)
    means = {q: texts.concepts_of(i) for i, q in enumerate(distinct)}
    rows = [[q for q in user if means[q]] for user in users.values()]
    rows = sorted(rows, key=len, reverse=True)[:RECORDS]
    return rows, [sorted({c for q in row for c in means[q]}) for row in rows], tax


def patients() -> tuple[Rows, list[list[int]], Taxonomy]:
    """Patients of the literature, drawn at random, as sets of HPO terms."""
    tax = hpo()
    rows = [row for row in phenopackets(tax) if row]
    drawn = np.random.default_rng(2014).choice(len(rows), RECORDS, replace=False)
    chosen = [rows[i] for i in drawn]
    return chosen, [sorted(tax.indices(row).tolist()) for row in chosen], tax


def hpo() -> Taxonomy:
    return load_taxonomy(next((folder() / "hpo").glob("*.obo*")))


def phenopackets(tax: Taxonomy) -> Rows:
    with gzip.open(folder() / "phenopackets" / "phenopacket_sets.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = [row["hpo_present"].split("|") for row in csv.DictReader(file)]
    return [[term for term in dict.fromkeys(row) if term in tax] for row in rows]


def table_of(rows: Sequence[Sequence[Any]], inner: Callable[[list[Any]], Any]) -> Tuples:
    """Sets as a table of one attribute; `inner` makes the space of the distinct items."""
    code: dict[Any, int] = {}
    coded = [tuple(sorted({code.setdefault(item, len(code)) for item in row})) for row in rows]
    counts = Counter(coded)
    space = SetSpace("set", list(counts), inner(list(code)))
    return Tuples(np.arange(len(counts), dtype=np.int32)[:, None], np.asarray(list(counts.values()), np.int64), (space,))


def words(tax: Taxonomy) -> Callable[[list[Any]], TaxonomySpace]:
    """Items that are concept numbers, by the measure of SETS."""
    return lambda items: TaxonomySpace("item", tax, np.asarray(items, np.int32), measure="jaccard")


def plain(items: list[Any]) -> FlatSpace:
    return FlatSpace("item", items)


def study(texts: Rows, meant: list[list[int]], tax: Taxonomy) -> dict[str, Any]:
    """L of each distance and k: with the meaning of the items, and with the texts as strings that are equal or not."""
    by_meaning, by_text = table_of(meant, words(tax)), table_of(texts, plain)
    space = by_meaning.spaces[0]
    of_meaning = numbers(meant)
    of_text = numbers(texts)
    meaning = np.empty(by_text.p, np.int64)  # of each distinct set of texts: its set of concepts
    meaning[of_text] = of_meaning
    loss: dict[str, list[float]] = {}
    for distance in DISTANCES:
        for semantic, tuples, means in ((True, by_meaning, np.arange(by_meaning.p)), (False, by_text, meaning)):
            figures = []
            for k in KS:
                flow = SetMicroaggregation(k, distance, semantic).mask(tuples, np.random.default_rng(0))
                before, after = means[flow.source], means[flow.targets[flow.target, 0]]
                figures.append(float(space.along(after, before) ** 2 @ flow.count))
            loss[f"{distance}, {'semantic' if semantic else 'equality'}"] = figures
    return {
        "records": len(texts),
        "items": float(np.mean([len(row) for row in texts])),
        "distinct_texts": len({t for row in texts for t in row}),
        "concepts": len({c for row in meant for c in row}),
        "distinct_sets": by_meaning.p,
        "loss": loss,
    }


def numbers(rows: Sequence[Sequence[Any]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The number of each row's set, by first appearance: that of its tuple."""
    seen: dict[frozenset[Any], int] = {}
    return np.asarray([seen.setdefault(frozenset(row), len(seen)) for row in rows], np.int64)


def speed() -> dict[str, Any]:
    """CPU seconds of all threads, warm, k = 5: they do not depend on what else the machine does."""
    shop = load_taxonomy(folder() / "shopify_taxonomy" / "en__categories.txt.gz")
    rng = np.random.default_rng(1)
    drawn = [rng.integers(0, len(shop), 56).tolist() for _ in range(RECORDS)]
    tables: dict[str, tuple[Tuples, Sequence[Distance]]] = {
        "1,000 × 56 items": (table_of(drawn, words(shop)), DISTANCES),
        "phenopackets": (table_of(_hpo_rows(), words(hpo())), ("average", "minsum")),
        "Groceries": (table_of(*_groceries()), ("average", "minsum")),
        "discharge survey": (table_of(_diagnoses(), words(icd9cm())), ("average",)),
    }
    found: dict[str, Any] = {}
    warm = table_of([[0, 1], [1, 2], [2, 3], [0, 3]] * 3, words(shop))
    for distance in DISTANCES:
        SetMicroaggregation(2, distance).mask(warm, np.random.default_rng(0))
    for name, (tuples, distances) in tables.items():
        seconds = {}
        for distance in distances:
            begin = time.process_time()
            SetMicroaggregation(5, distance).mask(tuples, np.random.default_rng(0))
            seconds[distance] = time.process_time() - begin
        found[name] = {"records": tuples.n, "tuples": tuples.p, "seconds": seconds}
    return found


def _hpo_rows() -> list[list[int]]:
    tax = hpo()
    return [tax.indices(row).tolist() for row in phenopackets(tax) if row]


def _groceries() -> tuple[Rows, Callable[[list[Any]], TaxonomySpace]]:
    place = folder() / "groceries"
    with (place / "items_hierarchy.csv").open(encoding="utf-8", newline="") as file:
        levels = list(csv.DictReader(file))
    edges = [(row["item"], f"2: {row['level2']}") for row in levels]
    edges += [(f"2: {row['level2']}", f"1: {row['level1']}") for row in levels]
    edges += [(f"1: {row['level1']}", "groceries") for row in levels]
    tax = Taxonomy.from_edges(dict.fromkeys(edges))
    lines = (place / "groceries_baskets.csv").read_text(encoding="utf-8").splitlines()
    rows = [[item.strip() for item in line.split(",") if item.strip() in tax] for line in lines]
    return rows, lambda items: TaxonomySpace("item", tax, tax.indices(items), measure="jaccard")


def _diagnoses() -> list[list[int]]:
    tax = icd9cm()
    with gzip.open(folder() / "nhds2010" / "nhds2010.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = [[row[f"dx{i:02}"] for i in range(1, 16) if row[f"dx{i:02}"]] for row in csv.DictReader(file)]
    known = {code: tax.index(code) for code in dict.fromkeys(c for row in rows for c in row)}
    return [[known[c] for c in row] for row in rows]


def table(result: Mapping[str, Any]) -> str:
    both = result["study"]
    lines = []
    said = {"queries": "Queries of one state and day as one user, over WordNet", "patients": "Patients, over the HPO"}
    for name, title in said.items():
        s = both[name]
        lines += [
            f"**{title}**: {s['records']:,} records, {s['items']:.1f} items each on average, {s['distinct_texts']:,} distinct "
            f"items with {s['concepts']:,} concepts, {s['distinct_sets']:,} distinct sets. In parentheses: SETS.",
            "",
            "| distance | " + " | ".join(f"k = {k}" for k in KS) + " |",
            "|---" + "|--:" * len(KS) + "|",
        ]
        for (distance, semantic), theirs in SETS.items():
            label = f"{distance}, {'semantic' if semantic else 'equality'}"
            cells = [f"{ours:.0f} ({their})" for ours, their in zip(s["loss"][label], theirs, strict=True)]
            lines.append("| " + " | ".join([label, *cells]) + " |")
        lines.append("")
    lines += ["| CPU seconds, k = 5 | records | " + " | ".join(DISTANCES) + " |", "|---" + "|--:" * 6 + "|"]
    for name, s in result["speed"].items():
        cells = [f"{s['seconds'][d]:.1f}" if d in s["seconds"] else "" for d in DISTANCES]
        lines.append("| " + " | ".join([name, f"{s['records']:,}", *cells]) + " |")
    return "\n".join(lines)
