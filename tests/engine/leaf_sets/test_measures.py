"""AUC, partial AUC, F-scores and callables: the optimum of every tree there is."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import ostrya
from oracle.measures import (
    auc_loss,
    counted_loss,
    f_beta_loss,
    least_objective,
    partial_auc_loss,
)
from ostrya.objectives import FBeta, PartialAUC
from two_class import arguments, two_class_problems

RATES = (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10))
BETAS = (Fraction(1, 2), Fraction(1), Fraction(2))


def assert_best(outcome, best):
    assert outcome.status == "optimal"
    assert outcome.gap == 0.0
    assert outcome.objective == pytest.approx(float(best), rel=1e-9, abs=1e-11)
    assert outcome.lower_bound == outcome.objective


@pytest.mark.parametrize("seed", range(10))
def test_auc(seed):
    for case, penalty in two_class_problems(seed, 100):
        best = least_objective(case.problem, penalty, auc_loss)
        outcome = ostrya.solve(**arguments(case, penalty), objective="auc")
        assert_best(outcome, best)
        share = outcome.tree.predict_proba(np.array(case.problem.rows, float))[:, 1]
        auc = roc_auc_score(
            case.problem.labels, share, sample_weight=case.problem.weights
        )
        assert outcome.loss == pytest.approx(1 - auc, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_partial_auc(seed):
    rate = RATES[seed % len(RATES)]
    loss = partial_auc_loss(rate)
    for case, penalty in two_class_problems(seed, 100):
        best = least_objective(case.problem, penalty, loss)
        outcome = ostrya.solve(
            **arguments(case, penalty), objective=PartialAUC(max_fpr=float(rate))
        )
        assert_best(outcome, best)
        share = outcome.tree.predict_proba(np.array(case.problem.rows, float))[:, 1]
        # scikit-learn maps the area from chance to perfect onto 1/2 to 1.
        standard = roc_auc_score(
            case.problem.labels,
            share,
            sample_weight=case.problem.weights,
            max_fpr=float(rate),
        )
        least, most = float(rate**2 / 2), float(rate)
        area = least + (2 * standard - 1) * (most - least)
        assert outcome.loss == pytest.approx(1 - area / most, abs=1e-9)


@pytest.mark.parametrize("engine", ["columns", "leaf_sets"])
@pytest.mark.parametrize("seed", range(10))
def test_f_beta(seed, engine):
    beta = BETAS[seed % len(BETAS)]
    loss = f_beta_loss(beta)
    for case, penalty in two_class_problems(seed, 100):
        best = least_objective(case.problem, penalty, loss)
        outcome = ostrya.solve(
            **arguments(case, penalty),
            objective=FBeta(beta=float(beta)),
            engine=engine,
        )
        assert_best(outcome, best)
        predicted = outcome.tree.predict(np.array(case.problem.rows, float))
        assert 1 - outcome.loss == pytest.approx(f_score(case.problem, predicted, beta))


def f_score(problem, predicted, beta):
    """The F-score of predictions, counted row by row."""
    rows = list(zip(problem.labels, predicted, problem.weights, strict=True))
    tp = sum(w for label, k, w in rows if label == k == 1)
    wrong = [sum(w for y, k, w in rows if y == label != k) for label in (0, 1)]
    square = float(beta) ** 2
    return (1 + square) * tp / ((1 + square) * tp + square * wrong[1] + wrong[0])


FUNCTIONS = (
    lambda fp, fn: max(fp, fn),
    lambda fp, fn: fp * fn,
    lambda fp, fn: (fp**2 + 3 * fn) / 7,
    lambda fp, fn: int(fp > 1) + int(fn > 0),
    lambda fp, fn: fp + fn,
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_callable(function):
    loss = counted_loss(function)
    for case, penalty in two_class_problems(0, 60):
        best = least_objective(case.problem, penalty, loss)
        outcome = ostrya.solve(**arguments(case, penalty), objective=function)
        assert outcome.status == "optimal"
        assert outcome.objective == pytest.approx(float(best), rel=1e-8, abs=1e-8)


def test_f1_is_f_beta_of_one_and_auc_is_the_whole_partial_auc():
    for case, penalty in two_class_problems(400, 40):
        given = arguments(case, penalty)
        f1 = ostrya.solve(**given, objective="f1")
        assert f1.objective == ostrya.solve(**given, objective=FBeta()).objective
        auc = ostrya.solve(**given, objective="auc")
        whole = ostrya.solve(**given, objective=PartialAUC(max_fpr=1.0))
        assert auc.objective == whole.objective


@pytest.mark.parametrize(
    ("objective", "engine"),
    [("auc", None), (PartialAUC(), None), ("f1", "columns"), ("f1", "leaf_sets")],
)
def test_a_class_that_weighs_next_to_nothing_is_refused(objective, engine):
    """The engine divided by its weight, which is none in integers: a crash."""
    for weights, code in (([1e9, 1e9, 1e-9], 1), ([1e-9, 1e-9, 1e9], 0)):
        with pytest.raises(ValueError, match=rf"sample_weight .* for class {code}\. "):
            ostrya.solve(
                [[1], [2], [3]],
                [0, 0, 1],
                sample_weight=weights,
                objective=objective,
                engine=engine,
            )


def test_a_leaf_may_have_the_label_of_its_minority():
    # One leaf, three rows in ten positive: calling all of them positive scores most.
    outcome = ostrya.solve(np.zeros((10, 1)), [0] * 7 + [1] * 3, objective="f1")
    assert outcome.tree.label.tolist() == [1]
    assert outcome.loss == pytest.approx(7 / 13)


@pytest.mark.parametrize("objective", ["auc", PartialAUC(max_fpr=0.3), "f1"])
def test_order_of_rows_and_a_warm_start_change_nothing(objective):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(60, 3))
    y = (X[:, 0] + rng.integers(0, 2, 60) > 1).astype(int)
    given = {"objective": objective, "leaf_penalty": 0.02}
    first = ostrya.solve(X, y, **given)
    order = rng.permutation(60)
    assert ostrya.solve(X[order], y[order], **given).tree == first.tree
    again = ostrya.solve(X, y, warm_start=first.tree, **given)
    assert (again.status, again.objective) == ("optimal", first.objective)
    worse = ostrya.solve(X, y, max_leaf_nodes=1, **given).tree
    assert ostrya.solve(X, y, warm_start=worse, **given).objective == first.objective
    none = ostrya.solve(X, y, upper_bound=first.objective, **given)
    assert none.status in ("upper_bound", "optimal")
    assert none.lower_bound == pytest.approx(first.objective)
