"""Times and durations: thresholds that read well, and say what is asked."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrya.preprocessing.times import (
    DAY,
    HOUR,
    MINUTE,
    UNITS,
    duration_in_words,
    microseconds,
    short_duration_between,
    short_time_between,
    time_in_words,
)
from ostrya.preprocessing.written import read_texts

YEARS = 366 * 250 * DAY
MOMENTS = st.integers(-YEARS, YEARS) | st.integers(-3650, 3650).map(lambda d: d * DAY)
NEAR = st.integers(1, 50) | st.integers(1, 10**5).map(lambda n: n * MINUTE)
PAIRS = st.tuples(MOMENTS, NEAR).map(lambda pair: (pair[0], sum(pair)))


def at(text):
    return float(np.datetime64(text, "us").astype(np.int64))


def end_of(words):
    """Return the last microsecond of which these words hold."""
    (value,) = read_texts([words], ("time",)).values
    return value + (DAY - 1 if len(words) == 10 else 0)


@given(PAIRS)
def test_a_time_between_two_says_what_it_is(pair):
    below, above = map(float, pair)
    time = short_time_between(below, above)
    assert below <= time < above
    assert end_of(time_in_words(time)) == time


@given(PAIRS)
def test_a_duration_between_two_says_what_it_is(pair):
    below, above = map(float, pair)
    duration = short_duration_between(below, above)
    assert below <= duration < above
    if duration:
        number, unit = duration_in_words(duration).split()
        sizes = {name: size for size, name in UNITS} | {"day": DAY}
        assert float(number) * sizes[unit] == duration


@pytest.mark.parametrize(
    ("below", "above", "words"),
    [
        ("2023-09-01", "2023-09-15", "2023-09-08"),
        ("2023-09-08", "2023-09-09", "2023-09-08"),
        ("2023-09-08T23:59:58", "2023-09-09", "2023-09-08"),
        ("2023-09-08T21:00", "2023-09-09T09:00", "2023-09-08"),
        ("2024-01-01T10:11:12", "2024-01-01T10:40", "2024-01-01 10:25"),
        ("2024-01-01T10:11:12", "2024-01-01T10:11:14", "2024-01-01 10:11:13"),
        ("2024-01-01", "2024-01-01T00:00:00.000002", "2024-01-01 00:00"),
        ("1815-06-18", "1815-06-19", "1815-06-18"),
        ("9999-12-30", "9999-12-31", "9999-12-30"),
    ],
)
def test_a_date_where_one_separates_and_few_digits_else(below, above, words):
    time = short_time_between(at(below), at(above))
    assert at(below) <= time < at(above)
    assert time_in_words(time) == words


def test_a_date_stands_for_the_whole_day():
    time = short_time_between(at("2023-09-08"), at("2023-09-09"))
    assert at("2023-09-08T23:59:59.999999") <= time < at("2023-09-09")


def test_times_with_a_zone_are_worded_in_utc():
    assert time_in_words(at("2023-09-08T10:30"), True) == "2023-09-08 10:30 UTC"


def test_times_of_no_calendar_have_words_too():
    assert time_in_words(1e300) == "1e+300 µs since 1970"


@pytest.mark.parametrize(
    ("duration", "words"),
    [
        (2.5 * DAY, "2.5 days"),
        (float(DAY), "1 day"),
        (-1.5 * HOUR, "-1.5 h"),
        (90.0, "90 µs"),
        (0.0, "0 s"),
        (1500.0, "1.5 ms"),
    ],
)
def test_durations_in_words(duration, words):
    assert duration_in_words(duration) == words


def test_nanoseconds_are_cut_and_nat_is_missing():
    values = np.array(["1969-12-31T23:59:59.999999999", "NaT"], dtype="M8[ns]")
    number, missing = microseconds(values).tolist()
    assert number == -1
    assert np.isnan(missing)
    assert microseconds(np.array([datetime.timedelta(1)], "m8[h]")).tolist() == [DAY]
