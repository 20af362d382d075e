"""Objectives with a parameter: they are values that scikit-learn can search."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ostrya
from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV, TopKTreeClassifier
from ostrya.objectives import FBeta, Objective, PartialAUC, WeightedAccuracy

RNG = np.random.default_rng(0)
X = RNG.integers(0, 5, (80, 3)).astype(float)
Y = (X[:, 0] + RNG.normal(size=80) > 2.5).astype(int)
KINDS = pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (FBeta, "beta", 2.0),
        (PartialAUC, "max_fpr", 0.25),
        (WeightedAccuracy, "omega", 5.0),
    ],
)


@KINDS
def test_objectives_are_values(kind, name, value):
    one, two = kind(**{name: value}), kind(**{name: value})
    assert one == two
    assert hash(one) == hash(two)
    assert one != kind()
    assert repr(one) == f"{kind.__name__}({name}={value})"
    assert eval(repr(one)) == one
    assert one.get_params() == {name: value}
    for copy in (clone(one), pickle.loads(pickle.dumps(one))):
        assert copy == one
        assert copy is not one
    assert one != value
    assert len({FBeta(), PartialAUC(), WeightedAccuracy()}) == 3


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: FBeta(beta=0), ValueError, "beta must be a finite number > 0; got 0"),
        (lambda: FBeta(beta=None), TypeError, "beta must be"),
        (lambda: FBeta(beta=1e4), ValueError, "beta must be between 0.001 and 1000"),
        (lambda: FBeta(beta=10**400), ValueError, "beta must be .*> 0"),
        (lambda: PartialAUC(max_fpr=0), ValueError, r"in \(0, 1\]; got 0"),
        (lambda: PartialAUC(max_fpr=1.5), ValueError, "got 1.5"),
        (lambda: PartialAUC(max_fpr="all"), TypeError, "got 'all'"),
        (lambda: PartialAUC(max_fpr=np.nan), ValueError, "got nan"),
        (lambda: WeightedAccuracy(omega=-1), ValueError, "omega must be .*> 0; got -1"),
        (lambda: WeightedAccuracy(omega=True), TypeError, "omega must be .*got True"),
        (lambda: FBeta().set_params(beta=-1), ValueError, "beta must be"),
        (lambda: FBeta().set_params(omega=1), ValueError, "no parameter 'omega'"),
        (Objective, TypeError, "base class; use FBeta"),
    ],
)
def test_objectives_validate_themselves(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_a_refused_value_leaves_the_objective_unchanged():
    objective = FBeta(beta=2)
    with pytest.raises(ValueError, match="beta must be"):
        objective.set_params(beta=0)
    assert objective == FBeta(beta=2)


def test_an_objective_that_was_changed_by_hand_is_checked_again():
    objective = FBeta()
    objective.beta = -1.0
    with pytest.raises(ValueError, match="beta must be"):
        OptimalTreeClassifier(objective=objective).fit(X, Y)
    with pytest.raises(ValueError, match="beta must be"):
        ostrya.solve(X, Y, objective=objective)


def test_grids_search_the_parameter_of_an_objective():
    clf = OptimalTreeClassifier(leaf_penalty=0.02, objective=FBeta())
    grid = {"objective__beta": [0.2, 1.0, 5.0]}
    search = GridSearchCV(clf, grid, cv=3, scoring="recall").fit(X, Y)
    best = search.best_params_["objective__beta"]
    assert search.best_estimator_.objective == FBeta(beta=best)
    recall = search.cv_results_["mean_test_score"]
    assert recall[0] <= recall[1] <= recall[2]
    assert clf.objective == FBeta()  # grids change clones
    pipe = make_pipeline(StandardScaler(), clf)
    pipe.set_params(optimaltreeclassifier__objective__beta=3.0)
    assert pipe[-1].objective == FBeta(beta=3.0)


def test_clones_do_not_share_their_objective():
    clf = OptimalTreeClassifier(objective=PartialAUC(max_fpr=0.5))
    copy = clone(clf).set_params(objective__max_fpr=0.1)
    assert clf.objective == PartialAUC(max_fpr=0.5)
    assert copy.objective == PartialAUC(max_fpr=0.1)


@KINDS
def test_estimators_with_objectives_are_shown_in_full(kind, name, value):
    clf = OptimalTreeClassifier(objective=kind(**{name: value}))
    text = f"OptimalTreeClassifier(objective={kind.__name__}({name}={value}))"
    assert repr(clf) == text
    assert kind.__name__ in clf._repr_html_()


@KINDS
def test_model_files_keep_the_objective(kind, name, value, tmp_path):
    clf = OptimalTreeClassifier(leaf_penalty=0.02, objective=kind(**{name: value}))
    clf.fit(X, Y).save(tmp_path / "model.json")
    stored = json.loads((tmp_path / "model.json").read_text("ascii"))["parameters"]
    assert stored["objective"] == {"name": kind.name, name: value}
    again = OptimalTreeClassifier.load(tmp_path / "model.json")
    assert again.objective == clf.objective
    assert again.loss_ == clf.loss_
    assert clf.objective.words in str(clf)


def test_weighted_accuracy_is_a_class_weight():
    one = OptimalTreeClassifier(leaf_penalty=0.02, objective=WeightedAccuracy(omega=4))
    two = OptimalTreeClassifier(leaf_penalty=0.02, class_weight={1: 4})
    assert one.fit(X, Y).tree_ == two.fit(X, Y).tree_
    for kind in (OptimalTreeClassifierCV, TopKTreeClassifier):
        kind(objective=WeightedAccuracy(omega=4), max_depth=2).fit(X, Y)
    with pytest.raises(ValueError, match="WeightedAccuracy for frontiers"):
        OptimalTreeClassifierCV(objective=FBeta()).fit(X, Y)


def test_solve_weighs_classes_as_the_classifier_does():
    weights = RNG.integers(1, 4, 80).astype(float)
    for objective in ("balanced_accuracy", WeightedAccuracy(omega=3)):
        clf = OptimalTreeClassifier(leaf_penalty=0.02, objective=objective)
        clf.fit(X, Y, sample_weight=weights)
        given = {"leaf_penalty": 0.02, "objective": objective}
        outcome = ostrya.solve(X, Y, sample_weight=weights, **given)
        assert outcome.objective == pytest.approx(clf.objective_)


@pytest.mark.parametrize(
    "kind", [OptimalTreeClassifier, OptimalTreeClassifierCV, TopKTreeClassifier]
)
def test_constructors_accept_keyword_arguments_only(kind):
    with pytest.raises(TypeError, match="positional argument"):
        kind(0.01)


def test_metadata_routing_passes_the_callback_on():
    told = []
    clf = OptimalTreeClassifier(max_depth=1)
    make_pipeline(StandardScaler(), clf).fit(
        X, Y, optimaltreeclassifier__on_progress=told.append
    )
    assert told
    told.clear()
    with sklearn.config_context(enable_metadata_routing=True):
        requested = clone(clf).set_fit_request(on_progress=True)
        make_pipeline(StandardScaler(), requested).fit(X, Y, on_progress=told.append)
        assert told
        grid = GridSearchCV(requested, {"max_depth": [0, 1]}, cv=2)
        grid.fit(X, Y, on_progress=told.append)
        chosen = OptimalTreeClassifierCV(max_leaf_nodes=3, max_depth=1, cv=2)
        told.clear()
        chosen.fit(X, Y, on_progress=told.append)
        assert told
