"""Matching real words with WordNet: what share is matched, how, how fast, and how much of it is right.

Precision is judged by hand: of each set 100 matches were read, each with its concept's words and definition. The judgements
are in `matching_judged.csv` as hashes of value and concept, so that none of the data is in the repository. The sample is
the first 100 matched values in the order of their hashes: it stays the same when the matcher changes elsewhere, and a
match that nobody has judged is counted as such. "Right" is strict: the concept's definition must fit what is named, as it is
or as what it is a kind of.
"""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import ontomask as om
from ontomask.matching.match import match
from ontomask.matching.matches import Matches
from ontomask.matching.phrases import concepts_of_texts

from .data import folder

JUDGED = Path(__file__).parent / "matching_judged.csv"
SAMPLE = 100
QUERIES = "Bing queries"
ALTERNATES = "O*NET alternate titles"  # judged last, though an earlier reading of them had a part in the rules
PAGE = "docs/matching.md"


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


def thanksgiving(column: str) -> list[str]:
    """What people said they eat, some of it free text; one attribute for each question."""
    with (folder() / "thanksgiving2015" / "thanksgiving_nouns.csv").open(encoding="utf-8", newline="") as file:
        return [t.strip() for row in csv.DictReader(file) for t in row[column].split("|") if t.strip()]


def queries() -> list[str]:
    """Distinct search queries."""
    found: set[str] = set()
    for path in sorted((folder() / "bing_covid_queries").glob("Queries*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            found |= {row["Query"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    return sorted(found)


def digest(value: str, concept: str = "") -> str:
    return hashlib.sha256(f"{value}\t{concept}".encode()).hexdigest()[:16]


def sample(found: dict[str, Matches]) -> list[tuple[str, Matches, int]]:
    """(value, its matches, its position) of the first matched values in the order of their hashes."""
    hits = [
        (f"{attribute}{v}", matches, i)
        for attribute, matches in found.items()
        for i, v in enumerate(matches.values)
        if matches.concepts[i] >= 0
    ]
    return sorted(hits, key=lambda hit: digest(hit[0]))[:SAMPLE]


def key_of(value: str, matches: Matches, i: int) -> str:
    return digest(value, matches.taxonomy.lexicon.id(matches.concepts[i]))


def precision(found: dict[str, Matches], known: dict[str, bool]) -> dict[str, int]:
    keys = [key_of(*hit) for hit in sample(found)]
    return {
        "sampled": len(keys),
        "right": sum(known.get(key, False) for key in keys),
        "wrong": sum(not known.get(key, True) for key in keys),
        "unjudged": sum(key not in known for key in keys),
    }


def judged() -> dict[str, bool]:
    """Hash of value and concept → is it right?"""
    with JUDGED.open(encoding="utf-8", newline="") as file:
        return {row["hash"]: row["right"] == "1" for row in csv.DictReader(file)}


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


def match_set(
    name: str, attributes: dict[str, list[str]], cautious: str = "heads"
) -> tuple[dict[str, Matches], dict[str, Any]]:
    """The matches of each attribute of a set, and what they come to."""
    taxonomy = om.load_taxonomy("wordnet")
    begun, cpu = perf_counter(), process_time()
    more: dict[str, Any] = {}
    if name == QUERIES:  # free text: several concepts each, found by noun phrases
        texts = concepts_of_texts(attributes[""], taxonomy)
        found, more = {"": texts.matches}, {"texts": len(texts), "share_texts": texts.summary()["share_texts"]}
    else:
        found = {attribute: match(values, taxonomy, cautious=cautious) for attribute, values in attributes.items()}
    return found, {"seconds": perf_counter() - begun, "cpu_seconds": process_time() - cpu, **more, **_added(found)}


def _added(found: dict[str, Matches]) -> dict[str, Any]:
    """The summaries of some attributes as one."""
    total: dict[str, Any] = {"values": 0, "records": 0, "matched_values": 0, "matched_records": 0, "how": {}}
    for matches in found.values():
        s = matches.summary()
        for name in ("values", "records", "matched_values", "matched_records"):
            total[name] += s[name]
        for how, n in s["how"].items():
            total["how"][how] = total["how"].get(how, 0) + n["values"]
    return total


def sets() -> dict[str, dict[str, list[str]]]:
    """Name of a set → its attributes → their values, one per record."""
    return {
        "O*NET titles": {"": titles()},
        ALTERNATES: {"": alternate_titles()},
        "Groceries": {"": groceries()},
        "Thanksgiving": {f"{c}: ": thanksgiving(c) for c in ("main_dish", "side", "pie", "dessert")},
        QUERIES: {"": queries()},
    }


def run() -> dict[str, Any]:
    taxonomy = om.load_taxonomy("wordnet")
    match(["warm", "kettles", "the old dog", "kettle of fish"], taxonomy)  # imports and kernels
    known = judged()
    result: dict[str, Any] = {"sets": {}}
    for name, attributes in sets().items():
        found, figures = match_set(name, attributes)
        result["sets"][name] = {**figures, "precision": precision(found, known)}
        if name not in (QUERIES, ALTERNATES):
            found, figures = match_set(name, attributes, cautious="all")
            result["sets"][name]["all"] = {**figures, "precision": precision(found, known)}
    strings = many_strings()
    _, figures = match_set("many", {"": strings})
    return {**result, "many": figures}


def table(result: dict[str, Any]) -> str:
    lines = [
        "| set | distinct values | matched | of records | whole | lemma, stem | head | in doubt | right | seconds (CPU) |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, s in result["sets"].items():
        lines.append(_row(name, s))
        if "all" in s:
            lines.append(_row(f'{name}, `cautious="all"`', s["all"]))
    lines.append(_row(f"{result['many']['values']:,} distinct strings", result["many"]))
    return "\n".join(lines)


def _row(name: str, s: dict[str, Any]) -> str:
    def share(*hows: str) -> str:
        return f"{sum(s['how'].get(h, 0) for h in hows) / s['values']:.1%}"

    said, judged_ = "", s.get("precision")
    if judged_ and judged_["right"] + judged_["wrong"] > judged_["unjudged"]:
        said = f"{judged_['right']} of {judged_['right'] + judged_['wrong']}"
        said += f" ({judged_['unjudged']} not judged)" if judged_["unjudged"] else ""
    return (
        f"| {name} | {s['values']:,} | {s['matched_values'] / s['values']:.1%} | {s['matched_records'] / s['records']:.1%} | "
        f"{share('id', 'exact', 'normalised')} | {share('lemma', 'stem')} | {share('head')} | {share('doubtful')} | {said} | "
        f"{s['seconds']:.1f} ({s['cpu_seconds']:.1f}) |"
    )
