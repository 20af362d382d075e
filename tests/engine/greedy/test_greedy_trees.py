"""Greedy trees, for calls whose time or memory is out, are counted right."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya
from cases import recounted
from effort import cases
from oracle import optimum
from ostrya import _core
from strategies import random_problems


@pytest.fixture
def greedy_engine(monkeypatch):
    """Every search ends before it begins."""

    def solve(*arguments):
        return _core.testing.greedy_tree(*arguments[:7])

    monkeypatch.setattr(_core, "solve", solve)


def test_they_obey_all_limits_and_cost_what_is_said(greedy_engine):
    for case in random_problems(8100, cases(1000)):
        outcome = ostrya.solve(**case.arguments())
        assert recounted(case, outcome) >= optimum(case.problem).cost


def test_they_are_counted_on_all_rows(greedy_engine):
    """The sample has 16,384 rows; one class in a hundred is in few of them."""
    rng = np.random.default_rng(3)
    X = rng.random((60_000, 4))
    y = np.where(X[:, 1] > 0.4, 1, 0) + (X[:, 2] > 0.99)
    weights = rng.integers(1, 9, len(X)).astype(float)
    outcome = ostrya.solve(
        X, y, leaf_penalty=1e-4, max_depth=4, max_leaf_nodes=5, sample_weight=weights
    )
    assert 3 <= outcome.n_leaves <= 5
    assert outcome.loss < 0.001


def test_a_reference_makes_its_mistakes_unavoidable(greedy_engine):
    rng = np.random.default_rng(4)
    X = rng.integers(0, 4, (500, 3)).astype(float)
    y = ((X[:, 0] > 1) ^ (rng.random(500) < 0.1)).astype(int)
    found = ostrya.solve(X, y, leaf_penalty=0.01, reference_labels=X[:, 0] > 1)
    assert found.lower_bound <= found.objective < 0.2
