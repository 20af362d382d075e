"""Guessing by one switch: parts, reports, warnings, and the guarantee."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import check_estimator

import ostrya
from ostrya import OptimalTreeClassifier
from ostrya._guesses.guess_clock import GuessClock
from ostrya._guesses.reference_check import warn_of_one_label
from ostrya.exceptions import ReferenceWarning
from ostrya.guesses import Guess, ThresholdGuess, depth_guess
from ostrya.objectives import FBeta

REFERENCE = GradientBoostingClassifier(n_estimators=10, max_depth=2, random_state=0)


def rows(n=400, seed=0):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 4)), 2)
    y = np.where((X[:, 0] > 0.3) | (X[:, 1] > 1), "yes", "no")
    flip = rng.random(n) < 0.1
    return X, np.where(flip, np.where(y == "yes", "no", "yes"), y)


def tree(**options):
    options = {"time_limit": None, **options}  # on a busy machine, too
    return OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3, **options)


@pytest.mark.parametrize(
    ("n_estimators", "base_depth", "depth"),
    [(10, 3, 11), (100, 3, 15), (1, 1, 7), (3, 1, 7), (40, 1, 12)],
)
def test_depth_guess(n_estimators, base_depth, depth):
    assert depth_guess(n_estimators, base_depth) == depth


@pytest.mark.parametrize("bad", [0, -1, 2.5, "3", True, None])
def test_depth_guess_of_bad_counts(bad):
    with pytest.raises((TypeError, ValueError), match="n_estimators must be"):
        depth_guess(bad, 3)
    with pytest.raises((TypeError, ValueError), match="base_depth must be"):
        depth_guess(10, bad)


def test_auto_guesses_everything():
    X, y = rows()
    clf = tree(guess="auto").fit(X, y)
    report = clf.guess_
    assert clf.status_ == "guessed_bounds"
    assert report.guarantee == clf.gap_ == clf.objective_ - clf.lower_bound_
    assert 0 < report.n_thresholds_after <= report.n_thresholds_before
    assert report.max_depth >= 3
    assert report.loss_above_reference == clf.loss_ - report.reference_loss
    assert clf.score(X, y) == pytest.approx(1 - clf.loss_)


@pytest.mark.parametrize(
    ("guess", "status"),
    [
        ("thresholds", "optimal_in_guessed_thresholds"),
        ("depth", "optimal"),
        ("bounds", "guessed_bounds"),
        ("thresholds+bounds", "guessed_bounds"),
        (Guess(REFERENCE, bounds=False), "optimal_in_guessed_thresholds"),
        (REFERENCE, "guessed_bounds"),
    ],
)
def test_parts_combine(guess, status):
    X, y = rows()
    clf = tree(guess=guess).fit(X, y)
    best = tree().fit(X, y)
    assert clf.status_ == status
    assert clf.objective_ >= best.objective_
    has_thresholds = clf.guess_.n_thresholds_after is not None
    if not has_thresholds:
        assert clf.objective_ - best.objective_ <= clf.guess_.guarantee + 1e-12
    assert best.guess_ is None


def test_tree_over_kept_thresholds_is_the_best_over_them():
    X, y = rows()
    clf = tree(guess=Guess(REFERENCE, depth=False, bounds=False)).fit(X, y)
    answers = ThresholdGuess(REFERENCE).fit(X, y).transform(X)
    alone = tree().fit(answers, y)
    assert clf.objective_ == alone.objective_
    # Its thresholds are of the original columns, so it predicts from them.
    assert (clf.predict(X) == y).mean() == pytest.approx(1 - clf.loss_)
    kept = set(ThresholdGuess(REFERENCE).fit(X, y).get_feature_names_out())
    assert {question for question in clf.tree_.questions if question} <= kept


def test_corollary_bounds_the_leaves_of_a_tree_like_the_reference():
    X, y = rows()
    single = FrozenEstimator(tree().fit(X, y))
    clf = tree(guess=Guess(single, thresholds=False, depth=False)).fit(X, y)
    assert clf.guess_.least_leaves_to_match <= single.estimator.n_leaves_
    assert clf.objective_ <= single.estimator.objective_ + 1e-12


def test_reference_of_one_class_works_and_is_warned_of():
    X, y = rows()
    guess = Guess(DummyClassifier(), thresholds=False)
    with pytest.warns(ReferenceWarning, match="predicts the same label"):
        clf = tree(guess=guess).fit(X, y)
    assert clf.status_ == "guessed_bounds"
    assert (
        clf.objective_ <= 1 - max(np.unique(y, return_counts=True)[1]) / len(y) + 0.01
    )


def test_reference_cut_to_one_label_by_the_time_wants_more_time():
    clock = GuessClock()
    with pytest.warns(ReferenceWarning, match=r"the same label.*more accurate one"):
        warn_of_one_label(clock)
    clock.cut("trees")
    with pytest.warns(ReferenceWarning, match=r"time limit ended.*Increase time_limit"):
        warn_of_one_label(clock)


def spiral(n=200):
    rng = np.random.default_rng(0)
    turn = np.sqrt(rng.random(n)) * 3 * np.pi
    sign = rng.choice([-1, 1], n)
    X = np.column_stack([turn * np.cos(turn), turn * np.sin(turn)]) * sign[:, None]
    return X, sign


def test_poor_reference_is_warned_of():
    X, y = spiral()
    stumps = GradientBoostingClassifier(n_estimators=5, max_depth=1, random_state=0)
    with pytest.warns(
        ReferenceWarning, match=r"on held-out rows, compared with .* plain"
    ):
        tree(guess=Guess(stumps)).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree(guess=Guess(stumps, check=False)).fit(X, y)


def test_any_classifier_guesses_bounds():
    X, y = rows()
    guess = Guess(LogisticRegression(), thresholds=False, check=False)
    clf = tree(guess=guess).fit(X, y)
    assert clf.status_ == "guessed_bounds"
    assert clf.guess_.max_depth is None


@pytest.mark.parametrize("objective", ["accuracy", "balanced_accuracy"])
def test_tables_weights_and_costs(objective):
    rng = np.random.default_rng(3)
    X, y = rows(200)
    table = pd.DataFrame(X, columns=list("abcd"))
    table["e"] = rng.choice(["red", "blue"], 200)
    table.loc[::7, "a"] = np.nan
    clf = tree(guess="auto", objective=objective, cost_matrix=[[0, 2], [1, 0]]).fit(
        table, y, sample_weight=rng.integers(0, 3, 200)
    )
    assert clf.status_ == "guessed_bounds"
    assert clf.gap_ >= 0
    assert len(clf.predict(table)) == 200


def test_three_classes():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 3))
    y = np.searchsorted([-0.5, 0.5], X[:, 0] + 0.3 * rng.normal(size=300))
    clf = tree(guess="auto").fit(X, y)
    assert clf.status_ == "guessed_bounds"
    assert clf.score(X, y) > 0.7


def test_unlimited_depth_and_smaller_limits():
    X, y = rows()
    free = OptimalTreeClassifier(guess=Guess(REFERENCE)).fit(X, y)
    assert free.guess_.max_depth == depth_guess(10, 2)
    assert OptimalTreeClassifier(max_depth=1, guess=REFERENCE).fit(X, y).depth_ <= 1


def test_parameters_stay_clone_and_pickle():
    X, y = rows(120)
    guess = Guess(REFERENCE)
    clf = tree(guess=guess)
    before = str(clf.get_params())
    again = pickle.loads(pickle.dumps(clone(clf).fit(X, y)))
    assert str(clf.get_params()) == before
    assert not hasattr(REFERENCE, "estimators_")
    assert again.guess_.n_thresholds_after > 0
    search = GridSearchCV(clf, {"guess__bounds": [True, False]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.5


@pytest.mark.parametrize("guess", ["auto", Guess(REFERENCE)])
def test_model_files_keep_the_tree_without_the_reference(tmp_path, guess):
    X, y = rows(120)
    clf = tree(guess=guess).fit(X, y)
    clf.save(tmp_path / "model.json")
    again = OptimalTreeClassifier.load(tmp_path / "model.json")
    assert again.guess == (guess if guess == "auto" else None)
    assert (again.status_, again.gap_) == ("guessed_bounds", clf.gap_)
    assert again.guess_.record == clf.guess_.record
    assert again.guess_.reference is None
    np.testing.assert_array_equal(again.predict(X), clf.predict(X))


@pytest.mark.parametrize("guess", ["all", "thresholds,bounds", ""])
def test_bad_words(guess):
    with pytest.raises(ValueError, match='guess must be None, "auto"'):
        tree(guess=guess).fit(*rows(20))


@pytest.mark.parametrize("guess", [3, True, GradientBoostingClassifier, ["auto"]])
def test_bad_kinds(guess):
    with pytest.raises(TypeError, match='guess must be None, "auto"'):
        tree(guess=guess).fit(*rows(20))


def test_references_that_do_not_fit_the_rows():
    X, y = rows()
    fitted = clone(REFERENCE).fit(X, np.where(y == "yes", 1, 0))
    with pytest.raises(ValueError, match="must predict only labels of y"):
        tree(guess=fitted).fit(X, y)
    short = FrozenEstimator(Short().fit(X, y))
    with pytest.raises(ValueError, match=r"one label per row of X \(400\); got 1"):
        tree(guess=Guess(short, thresholds=False)).fit(X, y)


class Short(DummyClassifier):
    """Predicts one row, whatever it is given."""

    def predict(self, X):
        return super().predict(X)[:1]


def test_scikit_learn_checks():
    stumps = GradientBoostingClassifier(n_estimators=2, max_depth=1, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(
            OptimalTreeClassifier(
                leaf_penalty=0.05, max_depth=2, guess=Guess(stumps, check=False)
            )
        )


def test_exact_gap_is_never_hidden():
    X, y = rows()
    clf = tree(guess="bounds").fit(X, y)
    codes = np.searchsorted(clf.classes_, y)
    least = ostrya.solve(X, codes, leaf_penalty=0.01, max_depth=3).objective
    assert clf.lower_bound_ <= least <= clf.objective_


@pytest.mark.parametrize("objective", ["auc", "f1", FBeta(beta=2), max])
def test_bounds_are_guessed_for_sums_over_rows_only(objective):
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    clf = OptimalTreeClassifier(guess="bounds", objective=objective)
    with pytest.raises(ValueError, match="guess must not include bounds"):
        clf.fit(X, y)
