"""The report: true, complete in itself, silent about values unless it is the private one."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontomask.evaluation.evaluate import evaluate_flow
from ontomask.flow import Flow, Tuples, make_flow
from ontomask.methods.recoding import Recoding
from ontomask.report.comparison import comparison_page, efficient
from ontomask.report.html import page, put
from ontomask.report.summarise import Subject, summarise
from ontomask.report.svg import ticks
from ontomask.report.tree import choose
from ontomask.report.why import costliest
from ontomask.semantics.spaces.number import NumberSpace
from ontomask.semantics.spaces.taxonomy import TaxonomySpace
from ontomask.taxonomy.taxonomy import Taxonomy
from tests.strategies import tables

EDGES = [
    ("zigzagging", "motion"), ("ambling", "motion"), ("jogging", "motion"), ("motion", "activity"), ("chessplay", "boardgame"),
    ("goplay", "boardgame"), ("boardgame", "activity"), ("activity", "everything"), ("<b>bold</b>", "boardgame"),
]  # fmt: skip
WORDS = ("zigzagging", "ambling", "jogging", "chessplay", "goplay", "<b>bold</b>")


class _Matches:
    """As matching gives them: what the report reads of it."""

    def __init__(self, words: tuple[str, ...], counts: list[int]) -> None:
        self.values, self.counts, self.labels = list(words), counts, list(words)
        self.how = ["exact"] * (len(words) - 2) + ["lemma", "override"]
        self.runner_up: list[str | None] = ["other sense", *([None] * (len(words) - 1))]
        self.margin = [0.01, *([float("nan")] * (len(words) - 1))]


def subject(k: int = 3) -> Subject:
    tax = Taxonomy.from_edges(EDGES)
    word = TaxonomySpace("activity", tax, tax.indices(WORDS))
    age = NumberSpace("age", [20, 31, 44, 58.5])
    codes = np.asarray([[0, 0], [1, 0], [2, 1], [3, 2], [4, 2], [5, 3], [0, 3]], np.int32)
    counts = np.asarray([2, 1, 1, 3, 1, 1, 4], np.int64)
    tuples = Tuples(codes, counts, (word, age))
    flow = Recoding(k=k).mask(tuples, np.random.default_rng(0))
    per_word = np.bincount(codes[:, 0], weights=counts).astype(int).tolist()
    return Subject(
        tuples=tuples, flow=flow, evaluation=evaluate_flow(tuples, flow, k=k), k=k, method="recoding", promises_k=True,
        about={"method": "recoding", "seed": 987654321, "measure": "logsc", "input": "secret-folder/people.csv"},
        matches={"activity": _Matches(WORDS, per_word)}, proof=("k was counted from the flow: 3",),
    )  # fmt: skip


def test_public_report_names_no_value_and_no_seed() -> None:
    text = page(subject())
    for word in (*WORDS, "motion", "boardgame", "&lt;b&gt;", "58.5", "987654321", "secret-folder", "other sense"):
        assert word not in text
    assert "public version" in text
    assert "PRIVATE" not in text


def test_private_report_names_values_and_is_marked_on_every_section() -> None:
    text = page(subject(), private=True)
    assert "zigzagging" in text
    assert "987654321" in text
    assert "<b>bold</b>" not in text  # escaped, never markup
    assert text.count('<span class="mark private">') == 1 + len(re.findall(r"<h2 ", text))


def test_tells_how_near_the_loss_is_to_the_least_possible() -> None:
    assert "% above the best possible at this k" in page(subject())
    one = subject()
    assert summarise(replace(one, promises_k=False))["best_possible"] == ""


@pytest.mark.parametrize("private", [False, True])
def test_page_is_complete_in_itself(private: bool) -> None:
    text = page(subject(), private)
    assert not re.search(r"(?:src|href)=[\"'](?!#)", text)
    assert "http:" not in text.replace("http-equiv", "")
    assert "https:" not in text
    assert " style=" not in text
    assert "default-src 'none'" in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    for label in re.findall(r'aria-labelledby="([^"]+)"', text):
        assert set(label.split()) <= set(ids)
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        assert re.search(r"<title[^>]*>[^<]+</title><desc[^>]*>[^<]+</desc>", svg)


def test_report_of_many_columns_stays_small() -> None:
    tax = Taxonomy.from_edges(EDGES)
    rng = np.random.default_rng(1)
    spaces = tuple(TaxonomySpace(f"column {j}", tax, tax.indices(WORDS)) for j in range(12))
    codes = np.unique(rng.integers(0, len(WORDS), (300, 12)), axis=0).astype(np.int32)
    tuples = Tuples(codes, np.ones(len(codes), np.int64), spaces)
    flow = Recoding(k=4).mask(tuples, rng)
    made = Subject(
        tuples=tuples, flow=flow, evaluation=evaluate_flow(tuples, flow, k=4), k=4, method="recoding", promises_k=True
    )  # fmt: skip
    assert len(page(made, private=True).encode()) <= 400_000


def test_a_broken_promise_is_said_loudly() -> None:
    s = subject()
    same = make_flow(np.arange(s.tuples.p), s.tuples.codes, s.tuples.counts)
    made = Subject(
        tuples=s.tuples, flow=same, evaluation=evaluate_flow(s.tuples, same, k=3), k=3, method="recoding", promises_k=True
    )  # fmt: skip
    text = page(made)
    assert "THE PROMISE IS NOT KEPT" in text
    assert "No value was replaced" in text


def test_everything_suppressed_still_gives_a_report() -> None:
    s = subject()
    gone = make_flow(np.arange(s.tuples.p), s.tuples.codes, s.tuples.counts, suppressed=np.ones(s.tuples.p, bool))
    made = Subject(
        tuples=s.tuples, flow=gone, evaluation=evaluate_flow(s.tuples, gone, k=3), k=3, method="suppression", promises_k=True
    )  # fmt: skip
    assert "records not released" in page(made)


def test_put_leaves_no_part_behind(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    put("one", target)
    put("two", target)
    assert target.read_text() == "two"
    assert list(tmp_path.iterdir()) == [target]


@settings(max_examples=25)
@given(tables(), st.integers(2, 4))
def test_costs_add_up_and_reasons_are_true(tuples: Tuples, k: int) -> None:
    if tuples.n < k:
        return
    flow = Recoding(k=k).mask(tuples, np.random.default_rng(0))
    rows = costliest(tuples, flow, most=10_000)
    by_hand = _moved(tuples, flow)
    assert sorted((r.attribute, r.records) for r in rows) == sorted((name, n) for (name, _, _), n in by_hand.items())
    assert not rows or sum(r.share for r in rows) == pytest.approx(100)
    costs = [r.share for r in rows]
    assert all(a >= b - 1e-9 for a, b in pairwise(costs))


def _moved(tuples: Tuples, flow: Flow) -> dict[tuple[str, int, int], int]:
    """Records whose value changed at a distance above 0, by attribute and pair of values."""
    found: dict[tuple[str, int, int], int] = {}
    for j, space in enumerate(tuples.spaces):
        for s, t, n in zip(flow.source, flow.target, flow.count, strict=True):
            a, b = int(tuples.codes[s, j]), int(flow.targets[t, j])
            if t >= 0 and space.between([b], [a])[0, 0] > 0:
                key = (f"{space.name}", a + 1000 * j, b)
                found[key] = found.get(key, 0) + int(n)
    return found


def test_the_tree_shows_the_hierarchy_and_marks_the_choice() -> None:
    tax = Taxonomy.from_edges(EDGES)
    space = TaxonomySpace("activity", tax, tax.indices(WORDS))
    codes = np.arange(4, dtype=np.int32)[:, None]
    everything = int(np.flatnonzero(space.concepts == tax.index("activity"))[0])
    tuples = Tuples(codes, np.asarray([1, 1, 2, 3], np.int64), (space,))
    flow = make_flow(np.arange(4), np.full((4, 1), everything, np.int32), tuples.counts)
    choice = choose(tuples, flow)
    assert choice is not None
    shown = {space.say(c) for c in choice.nodes}
    assert shown == {"zigzagging", "ambling", "jogging", "chessplay", "motion", "boardgame", "activity"}
    assert choice.chosen == everything
    named = {(space.say(p), space.say(c)) for p, c, _ in choice.links}
    assert named == {(p, c) for c, p in EDGES if c in shown and p in shown}
    mean = float(space.between([everything], [0, 1, 2, 3])[0] @ [1, 1, 2, 3] / 7)
    assert choice.nodes[everything].mean == pytest.approx(mean)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_frontier_is_what_nothing_beats(points: list[tuple[int, int]]) -> None:
    marks = efficient([p[0] for p in points], [p[1] for p in points])
    for p, best in zip(points, marks, strict=True):
        beaten = any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)
        assert best == (not beaten)


@given(st.floats(1e-6, 1e9))
def test_ticks_cover_the_range(top: float) -> None:
    marks = ticks(top)
    assert marks[0] == 0
    assert top <= marks[-1] * (1 + 1e-9)
    assert 2 <= len(marks) <= 12


def test_comparison_page() -> None:
    rows = [
        {"method": m, "k": k, "loss_percent": 1.5 * k + i, "srl": 90 / k - i, "seconds": 0.1}
        for i, m in enumerate(("recoding", "sa-mdav", "suppression")) for k in (2, 5)
    ]  # fmt: skip
    rows.append({"method": "patterns", "k": 5, "error": "no confidential column"})
    text = comparison_page(rows, {"table": "visitors"})
    assert text.count("<tr>") == 1 + len(rows) + 1 + len(rows)  # both tables: every row, and the run's one
    assert "no confidential column" in text
    assert "●" in text


@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed")
@pytest.mark.parametrize("width", [360, 1400])
def test_opens_in_a_browser_without_errors_and_fits(width: int, tmp_path: Path) -> None:
    report, frame = tmp_path / "report.html", tmp_path / "frame.html"
    put(page(subject(), private=True), report)
    frame.write_text(
        f"<iframe src='report.html' style='width:{width}px;height:900px;border:0'></iframe><script>"
        "onload = () => { const d = document.querySelector('iframe').contentDocument;"
        "document.title = `${d.documentElement.scrollWidth} ${d.querySelectorAll('th button').length}`; }</script>"
    )
    done = subprocess.run(
        [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
            "--allow-file-access-from-files", f"--user-data-dir={tmp_path / 'chrome'}", f"--window-size={max(width, 500)},1000",
            "--virtual-time-budget=3000", "--dump-dom", frame.as_uri(),
        ],
        capture_output=True, text=True, timeout=90, check=True,
    )  # fmt: skip
    assert "CONSOLE" not in done.stderr
    found = re.search(r"<title>(\d+) (\d+)</title>", done.stdout)
    assert found, done.stdout[:500]
    assert int(found[1]) <= width
    assert int(found[2]) > 5  # the script made the tables sortable: the page's own policy lets it run


def test_summary_is_plain() -> None:
    found = summarise(subject())
    assert found["headline"]["records"] == "13"
    assert [a["name"] for a in found["attributes"]] == ["activity", "age"]
    assert [row["name"] for row in found["risk"]][:2] == ["k", "classes"]
