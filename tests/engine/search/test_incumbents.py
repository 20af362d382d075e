"""A stopped search has the trees that faster methods find in a tenth of its time."""

from __future__ import annotations

import time

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine
from sklearn.tree import DecisionTreeClassifier

import ostrya
from cases import zero_one
from ostrya import _core
from strategies import deep_problems, random_problems


def digits():
    """Ten classes, few values in each column."""
    return load_digits(return_X_y=True)


def noisy_wine():
    """Three classes, columns of many values, a fifth of the labels at random."""
    X, y = load_wine(return_X_y=True)
    rng = np.random.default_rng(0)
    return X, np.where(rng.random(len(y)) < 0.2, rng.integers(0, 3, len(y)), y)


def rough(n_rows=3000):
    """Two classes, columns of as many values as rows."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n_rows, 6))
    return X, (X[:, 0] * X[:, 1] + rng.normal(size=n_rows) > 0.3).astype(int)


def search(X, y, penalty, limits, **options):
    """The result of the engine, where an error costs 1 and a leaf `penalty`."""
    return _core.solve(
        np.asarray(X, float),
        np.asarray(y, np.int32),
        np.ones(len(y), np.int64),
        np.array(zero_one(max(y) + 1), np.int64),
        1,
        penalty,
        _core.Options(_core.Limits(**limits), **options),
    )


def cart_cost(X, y, penalty, limits):
    """What the tree of scikit-learn costs, once the splits that do not pay are gone."""
    cart = DecisionTreeClassifier(random_state=0, **limits).fit(X, y)
    tree = cart.tree_
    errors = tree.weighted_n_node_samples * (1 - tree.value.max(axis=2)[:, 0])
    costs = np.rint(errors) + penalty
    for node in reversed(range(tree.node_count)):
        yes, no = tree.children_left[node], tree.children_right[node]
        if yes >= 0:
            costs[node] = min(costs[node], costs[yes] + costs[no])
    return costs[0]


CASES = [
    pytest.param(digits, 0, {"max_depth": 4}, id="digits-depth-4"),
    pytest.param(digits, 9, {}, id="digits-any-depth"),
    pytest.param(digits, 4, {"max_leaf_nodes": 7}, id="digits-7-leaves"),
    pytest.param(noisy_wine, 1, {"max_depth": 5}, id="wine-depth-5"),
    pytest.param(noisy_wine, 1, {"min_samples_leaf": 6}, id="wine-large-leaves"),
    pytest.param(rough, 3, {"max_depth": 5}, id="rough-depth-5"),
    pytest.param(rough, 12, {}, id="rough-any-depth"),
]


@pytest.mark.parametrize(("table", "penalty", "limits"), CASES)
def test_a_stopped_search_was_worse_than_top_k(table, penalty, limits):
    X, y = table()
    stopped = search(X, y, penalty, limits, max_work=2**28)
    for k in (1, 2):
        top_k = _core.TopK([k], criterion="entropy")
        assert stopped.upper <= search(X, y, penalty, limits, top_k=top_k).upper
    if "max_leaf_nodes" not in limits:
        assert stopped.upper <= cart_cost(X, y, penalty, limits)


@pytest.mark.parametrize(("table", "penalty"), [(digits, 9), (rough, 12)])
def test_auto_was_worse_than_top_k(table, penalty, monkeypatch):
    monkeypatch.setattr("ostrya._solve.settings.AUTO_EFFORT", 4 * 10**8)
    X, y = table()
    share = penalty / len(y)
    auto = ostrya.solve(X, y, leaf_penalty=share, max_depth="auto", time_limit=None)
    greedy = ostrya.solve(X, y, leaf_penalty=share, top_k=ostrya.top_k.TopKSplits(k=1))
    assert auto.objective <= greedy.objective


def test_more_work_gave_a_worse_tree():
    X, y = rough()
    costs = [search(X, y, 5, {}, max_work=2**power).upper for power in range(16, 29, 2)]
    assert costs == sorted(costs, reverse=True)


def blobs(n_rows, n_columns, n_classes):
    """Many classes around centres, columns of as many values as rows."""
    rng = np.random.default_rng(2)
    centres = 1.2 * rng.normal(size=(n_classes, n_columns))
    y = rng.integers(0, n_classes, n_rows)
    return centres[y] + rng.normal(size=(n_rows, n_columns)), y


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "n_classes"),
    [(4000, 10, 20), (3000, 30, 7), (1500, 60, 12), (9000, 8, 3), (6000, 6, 2)],
)
def test_a_wide_root_left_top_k_no_turn(n_rows, n_columns, n_classes):
    # The scan of its root took all of the work, and Top-k was never asked.
    X, y = blobs(n_rows, n_columns, n_classes)
    penalty = n_rows // 100
    top_k = _core.TopK([8], criterion="entropy")
    faster = search(X, y, penalty, {"max_depth": 5}, top_k=top_k)
    before = None
    for effort in (5 * 10**7, 10**8, 4 * 10**8):
        found = search(X, y, penalty, {}, effort=effort)
        assert found.status == "optimal_to_depth"
        counted = found.statistics.nanoseconds
        tenth = [p.upper for p in faster.trace if p.nanoseconds <= counted / 10]
        assert found.upper <= min(tenth, default=found.upper)
        assert before is None or found.upper <= before
        before = found.upper
    assert found.upper <= cart_cost(X, y, penalty, {"max_depth": 5})


def test_a_search_that_began_was_worse_than_one_that_did_not():
    # A search that found nothing had a tree grown from a sample, and others had not.
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(20000, 8)), rng.integers(0, 2, 20000)
    costs = [search(X, y, 0, {}, max_work=2**power).upper for power in (0, 18, 21, 24)]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize("seed", range(9800, 9802))
def test_trees_of_another_search_are_those_of_the_problem(seed):
    # From the first moment on, so that small problems have them too: weights, costs and
    # all limits.
    for case in [*random_problems(seed, 60), *deep_problems(seed, 6)]:
        found = _core.solve(*case.core_arguments(turns_after=0))
        alone = _core.solve(*case.core_arguments())
        assert (found.lower, found.upper) == (alone.lower, alone.upper)


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "n_classes", "n_values"),
    [
        (150, 4, 5, 0),
        (220, 4, 11, 0),
        (203, 7, 2, 8),
        (300, 20, 10, 2),
        (5000, 5, 2, 0),
    ],
)
def test_auto_took_as_long_as_its_count_left_out(
    n_rows, n_columns, n_classes, n_values, monkeypatch
):
    # Words of memory were counted, which take ten times as long where nodes are small
    # and classes are many.
    monkeypatch.setattr("ostrya._solve.settings.AUTO_EFFORT", 2 * 10**8)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    if n_values:
        X = rng.integers(0, n_values, size=X.shape)
    y = rng.integers(0, n_classes, n_rows)
    before = time.process_time()
    outcome = ostrya.solve(X, y, max_depth="auto", time_limit=None)
    seconds = time.process_time() - before
    assert outcome.status == "optimal_to_depth"
    # It may count 0.4 s, and the count is right within a factor of 2.5.
    assert seconds < 1.5
