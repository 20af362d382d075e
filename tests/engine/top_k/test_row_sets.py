"""Top-k over sets of rows: the same trees as with every cut counted."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import ostrya
from oracle.top_k import TopKOracle
from ostrya import _core
from strategies import build_case, random_problems

CRITERIA = ("entropy", "gini", "sqrt")


def ranked(k, criterion, *, by_rows, ranks_features=False):
    return _core.TopK(
        k if isinstance(k, list) else [k],
        criterion=criterion,
        ranks_features=ranks_features,
        by_rows=by_rows,
    )


@pytest.mark.parametrize("ranks_features", [False, True])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_equals_a_plain_recursion(criterion, ranks_features):
    for index, case in enumerate(random_problems(f"{criterion}{ranks_features}", 300)):
        rng = random.Random(index)
        problem = case.problem
        if not all(problem.weights):
            continue
        if problem.max_depth is None or problem.max_depth > 4:
            case = replace(case, problem=replace(problem, max_depth=rng.randint(1, 4)))
        k = rng.choice([1, 2, 3, 5, [3, 1, 2]])
        top_k = ranked(k, criterion, by_rows=True, ranks_features=ranks_features)
        found = _core.solve(*case.core_arguments(top_k=top_k))
        widths = top_k.widths
        oracle = TopKOracle(case.problem, widths, criterion, by_feature=ranks_features)
        assert found.lower == found.upper == oracle.cost()


def table(rng):
    """Rows with columns of many values, of few, and of two; many classes or few."""
    n_rows, n_classes = int(rng.integers(300, 1500)), int(rng.integers(2, 7))
    X = rng.normal(size=(n_rows, int(rng.integers(1, 6))))
    for column in X.T:
        digits = rng.integers(-1, 4)
        column[:] = np.round(column, digits) if digits >= 0 else column > 0
    signal = np.abs(X[:, 0]) + X[:, -1] + rng.random(n_rows) * n_classes / 2
    return X, signal.astype(int) % n_classes


def long_case(rng):
    """A problem of some hundred rows, of every kind."""
    X, y = table(rng)
    n_classes = int(y.max()) + 1
    parts = {"penalty": rng.choice([Fraction(0), Fraction("0.001"), Fraction("0.02")])}
    parts["max_depth"] = int(rng.integers(1, 5))
    if rng.random() < 0.4:
        parts["weights"] = rng.integers(1, 6, len(y)).tolist()
    if rng.random() < 0.3:
        costs = rng.integers(0, 5, (n_classes, n_classes))
        parts["costs"] = (costs * (1 - np.eye(n_classes, dtype=int))).tolist()
    if rng.random() < 0.3:
        parts["min_samples_leaf"] = int(rng.integers(2, 80))
    if rng.random() < 0.2:
        parts["max_leaf_nodes"] = int(rng.integers(2, 8))
    return build_case(X.tolist(), y.tolist(), **parts)


@pytest.mark.parametrize("seed", range(3))
def test_equals_what_is_found_by_counting_every_cut(seed):
    rng = np.random.default_rng(seed)
    for _ in range(40):
        case = long_case(rng)
        k, criterion = int(rng.choice([1, 2, 3, 6])), str(rng.choice(CRITERIA))
        by_rows, by_cuts = (
            _core.solve(
                *case.core_arguments(
                    top_k=ranked(k, criterion, by_rows=way, ranks_features=k == 2)
                )
            )
            for way in (True, False)
        )
        assert by_rows.lower == by_rows.upper == by_cuts.upper
        if by_rows.status == "optimal":  # of all trees
            assert by_rows.upper == _core.solve(*case.core_arguments()).upper


def test_a_search_that_is_stopped_has_a_tree_and_bounds():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20000, 20))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=20000) > 0.5).astype(int)
    top_k = ostrya.top_k.TopKSplits(k=8, candidates="features")
    for limit in (0.02, 0.05, 0.1, 0.3):
        outcome = ostrya.solve(
            X, y, leaf_penalty=0.0, max_depth=4, time_limit=limit, top_k=top_k
        )
        assert outcome.status == "time_limit"
        assert outcome.lower_bound <= outcome.objective <= y.mean()
        assert np.mean(outcome.tree.predict(X) != y) == pytest.approx(outcome.loss)
