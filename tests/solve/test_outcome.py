"""What solve hands back agrees with itself, and is not believed without a recount."""

from __future__ import annotations

import dataclasses
import math
import pickle

import numpy as np
import pytest

import ostrya
from ostrya import _solver

CHANCE = np.random.default_rng(7)
X = CHANCE.integers(0, 4, size=(60, 4)).astype(float)
Y = ((X[:, 0] > 1) ^ (X[:, 1] > 2)).astype(int) + (CHANCE.random(60) < 0.1)
WEIGHTS = CHANCE.integers(0, 5, size=60) / 4
NOISE, COIN = CHANCE.random((300, 8)), CHANCE.integers(0, 2, size=300)  # hours of work
COSTS = [[0, 1, 2.5], [0.5, 0, 1], [3, 1, 0.25]]

ARGUMENTS = {
    "plain": {},
    "depth": {"max_depth": 1},
    "leaves": {"max_leaf_nodes": 3},
    "support": {"min_samples_leaf": 20},
    "weights": {"sample_weight": WEIGHTS},
    "balanced": {"class_weight": "balanced", "sample_weight": WEIGHTS},
    "class weights": {"class_weight": {0: 0.3, 2: 2}},
    "costs": {"cost_matrix": COSTS},
    "no penalty": {"leaf_penalty": 0, "max_depth": 2},
    "large penalty": {"leaf_penalty": 1.5},
}


def row_weights(sample_weight=None, class_weight=None, **_):
    weights = np.ones(60) if sample_weight is None else np.array(sample_weight)
    if class_weight == "balanced":
        class_weight = dict(enumerate(60 / (3 * np.bincount(Y))))
    return weights * [(class_weight or {}).get(code, 1) for code in Y]


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_the_objective_is_that_of_the_predictions(arguments):
    outcome = ostrya.solve(X, Y, **{"leaf_penalty": 0.02, "max_depth": 2, **arguments})
    weights = row_weights(**arguments)
    costs = np.array(arguments.get("cost_matrix", 1 - np.eye(3)))
    loss = np.average(costs[Y, outcome.tree.predict(X)], weights=weights)

    assert outcome.loss == pytest.approx(loss, rel=1e-12)
    assert outcome.objective == pytest.approx(
        loss + arguments.get("leaf_penalty", 0.02) * outcome.n_leaves, rel=1e-12
    )
    assert outcome.leaf_penalty == arguments.get("leaf_penalty", 0.02)
    assert outcome.n_leaves == outcome.tree.n_leaves


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_a_proof_leaves_no_gap(arguments):
    outcome = ostrya.solve(X, Y, **{"leaf_penalty": 0.02, "max_depth": 2, **arguments})
    assert outcome.status == "optimal"
    assert outcome.is_optimal
    assert outcome.gap == 0.0
    assert outcome.lower_bound == outcome.objective


def test_the_tree_counts_its_training_rows():
    tree = ostrya.solve(X, Y, leaf_penalty=0.02, sample_weight=WEIGHTS).tree
    leaf = tree.apply(X)
    for node in np.flatnonzero(tree.feature < 0):
        rows = leaf == node
        assert tree.n_samples[node] == rows.sum()
        expected = np.bincount(Y[rows], WEIGHTS[rows], minlength=3)
        np.testing.assert_allclose(tree.value[node], expected)
    for node in np.flatnonzero(tree.feature >= 0):
        children = [tree.yes[node], tree.no[node]]
        assert tree.n_samples[node] == tree.n_samples[children].sum()
        np.testing.assert_allclose(tree.value[node], tree.value[children].sum(axis=0))
    assert tree.label[0] == tree.value[0].argmax()


def test_labels_minimise_cost_not_error():
    outcome = ostrya.solve(
        [[0]] * 4, [0, 0, 0, 1], cost_matrix=[[0, 1], [10, 0]], leaf_penalty=0
    )
    assert outcome.tree.label.tolist() == [1]
    assert outcome.loss == 0.75


@pytest.mark.parametrize("share", [1.0, 0.9])
def test_an_upper_bound_that_nothing_beats_is_proved(share):
    best = ostrya.solve(X, Y, max_depth=2).objective
    outcome = ostrya.solve(X, Y, max_depth=2, upper_bound=share * best)
    # The search may prove more than it was asked for.
    assert outcome.status in ("upper_bound", "optimal")
    assert outcome.lower_bound >= share * best
    assert outcome.objective >= best
    assert outcome.gap == outcome.objective - outcome.lower_bound
    assert outcome.is_optimal == (outcome.objective == best)


def test_an_upper_bound_above_the_optimum_changes_nothing():
    best = ostrya.solve(X, Y, max_depth=2).objective
    outcome = ostrya.solve(X, Y, max_depth=2, upper_bound=best + 1e-6)
    assert (outcome.status, outcome.objective) == ("optimal", best)


def test_a_warm_start_changes_nothing_but_time():
    best = ostrya.solve(X, Y, max_depth=2)
    stump = ostrya.solve(X, Y, max_depth=1).tree
    for start in (best.tree, stump):
        outcome = ostrya.solve(X, Y, max_depth=2, warm_start=start)
        assert outcome.objective == best.objective
        assert outcome.is_optimal


def test_guesses_are_never_called_optimal():
    outcome = ostrya.solve(X, Y, max_depth=2, reference_labels=Y)
    assert outcome.status == "guessed_bounds"
    assert outcome.gap >= 0


def test_the_trace_ends_where_the_outcome_does():
    outcome = ostrya.solve(X, Y, max_depth=2)
    last = outcome.trace[-1]
    assert last.lower_bound == pytest.approx(outcome.lower_bound)
    assert last.objective == pytest.approx(outcome.objective)
    seconds = [point.seconds for point in outcome.trace]
    assert seconds == sorted(seconds)


def test_progress_is_told_in_the_units_of_the_objective():
    told = []

    def stop_at_the_third(progress):
        told.append(progress)
        return [each.phase for each in told].count("searching") == 3

    outcome = ostrya.solve(NOISE, COIN, on_progress=stop_at_the_third, time_limit=60)
    assert outcome.status == "interrupted"
    while told[0].phase == "preparing":
        before = told.pop(0)
        assert (before.lower_bound, before.objective) == (-math.inf, math.inf)
        assert before.n_leaves == 0
    assert told
    for progress in told:
        assert isinstance(progress, ostrya.results.Progress)
        assert progress.phase == "searching"
        assert 0 <= progress.lower_bound <= progress.objective <= 0.51
        assert progress.objective >= outcome.objective - 1e-12
        assert progress.n_leaves >= 1


def test_an_error_in_the_callback_comes_out():
    def fail(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ostrya.solve(NOISE, COIN, on_progress=fail, time_limit=5)


def test_outcomes_are_frozen_and_can_be_pickled():
    outcome = ostrya.solve(X, Y, max_depth=2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        outcome.status = "optimal"
    assert pickle.loads(pickle.dumps(outcome)) == outcome


@pytest.mark.parametrize(
    "lie",
    [
        lambda found: {"upper": found.upper + 1},
        lambda found: {"upper": found.upper - 1, "lower": found.lower - 1},
        lambda found: {"lower": found.lower + 1},
        lambda found: {"lower": found.lower - 1},
        lambda found: {
            "shape": found.shape._replace(threshold=found.shape.threshold + 1e9)
        },
    ],
    ids=["cost above", "cost below", "bound above", "no proof", "other tree"],
)
def test_a_result_that_fails_its_recount_is_not_returned(lie, monkeypatch):
    honest = _solver.search_columns

    def liar(*arguments):
        found = honest(*arguments)
        return dataclasses.replace(found, **lie(found))

    monkeypatch.setattr(_solver, "search_columns", liar)
    with pytest.raises(ostrya.exceptions.InternalError, match="please report"):
        ostrya.solve(X, Y, max_depth=2)


def test_statistics_of_several_searches_are_added_by_one_rule():
    first, second = (ostrya.solve(X, Y, max_depth=d).statistics for d in (1, 2))
    both = first + second
    for name in ("subproblems", "memo_hits", "first_scans", "pair_rows", "seconds"):
        parts = getattr(first, name), getattr(second, name)
        assert getattr(both, name) == sum(parts)
    for name in ("memo_entries", "peak_memory"):
        parts = getattr(first, name), getattr(second, name)
        assert getattr(both, name) == max(parts)
    assert both.n_thresholds == first.n_thresholds
