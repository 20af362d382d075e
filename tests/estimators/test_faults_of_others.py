"""Faults seen in other packages for optimal trees; each has its test here."""

from __future__ import annotations

import os
import pickle
import signal
import threading

import numpy as np
import pytest
import sklearn
from sklearn.exceptions import NotFittedError

from ostrya import OptimalityWarning, OptimalTreeClassifier

X = np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 5.0], [3.0, 6.0]])
Y = np.array([0, 0, 1, 1])
CHANCE = np.random.default_rng(0)
NOISE = CHANCE.normal(size=(600, 12))
COINS = CHANCE.integers(0, 2, 600)


def fit(X=X, y=Y, **parameters):
    return OptimalTreeClassifier(**{"leaf_penalty": 0.01, **parameters}).fit(X, y)


def endless(**parameters):
    """Return an estimator whose search on the noise does not end by itself."""
    parameters = {
        "leaf_penalty": 0.0005,
        "max_depth": 9,
        "time_limit": None,
    } | parameters
    return OptimalTreeClassifier(**parameters)


def test_labels_minus_one_and_one_do_not_crash():
    labels = np.where(Y == 1, 1, -1)
    assert fit(y=labels).predict(X).tolist() == labels.tolist()


def test_fractional_labels_are_refused_and_not_truncated():
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        fit(y=[0.5, 0.5, 1.5, 1.5])


def test_labels_of_strings_are_taken():
    assert fit(y=["a", "a", "b", "b"]).predict(X).tolist() == ["a", "a", "b", "b"]


def test_numbers_are_not_cast_to_truth():
    # As truths all of these rows would be equal.
    assert fit(X + 1.0, Y).score(X + 1.0, Y) == 1


def test_nan_is_missing_and_not_zero():
    rows = np.array([[0.0], [0.0], [np.nan], [np.nan]])
    clf = fit(rows, Y)
    assert clf.predict([[0.0], [np.nan]]).tolist() == [0, 1]
    assert "is missing" in str(clf.tree_)


@pytest.mark.parametrize("sign", [1, -1])
def test_infinity_is_refused_and_not_zero(sign):
    rows = X.copy()
    rows[0, 0] = sign * np.inf
    with pytest.raises(ValueError, match="infinity"):
        fit(rows)
    with pytest.raises(ValueError, match="infinity"):
        fit().predict(rows)


@pytest.mark.parametrize("wrong", [{"leaf_penalty": -0.1}, {"max_depth": -1}])
def test_negative_limits_are_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be .*>= 0"):
        fit(**wrong)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "score"])
def test_fewer_columns_than_fitted_are_refused(method):
    arguments = (X[:, :1], Y) if method == "score" else (X[:, :1],)
    with pytest.raises(ValueError, match=r"1 features, but .* is expecting 2"):
        getattr(fit(), method)(*arguments)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "save"])
def test_asking_before_fitting_says_so(method):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(OptimalTreeClassifier(), method)(X)


def test_a_time_limit_of_one_second_is_kept():
    clf = endless(time_limit=1)
    with pytest.warns(OptimalityWarning, match="time_limit=1"):
        clf.fit(NOISE, COINS)
    assert clf.status_ == "time_limit"


def test_ctrl_c_ends_the_search_with_its_best_tree():
    def press(progress):
        if progress.phase == "searching":
            os.kill(os.getpid(), signal.SIGINT)

    clf = endless()
    with pytest.warns(OptimalityWarning, match="interrupted"):
        clf.fit(NOISE, COINS, on_progress=press)
    assert clf.status_ == "interrupted"
    assert clf.score(NOISE, COINS) > 0.5


def test_the_interpreter_runs_on_during_the_fit():
    """Another thread counts while the engine searches, between two of its looks."""
    turns = [0]
    is_over = threading.Event()

    def count():
        while not is_over.wait(0.0005):
            turns[0] += 1

    last = [0]

    def stop_when_it_counted(progress):
        gained = turns[0] - last[0]
        last[0] = turns[0]
        return gained >= 10

    beside = threading.Thread(target=count)
    beside.start()
    clf = endless(time_limit=30)
    with pytest.warns(OptimalityWarning, match="interrupted"):
        clf.fit(NOISE, COINS, on_progress=stop_when_it_counted)
    is_over.set()
    beside.join()
    assert clf.status_ == "interrupted"


def test_a_fitted_model_can_be_pickled():
    clf = pickle.loads(pickle.dumps(fit()))
    assert clf.predict(X).tolist() == Y.tolist()


def test_probabilities_are_shares_of_the_leaf():
    clf = fit(y=[0, 1, 1, 1], max_depth=0)
    assert clf.predict_proba(X).tolist() == [[0.25, 0.75]] * 4


def test_sample_weights_are_taken():
    clf = OptimalTreeClassifier(max_depth=0)
    assert clf.fit(X, [0, 1, 1, 1], sample_weight=[9, 1, 1, 1]).predict(X[:1]) == [0]


def test_fit_changes_no_parameter_and_returns_itself():
    clf = OptimalTreeClassifier(leaf_penalty=1e-9)
    before = clf.get_params()
    assert clf.fit(X, Y) is clf
    assert clf.get_params() == before


def test_the_scikit_learn_at_hand_is_no_hindrance():
    """`test_scikit_learn_checks` has all of its checks; this one needs none of them."""
    assert tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 6)
    assert sklearn.base.clone(fit()).fit(X, Y).score(X, Y) == 1
