"""Small depths are searched beside all trees, and what is said of them is true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ostrya
from oracle import optimum
from ostrya import _core
from strategies import deep_problems, random_problems


def least_cost(case, depth):
    """The oracle's optimum among the trees of a depth or less."""
    allowed = case.problem.max_depth
    depth = depth if allowed is None else min(depth, allowed)
    return optimum(replace(case.problem, max_depth=depth)).cost


@pytest.mark.parametrize("seed", range(9400, 9402))
def test_turns_from_the_first_moment_change_no_optimum(seed):
    for case in [*random_problems(seed, 100), *deep_problems(seed, 8)]:
        cost = optimum(case.problem).cost
        found = _core.solve(*case.core_arguments(turns_after=0))
        assert (found.lower, found.upper) == (cost, cost)


@pytest.mark.parametrize("seed", range(9410, 9412))
def test_no_tree_of_the_proved_depth_is_better(seed):
    n_open = 0
    for case in [*random_problems(seed, 100), *deep_problems(seed, 8)]:
        found = _core.solve(*case.core_arguments(turns_after=0, effort=1))
        if found.status == "optimal":
            continue
        n_open += 1
        assert found.status == "optimal_to_depth"
        assert found.upper <= least_cost(case, found.proved_depth)
        assert found.lower <= optimum(case.problem).cost <= found.upper
    assert n_open > 0


def rough_table(n_rows=600, n_columns=8):
    """Continuous columns and noisy labels, which no search proves soon."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n_rows, n_columns))
    noise = rng.normal(size=n_rows)
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + noise > 0).astype(int)


def test_auto_ends_the_same_way_each_time_with_a_proof_to_some_depth(monkeypatch):
    monkeypatch.setattr("ostrya._solve.settings.AUTO_EFFORT", 2**25)
    X, y = rough_table()
    first, second = (
        ostrya.solve(X, y, leaf_penalty=0.005, max_depth="auto") for _ in range(2)
    )
    assert first.status == "optimal_to_depth"
    assert first.proved_depth >= 2
    assert first.gap > 0
    assert first.tree == second.tree
    assert first.statistics.work == second.statistics.work
    small = ostrya.solve(X, y, leaf_penalty=0.005, max_depth=2)
    assert (small.status, small.proved_depth) == ("optimal", 2)
    assert first.objective <= small.objective


def crossed_table(n_rows, n_values):
    """Labels that two thresholds together tell, and none alone."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, n_values, size=(n_rows, 5))
    first, second = rng.integers(n_values // 10, n_values - n_values // 10, 2)
    noise = rng.random(n_rows) < 0.1
    return X, ((X[:, 0] < first) ^ (X[:, 1] < second) ^ noise).astype(int)


@pytest.mark.parametrize("penalty", [0, 0.001])
@pytest.mark.parametrize("n_values", [400, 1200])  # narrow and wide roots
def test_depth_two_is_proved_once_all_its_trees_are_seen(penalty, n_values):
    X, y = crossed_table(1500, n_values)
    small = ostrya.solve(X, y, leaf_penalty=penalty, max_depth=2)
    outcome = ostrya.solve(
        X,
        y,
        leaf_penalty=penalty,
        time_limit=None,
        on_progress=lambda progress: progress.proved_depth >= 2,
    )
    proved = [p.objective for p in outcome.trace if p.proved_depth == 2]
    assert all(objective <= small.objective + 1e-12 for objective in proved)
    if outcome.proved_depth is not None and outcome.proved_depth >= 2:
        assert outcome.objective <= small.objective + 1e-12


def test_cells_of_more_labels_are_more_work():
    X, y = rough_table()
    three = np.where(X[:, 3] > 1, 2, y)
    two_labels, three_labels = (
        ostrya.solve(X, labels, leaf_penalty=0.005, max_depth=2).statistics
        for labels in (y, three)
    )
    rates = [s.work / s.pair_rows for s in (two_labels, three_labels)]
    assert rates[1] > 2 * rates[0]


def test_a_proof_of_all_trees_is_of_any_depth():
    X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    outcome = ostrya.solve(X, y, leaf_penalty=0.01, max_depth="auto")
    assert (outcome.status, outcome.proved_depth) == ("optimal", None)
    limited = ostrya.solve(X, y, leaf_penalty=0.01, max_depth=4)
    assert limited.proved_depth == 4


@pytest.mark.parametrize("max_depth", ["Auto", "none", 2.5, b"auto", True])
def test_other_words_are_no_depth(max_depth):
    with pytest.raises(TypeError, match='max_depth must be an integer >= 0, "auto"'):
        ostrya.solve([[0], [1]], [0, 1], max_depth=max_depth)


def wide_table(n_rows=1300):
    """Continuous columns with so many thresholds that pairs take a while."""
    return rough_table(n_rows, 4)


def at_work(outcome, work):
    """The best objective after so much work."""
    return min(point.objective for point in outcome.trace if point.work <= work)


def test_the_trace_counts_work():
    X, y = rough_table()
    outcome = ostrya.solve(X, y, leaf_penalty=0.005, max_depth=3)
    counted = [point.work for point in outcome.trace]
    assert counted == sorted(counted)
    assert 0 < counted[-1] <= outcome.statistics.work


@pytest.mark.parametrize("table", [rough_table, wide_table])
@pytest.mark.parametrize("penalty", [0.001, 0.01])
def test_no_limit_is_as_good_as_a_proved_depth_soon_after(monkeypatch, table, penalty):
    X, y = table()
    limited = ostrya.solve(X, y, leaf_penalty=penalty, max_depth=3)
    assert limited.is_optimal
    work = max(4 * limited.statistics.work, 2**26)
    monkeypatch.setattr("ostrya._solve.settings.AUTO_EFFORT", work)
    free = ostrya.solve(X, y, leaf_penalty=penalty, max_depth="auto", time_limit=None)
    assert at_work(free, work) <= limited.objective


@pytest.mark.parametrize("penalty", [0, 0.001])
def test_a_wide_root_has_trees_before_its_pairs_are_scanned(monkeypatch, penalty):
    monkeypatch.setattr("ostrya._solve.settings.AUTO_EFFORT", 2**20)
    X, y = wide_table()
    stump = ostrya.solve(X, y, leaf_penalty=penalty, max_depth=1)
    outcome = ostrya.solve(
        X, y, leaf_penalty=penalty, max_depth="auto", time_limit=None
    )
    early = [p for p in outcome.trace if p.proved_depth < 2]
    assert early[-1].objective < stump.objective


def greedy_tree(X, y, penalty):
    """The cost of a tree of purest splits, pruned, in rows."""
    leaf = min(y.sum(), len(y) - y.sum()) + penalty
    if leaf <= 2 * penalty:
        return leaf

    def impurity(part):
        return 2 * part.sum() * (len(part) - part.sum()) / max(len(part), 1)

    is_split = [0 < column.sum() < len(y) for column in X.T]
    if not any(is_split):
        return leaf
    _, best = min(
        (impurity(y[column]) + impurity(y[~column]), place)
        for place, column in enumerate(X.T)
        if is_split[place]
    )
    yes = X[:, best]
    below = [greedy_tree(X[side], y[side], penalty) for side in (yes, ~yes)]
    return min(leaf, sum(below))


def tried_tree(X, y, penalty):
    """The cost of a tree each of whose splits has the best greedy trees below it."""
    leaf = min(y.sum(), len(y) - y.sum()) + penalty
    splits = [column for column in X.T if 0 < column.sum() < len(y)]
    if leaf <= 2 * penalty or not splits:
        return leaf
    costs = [
        sum(greedy_tree(X[side], y[side], penalty) for side in (yes, ~yes))
        for yes in splits
    ]
    if min(costs) >= leaf:
        return leaf
    yes = splits[int(np.argmin(costs))]
    below = [tried_tree(X[side], y[side], penalty) for side in (yes, ~yes)]
    return min(*costs, sum(below))


@pytest.mark.parametrize("seed", range(3))
def test_a_long_search_has_a_tree_as_good_as_one_of_tried_splits(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((3000, 14)) < 0.5
    wheel = X[:, 0] ^ X[:, 1] ^ (X[:, 2] & X[:, 3])
    y = (wheel & X[:, 4]) | (rng.random(3000) < 0.2)
    monkeypatch.setattr("ostrya._solve.settings.AUTO_EFFORT", 2**27)
    found = ostrya.solve(X, y, leaf_penalty=0.002, max_depth="auto", time_limit=None)
    assert found.objective <= tried_tree(X, y, 0.002 * 3000) / 3000 + 1e-12
