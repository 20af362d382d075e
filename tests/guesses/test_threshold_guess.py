"""Thresholds guessed: those of the reference, eliminated as the definition says."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

import effort
from ostrya.guesses import ThresholdGuess

SMALL = GradientBoostingClassifier(n_estimators=4, max_depth=2, random_state=0)


@parametrize_with_checks([ThresholdGuess(SMALL)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def rows(seed, n=120, n_features=3, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    score = X[:, 0] * X[:, 1] + X[:, -1] + 0.5 * rng.normal(size=n)
    edges = np.quantile(score, np.arange(1, n_classes) / n_classes)
    return X, np.searchsorted(edges, score)


@pytest.mark.parametrize("max_drop", [0.0, 0.02, 0.3])
def test_drop_is_at_most_what_is_allowed(max_drop):
    X, y = rows(7)
    guess = ThresholdGuess(SMALL, max_drop=max_drop).fit(X, y)
    drop = guess.reference_score_before_ - guess.reference_score_after_
    assert drop <= max_drop + 1e-12
    assert 1 <= guess.n_thresholds_after_ <= guess.n_thresholds_before_


REFERENCES = [
    SMALL,
    GradientBoostingClassifier(n_estimators=5, subsample=0.7, random_state=0),
    HistGradientBoostingClassifier(max_iter=3, random_state=0),
    RandomForestClassifier(5, max_depth=3, random_state=0),
    ExtraTreesClassifier(5, max_depth=3, random_state=0),
    AdaBoostClassifier(n_estimators=5, random_state=0),
    BaggingClassifier(
        DecisionTreeClassifier(max_depth=2), 5, max_features=0.7, random_state=0
    ),
    DecisionTreeClassifier(max_depth=4, random_state=0),
]


@pytest.mark.filterwarnings("ignore::ostrya.exceptions.ReferenceWarning")
@pytest.mark.parametrize("is_fitted", [False, True])
@pytest.mark.parametrize(
    "reference", REFERENCES, ids=lambda model: type(model).__name__
)
def test_thresholds_are_those_of_the_reference(reference, is_fitted):
    X, y = rows(1, n_classes=3)
    model = clone(reference).fit(X, y)
    with threadpool_limits(1):
        guess = ThresholdGuess(model if is_fitted else reference).fit(X, y)
    assert 0 < guess.n_thresholds_after_ <= guess.n_thresholds_before_
    if is_fitted:
        assert guess.reference_score_before_ == model.score(X, y)
    labels = guess.reference_.predict(X)
    assert np.mean(labels == y) == pytest.approx(guess.reference_score_after_)


def splits_of(model, X):
    trees = [tree.tree_ for tree in model.estimators_.ravel()]
    return {
        (X[:, feature].astype(np.float32) <= threshold).tobytes()
        for tree in trees
        for feature, threshold in zip(tree.feature, tree.threshold, strict=True)
        if feature >= 0
    }


@settings(max_examples=effort.cases(12))
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_every_question_splits_the_rows_as_the_ensemble_does(seed, n_classes):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(60, 3)).astype(float)
    y = rng.integers(0, n_classes, 60)
    model = GradientBoostingClassifier(n_estimators=3, random_state=0).fit(X, y)
    guess = ThresholdGuess(model).fit(X, y)
    kept = {column.tobytes() for column in guess.transform(X).T.astype(bool)}
    assert kept <= splits_of(model, X)


def test_weights_and_copies_of_rows_are_the_same():
    X, y = rows(5)
    weight = np.random.default_rng(5).integers(0, 4, len(y))
    weighed = ThresholdGuess(SMALL).fit(X, y, sample_weight=weight)
    copied = ThresholdGuess(SMALL).fit(np.repeat(X, weight, 0), np.repeat(y, weight))
    assert weighed.questions_ == copied.questions_
    assert weighed.reference_score_after_ == copied.reference_score_after_


def test_row_order_is_nothing():
    X, y = rows(6)
    order = np.random.default_rng(6).permutation(len(y))
    one = ThresholdGuess(SMALL).fit(X, y)
    other = ThresholdGuess(SMALL).fit(X[order], y[order])
    assert one.questions_ == other.questions_


def test_missing_values_and_categories():
    rng = np.random.default_rng(8)
    table = pd.DataFrame(
        {
            "income": np.where(rng.random(200) < 0.2, np.nan, rng.normal(size=200)),
            "house": rng.choice(["own", "rent", "family"], 200),
            "car": rng.random(200) < 0.5,
        }
    )
    y = np.where(table["income"].isna() | (table["house"] == "rent"), "no", "yes")
    guess = ThresholdGuess(SMALL).set_output(transform="pandas").fit(table, y)
    answers = guess.transform(table)
    assert {"income is missing", "house = rent"} <= set(answers.columns)
    assert guess.reference_score_after_ == 1.0
    assert (answers["house = rent"] == (table["house"] == "rent")).all()


def test_fitted_reference_with_categories_of_its_own():
    rng = np.random.default_rng(9)
    house = pd.Categorical(rng.choice(["own", "rent", "family"], 200))
    age = np.where(rng.random(200) < 0.2, np.nan, rng.normal(size=200))
    table = pd.DataFrame({"age": age, "house": house})
    y = ((table["house"] == "rent") ^ (table["age"] > 0)).astype(int)
    model = HistGradientBoostingClassifier(
        max_iter=2, categorical_features=["house"], min_samples_leaf=5
    ).fit(table, y)
    with threadpool_limits(1):
        guess = ThresholdGuess(model, max_drop=0.5).fit(table, y)
    assert guess.reference_score_before_ == model.score(table, y)
    assert any("house" in name for name in guess.get_feature_names_out())


def test_one_class_and_constant_columns():
    guess = ThresholdGuess().fit([[1.0], [2.0], [3.0]], ["a", "a", "a"])
    assert guess.transform([[1.0]]).shape == (1, 0)
    assert guess.reference_score_after_ == 1.0
    assert guess.reference_.predict([[5.0]]).tolist() == ["a"]
    constant = ThresholdGuess(SMALL).fit([[1.0]] * 4, [0, 1, 1, 1])
    assert constant.n_thresholds_after_ == 0


def test_clone_pickle_pipeline():
    X, y = rows(10)
    guess = clone(ThresholdGuess(SMALL)).fit(X, y)
    again = pickle.loads(pickle.dumps(guess))
    np.testing.assert_array_equal(again.transform(X), guess.transform(X))
    pipe = make_pipeline(ThresholdGuess(SMALL), DecisionTreeClassifier(max_depth=3))
    assert pipe.fit(X, y).score(X, y) > 0.6


def test_frozen_reference_survives_cloning():
    X, y = rows(11)
    model = clone(SMALL).fit(X, y)
    guess = clone(ThresholdGuess(FrozenEstimator(model))).fit(X[:50], y[:50])
    assert guess.reference_score_before_ == model.score(X[:50], y[:50])


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"reference": "gbdt"}, TypeError, "reference must be a classifier"),
        ({"reference": SMALL.__class__}, TypeError, "reference must be a classifier"),
        ({"reference": LogisticRegression()}, TypeError, "consist of decision trees"),
        ({"reference": FrozenEstimator(SMALL)}, NotFittedError, "unfitted"),
        ({"max_drop": -0.1}, ValueError, "max_drop must be a number >= 0 and < 1"),
        ({"max_drop": "none"}, TypeError, "max_drop must be a number >= 0 and < 1"),
        ({"tolerance": -1}, ValueError, "tolerance must be a number >= 0"),
    ],
)
def test_bad_arguments(arguments, error, words):
    X, y = rows(12)
    with pytest.raises(error, match=words):
        ThresholdGuess(**arguments).fit(X, y)


def test_bad_references():
    X, y = rows(13)
    fitted = clone(SMALL).fit(X, y)
    with pytest.raises(
        ValueError, match="fitted on the 2 columns of X; got one fitted on 3"
    ):
        ThresholdGuess(fitted).fit(X[:, :2], y)
    with pytest.raises(ValueError, match=r"must predict only labels of y, .*; got 0"):
        ThresholdGuess(fitted).fit(X, np.where(y == 1, "yes", "no"))
