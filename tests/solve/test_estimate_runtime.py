"""Estimates: sound on searches that are soon over, and in order beyond them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ostrya
from ostrya._solve.ladder import Trial, forecast


def table(n_rows=400, n_columns=12, n_values=2, seed=0):
    chance = np.random.default_rng(seed)
    X = chance.integers(0, n_values, (n_rows, n_columns)).astype(float)
    y = (X[:, :3].sum(axis=1) > 1.5 * (n_values - 1)) ^ (chance.random(n_rows) < 0.2)
    return X, y.astype(int)


@pytest.mark.parametrize("depth", [0, 1, 2, 3, None])
def test_a_search_that_is_soon_over_is_counted(depth):
    X, y = table()
    found = ostrya.estimate_runtime(X, y, leaf_penalty=0.02, max_depth=depth)
    outcome = ostrya.solve(X, y, leaf_penalty=0.02, max_depth=depth)
    assert found.is_counted
    assert found.subproblems == outcome.statistics.subproblems
    assert found.work == outcome.statistics.work


def test_a_top_k_search_and_a_frontier_are_counted():
    X, y = table(200, 8)
    found = ostrya.estimate_runtime(X, y, method="top_k", max_depth=3)
    outcome = ostrya.solve(X, y, top_k=ostrya.top_k.TopKSplits(k=8), max_depth=3)
    assert found.is_counted
    assert found.subproblems == outcome.statistics.subproblems
    found = ostrya.estimate_runtime(X, y, method="frontier", max_leaf_nodes=4)
    frontier = ostrya.frontier(X, y, max_leaf_nodes=4)
    assert found.is_counted
    assert found.work == frontier.statistics.work


def test_equal_input_gives_equal_estimates_that_grow_with_depth():
    X, y = table(1000, 60, 6)
    estimates = [
        ostrya.estimate_runtime(X, y, leaf_penalty=0.0, max_depth=depth)
        for depth in (2, 3, 4, 5, 5)
    ]
    works = [each.work for each in estimates]
    assert works[-1] == works[-2]
    assert works[:-1] == sorted(works[:-1])
    deep = estimates[-1]
    assert not deep.is_counted
    assert deep.least_seconds < deep.seconds < deep.most_seconds
    assert deep.memory > 0
    assert "about" in str(deep)
    assert deep.subproblems > estimates[1].subproblems


def test_thresholds_are_guessed_before():
    X, y = table(300, 5, 100)
    exact = ostrya.estimate_runtime(X, y, max_depth=3)
    guessed = ostrya.estimate_runtime(X, y, method="guessed_thresholds", max_depth=3)
    assert guessed.method == "guessed_thresholds"
    assert guessed.work <= exact.work


def test_factors_fall_from_level_to_level():
    tried = []

    def search(depth, most):
        tried.append(depth)
        work = 2 ** (10 + 8 * (depth - 2)) if depth is not None else most
        return Trial(depth in (2, 3), work, work >> 8, 1000, 1e9, 50, 50)

    found = forecast(search, 6)
    assert tried == [2, 3, 4, 6]
    # 8 from depth 2 to 3, then 8 * 0.7, 8 * 0.7^2, 8 * 0.7^3.
    expected = 18 + 8 * (0.7 + 0.7**2 + 0.7**3)
    assert math.log2(found.work) == pytest.approx(max(expected, 10 + 8 * 4))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"method": "quick"}, ValueError, "method must be"),
        ({"method": 3}, TypeError, "method must be"),
        ({"max_depth": "auto"}, ValueError, "max_depth must be an integer >= 0, or"),
        ({"max_depth": -1}, ValueError, "max_depth must be an integer >= 0"),
        ({"leaf_penalty": -0.1}, ValueError, "leaf_penalty must be"),
        ({"max_leaf_nodes": 0}, ValueError, "max_leaf_nodes must be"),
        ({"top_k": ostrya.top_k.TopKSplits(k=2)}, ValueError, 'unless method="top_k"'),
        ({"X": [[math.inf], [1.0]]}, ValueError, "Input X contains infinity"),
        ({"y": [0]}, ValueError, "y"),
    ],
)
def test_bad_arguments_are_named(changes, error, message):
    arguments = {"X": [[0.0], [1.0]], "y": [0, 1]} | changes
    with pytest.raises(error, match=message):
        ostrya.estimate_runtime(**arguments)
