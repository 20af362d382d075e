"""Threads that a search is given and does not use are named once."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris

import ostrya
from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV

X, Y = load_iris(return_X_y=True)


def messages(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(w.category is not UserWarning or w.filename == __file__ for w in caught)
    return [str(w.message) for w in caught if w.category is UserWarning]


@pytest.mark.parametrize("n_jobs", [2, -1, np.int64(3)])
@pytest.mark.parametrize("estimator", [True, False])
def test_threads_were_silently_left_idle(n_jobs, estimator):
    if estimator:
        found = messages(lambda: OptimalTreeClassifier(n_jobs=n_jobs).fit(X, Y))
    else:
        found = messages(lambda: ostrya.solve(X, Y, max_depth="auto", n_jobs=n_jobs))
    (message,) = found
    assert message.startswith(f"n_jobs={n_jobs} does not speed up the search")
    assert "set max_depth to a number or to None" in message


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"n_jobs": 1},
        {"n_jobs": 2, "max_depth": 3},
        {"n_jobs": 2, "max_depth": None, "leaf_penalty": 0.02},
        {"n_jobs": 2, "guess": "depth"},
    ],
)
def test_threads_that_are_used_cause_no_warning(arguments):
    assert messages(lambda: OptimalTreeClassifier(**arguments).fit(X, Y)) == []


def test_threads_of_other_objectives_cause_no_warning():
    given = {"max_depth": "auto", "n_jobs": 2, "leaf_penalty": 0.05}
    two = Y < 2
    assert messages(lambda: ostrya.solve(X[two], Y[two], objective="f1", **given)) == []


def test_threads_for_folds_cause_no_warning():
    model = OptimalTreeClassifierCV(max_leaf_nodes=3, cv=2, n_jobs=2)
    assert messages(lambda: model.fit(X, Y)) == []


def test_the_result_under_auto_is_that_of_one_thread():
    one, two = (
        OptimalTreeClassifier(leaf_penalty=0.005, n_jobs=n_jobs) for n_jobs in (1, 2)
    )
    with pytest.warns(UserWarning, match="n_jobs=2"):
        two.fit(X, Y)
    one.fit(X, Y)
    assert one.objective_ == two.objective_
    assert one.status_ == two.status_
    assert one.proved_depth_ == two.proved_depth_
    assert one.tree_ == two.tree_
