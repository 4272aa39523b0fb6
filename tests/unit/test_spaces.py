"""Numbers, dates, ordered words, flat values: what is said, how far apart, how bad input is refused."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from ontomask.errors import DataError, ParameterError
from ontomask.semantics.spaces.base import Space
from ontomask.semantics.spaces.date import DateSpace
from ontomask.semantics.spaces.flat import FlatSpace
from ontomask.semantics.spaces.line import quantile_bins, read_interval
from ontomask.semantics.spaces.number import NumberSpace, number
from ontomask.semantics.spaces.ordinal import OrdinalSpace


def between(space: Space, a: int, b: int) -> float:
    return float(space.between([a], [b])[0, 0])


def test_numbers_are_apart_by_their_share_of_the_range() -> None:
    space = NumberSpace("age", [20, 70, 45, None, 30])
    assert (space.q, space.top, space.h) == (5, 5, 6)
    assert space.words(range(6)) == [20, 70, 45, None, 30, "*"]
    assert between(space, 0, 1) == 1.0
    assert between(space, 2, 4) == pytest.approx(0.3)
    assert [between(space, 3, c) for c in range(6)] == [1, 1, 1, 0, 1, 1]
    assert [between(space, space.top, c) for c in range(6)] == [1, 1, 1, 1, 1, 0]
    assert space.statement == ""


def test_numbers_come_in_many_spellings_of_which_the_most_frequent_is_written() -> None:
    space = NumberSpace("x", ["1", "1.0", 2, Decimal("2.0"), float("nan"), None, np.int64(3)], counts=[1, 5, 3, 3, 1, 1, 1])
    assert space.codes.tolist() == [0, 0, 1, 1, 2, 2, 3]
    assert space.words(range(space.q)) == ["1.0", 2, None, np.int64(3)]


def test_a_quantile_range_leaves_the_tails_out() -> None:
    values = [*range(100), 1_000_000]
    assert between(NumberSpace("income", values), 0, 50) < 1e-4
    assert between(NumberSpace("income", values, range="quantile"), 0, 50) == pytest.approx(50 / 90, rel=0.03)
    assert between(NumberSpace("income", [5, 6], range="quantile", counts=[99, 1]), 0, 1) == 1.0


def test_many_numbers_come_in_quantile_bins_that_speak_as_values_that_occur() -> None:
    values = np.random.default_rng(3).normal(size=5000).tolist()
    space = NumberSpace("x", [*values, None], bins=100)
    assert space.q == 101
    assert space.binned
    assert "5,000 distinct values in 100 quantile bins" in space.statement
    assert set(space.words(range(space.q))) <= {*values, None}
    assert space.codes[-1] == 100 or space.say(int(space.codes[-1])) is None
    assert np.bincount(space.codes[:-1]).min() >= 49
    said = np.asarray([space.say(int(c)) for c in space.codes[:-1]])
    middle = np.abs(np.asarray(values)) < 1
    assert np.abs(said - values)[middle].max() < 0.05


def test_quantile_bins_share_the_records_not_the_values() -> None:
    group, said = quantile_bins(np.asarray([90.0, 1, 1, 1, 1, 1, 1, 1, 1, 1]), 2)
    assert group.tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    assert said.tolist() == [0, 5]


@pytest.mark.parametrize(
    ("text", "whole", "span"),
    [
        ("[20, 30)", True, (20, 29)),
        ("[20, 30)", False, (20, 30)),
        ("(20;30]", True, (21, 30)),
        ("[20-30[", True, (20, 29)),
        ("20-29", True, (20, 29)),
        ("-5--1", True, (-5, -1)),
        ("-5", True, (-5, -5)),
        ("20 to 29", True, (20, 29)),
        ("20..29", True, (20, 29)),
        ("1.5–2", False, (1.5, 2)),
        ("{3, 1, 2}", True, (1, 3)),
        ((3, 1), True, (1, 3)),
        (7, True, (7, 7)),
        ("seven", True, None),
        ("1-seven", True, None),
        ("", True, None),
        (None, True, None),
    ],
)
def test_intervals_of_other_tools_are_read(text: Any, whole: bool, span: tuple[float, float] | None) -> None:
    assert read_interval(text, number, whole) == span


@pytest.mark.parametrize(
    ("text", "whole", "span"),
    [
        (">= 40", True, (40, 60)),
        ("≥40", False, (40, 60)),
        ("> 40", True, (41, 60)),
        ("> 40", False, (40, 60)),
        ("40+", True, (40, 60)),
        ("<30", True, (20, 29)),
        ("<= 30", True, (20, 30)),
        (">= 80", True, (80, 80)),
        ("20~29", True, (20, 29)),
        ("20|25", True, (20, 25)),
        (">= forty", True, None),
        ("+", True, None),
    ],
)
def test_intervals_with_one_end_reach_to_the_last_value(text: str, whole: bool, span: tuple[float, float] | None) -> None:
    assert read_interval(text, number, whole, (20.0, 60.0)) == span


def test_half_open_words_in_columns_of_numbers_dates_and_ordered_words() -> None:
    ages = NumberSpace("age", [20, 60, 40], others=[">= 40", "[40, 60]"])
    assert len(set(ages.other_codes.tolist())) == 1
    assert between(ages, 0, int(ages.other_codes[0])) == pytest.approx(0.75)
    steps = OrdinalSpace("pay", ["low", "high"], ["low", "middle", "high"], others=[">= middle"])
    assert between(steps, 0, int(steps.other_codes[0])) == pytest.approx(0.75)
    days = DateSpace("day", ["2020-01-01", "2020-01-11"], others=["> 2020-01-01"])
    assert between(days, 0, int(days.other_codes[0])) == pytest.approx(0.5)


def test_an_interval_is_as_far_from_a_value_as_what_it_says_on_average() -> None:
    space = NumberSpace("age", [0, 100, 25], others=["[20, 30]", "*", None, "[0, 100]", "25"])
    inner, anything, missing, all_, same = space.other_codes.tolist()
    assert space.words([inner, anything, all_, same]) == ["[20, 30]", "*", "[0, 100]", 25]
    assert missing == anything == space.top
    assert between(space, 2, inner) == pytest.approx(0.025)
    assert between(space, 0, inner) == pytest.approx(0.25)
    assert between(space, 0, all_) == between(space, all_, 0) == pytest.approx(0.5)
    assert between(space, inner, inner) == 0.0
    t = np.linspace(0, 1, 100_001)
    assert between(space, inner, all_) == pytest.approx(float(np.abs(20 + 10 * t - 100 * t).mean()) / 100, rel=1e-4)


def test_dates_are_days_apart() -> None:
    values = [date(2010, 1, 1), "2010-01-31", datetime(2010, 1, 16, 12), None, np.datetime64("2010-01-04")]
    space = DateSpace("admitted", values, others=["2010-01", "2010-01-01 to 2010-01-31", "2010"])
    assert between(space, 0, 1) == 1.0
    assert between(space, 0, 2) == pytest.approx(15.5 / 30)
    assert between(space, 0, 4) == pytest.approx(0.1)
    assert space.other_codes[0] == space.other_codes[1]
    assert between(space, 0, int(space.other_codes[0])) == pytest.approx(0.5)
    assert between(space, int(space.other_codes[0]), int(space.other_codes[2])) > 1
    zone = DateSpace("t", ["2010-01-01T00:00:00+01:00", datetime(2009, 12, 31, 23, tzinfo=UTC)])
    assert zone.codes.tolist() == [0, 0]


def test_ordered_words_are_ranks_apart() -> None:
    space = OrdinalSpace(
        "pain", ["low", "High ", "middle", None], ["low", "middle", "high"], others=["low-middle", "*", "high"]
    )
    assert between(space, 0, 1) == 1.0
    assert between(space, 0, 2) == 0.5
    assert between(space, 0, 3) == 1.0
    assert between(space, 0, int(space.other_codes[0])) == 0.25
    assert space.other_codes.tolist()[1:] == [space.top, 1]


def test_flat_values_are_equal_or_different() -> None:
    space = FlatSpace("sex", ["f", "m", None], others=["*", "m", "f|m"])
    assert space.other_codes.tolist() == [3, 1, 4]
    assert (1 - np.eye(5)).tolist() == space.between(range(5), range(5)).tolist()


@pytest.mark.parametrize("values", [[], [None], [4], [4, None], [-0.0, 0]])
def test_little_is_enough(values: list[Any]) -> None:
    space = NumberSpace("x", values)
    assert space.distances.shape == (space.h, space.q)
    assert space.q == len({0 if v == 0 else v for v in values})
    assert space.largest == 1.0


def test_bad_values_are_refused_by_column_without_printing_them() -> None:
    with pytest.raises(DataError, match="'age' is used as a number, but 2 of its 3 distinct values are not") as refused:
        NumberSpace("age", ["secret", 3, float("inf")])
    assert "secret" not in str(refused.value)
    with pytest.raises(DataError, match="'when' is used as a date, but 1 of its 1"):
        DateSpace("when", ["03/05/2010"])
    with pytest.raises(DataError, match="not in the order low < high"):
        OrdinalSpace("x", ["low", "medium"], ["low", "high"])
    with pytest.raises(DataError, match="1 of 2 other values"):
        NumberSpace("age", [1], others=["secret", 2])
    with pytest.raises(ParameterError, match="two or more different words"):
        OrdinalSpace("x", ["low"], ["low", "low"])
    with pytest.raises(ParameterError, match=r"'full' or 'quantile'\. Got 'quantil' instead\. Did you mean"):
        NumberSpace("x", [1], range="quantil")
