"""A guessed tree is polished: never worse, within its limits, and said to be best only
when it is."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import ostrya
from cases import recounted
from oracle import optimum
from ostrya import OptimalTreeClassifier
from ostrya._guesses import polish
from ostrya._guesses.polish import flatten, nest
from ostrya._tree_shape import TreeShape
from ostrya.guesses import Guess
from strategies import random_problems

steps = polish._steps


def guess(case, reference):
    return ostrya.solve(**case.arguments(), reference_labels=np.array(reference))


def adversarial(problem):
    """One label for all: the reference is wrong wherever another would be right."""
    return [0] * len(problem.labels)


@pytest.mark.parametrize("work", [0, 10**10])
def test_gap_zero_means_optimal(monkeypatch, work):
    monkeypatch.setattr(polish, "MOST_WORK", work)
    monkeypatch.setattr(polish, "LEAST_DEPTH", 1)  # so that few need no guess
    closed = 0
    for case in random_problems(4700, 100):
        outcome = guess(case, adversarial(case.problem))
        least = optimum(case.problem).cost
        assert recounted(case, outcome) >= least
        if outcome.gap == 0.0:
            closed += 1
            assert recounted(case, outcome) == least
    assert closed


def test_polish_only_lowers_the_objective(monkeypatch):
    rng = random.Random(4800)
    improved = 0
    monkeypatch.setattr(polish, "LEAST_DEPTH", 1)
    monkeypatch.setattr(polish, "MOST_WORK", 0)
    for case in random_problems(4800, 100):
        reference = [rng.randrange(case.problem.n_classes) for _ in case.problem.labels]
        polished = recounted(case, guess(case, reference))
        with monkeypatch.context() as patch:
            patch.setattr(polish, "MOST_NODES", 0)
            plain = recounted(case, guess(case, reference))
        assert polished <= plain
        improved += polished < plain
    assert improved


def test_nesting_and_back():
    X = [[0.0], [1.0], [2.0], [3.0]]
    tree = ostrya.solve(X, [0, 1, 0, 1], leaf_penalty=0.01).tree
    shape = TreeShape(**tree.shape)
    for array, expected in zip(flatten(nest(shape)), shape, strict=True):
        np.testing.assert_array_equal(array, expected)


def test_a_problem_that_is_soon_searched_needs_no_guess():
    for case in random_problems(4900, 60):
        arguments = {**case.arguments(), "max_depth": 2}
        reference = np.array(adversarial(case.problem))
        outcome = ostrya.solve(**arguments, reference_labels=reference)
        best = ostrya.solve(**arguments)
        assert (outcome.status, best.status) == ("guessed_bounds", "optimal")
        assert outcome.objective == best.objective
        assert outcome.gap == 0.0


def test_the_estimate_ends_where_thresholds_do(monkeypatch):
    """Few thresholds and a vast depth limit once took a sum for every depth."""
    looked_at = []
    monkeypatch.setattr(
        polish, "_steps", lambda *given: looked_at.append(given) or steps(*given)
    )
    X = np.random.default_rng(0).integers(0, 2, (3000, 4)).astype(float)
    outcome = ostrya.solve(
        X, X[:, 0].astype(int), max_depth=2500, reference_labels=[0] * 3000
    )
    assert outcome.gap == 0.0
    assert len(looked_at) < 10


def test_without_polishing_no_exact_search_comes_first():
    """A hopeless reference shows: small problems are not solved behind its back."""
    worse = 0
    for case in random_problems(4901, 60):
        arguments = {**case.arguments(), "max_depth": 2}
        reference = np.array(adversarial(case.problem))
        plain = ostrya.solve(**arguments, reference_labels=reference, polish=False)
        best = ostrya.solve(**arguments)
        assert plain.status == "guessed_bounds"
        assert plain.objective >= best.objective
        assert plain.lower_bound <= best.objective
        worse += plain.objective > best.objective
    assert worse


@pytest.mark.filterwarnings("ignore:The tree is a single leaf")
def test_the_switch_of_an_estimator_reaches_the_search():
    X, y = np.random.default_rng(0).random((200, 3)), np.arange(200) % 2
    found = {}
    for polish_it in (True, False):
        guess = Guess(
            DummyClassifier(),
            thresholds=False,
            depth=False,
            polish=polish_it,
            check=False,
        )
        clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=2, guess=guess)
        found[polish_it] = clf.fit(X, y)
    assert found[True].objective_ < found[False].objective_
    assert found[False].n_leaves_ == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"polish": False}, "unless reference_labels is set"),
     ({"polish": 1, "reference_labels": [0, 1]}, "must be True or False; got 1")],
)  # fmt: skip
def test_the_switch_is_checked(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ostrya.solve([[0], [1]], [0, 1], **arguments)
