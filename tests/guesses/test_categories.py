"""Guesses for tables with many categories, which stay one stored column each."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from ostrya import OptimalTreeClassifier
from ostrya._coded_matrix import CodedMatrix
from ostrya._guesses import row_sample
from ostrya._guesses.intervals import Intervals
from ostrya.estimators import _search
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints


def table(n_rows, n_cities):
    random = np.random.default_rng(0)
    city = random.integers(0, n_cities, n_rows)
    X = pd.DataFrame(
        {
            "city": [f"city {at}" for at in city],
            "size": random.normal(size=n_rows).round(1),
            "age": np.where(random.random(n_rows) < 0.1, np.nan, city % 9),
            "flag": random.choice(["x", "y", None], n_rows),
        }
    )
    return X, ((city % 5 < 2) ^ (X["size"] > 0.3)).astype(int).to_numpy()


@pytest.mark.parametrize("share", [0.0, 0.2, 0.6, 1.0])
def test_coded_intervals_are_those_of_the_columns(share):
    X, y = table(900, 30)
    _, matrix = TableEncoder.read(X, None, ClassWeights(y), TableHints())
    plain = np.asarray(matrix)
    random = np.random.default_rng(1)
    thresholds = []
    for column in plain.T:
        cuts = np.unique(column)[:-1]
        thresholds.append(cuts[random.random(len(cuts)) < share] + 0.01)
    intervals = Intervals(thresholds)

    coded = intervals.encode_matrix(matrix)

    assert isinstance(coded, CodedMatrix)
    assert coded.cells.shape == matrix.cells.shape
    assert (np.asarray(coded) == intervals.encode(plain)).all()
    # Equal rows have equal cells, and rows sort alike by both.
    by_columns, by_cells = (
        np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
        for rows in (np.asarray(coded), coded.cells)
    )
    assert (by_columns == by_cells).all()


def test_guesses_of_many_levels_keep_to_the_memory(monkeypatch):
    """Every level was expanded to a column of all rows, whatever the limit."""
    n_rows, budget = 20_000, 40 * 2**20
    X, y = table(n_rows, 600)
    searched = []
    find_tree = _search.find_tree

    def spy(data, *others):
        searched.append(data.X)
        return find_tree(data, *others)

    monkeypatch.setattr(_search, "find_tree", spy)
    monkeypatch.setattr(row_sample, "memory_left", lambda limit: budget)
    model = OptimalTreeClassifier(
        leaf_penalty=0.01, max_depth=2, guess="auto", time_limit=None
    )
    tracemalloc.start()
    model.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert searched[0].shape[1] > 600
    assert all(isinstance(matrix, CodedMatrix) for matrix in searched)
    assert model.guess_.cut_short == ("rows",)
    assert peak < 2 * budget < n_rows * 600 * 8
    assert model.loss_ == pytest.approx(1 - model.score(X, y), abs=1e-12)
    assert model.n_leaves_ > 1
