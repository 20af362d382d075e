"""Rows of a table that was ranked as a whole: searched as if they were ranked alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrya._core as _core
from ostrya._ctrl_c import CtrlC
from ostrya._solve.engine import rank_rows
from ostrya._solve.limits import Limits

VALUES = [-1.5, -0.0, 0.0, 0.25, 3.0, 1e300]


def ranking_of(X):
    return rank_rows(X, Limits(), CtrlC())


def sizes(X, y, ranking=None):
    """Return all that an engine tells of the trees of up to four leaves."""
    options = _core.Options(
        _core.Limits(max_leaf_nodes=4),
        ranking=None if ranking is None else _core.Ranking(*ranking),
    )
    costs = np.array([[0, 1], [1, 0]], dtype=np.int64)
    weights = np.broadcast_to(np.int64(1), len(y))
    found = _core.solve_sizes(X, y, weights, costs, 1, 0, options, 1, 0)
    return [
        (each.feature, each.threshold, each.yes, each.lower, each.statistics.work)
        for each in found
    ]


@given(data=st.data())
@settings(max_examples=60)
def test_some_rows_are_searched_as_if_they_were_all(data):
    n_rows = data.draw(st.integers(2, 30))
    drawn = data.draw(st.lists(st.sampled_from(VALUES), min_size=3 * n_rows))
    order = data.draw(st.sampled_from("CF"))
    X = np.array(drawn[: 3 * n_rows]).reshape((n_rows, 3), order=order)
    y = np.array(
        data.draw(st.lists(st.integers(0, 1), min_size=n_rows, max_size=n_rows)),
        dtype=np.int32,
    )
    rows = np.array(  # in any order, and some of them twice
        data.draw(st.lists(st.integers(0, n_rows - 1), min_size=1, max_size=40))
    )
    part, labels = np.array(X[rows], order=order), y[rows]
    taken = ranking_of(X).of_rows(rows)
    np.testing.assert_equal(sizes(part, labels, taken), sizes(part, labels))


def test_ranks_and_numbers_say_what_the_values_say():
    rng = np.random.default_rng(0)
    X = rng.choice([*VALUES, *rng.normal(size=50)], (500, 2))
    ranks, numbers = ranking_of(X)
    for column, of_column in zip(X.T, ranks, strict=True):
        expected = np.unique(column, return_inverse=True)[1]
        np.testing.assert_array_equal(of_column, expected)
    _, expected = np.unique(X + 0.0, axis=0, return_inverse=True)
    same = numbers[:, None] == numbers
    np.testing.assert_array_equal(same, expected[:, None] == expected)


@pytest.mark.parametrize(
    ("limits", "is_pressed"),
    [
        ({"time_limit": 0.0}, None),
        ({"memory_limit": 2**25}, None),
        ({}, lambda: True),
    ],
    ids=["time", "memory", "ctrl-c"],
)
def test_what_comes_first_leaves_rows_unranked(limits, is_pressed):
    # Ranking has to take much longer than the 0.1 s that a search without time gets.
    X = np.random.default_rng(0).normal(size=(2_000_000, 10))
    assert _core.rank_rows(X, _core.Limits(**limits), is_pressed) is None
