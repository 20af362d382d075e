"""Long columns: second splits found through blocks of cells are the best ones.

Block counting acts on histogram columns where depth two is the end. The optimum of
depth two is small enough to be found by trying all pairs of cuts in numpy.
"""

from __future__ import annotations

import numpy as np
import pytest

import ostrya


def best_stump_errors(column_sets, y):
    """The least errors of one leaf, or of two leaves over any cut."""
    least = min(y.sum(), len(y) - y.sum())
    for column in column_sets:
        order = np.argsort(column, kind="stable")
        ones = np.cumsum(y[order])
        n = np.arange(1, len(y) + 1)
        ends = np.flatnonzero(np.diff(column[order])) if len(y) > 1 else []
        for at in ends:
            yes = min(ones[at], n[at] - ones[at])
            no_ones, no_n = ones[-1] - ones[at], len(y) - n[at]
            least = min(least, yes + min(no_ones, no_n - no_ones))
    return least


def best_depth_two_errors(X, y):
    least = best_stump_errors(X.T, y)
    for column in X.T:
        for value in np.unique(column)[:-1]:
            yes = column <= value
            errors = best_stump_errors(X[yes].T, y[yes])
            least = min(least, errors + best_stump_errors(X[~yes].T, y[~yes]))
    return least


@pytest.mark.parametrize("seed", range(6))
def test_depth_two_on_long_columns(seed):
    rng = np.random.default_rng([11, seed])
    n = int(rng.integers(170, 260))
    X = np.column_stack([rng.permutation(n), rng.integers(0, 180, n)]).astype(float)
    y = ((X[:, 0] > n / 3) ^ (X[:, 1] > 60) ^ (rng.random(n) < 0.25)).astype(int)
    outcome = ostrya.solve(X, y, leaf_penalty=0, max_depth=2)
    assert outcome.status == "optimal"
    assert round(outcome.loss * n) == best_depth_two_errors(X, y)
