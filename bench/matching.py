"""Matching real words with WordNet: what share is matched, how, how fast, and how much of it is right.

Precision is judged by hand: of each set 100 matches were read, each with its concept's words and definition. The judgements
are in `matching_judged.csv` as hashes of value and concept, so that none of the data is in the repository. The sample is
the first 100 matched values in the order of their hashes: it stays the same when the matcher changes elsewhere, and a
match that nobody has judged is counted as such.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

import ontomask as om
from ontomask.matching.match import match
from ontomask.matching.matches import Matches
from ontomask.matching.phrases import concepts_of_texts

from .data import folder

JUDGED = Path(__file__).parent / "matching_judged.csv"
SAMPLE = 100


def titles() -> list[str]:
    """Job titles as people reported them (O*NET)."""
    with (folder() / "onet_titles" / "sample_of_reported_titles.csv").open(encoding="utf-8", newline="") as file:
        return [row["Reported Job Title"] for row in csv.DictReader(file)]


def alternate_titles() -> list[str]:
    """All lay titles of O*NET."""
    with (folder() / "onet_titles" / "alternate_titles.csv").open(encoding="utf-8", newline="") as file:
        return [row["Alternate Title"] for row in csv.DictReader(file)]


def groceries() -> list[str]:
    """Items of baskets, one per purchase."""
    lines = (folder() / "groceries" / "groceries_baskets.csv").read_text(encoding="utf-8").splitlines()
    return [item.strip() for line in lines for item in line.split(",") if item.strip()]


def thanksgiving() -> list[str]:
    """What people said they eat: main dishes, sides, pies, desserts, some of it free text."""
    with (folder() / "thanksgiving2015" / "thanksgiving_nouns.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [t.strip() for row in rows for c in ("main_dish", "side", "pie", "dessert") for t in row[c].split("|") if t.strip()]


def queries() -> list[str]:
    """Distinct search queries."""
    found: set[str] = set()
    for path in sorted((folder() / "bing_covid_queries").glob("Queries*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            found |= {row["Query"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    return sorted(found)


def digest(value: str, concept: str) -> str:
    return hashlib.sha256(f"{value}\t{concept}".encode()).hexdigest()[:16]


def sample(matches: Matches) -> list[tuple[str, int]]:
    """(value, position) of the first matched values in the order of their hashes."""
    found = [(str(v), i) for i, v in enumerate(matches.values) if matches.concepts[i] >= 0]
    return sorted(found, key=lambda hit: digest(hit[0], ""))[:SAMPLE]


def judged() -> dict[tuple[str, str], bool]:
    with JUDGED.open(encoding="utf-8", newline="") as file:
        return {(row["set"], row["hash"]): row["right"] == "1" for row in csv.DictReader(file)}


def precision(name: str, matches: Matches) -> dict[str, int]:
    known = judged()
    keys = [(name, digest(v, matches.taxonomy.lexicon.id(matches.concepts[i]))) for v, i in sample(matches)]
    return {
        "sampled": len(keys),
        "right": sum(known.get(key, False) for key in keys),
        "wrong": sum(not known.get(key, True) for key in keys),
        "unjudged": sum(key not in known for key in keys),
    }


def many_strings(n: int = 100_000) -> list[str]:
    """`n` distinct strings: labels of WordNet as people would type them, phrases around them, and what is none."""
    labels = om.load_taxonomy("wordnet").lexicon.keys.to_pylist()
    ways = (
        str,
        str.title,
        lambda s: s + "s",
        lambda s: "the old " + s,
        lambda s: s[::-1],
        lambda s: s.replace(" ", "-").upper(),
    )
    return list(dict.fromkeys(ways[i % len(ways)](label) for i, label in enumerate(labels)))[:n]


def run() -> dict[str, Any]:
    taxonomy = om.load_taxonomy("wordnet")
    match(["warm", "kettles", "the old dog", "kettle of fish"], taxonomy)  # kernels compile, indexes are made on first use
    sets: dict[str, Any] = {}
    for name, values in _sets():
        begun = perf_counter()
        if name == "Bing queries":
            texts = concepts_of_texts(list(values), taxonomy)
            found, share = texts.matches, texts.summary()["share_texts"]
        else:
            found = match(list(values), taxonomy)
            share = None
        seconds = perf_counter() - begun
        sets[name] = {"seconds": seconds, **found.summary(), "precision": precision(name, found)}
        if share is not None:
            sets[name]["share_texts"] = share
    strings = many_strings()
    begun = perf_counter()
    found = match(strings, taxonomy)
    return {"sets": sets, "many": {"strings": len(strings), "seconds": perf_counter() - begun, **found.summary()}}


def _sets() -> Iterable[tuple[str, list[str]]]:
    yield "O*NET reported titles", titles()
    yield "O*NET alternate titles", alternate_titles()
    yield "Groceries items", groceries()
    yield "Thanksgiving answers", thanksgiving()
    yield "Bing queries", queries()


def table(result: dict[str, Any]) -> str:
    lines = [
        "### Matching with WordNet",
        "",
        "| set | distinct values | matched | of records | whole | lemma, stem | head | doubtful | precision | seconds |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, s in result["sets"].items():
        lines.append(_row(name, s, s["precision"]))
    many = result["many"]
    lines.append(_row(f"{many['strings']:,} distinct strings", many, None))
    return "\n".join(lines)


def _row(name: str, s: dict[str, Any], judged: dict[str, int] | None) -> str:
    def share(*hows: str) -> str:
        return f"{sum(s['how'].get(h, {'values': 0})['values'] for h in hows) / s['values']:.1%}"

    said = ""
    if judged and judged["right"] + judged["wrong"]:
        said = f"{judged['right']} of {judged['right'] + judged['wrong']}"
        said += f" ({judged['unjudged']} not judged)" if judged["unjudged"] else ""
    return (
        f"| {name} | {s['values']:,} | {s['share_values']:.1%} | {s['share_records']:.1%} | "
        f"{share('id', 'exact', 'normalised')} | {share('lemma', 'stem')} | {share('head')} | {share('doubtful')} | {said} | "
        f"{s['seconds']:.2f} |"
    )
