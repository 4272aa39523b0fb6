"""Adult's occupations and countries with the sixteen overrides of THESIS table 12."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontomask as om
from ontomask.matching.match import match
from ontomask.matching.matches import Matches

OVERRIDES = Path(__file__).parent / "adult_overrides.csv"


def adult(shared_data: Path, column: int, **options: str) -> Matches:
    rows = [line.split(", ") for line in (shared_data / "adult" / "adult.data").read_text().splitlines() if line.strip()]
    values = [row[column] for row in rows if "?" not in row]
    assert len(values) == 30_162
    return match(values, om.load_taxonomy("wordnet"), overrides=OVERRIDES, unmatched="error", **options)


@pytest.mark.parametrize("column", [6, 13], ids=["occupation", "native-country"])
def test_adult_matches_completely(shared_data: Path, column: int) -> None:
    found = adult(shared_data, column)
    assert found.summary()["share_records"] == 1.0
    assert len(found) == {6: 14, 13: 41}[column]


def test_senses_of_occupations(shared_data: Path) -> None:
    found = adult(shared_data, 6)
    tax = found.taxonomy
    concept = {value: tax.lexicon.id(c) for value, c in zip(found.values, found.concepts, strict=True)}
    # cleaner: someone whose occupation is cleaning, not a cleaning agent; carrier: the mailman; craftsman: a skilled worker
    person = tax.find("person")[0]
    assert person in tax.ancestors(concept["Handlers-cleaners"])
    assert "mailman" in tax.labels(concept["Transport-moving"])
    assert "artisan" in tax.labels(concept["Craft-repair"])
    occupations = [c for value, c in concept.items() if value != "Sales"]
    assert all(person in tax.ancestors(c) for c in occupations)


def test_senses_of_countries(shared_data: Path) -> None:
    found = adult(shared_data, 13)
    tax = found.taxonomy
    concept = {value: tax.lexicon.id(c) for value, c in zip(found.values, found.concepts, strict=True)}
    assert "Nippon" in tax.labels(concept["Japan"])
    places = {value for value, c in concept.items() if tax.find("location")[0] in tax.ancestors(c)}
    # WordNet's Taiwan is an island; Trinidad & Tobago is misspelt in the table: what is known of it is the island of Tobago.
    assert set(concept) - places == {"Taiwan", "Trinadad&Tobago"}
    assert tax.label(concept["Trinadad&Tobago"]) == "Tobago"
    assert all(tax.find("island")[0] in tax.ancestors(concept[v]) for v in ("Taiwan", "Trinadad&Tobago"))
