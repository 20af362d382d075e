"""What must not change the objective does not; what must move it moves it one way."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya
from generated import PROBLEMS

# Tells "returned" from "hung", nothing finer.
PATIENCE = 60.0


@pytest.fixture(params=PROBLEMS, scope="module")
def problem(request):
    (X, y), options = PROBLEMS[request.param]
    return X, y, options, solved(X, y, **options)


def solved(X, y, **options):
    outcome = ostrya.solve(X, y, time_limit=PATIENCE, **options)
    assert outcome.status == "optimal"
    return outcome.objective


def same(objective):
    # The optimum is one rational number; only its last digits depend on the order
    # in which a float sum was taken.
    return pytest.approx(objective, rel=1e-12, abs=1e-15)


def test_rows_permuted(problem):
    X, y, options, objective = problem
    order = np.random.default_rng(1).permutation(len(X))
    assert solved(X[order], y[order], **options) == same(objective)


def test_rows_permuted_change_not_a_bit():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 3, (80, 3)).astype(float)
        y, weights = rng.integers(0, 3, 80), rng.random(80) ** 2
        options = {"leaf_penalty": 0.01, "max_depth": 3}
        first = ostrya.solve(X, y, sample_weight=weights, **options)
        order = rng.permutation(80)
        again = ostrya.solve(
            X[order], y[order], sample_weight=weights[order], **options
        )
        assert again.objective == first.objective
        assert again.tree == first.tree


def test_columns_permuted(problem):
    X, y, options, objective = problem
    order = np.random.default_rng(2).permutation(X.shape[1])
    assert solved(X[:, order], y, **options) == same(objective)


def test_columns_reversed_in_order(problem):
    X, y, options, objective = problem
    flipped = X * np.random.default_rng(3).choice([-1, 1], X.shape[1])
    assert solved(flipped, y, **options) == same(objective)
    assert solved(-X, y, **options) == same(objective)


def test_yes_no_columns_complemented():
    (X, y), options = PROBLEMS["tic_tac_toe"]
    objective = solved(X, y, **options)
    chosen = np.random.default_rng(4).random(X.shape[1]) < 0.5
    assert solved(np.where(chosen, 1 - X, X), y, **options) == same(objective)
    assert solved(X == 0, y, **options) == same(objective)


@pytest.mark.parametrize(
    "transform",
    [np.exp, np.arctan, lambda X: X**3 * 1e6 - 7, lambda X: 0.1 * X + 1e3],
    ids=["exp", "arctan", "cube", "shift"],
)
def test_columns_transformed_monotonically(problem, transform):
    X, y, options, objective = problem
    transformed = transform(X.astype(float))
    for before, after in zip(X.T, transformed.T, strict=True):
        assert len(np.unique(before)) == len(np.unique(after))
    assert solved(transformed, y, **options) == same(objective)


def test_values_replaced_by_ranks(problem):
    X, y, options, objective = problem
    ranks = [np.unique(column, return_inverse=True)[1] for column in X.T]
    assert solved(np.column_stack(ranks), y, **options) == same(objective)


def test_columns_written_as_yes_no_thresholds(problem):
    X, y, options, objective = problem
    thresholds = [X[:, [j]] <= np.unique(X[:, j])[:-1] for j in range(X.shape[1])]
    assert solved(np.hstack(thresholds), y, **options) == same(objective)


@pytest.mark.parametrize("times", [2, 3])
def test_all_rows_repeated(problem, times):
    X, y, options, objective = problem
    fewest = times * options.get("min_samples_leaf", 1)
    options = options | {"min_samples_leaf": fewest}
    repeated = solved(np.tile(X, (times, 1)), np.tile(y, times), **options)
    assert repeated == same(objective)


def test_classes_relabelled(problem):
    X, y, options, objective = problem
    names = np.random.default_rng(5).permutation(y.max() + 1)
    assert solved(X, names[y], **options) == same(objective)
    assert solved(X, y.max() - y, **options) == same(objective)


def test_classes_relabelled_with_gaps(problem):
    X, y, options, objective = problem
    assert solved(X, 2 * y + 1, **options) == same(objective)


def test_constant_and_repeated_columns_added(problem):
    X, y, options, objective = problem
    constant = np.full((len(X), 1), 3)
    wider = np.hstack([constant, X, X[:, ::-1], constant])
    assert solved(wider, y, **options) == same(objective)


@pytest.mark.parametrize("factor", [1.0, 0.5, 3.0, 0.1, 1e-6, 1e6])
def test_weights_scaled(problem, factor):
    X, y, options, objective = problem
    weights = np.full(len(X), factor)
    assert solved(X, y, sample_weight=weights, **options) == same(objective)


def test_weights_stand_for_repeated_rows(problem):
    X, y, options, _ = problem
    options = options | {"min_samples_leaf": 1}
    times = np.random.default_rng(6).integers(0, 4, len(X))
    weighted = solved(X, y, sample_weight=times, **options)
    repeated = solved(np.repeat(X, times, axis=0), np.repeat(y, times), **options)
    assert weighted == same(repeated)


def test_rows_without_weight_added(problem):
    X, y, options, _ = problem
    options = options | {"min_samples_leaf": 1}
    rng = np.random.default_rng(7)
    extra = rng.permuted(X[:50], axis=0)
    weights = np.r_[np.ones(len(X)), np.zeros(len(extra))]
    taller, labels = np.vstack([X, extra]), np.r_[y, y[:50]]
    padded = solved(taller, labels, sample_weight=weights, **options)
    assert padded == same(solved(X, y, **options))


def test_costs_scaled_with_the_penalty(problem):
    X, y, options, objective = problem
    costs = 2.5 * (1 - np.eye(y.max() + 1))
    dearer = options | {"leaf_penalty": 2.5 * options["leaf_penalty"]}
    assert solved(X, y, cost_matrix=costs, **dearer) == same(2.5 * objective)


def test_kinds_of_number(problem):
    X, y, options, objective = problem
    for matrix in (np.asfortranarray(X), X.astype(np.float64), X[::-1][::-1]):
        assert solved(matrix, y, **options) == same(objective)
    assert solved(X, y.astype(np.uint8), **options) == same(objective)


def test_dearer_leaves_mean_fewer_leaves(problem):
    X, y, options, _ = problem
    penalties = [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.5]
    outcomes = [ostrya.solve(X, y, **options | {"leaf_penalty": p}) for p in penalties]
    leaves = [outcome.n_leaves for outcome in outcomes]
    losses = [outcome.loss for outcome in outcomes]
    assert leaves == sorted(leaves, reverse=True)
    assert losses == sorted(losses)
    objectives = [outcome.objective for outcome in outcomes]
    assert objectives == sorted(objectives)


def test_looser_limits_mean_no_worse_a_tree(problem):
    X, y, options, _ = problem
    for name, values in {
        "max_depth": (0, 1, 2, 3),
        "max_leaf_nodes": (1, 2, 3, 4, 5),
        "min_samples_leaf": (60, 20, 5, 2, 1),
    }.items():
        free = {"leaf_penalty": options["leaf_penalty"], "max_depth": 3}
        objectives = [solved(X, y, **free | {name: value}) for value in values]
        assert objectives == sorted(objectives, reverse=True)


def test_more_columns_mean_no_worse_a_tree(problem):
    X, y, options, objective = problem
    assert solved(X[:, ::2], y, **options) >= objective - 1e-12


def test_parts_cost_no_more_than_the_whole(problem):
    """A tree for all rows serves any part of them, so parts are no dearer."""
    X, y, options, objective = problem
    options = options | {"min_samples_leaf": 1}
    half = np.random.default_rng(8).random(len(X)) < 0.5
    part = ostrya.solve(
        X[half],
        y[half],
        **options | {"leaf_penalty": options["leaf_penalty"] * len(X) / half.sum()},
    )
    assert part.objective * half.sum() <= objective * len(X) + 1e-9
