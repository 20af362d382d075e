"""The first tree that satisfies a constraint is the best one that does."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from ostrya import RashomonSet, constraints


def drawn(seed):
    """A small table of numbers, and a set of at most some hundred trees."""
    rng = random.Random(f"constraints/{seed}")
    n_rows = rng.randint(6, 20)
    X = np.array([[rng.randint(0, 3) for _ in range(3)] for _ in range(n_rows)], float)
    y = np.array([rng.randint(0, 1) for _ in range(n_rows)])
    y[:2] = [0, 1]
    trees = RashomonSet(
        leaf_penalty=0.05, max_depth=2, epsilon=rng.choice([0.2, 0.5])
    ).fit(X, y)
    return trees, X, y, rng


def first_by_hand(trees, is_wanted):
    for place, tree in enumerate(trees):
        if is_wanted(tree):
            return place
    return None


def used(tree):
    return set(tree.feature[tree.feature >= 0].tolist())


def same(trees, constraint, is_wanted):
    match = trees.first(constraint)
    place = first_by_hand(trees, is_wanted)
    assert match.index == place
    start = constraint.start(trees)
    if place is None:
        assert match.status == "none"
        assert match.n_examined == trees.n_trees_ - start
        assert match.lower_bound == trees.complete_to_
    else:
        assert match.status == "found"
        assert match.n_examined == place + 1 - start > 0
        assert match.objective == trees.objective(place) == match.lower_bound


@pytest.mark.parametrize("seed", range(15))
def test_constraints_on_columns(seed):
    trees, *_, rng = drawn(seed)
    if trees.n_trees_ > 500:
        return
    a, b = rng.sample(range(3), 2)
    same(trees, constraints.Uses(a), lambda tree: a in used(tree))
    same(trees, constraints.Avoids(a), lambda tree: a not in used(tree))
    both = {a, b}
    same(trees, constraints.AtMostOneOf(a, b), lambda tree: not both <= used(tree))
    costs = {a: 2.0, b: 1.0}
    budget = constraints.FeatureBudget(costs, 2)
    same(trees, budget, lambda tree: sum(costs.get(c, 0) for c in used(tree)) <= 2)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("seed", range(8))
def test_monotone_trees_are_monotone_on_every_row(seed, direction, monkeypatch):
    trees, *_ = drawn(seed)
    if trees.n_trees_ > 500:
        return
    values = np.arange(-0.75, 4, 0.5)
    grid = np.array(list(itertools.product(values, repeat=3)))

    def is_monotone(tree):
        labels = tree.predict(grid).reshape(len(values), -1)  # by the first column
        return bool((direction * np.diff(labels, axis=0) >= 0).all())

    same(trees, constraints.Monotone({0: direction}), is_monotone)
    # In large sets, better trees than the best monotone one are skipped.
    monkeypatch.setattr(constraints, "FEW_TREES", 0)
    same(trees, constraints.Monotone({0: direction}), is_monotone)


@pytest.mark.parametrize(
    "criterion", ["statistical_parity", "equal_opportunity", "equalized_odds"]
)
def test_fairness_gaps(criterion):
    for seed in range(8):
        trees, X, y, rng = drawn(seed)
        if trees.n_trees_ > 500:
            continue
        group = np.array([rng.choice("mfx") for _ in y])

        def gap(tree, rows, X=X, group=group):
            predicted = tree.predict(X)
            shares = [
                predicted[rows & (group == each)].mean()
                for each in "mfx"
                if (rows & (group == each)).any()
            ]
            return max(shares) - min(shares) if shares else 0.0

        def is_fair(tree, y=y, gap=gap):
            sets = {
                "statistical_parity": [y >= 0],
                "equal_opportunity": [y == 1],
                "equalized_odds": [y == 1, y == 0],
            }
            return max(gap(tree, rows) for rows in sets[criterion]) <= 0.3

        fair = constraints.FairnessGap(X, group, 0.3, y=y, criterion=criterion)
        same(trees, fair, is_fair)


def test_several_conditions_and_limits():
    trees, *_ = drawn(3)
    never = trees.first(lambda tree: False)
    assert (never.status, never.tree) == ("none", None)
    some = trees.first(lambda tree: False, max_trees=2)
    assert (some.status, some.n_examined) == ("max_trees", 2)
    assert some.lower_bound == trees.objective(2)
    late = trees.first(lambda tree: False, time_limit=0)
    assert (late.status, late.n_examined) == ("time_limit", 0)
    both = trees.first(constraints.Uses(0), lambda tree: tree.n_leaves > 2)
    assert both.index == first_by_hand(
        trees, lambda tree: 0 in used(tree) and tree.n_leaves > 2
    )


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        (constraints.Uses("age"), "column must be one of"),
        (constraints.Avoids(3), "column must be between 0 and 2; got 3"),
        (constraints.FeatureBudget({0: -1}, 2), "must be a finite number >= 0; got -1"),
        (constraints.Monotone({0: 2}), "must be 1 or -1; got"),
        (constraints.FairnessGap([[0, 0, 0]], [1], 2), "max_gap must be a number"),
        (
            constraints.FairnessGap([[0, 0, 0]], [1], 0, criterion="equal_opportunity"),
            "y must be set for criterion",
        ),
        (constraints.FairnessGap([[0, 0, 0]], [1, 2], 0), "one value per row of X"),
        (constraints.FairnessGap([[0, 0, 0]], [1], 0, positive=7), "positive must be"),
    ],
)
def test_constraints_that_do_not_fit_are_refused(constraint, message):
    trees, *_ = drawn(0)
    with pytest.raises(ValueError, match=message):
        trees.first(constraint)


def test_what_is_neither_a_function_nor_a_constraint_is_refused():
    trees, *_ = drawn(0)
    with pytest.raises(TypeError, match="predicate must be a function of a tree"):
        trees.first("age")


def test_trees_with_other_columns_are_skipped_by_counting():
    chance = np.random.default_rng(0)
    X = chance.integers(0, 2, size=(300, 5))
    X[:, 3] = X[:, 0] ^ (chance.random(300) < 0.05)
    y = X[:, 0] ^ (chance.random(300) < 0.2)
    trees = RashomonSet(leaf_penalty=0.01, max_depth=3, epsilon=0.5).fit(X, y)
    assert trees.n_trees_ > 10_000
    for constraint in (
        constraints.Avoids(0),
        constraints.FeatureBudget({0: 5, 1: 1, 2: 1}, 2),
    ):
        match = trees.first(constraint)
        assert match.objective == trees.best_without(0) > trees.objective_
        assert constraint.start(trees) > match.n_examined > 0
