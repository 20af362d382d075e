"""The scikit-learn twin of a tree predicts the same, rounding and all."""

from __future__ import annotations

import contextlib
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, export_text
from sklearn.utils.validation import check_is_fitted

import effort
import ostrya
from export.trees import random_tree, trees
from ostrya.export import to_sklearn, to_sklearn_forest
from test_tree import NAN, lone_leaf, make_tree


def assert_twins(tree, model, X):
    assert np.array_equal(model.predict(X), model.classes_[tree.predict(X)])
    assert np.array_equal(model.predict_proba(X), tree.predict_proba(X))
    assert np.array_equal(model.apply(X), tree.apply(X))


@given(trees(), st.integers(0, 2**32 - 1))
@settings(max_examples=effort.cases(50))
def test_float32_rows_are_predicted_alike(tree, seed):
    X = np.random.default_rng(seed).normal(size=(50, tree.n_features))
    X = X.astype(np.float32)
    for node in np.flatnonzero(tree.feature >= 0):  # rows as near as can be
        near = np.float32(tree.threshold[node])
        X[node] = near
        X[node + 1] = np.nextafter(near, np.float32(np.inf))
        X[node + 2] = np.nextafter(near, np.float32(-np.inf))
    assert_twins(tree, to_sklearn(tree), X)
    assert_twins(tree, to_sklearn(tree), X.astype(np.float64))


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_trained_trees_are_predicted_alike(load):
    X, y = load(return_X_y=True)
    tree = ostrya.solve(X, y, leaf_penalty=0.02, max_depth=3, time_limit=10).tree
    assert_twins(tree, to_sklearn(tree, X=X), X)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=effort.cases(50))
def test_training_rows_keep_their_leaves_when_rounded(seed):
    chance = np.random.default_rng(seed)
    # Steps of a few float32 units, so that rounding crosses midpoints.
    X = 1.0 + chance.integers(0, 40, size=(12, 2)) * 2.0**-24
    tree = ostrya.solve(X, chance.integers(0, 2, size=12), leaf_penalty=0.01).tree
    rounded = X.astype(np.float32)
    is_told_apart = all(
        tree.apply(X)[i] == tree.apply(X)[j]
        for i, j in itertools.combinations(range(len(X)), 2)
        if np.array_equal(rounded[i], rounded[j])
    )
    if is_told_apart:
        with contextlib.suppress(ValueError):  # one feature may still be too fine
            assert_twins(tree, to_sklearn(tree, X=X), X)
    else:
        with pytest.raises(ValueError, match="different float32 values"):
            to_sklearn(tree, X=X)


def test_thresholds_between_float32_neighbours_are_kept():
    steps = np.arange(9)
    X = (1.0 + (steps + 0.3) * 2.0**-23)[:, np.newaxis]
    tree = ostrya.solve(X, steps % 2, leaf_penalty=0.001).tree
    assert tree.n_leaves == 9
    assert_twins(tree, to_sklearn(tree, X=X), X)


def test_a_threshold_is_moved_only_for_rows_that_need_it():
    X = np.array([[1.0], [1.0 + 2**-23 * 0.8], [1.0 + 2**-22]])
    tree = ostrya.solve(X, [0, 0, 1], leaf_penalty=0.01).tree
    tree = ostrya.Tree.from_dict(
        {**tree.to_dict(), "threshold": [1.0 + 2**-23 * 0.9, None, None]}
    )
    assert to_sklearn(tree).apply(X).tolist() == [1, 2, 2]
    assert_twins(tree, to_sklearn(tree, X=X), X)


def test_rows_that_float32_cannot_tell_apart_are_named():
    X = np.array([[2**24 + 1.0], [2**24 + 2.0], [2**25 + 1.0], [2**25]])
    tree = ostrya.solve(X[2:], [1, 0], leaf_penalty=0.01).tree
    with pytest.raises(ValueError, match=r"x0 <= .* got 33554432 on both sides"):
        to_sklearn(tree, X=X[2:])


def test_labels_of_any_type():
    tree, X = make_tree(), np.array([[0.0, 0.0], [1.5, 1.0], [1.6, 0.0]])
    for classes in (["c", "a", "b"], [-1, 0.5, 7], [True, "x", None]):
        classes = np.array(classes, dtype=object if None in classes else None)
        assert to_sklearn(tree, classes).predict(X).tolist() == classes.tolist()


def test_costs_need_labels_for_probabilities():
    tree = ostrya.solve(
        [[0], [0], [0], [0]], [0, 0, 0, 1], cost_matrix=[[0, 1], [9, 0]]
    ).tree
    with pytest.raises(ValueError, match='probabilities must be "labels"'):
        to_sklearn(tree)
    model = to_sklearn(tree, probabilities="labels")
    assert (
        model.predict([[0], [1]]).tolist()
        == [1, 1]
        == tree.predict([[0], [1]]).tolist()
    )
    assert model.predict_proba([[0]]).tolist() == [[0.0, 1.0]]


def test_a_tie_that_floats_break_keeps_its_label():
    tree = lone_leaf(value=(0.1 + 0.2, 0.3))
    assert to_sklearn(tree).predict(np.zeros((1, 3))).tolist() == [1]


def test_a_leaf_without_weight_is_sure_of_its_label():
    tree = lone_leaf(value=(0.0, 0.0))
    assert_twins(tree, to_sklearn(tree), np.zeros((2, 3)))


def test_the_twin_is_a_genuine_fitted_tree():
    tree = random_tree(9, seed=3)
    model = to_sklearn(tree, ["a", "b", "c"])
    assert type(model) is DecisionTreeClassifier
    check_is_fitted(model)
    X = np.random.default_rng(0).normal(size=(9, 4)).astype(np.float32)
    assert_twins(tree, pickle.loads(pickle.dumps(model)), X)
    assert (model.get_depth(), model.get_n_leaves()) == (tree.depth, tree.n_leaves)
    assert model.decision_path(X).shape == (9, tree.n_nodes)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert export_text(model).count("class:") == 9
    assert clone(model).fit(X, [0, 1, 0, 1, 0, 1, 0, 1, 0]).n_classes_ == 2


def test_a_forest_of_one_tree_predicts_the_same():
    tree = random_tree(9, seed=3)
    forest = to_sklearn_forest(tree, ["c", "b", "a"], feature_names=list("wxyz"))
    X = np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32)
    del forest.feature_names_in_  # arrays have none
    assert type(forest) is RandomForestClassifier
    assert np.array_equal(forest.predict(X), forest.classes_[tree.predict(X)])
    assert np.array_equal(forest.predict_proba(X), tree.predict_proba(X))


def test_names_become_those_of_the_twin():
    names = ["age", "debt"]
    model = to_sklearn(make_tree(), feature_names=names)
    assert model.feature_names_in_.tolist() == names


def test_extreme_thresholds():
    for threshold in (1e300, -1e300, 1e-320, 3.4028235e38):
        tree = make_tree(threshold=[threshold, 0.0, NAN, NAN, NAN])
        X = np.array([[0, 1], [1e-45, 0], [3e38, 1], [-3e38, 1]], dtype=np.float32)
        assert_twins(tree, to_sklearn(tree, X=X), X)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"classes": [1, 2]}, r"classes must have shape \(3,\); got \(2,\)"),
        ({"classes": [1, 2, 2]}, "classes must be distinct"),
        (
            {"feature_names": ["a"]},
            r"feature_names must have one name per feature \(2\); got 1",
        ),
        (
            {"probabilities": "all"},
            "probabilities must be one of 'shares', 'labels'; got 'all'",
        ),
        ({"X": [[1.0]]}, r"X must have shape \(n_samples, 2\); got \(1, 1\)"),
    ],
)
def test_what_does_not_fit_is_turned_away(arguments, words):
    with pytest.raises(ValueError, match=words):
        to_sklearn(make_tree(), **arguments)


@pytest.mark.parametrize("convert", [to_sklearn, to_sklearn_forest])
def test_a_classifier_is_told_where_its_own_way_is(convert):
    clf = ostrya.OptimalTreeClassifier(leaf_penalty=0.01).fit(
        [[0], [1]] * 5, [0, 1] * 5
    )
    with pytest.raises(TypeError, match=r"got OptimalTreeClassifier.*to_sklearn\(\)"):
        convert(clf)
