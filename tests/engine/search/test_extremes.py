"""The smallest, the flattest and the largest problems are problems too."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya

# Tells "returned" from "hung", nothing finer.
PATIENCE = 60.0


def proved(X, y, **options):
    outcome = ostrya.solve(X, y, time_limit=PATIENCE, **options)
    assert outcome.status == "optimal"
    assert outcome.gap == 0.0
    return outcome


def test_one_row():
    outcome = proved(np.array([[1.5]]), [0], leaf_penalty=0.25)
    assert (outcome.n_leaves, outcome.objective) == (1, 0.25)


@pytest.mark.parametrize("code", [0, 3])
def test_one_class(code):
    X = np.arange(12.0).reshape(6, 2)
    outcome = proved(X, [code] * 6, leaf_penalty=0.0)
    assert (outcome.n_leaves, outcome.loss) == (1, 0.0)
    assert outcome.tree.predict(X).tolist() == [code] * 6


def test_constant_columns_only():
    outcome = proved(np.ones((5, 3)), [0, 1, 1, 0, 1], leaf_penalty=0.0)
    assert (outcome.n_leaves, outcome.loss) == (1, 0.4)


def test_fewer_rows_than_a_leaf_must_hold():
    X = np.array([[0.0], [1.0], [2.0]])
    outcome = proved(X, [0, 0, 1], min_samples_leaf=10, leaf_penalty=0.0)
    assert outcome.n_leaves == 1


def test_neighbouring_floats_are_told_apart():
    low = 1.0
    X = np.array([[low], [np.nextafter(low, 2)]] * 3)
    outcome = proved(X, [0, 1] * 3, leaf_penalty=0.1)
    assert (outcome.n_leaves, outcome.loss) == (2, 0.0)
    assert outcome.tree.predict(X).tolist() == [0, 1] * 3


def test_huge_and_tiny_values():
    X = np.array([[-1e308], [-1e-308], [0.0], [5e-324], [1e308]])
    outcome = proved(X, [0, 1, 0, 1, 0], leaf_penalty=0.0)
    assert outcome.loss == 0.0
    assert outcome.tree.predict(X).tolist() == [0, 1, 0, 1, 0]


def test_minus_zero_is_zero():
    X = np.array([[-0.0], [0.0], [-0.0], [0.0]])
    assert proved(X, [0, 1, 0, 1], leaf_penalty=0.0).n_leaves == 1


def test_many_classes():
    X = np.arange(40.0).reshape(-1, 1)
    outcome = proved(X, np.arange(40), leaf_penalty=0.0, max_leaf_nodes=5)
    assert (outcome.n_leaves, outcome.loss) == (5, 35 / 40)


def test_nine_thousand_columns():
    X = np.random.default_rng(0).integers(0, 2, (60, 9_000))
    outcome = proved(X, X[:, 8_990] & X[:, 8_999], leaf_penalty=0.01, max_depth=2)
    assert (outcome.n_leaves, outcome.loss) == (3, 0.0)
    assert set(outcome.tree.feature) - {-1} == {8_990, 8_999}


def test_two_hundred_thousand_values_in_a_column():
    n_rows = 200_000
    X = np.random.default_rng(0).permutation(n_rows).astype(float).reshape(-1, 1)
    y = ((X[:, 0] > 70_000) & (X[:, 0] <= 150_000)).astype(int)
    outcome = proved(X, y, leaf_penalty=0.01, max_depth=2)
    assert (outcome.n_leaves, outcome.loss) == (3, 0.0)


def test_a_million_rows():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, size=(1_000_000, 6))
    y = (X[:, 1] & X[:, 4]) | (X[:, 2] & (1 - X[:, 1]))
    outcome = proved(X, y, leaf_penalty=0.001)
    assert (outcome.n_leaves, outcome.loss) == (4, 0.0)
