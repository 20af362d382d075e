"""The estimator among scikit-learn's tools."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ostrya import OptimalTreeClassifier
from ostrya.preprocessing import ThresholdBinarizer

X, Y = load_iris(return_X_y=True, as_frame=True)


def test_a_clone_is_equal_and_unfitted():
    clf = OptimalTreeClassifier(
        leaf_penalty=0.03, max_depth=2, class_weight={1: 2}
    ).fit(X, Y)
    twin = clone(clf)
    assert twin.get_params() == clf.get_params()
    assert not hasattr(twin, "tree_")


def test_a_pickle_predicts_the_same():
    clf = OptimalTreeClassifier().fit(X, Y)
    twin = pickle.loads(pickle.dumps(clf))
    assert twin.tree_ == clf.tree_
    assert (twin.predict_proba(X) == clf.predict_proba(X)).all()
    assert str(twin.tree_) == str(clf.tree_)


def test_in_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), OptimalTreeClassifier()).fit(X, Y)
    assert pipeline.score(X, Y) > 0.95
    binary = make_pipeline(
        ThresholdBinarizer(4).set_output(transform="pandas"), OptimalTreeClassifier()
    ).fit(X, Y)
    assert "(cm) <= " in str(binary[-1].tree_)


def test_in_a_grid_search():
    grid = {"leaf_penalty": [0.01, 0.3], "max_depth": [1, 3]}
    search = GridSearchCV(OptimalTreeClassifier(), grid, cv=3).fit(X, Y)
    assert search.best_params_ == {"leaf_penalty": 0.01, "max_depth": 3}


def test_in_cross_validation():
    assert cross_val_score(OptimalTreeClassifier(), X, Y, cv=3).mean() > 0.9


def test_weights_are_routed():
    with sklearn.config_context(enable_metadata_routing=True):
        clf = OptimalTreeClassifier(max_leaf_nodes=1)
        clf.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        weights = np.where(Y == 2, 10.0, 1.0)
        found = cross_validate(
            clf, X, Y, cv=3, params={"sample_weight": weights}, return_estimator=True
        )
    assert all((e.predict(X) == 2).all() for e in found["estimator"])
    assert found["test_score"] == pytest.approx([10 / 12] * 3, abs=0.02)


def test_it_is_shown_as_html():
    html = OptimalTreeClassifier(max_depth=3)._repr_html_()
    assert "OptimalTreeClassifier" in html
    assert "max_depth" in html
