"""Elimination: it stops where its definition says, and never below the reference."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_elimination import (
    histogram_importance,
    literal_elimination,
    literal_questions,
)
from sklearn.base import clone
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import effort
from ostrya import OptimalTreeClassifier
from ostrya._guesses.elimination import eliminate
from ostrya._guesses.refits import BoostingRefits, Refits
from ostrya.exceptions import ReferenceWarning
from ostrya.guesses import Guess, ThresholdGuess


def rows(seed, n=120, n_features=3, n_classes=2):
    """Rows without ties at the root, so that one refit of stumps is like any other."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    return X, labels_of(X, rng, n_classes)


def crowded(seed, n=600, n_features=3, n_classes=2):
    """Rows that fill every cell of a small grid: no two splits of a node tie."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(n, n_features)).astype(float)
    return X, labels_of(X - 2, rng, n_classes)


def labels_of(X, rng, n_classes):
    score = X[:, 0] * X[:, 1] + X[:, -1] + 0.5 * rng.normal(size=len(X))
    edges = np.quantile(score, np.arange(1, n_classes) / n_classes)
    return np.searchsorted(edges, score)


def floor(model, X, y, weights, max_drop):
    """The weight that must be right after all eliminations."""
    ones = np.ones(len(y)) if weights is None else weights
    total = sum(map(Fraction, ones.tolist()))
    right = sum(map(Fraction, ones[model.predict(X) == y].tolist()))
    return right - Fraction(str(max_drop)) * total


def columns(answers):
    return sorted(column.tobytes() for column in answers.astype(bool).T)


def assert_literal(reference, X, y, *, weights=None, max_drop=0.0):
    """Hold a guess against the elimination done word for word; return the guess."""
    options = {} if weights is None else {"sample_weight": weights}
    model = clone(reference).fit(X, y, **options)
    guess = ThresholdGuess(reference, max_drop=max_drop).fit(X, y, weights)
    answers = literal_questions(model, X)
    wanted = floor(model, X, y, weights, max_drop)
    kept, right = literal_elimination(reference, answers, y, wanted, weights=weights)
    total = len(y) if weights is None else weights.sum()
    assert not guess.refit_falls_short_
    assert guess.n_thresholds_before_ == answers.shape[1]
    assert guess.reference_score_after_ == pytest.approx(right / total)
    assert columns(guess.transform(X)) == columns(answers[:, kept])
    return guess


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_estimators", [8, 15])
def test_stumps_stop_where_the_literal_ones_do(seed, n_classes, n_estimators):
    X, y = rows(seed, n_classes=n_classes)
    reference = GradientBoostingClassifier(
        n_estimators=n_estimators, max_depth=1, random_state=0
    )
    assert_literal(reference, X, y)


@pytest.mark.parametrize("max_drop", [0.0, 0.03])
@pytest.mark.parametrize(
    ("seed", "depth", "n_classes", "is_weighted"),
    [(4, 3, 2, True), (1, 3, 2, False), (2, 2, 3, True), (0, 3, 3, True)],
)
def test_deeper_trees_stop_where_the_literal_ones_do(
    seed, depth, n_classes, is_weighted, max_drop
):
    X, y = crowded(seed, n_classes=n_classes)
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.5, 2.0, len(y)) if is_weighted else None
    reference = GradientBoostingClassifier(
        n_estimators=8, max_depth=depth, random_state=0
    )
    guess = assert_literal(reference, X, y, weights=weights, max_drop=max_drop)
    assert 1 < guess.n_thresholds_after_ < guess.n_thresholds_before_


@settings(max_examples=effort.cases(15), deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 3),
    st.booleans(),
    st.sampled_from([0.0, 0.02, 0.1]),
)
def test_ties_are_broken_as_stated(seed, n_classes, is_weighted, max_drop):
    """Histogram boosting takes the first of equal splits, so ties are no chance."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(80, 3)).astype(float)
    X = np.column_stack([X, X[:, 0], 3 - X[:, 1]])  # columns that tie throughout
    y = rng.integers(0, n_classes, len(X))
    weights = rng.integers(1, 4, len(X)).astype(float) if is_weighted else None
    reference = HistGradientBoostingClassifier(
        max_iter=3, max_depth=3, min_samples_leaf=4, early_stopping=False
    )
    with threadpool_limits(1):
        guess = ThresholdGuess(reference, max_drop=max_drop).fit(X, y, weights)
        model = clone(reference).fit(X, y, weights)
        asked = sorted(
            {
                (int(node["feature_idx"]), float(node["num_threshold"]))
                for stage in model._predictors
                for tree in stage
                for node in tree.nodes[tree.nodes["is_leaf"] == 0]
            }
        )
        if not asked:
            assert guess.n_thresholds_after_ == 0
            return
        answers = np.column_stack([X[:, f] <= threshold for f, threshold in asked])
        # Yes is 0, as it is first in a column of codes: equal splits, equal children.
        kept, right = literal_elimination(
            reference,
            ~answers,
            y,
            floor(model, X, y, weights, max_drop),
            weights=weights,
            importance=histogram_importance,
        )
    assert [asked[k][0] for k in kept] == [column for column, _ in guess.questions_]
    np.testing.assert_array_equal(guess.transform(X), answers[:, kept])
    total = len(y) if weights is None else weights.sum()
    assert guess.reference_score_after_ == pytest.approx(right / total)


def test_of_equally_important_thresholds_the_first_goes():
    """Three classes, a column each: any two columns tell all three apart."""
    X = np.repeat(np.eye(3), 10, axis=0)
    y = np.repeat(["a", "b", "c"], 10)
    reference = HistGradientBoostingClassifier(
        max_iter=1, max_depth=1, min_samples_leaf=2, early_stopping=False
    )
    with threadpool_limits(1):
        guess = ThresholdGuess(reference).fit(X, y)
    assert guess.n_thresholds_before_ == 3
    assert guess.get_feature_names_out().tolist() == ["x1 <= 0.5", "x2 <= 0.5"]
    assert guess.reference_score_after_ == 1.0


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("is_weighted", [False, True])
def test_kept_trees_and_merged_rows_change_nothing(seed, is_weighted):
    X, y = crowded(seed)
    weights = np.random.default_rng(seed).uniform(1, 2, len(y)) if is_weighted else None
    reference = GradientBoostingClassifier(n_estimators=4, max_depth=2, random_state=0)
    guess = ThresholdGuess(reference).fit(X, y, weights)
    candidates = guess.reference_.codes.candidates
    arguments = (reference, candidates, X, y, weights)
    total = float(len(y) if weights is None else weights.sum())
    fast = eliminate(BoostingRefits(*arguments), 0.7 * total, total, 0.02)
    slow = eliminate(Refits(*arguments), 0.7 * total, total, 0.02)
    assert fast.kept.tolist() == slow.kept.tolist()
    assert fast.right == slow.right


CHANCE = [
    GradientBoostingClassifier(n_estimators=5, subsample=0.5, random_state=1),
    GradientBoostingClassifier(n_estimators=5, max_features=1, random_state=1),
    ExtraTreesClassifier(5, max_depth=3, random_state=3),
    RandomForestClassifier(5, max_depth=3, random_state=0),
]


def product_rows():
    X = np.random.default_rng(0).normal(size=(400, 5))
    return X, (X[:, :3].prod(axis=1) > 0).astype(int)


@pytest.mark.filterwarnings("ignore::ostrya.exceptions.ReferenceWarning")
@pytest.mark.parametrize("max_drop", [0.0, 0.03])
@pytest.mark.parametrize("is_fitted", [False, True])
@pytest.mark.parametrize("reference", CHANCE, ids=str)
def test_what_is_left_to_chance_never_drops_by_more(reference, is_fitted, max_drop):
    X, y = product_rows()
    model = clone(reference).fit(X, y)
    guess = ThresholdGuess(model if is_fitted else reference, max_drop).fit(X, y)
    drop = guess.reference_score_before_ - guess.reference_score_after_
    assert drop <= max_drop + 1e-12
    predicted = guess.reference_.predict(X)
    assert np.mean(predicted == y) == guess.reference_score_after_
    # What the theorem stands on: a tree over the thresholds kept can do as well.
    _, cell = np.unique(guess.transform(X), axis=0, return_inverse=True)
    for c in range(cell.max() + 1):
        assert len(np.unique(predicted[cell == c])) == 1


def test_refit_that_falls_short_is_told():
    X, y = product_rows()
    reference = ExtraTreesClassifier(5, max_depth=3, random_state=3)
    with pytest.warns(
        ReferenceWarning, match="No threshold was eliminated: .* its 28 "
    ):
        guess = ThresholdGuess(reference).fit(X, y)
    assert guess.refit_falls_short_
    assert guess.n_thresholds_after_ == guess.n_thresholds_before_ == 28
    assert guess.reference_score_after_ == guess.reference_score_before_
    assert not ThresholdGuess(reference, max_drop=0.1).fit(X, y).refit_falls_short_
    clf = OptimalTreeClassifier(
        leaf_penalty=0.01, max_depth=2, guess=Guess(reference, check=False)
    )
    with pytest.warns(ReferenceWarning, match="No threshold was eliminated"):
        clf.fit(X, y)
    assert clf.guess_.n_thresholds_after == 28


def test_rows_drawn_by_chance_are_drawn_again():
    X, y = product_rows()
    for seed in range(3):
        reference = GradientBoostingClassifier(
            n_estimators=5, subsample=0.5, random_state=seed
        )
        guess = ThresholdGuess(reference).fit(X, y)
        assert guess.n_thresholds_after_ < guess.n_thresholds_before_


def test_split_without_gain_is_not_dropped_unseen():
    """The first split of an exclusive or takes no impurity away, and is needed."""
    X = np.repeat([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], 5, axis=0)
    y = (X[:, 0] != X[:, 1]).astype(int)
    for max_drop in (0.0, 0.5):
        guess = ThresholdGuess(DecisionTreeClassifier(random_state=0), max_drop)
        guess.fit(X, y)
        assert np.mean(guess.reference_.predict(X) == y) == guess.reference_score_after_
        assert guess.n_thresholds_after_ == (1 if max_drop else 2)
