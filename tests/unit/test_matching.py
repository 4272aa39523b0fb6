"""Matching: each rung of the ladder, overrides, policies, the review, released strings, free texts."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import ontomask as om
from ontomask.errors import DataError, MatchingError, OutputError, ParameterError
from ontomask.matching.forms import agentive, bare, lemmas
from ontomask.matching.heads import head_proposals
from ontomask.matching.match import match
from ontomask.matching.matches import write_review
from ontomask.matching.overrides import read_overrides
from ontomask.matching.phrases import concepts_of_texts, noun_phrases
from ontomask.matching.spelling import released_strings, speaks_ids
from ontomask.matching.unmatched import extended, near_labels

WORDNET = om.load_taxonomy("wordnet")
SPORTS = om.Taxonomy.from_edges(
    [("s1", "s0"), ("s2", "s0"), ("s3", "s1"), ("s4", "s2")],
    {
        "s0": ["sport", "athletics"],
        "s1": ["ball game"],
        "s2": ["water sport"],
        "s3": ["football", "fútbol", "Fußball"],
        "s4": ["swimming", "natación"],
    },
)


# --- the ladder -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "label", "how"),
    [
        ("s3", "football", "id"),
        ("football", "football", "exact"),
        ("Ball_Game", "ball game", "normalised"),
        ("ball-game.", "ball game", "normalised"),
        ("ballgame", "ball game", "normalised"),
        ("FUSSBALL", "football", "normalised"),
        ("natación", "swimming", "exact"),
        ("water sports", "water sport", "lemma"),
        ("chess", None, "unmatched"),
        ("my favourite ball games", None, "unmatched"),
        ("indoor ball games", "ball game", "head"),
        ("swiming", None, "unmatched"),
        (None, None, "missing"),
    ],
)
def test_rungs(value: str | None, label: str | None, how: str) -> None:
    found = match([value], SPORTS)
    assert (found.labels, found.how) == ([label], [how])


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("relaxing", "relaxation"),  # FUSION 4.1
        ("mice", "mouse"),
        ("women", "woman"),
        ("heads of state", "head of state"),
        ("CEO (Chief Executive Officer)", "chief executive officer"),
        ("a broken typewriter", "typewriter"),
    ],
)
def test_english_forms(value: str, label: str) -> None:
    assert match([value], WORDNET).labels == [label]


@pytest.mark.parametrize(
    "value", ["It", "the", "Of", "Other (please specify)", "operatorish", "pens and pencils", "I like tea", ""]
)
def test_rather_nothing_than_wrong(value: str) -> None:
    assert match([value], WORDNET).how == ["unmatched"]


def test_lemmas_and_stems_may_be_left_out() -> None:
    assert match(["water sports"], SPORTS, language=None).how == ["unmatched"]
    assert match(["indoor ball game"], SPORTS, heads=False).how == ["unmatched"]


def test_forms() -> None:
    assert lemmas("glass") == ()
    assert "box" in lemmas("boxes")
    assert bare("  «Tea»!  ") == "tea"
    assert bare("Rehabilitation Aide (Rehab Aide)") == "rehabilitation aide"
    assert bare("liquor (appetizer)") == "liquor (appetizer)"
    assert agentive("machine operator") != agentive("machine operation")


def test_heads_of_phrases() -> None:
    assert head_proposals("senior director of nursing")[-1] == "director"
    assert head_proposals("engineer ii") == ["engineer"]
    assert head_proposals("some kind of stew") == ["stew"]
    assert head_proposals("tea, coffee") == head_proposals("we drink tea") == []


def test_a_proper_name_is_no_head_of_a_common_phrase() -> None:
    values = ["opera singer", "violinist", "pianist"]
    found = match(values, WORDNET, cautious="never")
    assert found.labels[0] == "singer"
    assert match(["coronavirus malaysia"], WORDNET).how == ["unmatched"]


def test_a_list_is_not_its_last_member() -> None:
    assert match(["potatoes and beans", "sales and marketing supervisor"], WORDNET, cautious="never").labels == [
        None,
        "supervisor",
    ]


# --- senses -----------------------------------------------------------------------------------------------------------


def test_first_and_context() -> None:
    values = ["Japan", "Peru", "Chile", "France"]
    assert match(values, WORDNET, senses="first").sense.tolist()[0] == 1
    found = match(values, WORDNET)
    assert "Nippon" in WORDNET.labels(WORDNET.lexicon.id(found.concepts[0]))
    assert found.margin[0] > 0.2
    assert found.runner_up[0] is not None


def test_a_phrase_in_doubt_is_left_and_an_override_of_its_head_settles_it() -> None:
    values = ["lathe operator", "crane operator", "plumber", "welder", "carpenter"]
    found = match(values, WORDNET)
    assert found.how[:2] == ["doubtful", "doubtful"]
    assert found.heads["crane operator"] == "operator"
    assert found.concepts[0] == -1
    with pytest.raises(MatchingError, match=r"'operator' \(2 values\)"):
        match(values, WORDNET, unmatched="error")
    settled = match(values, WORDNET, overrides={"operator": WORDNET.find("operator")[1]}, unmatched="error")
    assert settled.how[:2] == ["head", "head"]
    assert match(values, WORDNET, cautious="never").how[:2] == ["head", "head"]


def test_many_values_ask_some_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    import ontomask.matching.senses as senses

    values = ["Japan", "Peru", "Chile", "France", "Spain", "Italy", "Cuba"]
    all_of_them = match(values, WORDNET).concepts
    monkeypatch.setattr(senses, "WITNESSES", 4)
    monkeypatch.setattr(senses, "_ROWS", 3)
    assert np.array_equal(match(values, WORDNET).concepts, all_of_them)


# --- counts, values ---------------------------------------------------------------------------------------------------


def test_repeated_values_are_counted() -> None:
    found = match(["swimming", "football", "swimming", None], SPORTS, counts=[2, 3, 5, 1])
    assert found.values == ["swimming", "football", None]
    assert found.counts.tolist() == [7, 3, 1]
    summary = found.summary()
    assert (summary["values"], summary["records"], summary["share_records"]) == (2, 10, 1.0)
    assert summary["how"] == {"exact": {"values": 2, "records": 10}}
    assert match([], SPORTS).summary()["share_values"] == 1.0


def test_codes_may_be_numbers() -> None:
    codes = om.Taxonomy.from_edges([("10", "1"), ("11", "1")], {"1": ["all"], "10": ["ten"], "11": ["eleven"]})
    found = match([10, 11, float("nan")], codes)
    assert found.how == ["id", "id", "missing"]


def test_columns_of_any_kind_of_table() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    words = ["swimming", None, "football"]
    columns = [
        words,
        pa.array(words),
        pa.chunked_array([words]),
        pl.Series(words),
        pd.Series(words),
        pd.Series(words, dtype="string"),
    ]
    for column in [*columns, np.asarray(words, object)]:
        assert match(column, SPORTS).how == ["exact", "missing", "exact"]
    with pytest.raises(ParameterError, match="Put it into a list"):
        match("football", SPORTS)
    with pytest.raises(ParameterError, match="one number per value"):
        match(words, SPORTS, counts=[1])


# --- overrides --------------------------------------------------------------------------------------------------------


def test_overrides_go_first_and_may_take_a_meaning_away() -> None:
    found = match(["football", "Swimming"], SPORTS, overrides={"football": "water-sport", "swimming": None})
    assert found.labels == ["water sport", None]
    assert found.how == ["override", "unmatched"]


def test_an_override_of_an_unknown_concept_is_refused_with_what_is_near() -> None:
    with pytest.raises(MatchingError, match=r"no concept 'footbal', neither as an id nor as a label\. Did you mean 'football'"):
        match(["x"], SPORTS, overrides={"x": "footbal"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "columns 'value' and 'concept'"),
        ('value,concept\n"football,s2\n', "is not a CSV in UTF-8"),
        ("value,concept,label\nx,s3,swimming\n", "line 2: the concept 's3' is not called 'swimming'"),
    ],
)
def test_bad_override_tables(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "o.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((DataError, MatchingError), match=message):
        read_overrides(path, SPORTS)


def test_override_tables_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_overrides(tmp_path / "none.csv", SPORTS)
    with pytest.raises(ParameterError, match="'overrides' parameter"):
        read_overrides(3, SPORTS)  # type: ignore[arg-type]


def test_an_edited_review_is_an_override_table(tmp_path: Path) -> None:
    review = tmp_path / "review.csv"
    columns = {"sport": match(["football", "chess", "swimming"], SPORTS), "other": match(["chess"], SPORTS)}
    write_review(columns, review)
    with review.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [r["column"] for r in rows] == ["sport", "sport", "sport", "other"]
    assert rows[1]["how"] == "unmatched"
    rows[1]["concept"] = "ball game"
    rows[2]["concept"] = rows[2]["label"] = ""
    with review.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    again = match(["football", "chess", "swimming"], SPORTS, overrides=review, column="sport")
    assert again.labels == ["football", "ball game", None]
    assert match(["chess"], SPORTS, overrides=review, column="other").labels == [None]


def test_a_review_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        match(["football"], SPORTS).write_csv(tmp_path / "nowhere" / "r.csv")


def test_the_review_suggests_near_labels_and_tells_senses_apart() -> None:
    table = match(["cofee", "Japan", "Peru"], WORDNET).table().to_pylist()
    assert "coffee" in table[0]["runner_up"]
    assert (table[1]["label"], table[1]["kind_of"]) == ("Japan", "Asian country")
    assert table[1]["sense"] == "2 of 4"


# --- unmatched --------------------------------------------------------------------------------------------------------


def test_the_error_lists_the_ten_most_frequent_and_says_how_to_go_on() -> None:
    values = [f"qqq{i}" for i in range(12)] + ["fotball"]
    with pytest.raises(MatchingError) as error:
        match(values, SPORTS, counts=[*range(1, 13), 40], unmatched="error", column="sport")
    text = str(error.value)
    assert text.startswith("13 values of column 'sport' (118 records)")
    assert "'fotball' (40 records; near: football)" in text
    assert "'qqq11'" in text
    assert "'qqq2'" not in text
    assert "and 3 more" in text
    assert "overrides" in text
    assert "unmatched='root'" in text


def test_policies() -> None:
    values = ["football", "chess", "Chess ", "go"]
    root = match(values, SPORTS, unmatched="root")
    assert root.concepts[1] == SPORTS.graph.root
    assert root.how[1:] == ["root"] * 3
    gone = match(values, SPORTS, unmatched="suppress")
    assert gone.how[1:] == ["suppressed"] * 3
    assert gone.concepts[1] == -1
    own = match(values, SPORTS, unmatched="own")
    tax = own.taxonomy
    assert own.concepts[1] == own.concepts[2] != own.concepts[3]
    assert tax.parents(tax.find("chess")[0]) == ["s0"]
    assert len(tax) == len(SPORTS) + 2
    with pytest.raises(ParameterError, match="'unmatched' parameter"):
        match(values, SPORTS, unmatched="drop")


def test_own_concepts_leave_the_others_as_they_are() -> None:
    tax = extended(SPORTS, ["football", "own:chess", "chess"])
    assert tax.find("football")[0] == "s3"
    assert [tax.label(i) for i in SPORTS.lexicon.ids.to_pylist()] == [SPORTS.label(i) for i in SPORTS.lexicon.ids.to_pylist()]
    assert tax.distance("football", "swimming") == SPORTS.distance("football", "swimming")
    assert len(set(tax.lexicon.ids.to_pylist())) == len(tax)


def test_own_concepts_of_words_that_the_taxonomy_knows_otherwise() -> None:
    words = ["swimming", "a", "zebra", "Zebra"]
    tax = extended(SPORTS, words)
    slow = om.Taxonomy.from_edges(
        [*[("s1", "s0"), ("s2", "s0"), ("s3", "s1"), ("s4", "s2")], *((f"own:{w}", "s0") for w in words)],
        {**{i: SPORTS.labels(i) for i in SPORTS.lexicon.ids.to_pylist()}, **{f"own:{w}": [w] for w in words}},
    )
    assert tax.lexicon.keys.to_pylist() == slow.lexicon.keys.to_pylist()
    for key in tax.lexicon.keys.to_pylist():
        assert tax.find(key) == slow.find(key)
    assert [tax.labels(i) for i in tax.lexicon.ids.to_pylist()] == [slow.labels(i) for i in slow.lexicon.ids.to_pylist()]


def test_near_labels() -> None:
    assert near_labels(["swiming", "zzz"], SPORTS) == [["swimming"], []]


@pytest.mark.parametrize("name", ["senses", "cautious"])
def test_illegal_parameters(name: str) -> None:
    with pytest.raises(ParameterError, match=f"The '{name}' parameter of match must be one of"):
        match(["football"], SPORTS, **{name: "perhaps"})


# --- released strings -------------------------------------------------------------------------------------------------


def test_one_spelling_per_concept_the_most_frequent() -> None:
    found = match(["Sport", "sports", "SPORT", "swimming"], SPORTS, counts=[2, 4, 4, 1])
    assert released_strings(SPORTS.indices(["s0", "s4"]), found) == ["sports", "swimming"]
    assert released_strings([SPORTS.index("s0")], found) == ["sports"]
    assert released_strings([SPORTS.index("s0")], found, labels="preferred") == ["sport"]
    assert released_strings([-1, SPORTS.index("s3")], found) == [None, "football"]


def test_codes_stay_codes() -> None:
    found = match(["s3", "s4", "football"], SPORTS, counts=[3, 3, 1])
    assert speaks_ids(found)
    assert released_strings(SPORTS.indices(["s3", "s1"]), found) == ["s3", "s1"]
    assert released_strings(SPORTS.indices(["s1"]), found, labels="preferred") == ["s1"]
    assert not speaks_ids(match(["football"], SPORTS))


def test_a_phrase_is_no_spelling_of_its_head() -> None:
    found = match(["indoor ball games"], SPORTS)
    assert found.how == ["head"]
    assert released_strings(found.concepts, found) == ["ball game"]


def test_two_concepts_never_share_a_string() -> None:
    tax = om.Taxonomy.from_edges(
        [("a", "f"), ("b", "g"), ("f", "t"), ("g", "t"), ("c", "f")],
        {"a": ["orange"], "b": ["Orange"], "c": ["orange"], "f": ["fruit"], "g": ["colour"], "t": ["thing"]},
    )
    found = match(["fruit"], tax)
    strings = released_strings(tax.indices(["a", "b", "c"]), found)
    assert strings == ["orange", "Orange (colour)", "orange (fruit)"]
    with pytest.raises(ParameterError, match="'labels' parameter"):
        released_strings([0], found, labels="short")


# --- free texts -------------------------------------------------------------------------------------------------------


def test_noun_phrases() -> None:
    assert noun_phrases("AC charger for a new iPhone") == ("AC charger", "new iPhone")
    assert noun_phrases("cruise ships and flu") == ("cruise ships", "flu")
    assert noun_phrases("") == ()


def test_sets_of_texts() -> None:
    sets = [["piano", "Trumpets"], "violin|piano", None, "qqqq"]
    found = concepts_of_texts(sets, WORDNET, separator="|", counts=[2, 3, 1, 1])
    assert [found.terms_of(i) for i in range(4)] == [["piano", "Trumpets"], ["violin", "piano"], [], []]
    piano = found.concepts_of(0)[0]
    assert piano in found.concepts_of(1)
    assert found.terms_by_concept[piano] == ["piano"]
    assert found.matches.counts.tolist() == [5, 2, 3]
    assert found.summary()["matched_texts"] == 2
    assert found.texts[0] == "piano | Trumpets"


def test_phrases_of_texts_drop_words_from_the_left() -> None:
    texts = ["where can I buy a cheap second-hand grand piano", "violins for children", "my old trombone"]
    found = concepts_of_texts(texts, WORDNET)
    assert "grand piano" in found.terms_of(0)
    assert found.terms_of(2) == ["trombone"]
    assert concepts_of_texts(texts, WORDNET, parse=False).summary()["matched_texts"] == 0


def test_overrides_hold_in_texts() -> None:
    found = concepts_of_texts(["a new iPhone"], WORDNET, overrides={"iphone": "telephone"})
    assert [WORDNET.lexicon.label(c) for c in found.concepts_of(0)] == ["telephone"]
