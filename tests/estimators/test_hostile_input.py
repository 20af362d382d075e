"""Bad input gets one clear sentence, and never a wrong number."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from ostrya import OptimalTreeClassifier

X = np.arange(24.0).reshape(8, 3)
Y = np.array([0, 1] * 4)


@pytest.mark.parametrize(
    ("parameters", "error", "words"),
    [
        ({"leaf_penalty": -0.1}, ValueError, "leaf_penalty must be .*>= 0.*-0.1"),
        ({"leaf_penalty": "small"}, TypeError, "leaf_penalty must be"),
        ({"max_depth": -1}, ValueError, "max_depth must be"),
        ({"max_leaves": 0}, ValueError, "max_leaves must be"),
        ({"min_samples_leaf": 0}, ValueError, "min_samples_leaf must be"),
        ({"time_limit": 0}, ValueError, "time_limit must be"),
        ({"memory_limit": 1}, ValueError, "memory_limit must be"),
        ({"objective": "gini"}, ValueError, "objective must be one of 'accuracy'.*auc"),
        (
            {"objective": "partial_auc", "max_fpr": 0},
            ValueError,
            r"max_fpr must be a number in \(0, 1\]; got 0",
        ),
        ({"objective": "f_beta", "beta": -1}, ValueError, "beta must be .*> 0; got -1"),
        (
            {"engine": "rows"},
            ValueError,
            "engine must be one of 'columns', 'leaf_sets'",
        ),
        ({"objective": 3}, ValueError, "objective must be one of"),
        ({"omega": 0}, ValueError, "omega must be a finite number > 0"),
        ({"omega": None}, TypeError, "omega must be a finite number > 0"),
        ({"class_weight": {2: 1.0}}, ValueError, "2, which is no label"),
        ({"class_weight": {0: -1.0}}, ValueError, "finite weights >= 0"),
        ({"class_weight": "equal"}, TypeError, 'None, "balanced" or a dict'),
        ({"cost_matrix": [[0]]}, ValueError, r"shape \(2, 2\).*order of classes_"),
        ({"cost_matrix": [[0, -1], [1, 0]]}, ValueError, "cost_matrix must hold"),
        ({"on_progress": 3}, TypeError, "on_progress must be a callable"),
    ],
)
def test_parameters_out_of_range_are_turned_away(parameters, error, words):
    with pytest.raises(error, match=words):
        OptimalTreeClassifier(**parameters).fit(X, Y)


def test_weighted_accuracy_wants_two_classes():
    clf = OptimalTreeClassifier(objective="weighted_accuracy")
    with pytest.raises(ValueError, match=r"takes two classes.*y has 3"):
        clf.fit(X[:3], [0, 1, 2])


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.zeros(8), "not all of them zero"),
        (np.full(8, -1.0), ">= 0"),
        (np.ones(7), r"shape \(8,\)"),
        (np.full(8, np.nan), "NaN"),
    ],
)
def test_weights_out_of_range_are_turned_away(weights, words):
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier().fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (np.where(X == 4, np.inf, X), "infinity"),
        (X[:0], "0 sample"),
        (X[:, :0], "0 feature"),
        (X[:, 0], "Reshape your data"),
        (X.astype(complex), "[Cc]omplex"),
        ([[1, 2], [3]], "inhomogeneous|ragged"),
    ],
)
def test_tables_out_of_shape_are_turned_away(table, words):
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier().fit(table, Y[: len(table)])


def test_sparse_tables_are_turned_away():
    with pytest.raises(TypeError, match="dense"):
        OptimalTreeClassifier().fit(sparse.csr_matrix(X), Y)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply"])
def test_asking_before_fitting_is_turned_away(method):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(OptimalTreeClassifier(), method)(X)


@pytest.mark.parametrize("columns", [slice(2), [0, 1, 2, 2]])
def test_another_number_of_columns_is_turned_away(columns):
    clf = OptimalTreeClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="expecting 3 features"):
        clf.predict(X[:, columns])


def test_other_names_are_turned_away():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    clf = OptimalTreeClassifier().fit(frame, Y)
    for names in (["a", "b", "d"], ["b", "a", "c"]):
        with pytest.raises(ValueError, match="feature names"):
            clf.predict(frame.set_axis(names, axis=1))


def test_other_names_are_turned_away_whatever_the_library():
    clf = OptimalTreeClassifier().fit(pl.DataFrame(X, schema=["a", "b", "c"]), Y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # older scikit-learn reads no names of polars
        with pytest.raises(ValueError, match="feature names"):
            clf.predict(pl.DataFrame(X, schema=["b", "a", "c"]))


def test_infinity_is_turned_away_when_predicting():
    clf = OptimalTreeClassifier().fit(X, X[:, 0] > 10)
    with pytest.raises(ValueError, match="infinity"):
        clf.predict([[np.inf, 0.0, 0.0]])
