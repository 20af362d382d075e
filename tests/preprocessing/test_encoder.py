"""The encoder: the same columns from every kind of table, and the rule of no."""

from __future__ import annotations

import copy
import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import DRESSES, NAMES

from ostrya.preprocessing import TableEncoder

QUESTIONS = [
    "age is missing",
    "age <= 30.5",
    "colour is missing",
    "colour = blue",
    "colour = green",
    "colour = red",
    "owner is missing",
    "owner = true",
    "owner = false",
    "rooms <= 30.5",
]
# 0 for yes, 1 for no; a missing age stands at the largest age.
MATRIX = [
    [1, 20, 1, 1, 1, 0, 1, 0, 1, 1],
    [0, 35, 1, 0, 1, 1, 1, 1, 0, 2],
    [1, 35, 0, 1, 1, 1, 0, 1, 1, 3],
    [1, 28, 1, 1, 0, 1, 1, 0, 1, 4],
    [1, 20, 1, 1, 1, 0, 1, 1, 0, 5],
]


def questions(encoder, threshold=0.5):
    return [encoder.question(i, threshold) for i in range(encoder.n_columns)]


@pytest.mark.parametrize("dress", DRESSES)
def test_every_kind_of_table_gives_the_same_columns(dress):
    table = DRESSES[dress]()
    encoder = TableEncoder(table, NAMES)
    assert questions(encoder, 30.5) == QUESTIONS
    assert encoder.encode(table).tolist() == MATRIX
    assert encoder.source.tolist() == [0, 0, 1, 1, 1, 1, 2, 2, 2, 3]


@pytest.mark.parametrize("dress", ["pandas", "pandas-category", "objects", "lists"])
def test_the_input_is_not_changed(dress):
    table = DRESSES[dress]()
    before = copy.deepcopy(table)
    TableEncoder(table).encode(table)
    if isinstance(table, pd.DataFrame):
        pd.testing.assert_frame_equal(table, before)
    else:
        assert str(table) == str(before)


def test_fitted_on_one_kind_and_asked_with_another():
    encoder = TableEncoder(DRESSES["pandas"]())
    for dress in DRESSES:
        assert encoder.encode(DRESSES[dress]()).tolist() == MATRIX


def test_only_the_wanted_columns_need_be_encoded():
    table = DRESSES["polars"]()
    matrix = TableEncoder(table).encode(table, only=[5, 9])
    assert matrix[:, [5, 9]].tolist() == np.array(MATRIX)[:, [5, 9]].tolist()
    assert not matrix[:, :2].any()


def test_names_come_from_the_table_or_are_numbered():
    assert questions(TableEncoder(pl.DataFrame({"width": [1, 2]}))) == ["width <= 0.5"]
    assert questions(TableEncoder([[1, 2], [3, 4]])) == ["x0 <= 0.5", "x1 <= 0.5"]


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        (["a", "b"], ["x0 = a"]),
        (["a", None], ["x0 is missing"]),
        (["a", "a"], ["x0 = a"]),
        ([True, False], ["x0 = true"]),
        ([True, None], ["x0 is missing"]),
        ([None, None], []),
        ([None, 4], ["x0 is missing", "x0 <= 0.5"]),
        ([4, 4], ["x0 <= 0.5"]),
    ],
)
def test_two_answers_need_one_column(values, wanted):
    assert questions(TableEncoder([[value] for value in values])) == wanted


def test_categories_may_be_numbers():
    zones = pd.DataFrame({"zone": pd.Categorical([3, 1, 2])})
    encoder = TableEncoder(zones)
    assert questions(encoder) == ["zone = 1", "zone = 2", "zone = 3"]
    plain = pd.DataFrame({"zone": [2.0, 9.0]})
    assert encoder.encode(plain).tolist() == [[1, 0, 1], [1, 1, 1]]


def test_levels_nobody_has_get_no_column():
    colours = pd.Categorical(["a", "b", "c"], categories=["z", "a", "b", "c"])
    encoder = TableEncoder(pd.DataFrame({"colour": colours}))
    assert questions(encoder) == ["colour = a", "colour = b", "colour = c"]


def test_what_was_never_seen_answers_no_to_everything():
    encoder = TableEncoder([[1.0, "a", True], [2.0, "b", False], [3.0, "c", True]])
    unseen = [[None, "zebra", None], [None, None, None]]
    matrix = encoder.encode(unseen)
    for column in range(encoder.n_columns):
        for threshold in [0.5] if encoder.is_yes_no(column) else [1.5, 2.5]:
            assert not (matrix[:, column] <= threshold).any()


@given(
    st.lists(
        st.one_of(st.none(), st.floats(-1e300, 1e300)), min_size=2, max_size=12
    ).filter(lambda values: any(v is not None for v in values))
)
def test_no_threshold_puts_a_missing_row_on_the_yes_side(values):
    encoder = TableEncoder(np.array([values], dtype=float).T)
    matrix = encoder.encode(np.array([[*values, None]], dtype=float).T)
    *_, column = range(encoder.n_columns)
    missing = np.array([value is None for value in [*values, None]])
    distinct = np.unique(matrix[:-1, column])
    for below in distinct[:-1]:
        assert not (matrix[missing, column] <= below).any()
    if encoder.n_columns == 2:
        assert ((matrix[:, 0] <= 0.5) == missing).all()


@pytest.mark.parametrize("rows", [["a", "b", "c"], [1, 2, None], [True, False, None]])
def test_a_column_with_nothing_in_it_answers_no(rows):
    encoder = TableEncoder([[value] for value in rows])
    matrix = encoder.encode([[None], [None]])
    asked = [
        c for c in range(encoder.n_columns) if "missing" not in encoder.question(c)
    ]
    assert asked
    assert (matrix[:, asked] >= 1).all()


def test_known_numbers_keep_their_values():
    encoder = TableEncoder([[1.0], [None], [3.0]])
    assert encoder.encode([[7.0], [-2.0], [3.0]])[:, 1].tolist() == [7.0, -2.0, 3.0]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[1], ["a"]], "a mixture of int and str"),
        (np.array([[True], [2]], dtype=object), "a mixture of bool and int"),
        ([[{}], ["a"]], r"\{\} \(dict\)"),
        (pl.DataFrame({"d": [datetime.time(3)]}), "'d'.*Time"),
        (pl.LazyFrame({"a": [1]}), "collect"),
        ([[datetime.date(2024, 1, 1)], [3]], "a mixture of date and int"),
    ],
)
def test_columns_of_no_one_kind_are_turned_away(rows, words):
    with pytest.raises(TypeError, match=words):
        TableEncoder(rows)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[1.0], [float("inf")]], "'x0' must contain finite numbers; got infinity"),
        (np.array([[3]], dtype="m8[M]"), "'x0': durations must have a fixed length"),
        (
            np.array([[2**60]], dtype="M8[s]"),
            "'x0': times must be within 292,000 years",
        ),
        (
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            "distinct column names; got 2 columns named 'a'",
        ),
        (
            pa.table([[1], [2]], names=["a", "a"]),
            "distinct column names; got 2 columns named 'a'",
        ),
        ([1, 2, 3], "Reshape your data"),
    ],
)
def test_values_out_of_range_are_turned_away(rows, words):
    with pytest.raises(ValueError, match=words):
        TableEncoder(rows)


@pytest.mark.parametrize(
    ("fitted", "asked", "words"),
    [
        (
            "a",
            1.0,
            "must contain strings or levels, as in fit; got numbers, for example 1.0",
        ),
        (1.0, "a", "must contain numbers, as in fit; got strings or levels"),
        (True, 7.0, "must contain booleans, as in fit; got numbers"),
        (True, "yes", "must contain booleans, as in fit; got strings"),
    ],
)
def test_another_kind_than_fitted_is_turned_away(fitted, asked, words):
    with pytest.raises(TypeError, match=words):
        TableEncoder([[fitted]]).encode([[asked]])


def test_truth_may_come_as_zero_and_one():
    encoder = TableEncoder([[True], [False], [None]])
    wanted = encoder.encode([[True], [False]])
    assert encoder.encode([[1], [0]]).tolist() == wanted.tolist()


def test_another_number_of_columns_is_turned_away():
    with pytest.raises(ValueError, match="X must have 2 features, as in fit; got 1"):
        TableEncoder([[1, 2]]).encode([[1]])


def test_infinity_is_turned_away_when_asked():
    with pytest.raises(
        ValueError, match="'a' must contain finite numbers; got infinity"
    ):
        TableEncoder(pd.DataFrame({"a": [1.0, 2.0]})).encode(
            pd.DataFrame({"a": [float("inf")]})
        )
