"""Masked words of other tools, read as concepts."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontomask import Taxonomy
from ontomask.errors import DataError
from ontomask.matching.resolve import HOW, MISSING, UNKNOWN, Resolver, read_hierarchy

TAX = Taxonomy.from_edges(
    [
        *(("welder", "metalworker"), ("smith", "metalworker"), ("metalworker", "worker")),
        *(("nurse", "carer"), ("midwife", "carer"), ("carer", "worker"), ("worker", "person")),
        *(("river bank", "slope"), ("money bank", "institution"), ("slope", "person"), ("institution", "person")),
    ],
    labels={"river bank": ["bank"], "money bank": ["bank", "bank building"]},
)
VALUES = {"welder": "welder", "smith": "smith", "Nurse ": "nurse", "midwife": "midwife"}


def read(word: object, values: dict[str, str] = VALUES, **options: object) -> tuple[str, str]:
    resolver = Resolver(TAX, {v: TAX.index(c) for v, c in values.items()}, **options)  # type: ignore[arg-type]
    found = resolver.resolve([word])
    c = int(found.concepts[0])
    return (TAX.lexicon.id(c) if c >= 0 else {MISSING: "missing", UNKNOWN: "unknown"}[c]), found.how[0]


@pytest.mark.parametrize(
    ("word", "concept", "how"),
    [
        ("welder", "welder", "value"),
        (" Nurse", "nurse", "value"),
        ("Metal worker", "unknown", "unknown"),
        ("Metalworker", "metalworker", "label"),
        ("*", "person", "anything"),
        ("", "person", "anything"),
        (None, "person", "anything"),
        (float("nan"), "person", "anything"),
        ("{welder, smith}", "metalworker", "set"),
        ("['welder', 'smith']", "metalworker", "set"),
        ("welder~midwife", "worker", "set"),
        ("welder | smith", "metalworker", "set"),
        ("Nurse or midwife", "carer", "set"),
        ("{welder}", "welder", "set"),
        ("welder,unheard of", "unknown", "unknown"),
        ("m*", "midwife", "cut"),
        ("smith**", "smith", "cut"),
        ("bank (slope)", "river bank", "label"),
        ("bank (institution)", "money bank", "label"),
    ],
)
def test_words(word: object, concept: str, how: str) -> None:
    assert read(word) == (concept, how)
    assert how in HOW


def test_an_empty_cell_is_missing_where_the_original_has_missing_values() -> None:
    resolver = Resolver(TAX, {"welder": TAX.index("welder"), None: MISSING})
    assert resolver.resolve([None, "*"]).concepts.tolist() == [MISSING, TAX.graph.root]


def test_a_label_means_the_sense_that_covers_what_it_replaced() -> None:
    resolver = Resolver(TAX, {v: TAX.index(v) for v in ("river bank", "money bank")})
    river, money = TAX.index("river bank"), TAX.index("money bank")
    assert resolver.resolve(["bank"], [{money: 3, river: 1}]).concepts.tolist() == [money]
    assert resolver.resolve(["bank"], [{money: 1, river: 3}]).concepts.tolist() == [river]


def test_a_level_of_a_hierarchy_covers_the_values_of_the_table(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("welder;Technical;*\nsmith;Technical;*\nmidwife;Carer;*\nsurgeon;Technical;*\n", encoding="utf-8")
    levels = read_hierarchy(path)
    assert levels == {"Technical": {"welder", "smith", "surgeon"}, "Carer": {"midwife"}}
    assert read("Technical", hierarchy=levels) == ("metalworker", "hierarchy")
    assert read("Carer", hierarchy=levels) == ("midwife", "hierarchy")  # before it is looked up as a label
    assert read("{Technical, midwife}", hierarchy=levels) == ("worker", "set")


def test_a_file_without_levels_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("welder\nsmith\n", encoding="utf-8")
    with pytest.raises(DataError, match="has no level"):
        read_hierarchy(path)
    with pytest.raises(DataError, match="cannot be read"):
        read_hierarchy(tmp_path / "nowhere.csv")


def test_the_summary_counts_ways_and_names_no_word() -> None:
    resolver = Resolver(TAX, {v: TAX.index(v) for v in ("welder", "smith")})
    summary = resolver.resolve(["welder", "{welder, smith}", "smith|welder", "*"]).summary()
    assert summary == {HOW["anything"]: 1, HOW["set"]: 2, HOW["value"]: 1}
