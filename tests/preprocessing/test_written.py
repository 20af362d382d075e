"""Numbers, times and durations that are written as texts."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrya.preprocessing.times import DAY, HOUR
from ostrya.preprocessing.written import first_odd, read_texts


def values(*texts, **options):
    return read_texts(texts, **options).values.tolist()


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["1", " 2.5 ", "-3", "+.5", "1e3"], [1, 2.5, -3, 0.5, 1000]),
        (["$1,234.50", "$0", "-$3", "$-4"], [1234.5, 0, -3, -4]),
        (["1,234,567", "12"], [1234567, 12]),
        (["1.234,5 €", "2 €"], [1234.5, 2]),
        (["0,5", "1,25"], [0.5, 1.25]),
        (["12.5%", "7 %", "0"], [12.5, 7, 0]),
        (["(1,200)", "300"], [-1200, 300]),
        (["1 234", "1\u00a0234"], None),  # two separators
        (["1'234.5", "12'000"], [1234.5, 12000]),
        (["EUR 5", "EUR 1,000"], [5, 1000]),
        (["\u22125", "5"], [-5, 5]),
        (["$5", "€6"], None),
        (["5%", "0.5"], None),
        (["$5$"], None),
        (["(5"], None),
        (["1,23,456"], None),
        (["1_000"], None),
        (["inf", "1"], None),
        (["1.2.3"], None),
        (["٣"], None),
        (["a", "1"], None),
        ([""], None),
    ],
)
def test_numbers_as_people_write_them(texts, numbers):
    reading = read_texts(texts)
    if numbers is None:
        assert reading is None
    else:
        assert reading.kind == "number"
        assert reading.values.tolist() == numbers


def test_commas_are_decimal_only_where_they_must_be():
    assert values("1,234") == [1234]
    assert values("1,234", decimal_comma=True) == [1.234]
    assert read_texts(["1,234", "0,5"]).decimal_comma


@pytest.mark.parametrize(
    ("texts", "mark"),
    [(["$1", "2"], "$"), (["1 EUR"], "EUR"), (["5%", "0"], "%"), (["1,000"], "")],
)
def test_the_sign_of_the_unit_is_known(texts, mark):
    assert read_texts(texts).mark == mark


def test_texts_that_say_missing_are():
    found = values("1", "?", None, "NA", "n/a", "NaN", "null", " ")
    assert found[0] == 1
    assert np.isnan(found[1:]).all()


@pytest.mark.parametrize("zone", ["", "Z", "+02:00", "-0530"])
@given(
    st.datetimes(
        min_value=datetime.datetime(1700, 1, 1), max_value=datetime.datetime(2250, 1, 1)
    )
)
def test_times_of_iso_are_read_as_python_reads_them(zone, moment):
    text = f"{moment.isoformat(sep=' ')}{zone}"
    reading = read_texts([text])
    zoned = pd.Timestamp(text)
    assert reading.kind == "time"
    assert reading.is_zoned == bool(zone)
    expected = zoned.tz_convert("UTC").tz_localize(None) if zone else zoned
    epoch = pd.Timestamp("1970-01-01")
    assert reading.values[0] == (expected - epoch) // pd.Timedelta("1us")


@pytest.mark.parametrize(
    "texts",
    [
        ["2023-02-30"],
        ["08.09.2023"],  # in September, or in August
        ["2023-09-08", "2023-09-08T00:00Z"],
        ["2023-09-08", "yesterday"],
        ["2023-09-08 25:00"],
    ],
)
def test_what_is_no_date_of_iso_is_none(texts):
    assert read_texts(texts) is None


@given(st.timedeltas(datetime.timedelta(-(10**5)), datetime.timedelta(10**5)))
def test_durations_as_pandas_writes_them(duration):
    whole = duration // datetime.timedelta(microseconds=1)
    assert values(str(pd.Timedelta(duration))) == [whole]


def test_durations_of_iso():
    found = values("P1DT2H", "PT0.5S", "-PT36H", "P3D", "PT5M")
    assert found == [DAY + 2 * HOUR, 500_000, -36 * HOUR, 3 * DAY, 300_000_000]
    assert read_texts(["P"]) is None
    assert read_texts(["P1DT"]) is None


def test_a_few_odd_texts_are_named():
    numbers = {str(i): 1 for i in range(30)}
    assert first_odd({**numbers, "oops": 2}) == "oops"
    assert first_odd({**numbers, "oops": 4}) is None
    assert first_odd({"1": 2, "x": 1}) == "x"
    assert first_odd({"1": 1, "x": 1}) is None
    assert first_odd({"a": 5, "b": 5}) is None
    assert first_odd(numbers) is None
