"""Dates as people write them: which formats are read, and which are left in doubt."""

from __future__ import annotations

import datetime
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ostrya import OptimalTreeClassifier, TableWarning
from ostrya.export import export_text, to_python, to_sql
from ostrya.preprocessing.date_formats import FORMATS, possible_dates, read_dates
from ostrya.preprocessing.written import read_texts

CHANCE = np.random.default_rng(0)
DAYS = pd.to_datetime("2022-01-01") + pd.to_timedelta(
    CHANCE.integers(0, 700, 120), unit="D"
)
LABELS = np.asarray(DAYS > "2022-12-15").astype(int)
LATER = pd.to_datetime("2024-05-01") + pd.to_timedelta(np.arange(10), unit="D")
WRITTEN = ["%m/%d/%Y", "%d.%m.%Y", "%d-%b-%Y", "%m/%d/%y", "%B %d, %Y", "%Y/%m/%d"]
FRAMES = {
    "objects": lambda texts: pd.DataFrame({"day": np.array(texts, dtype=object)}),
    "strings": lambda texts: pd.DataFrame({"day": pd.array(texts, dtype="string")}),
    "polars": lambda texts: pl.DataFrame({"day": texts}),
    "pyarrow": lambda texts: pa.table({"day": texts}),
    "lists": lambda texts: [[text] for text in texts],
}


def fit_quietly(X, y, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        return OptimalTreeClassifier(**parameters).fit(X, y)


def in_format(days, date_format):
    return days.strftime(date_format).tolist()


@pytest.mark.parametrize("date_format", [*WRITTEN, "%d/%m/%Y %H:%M", "%m/%d/%Y %I %p"])
@pytest.mark.parametrize("library", FRAMES)
def test_dates_are_not_taken_as_categories(library, date_format):
    date_format = date_format.replace("%I %p", "%I:%M %p")
    frame = FRAMES[library]
    model = fit_quietly(frame(in_format(DAYS, date_format)), LABELS)
    assert " <= 2022-12-" in str(model.tree_)
    assert model.predict(frame(in_format(LATER, date_format))).tolist() == [1] * 10


@given(
    st.lists(st.dates(datetime.date(1969, 1, 1), datetime.date(2049, 12, 31))),
    st.sampled_from([each for each in FORMATS if "%Y" in each and "%d" in each]),
)
@settings(deadline=None)
def test_dates_in_any_format_are_those_that_were_written(days, date_format):
    texts = [day.strftime(date_format) for day in days]
    read = read_dates(texts, date_format)
    expected = np.array(days, dtype="M8[us]").astype(np.int64).astype(float)
    assert read.values.tolist() == expected.tolist()
    if days:
        assert date_format in [found.date_format for found in possible_dates(texts)]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("13/02/2023 1:05 PM", "2023-02-13T13:05"),
        ("13/02/2023 12:05 am", "2023-02-13T00:05"),
        ("Mon, 13 Feb 2023 10:00:05 +0200", "2023-02-13T08:00:05"),
        ("13FEB2023", "2023-02-13"),
        ("13.02.2023 10:00:05.123456789", "2023-02-13T10:00:05.123456"),
        ("31/12/99", "1999-12-31"),
        ("2023-2-13", "2023-02-13"),
    ],
)
def test_times_of_day_zones_and_names_are_read(text, moment):
    expected = np.datetime64(moment, "us").astype(np.int64)
    assert read_texts([text]).values.tolist() == [expected]


@pytest.mark.parametrize(
    "texts",
    [
        ["03/02/2023", "04/12/2023"],
        ["05/06/07"],
        ["25/06/23", "26/06/23"],  # in 2023, or in 2025 and 2026
        ["31/12/55"],  # of 1955 or 2055
        ["13/02/2023", "02/13/2023"],
        ["2023-02-03 13:05 PM"],
        ["30/02/2023"],
        ["1.2.3", "1.2.4"],
        ["2009-10", "2010-11", "2011-12"],  # seasons
        ["1234-05", "2023-01"],  # codes
        ["2023-13"],
        ["Jan 2023", "2023-02"],
    ],
)
def test_nothing_is_guessed(texts):
    assert read_texts(texts) is None


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["03/02/2023", "04/12/2023"], "could be %d/%m/%Y or %m/%d/%Y"),
        (["31/12/55", "30/12/56"], "%d/%m/%y, in an unknown century"),
        (["13/02/2023", "02/13/2023"], "no single format matches all of them"),
    ],
)
def test_dates_in_doubt_are_categories_with_a_warning(texts, words):
    X = pd.DataFrame({"day": texts * 5})
    with pytest.warns(TableWarning, match=re.escape(words)) as caught:
        model = OptimalTreeClassifier().fit(X, [0, 1] * 5)
    assert len(caught) == 1
    assert "Column 'day'" in str(caught[0].message)
    assert model.encoder_.features[0].kind == "level"


def test_the_warning_names_the_format():
    X = pd.DataFrame({"day": in_format(DAYS, "%d.%m.%Y")})
    with pytest.warns(TableWarning, match=r"in the format %d\.%m\.%Y"):
        OptimalTreeClassifier().fit(X, LABELS)


def test_a_model_file_keeps_the_format(tmp_path):
    model = fit_quietly(pd.DataFrame({"day": in_format(DAYS, "%d/%m/%Y")}), LABELS)
    model.save(tmp_path / "model.json")
    again = OptimalTreeClassifier.load(tmp_path / "model.json")
    rows = pd.DataFrame({"day": ["03/02/2023", "02/03/2022"]})
    assert again.predict(rows).tolist() == [1, 0]
    assert again.encoder_.features[0].date_format == "%d/%m/%Y"


def test_texts_in_another_format_are_refused():
    model = fit_quietly(pd.DataFrame({"day": in_format(DAYS, "%d/%m/%Y")}), LABELS)
    for text in ("02/13/2023", "2023-02-13", "soon"):
        with pytest.raises(TypeError, match=f"format %d/%m/%Y, .*{text}.* in row 1"):
            model.predict(pd.DataFrame({"day": ["03/02/2023", text]}))
    missing = pd.DataFrame({"day": ["03/02/2023", "NA"]})
    assert model.predict(missing).tolist() == [1, 1]


def test_programs_refuse_dates_in_texts():
    model = fit_quietly(pd.DataFrame({"day": in_format(DAYS, "%d/%m/%Y")}), LABELS)
    with pytest.raises(ValueError, match=r"column 'day' .* %d/%m/%Y"):
        to_sql(model, dialect="sqlite")
    module = {}
    exec(to_python(model), module)
    assert module["predict"]({"day": datetime.date(2024, 5, 1)}) == 1
    with pytest.raises(TypeError, match="03/02/2023"):
        module["predict"]({"day": "03/02/2023"})


@pytest.mark.parametrize(
    "date_format", ["%Y-%m", "%m/%Y", "%m-%Y", "%b %Y", "%B %Y", "%b-%Y", "%Y %b"]
)
@pytest.mark.parametrize("library", FRAMES)
def test_months_were_categories(library, date_format, tmp_path):
    """``2023-01`` and ``Jan 2023`` gave a question with a list of all months."""
    frame = FRAMES[library]
    model = fit_quietly(frame(in_format(DAYS, date_format)), DAYS > "2022-11-30")
    assert " <= 2022-11" in export_text(model)
    model.save(tmp_path / "model.json")
    later = frame(in_format(LATER, date_format))
    for each in (model, OptimalTreeClassifier.load(tmp_path / "model.json")):
        assert each.encoder_.features[0].period == "month"
        assert each.predict(later).all()


def test_the_warning_shows_the_month_that_was_read():
    X = pd.DataFrame({"month": in_format(DAYS, "%m/%Y")})
    with pytest.warns(TableWarning, match=r"in the format %m/%Y \(here 20\d\d-\d\d\)"):
        OptimalTreeClassifier().fit(X, LABELS)


@pytest.mark.parametrize(
    ("frequency", "question"),
    [("M", "<= 2015-05?"), ("Q", "<= 2016Q1?"), ("Y", "<= 2019?")],
)
def test_periods_are_named_as_periods(frequency, question, tmp_path):
    periods = pd.period_range("2015-01", periods=12, freq=frequency)
    for column in (periods, np.array(list(periods), dtype=object)):
        X = pd.DataFrame({"when": column})
        model = OptimalTreeClassifier().fit(X, [0] * 5 + [1] * 7)
        assert export_text(model).startswith(f"when {question}")
        model.save(tmp_path / "model.json")
        again = OptimalTreeClassifier.load(tmp_path / "model.json")
        assert again.predict(X).tolist() == [0] * 5 + [1] * 7
        assert again.encoder_.features == model.encoder_.features


def test_periods_with_gaps_are_parted_at_the_end_of_one_between():
    periods = pd.PeriodIndex(["2015-01", "2015-02", "2015-11", "2015-12"], freq="M")
    model = OptimalTreeClassifier(leaf_penalty=0).fit(
        pd.DataFrame({"when": periods}), [0, 0, 1, 1]
    )
    assert export_text(model).startswith("when <= 2015-06?")
