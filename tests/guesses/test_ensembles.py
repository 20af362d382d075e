"""References: which models can be read, what is read, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from threadpoolctl import threadpool_limits

from ostrya import OptimalTreeClassifier, TopKTreeClassifier
from ostrya._guesses.ensembles import read_splits
from ostrya._guesses.ensembles.precision import (
    last_below,
    last_single_at_most,
    last_single_below,
)
from ostrya.guesses import Guess, ThresholdGuess

BOOSTING = GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0)
HISTOGRAM = HistGradientBoostingClassifier(max_iter=3, max_depth=2)
FOREST = RandomForestClassifier(3, max_depth=2, random_state=0)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
LINEAR = LogisticRegression()
OURS = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=2)


def voting(*members, **options):
    named = [(str(place), member) for place, member in enumerate(members)]
    return VotingClassifier(named, **options)


def stacking(*members, **options):
    return StackingClassifier(voting(*members).estimators, **options)


def rows(seed=0, n=200, n_classes=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    score = X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * rng.normal(size=n)
    edges = np.quantile(score, np.arange(1, n_classes) / n_classes)
    return X, np.array(["low", "middle", "high"])[np.searchsorted(edges, score)]


ENSEMBLES = [
    OneVsRestClassifier(BOOSTING),
    OneVsOneClassifier(BOOSTING),
    OneVsRestClassifier(HISTOGRAM),
    voting(BOOSTING, HISTOGRAM, FOREST, OURS),
    voting(FOREST, TREE, voting="soft"),
    voting(OneVsRestClassifier(BOOSTING), BaggingClassifier(TREE, 2, random_state=0)),
    stacking(HISTOGRAM, FOREST, final_estimator=LINEAR, cv=2),
    BaggingClassifier(BOOSTING, 3, max_features=0.5, random_state=0),
    BaggingClassifier(
        BaggingClassifier(TREE, 2, max_features=0.7, random_state=0),
        *(2,),
        max_features=0.7,
        random_state=0,
    ),
    BaggingClassifier(HISTOGRAM, 2, random_state=0),
    AdaBoostClassifier(FOREST, n_estimators=2, random_state=0),
    OURS,
    TopKTreeClassifier(k=3, leaf_penalty=0.01, max_depth=2),
]


@pytest.mark.filterwarnings("ignore::ostrya.exceptions.ReferenceWarning")
@pytest.mark.parametrize("is_fitted", [False, True])
@pytest.mark.parametrize("reference", ENSEMBLES, ids=lambda model: str(model)[:60])
def test_ensembles_of_trees_are_read_throughout(reference, is_fitted):
    X, y = rows()
    with threadpool_limits(1):
        model = clone(reference).fit(X, y)
        guess = ThresholdGuess(model if is_fitted else reference).fit(X, y)
        assert 0 < guess.n_thresholds_after_ <= guess.n_thresholds_before_
        assert guess.reference_score_after_ >= guess.reference_score_before_
        predicted = model.predict(X)
    if not is_fitted:
        return
    assert guess.reference_score_before_ == np.mean(predicted == y)
    # All thresholds are there: rows that they do not tell apart are predicted alike.
    all_of_them = guess.reference_.codes.candidates if guess.reference_.codes else None
    if all_of_them is None:
        codes = guess.encode(X)
    else:
        every = np.ones(len(all_of_them.column), dtype=bool)
        codes = all_of_them.intervals(every).encode(X)
    _, cell = np.unique(codes, axis=0, return_inverse=True)
    for c in range(cell.max() + 1):
        assert len(set(predicted[cell == c])) == 1


def test_features_of_bags_are_those_of_the_table():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random(100), rng.random(100), rng.integers(5, 9, 100)])
    y = (X[:, 2] > 6).astype(int)
    inner = BaggingClassifier(TREE, 2, max_features=2, random_state=1)
    bag = BaggingClassifier(inner, 4, max_features=2, random_state=2).fit(X, y)
    splits = read_splits(bag)
    assert splits.n_trees == 8
    is_last = splits.feature == 2
    assert is_last.any()
    assert (splits.threshold[is_last] > 5).all()
    assert (splits.threshold[~is_last] < 1).all()


def test_members_count_alike_whatever_their_units():
    X, y = rows(n_classes=2)
    with threadpool_limits(1):
        model = voting(HISTOGRAM, TREE).fit(X, y)
    splits = read_splits(model)
    is_tree = splits.tree == splits.n_trees - 1
    assert splits.gain[is_tree].sum() == pytest.approx(1)
    assert splits.gain[~is_tree].sum() == pytest.approx(1)


def test_thresholds_that_a_member_asks_without_gain():
    """One against one on iris has trees whose last splits gain nothing."""
    X, y = load_iris(return_X_y=True)
    reference = OneVsOneClassifier(
        GradientBoostingClassifier(n_estimators=5, random_state=0)
    )
    guess = ThresholdGuess(reference).fit(X, y)
    assert guess.reference_score_after_ >= guess.reference_score_before_


def test_our_trees_of_tables():
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {
            "age": np.where(rng.random(200) < 0.2, np.nan, rng.integers(20, 60, 200)),
            "house": rng.choice(["own", "rent", "family"], 200),
            "noise": rng.random(200),
        }
    )
    y = (table["age"].isna() | (table["house"] == "rent")).astype(int)
    model = OptimalTreeClassifier(leaf_penalty=0.01).fit(table, y)
    guess = ThresholdGuess(model).fit(table, y)
    assert set(guess.get_feature_names_out()) == {"age is missing", "house = rent"}
    assert guess.reference_score_after_ == 1.0


@given(
    st.floats(allow_nan=False, width=32) | st.floats(allow_nan=False),
    st.floats(allow_nan=False),
    st.integers(-3, 3),
)
def test_comparisons_in_single_precision(threshold, value, steps):
    at_most, below = last_single_at_most(threshold), last_single_below(threshold)
    near = [value, threshold, _stepped(at_most, steps), _stepped(below, steps)]
    with np.errstate(over="ignore"):
        limit = np.float32(threshold)
        for number in filter(np.isfinite, near):
            single = np.float32(number)
            assert (number <= at_most) == (np.float64(single) <= np.float64(threshold))
            assert (number <= below) == (single < limit)
            assert (number <= last_below(threshold)) == (number < threshold)


def _stepped(number, steps):
    with np.errstate(over="ignore", under="ignore"):
        for _ in range(abs(steps)):
            number = np.nextafter(number, np.copysign(np.inf, steps))
    return float(number)


@pytest.mark.parametrize(
    "reference",
    [
        GradientBoostingRegressor(n_estimators=2),
        HistGradientBoostingRegressor(max_iter=2),
        RandomForestRegressor(2),
        DecisionTreeRegressor(),
        StandardScaler(),
        3.5,
    ],
    ids=str,
)
def test_what_is_no_classifier_is_refused(reference):
    X, y = rows()
    numbers = np.unique(y, return_inverse=True)[1]
    models = [reference]
    if hasattr(reference, "fit"):
        models += [FrozenEstimator(reference), clone(reference).fit(X, numbers)]
    for model in models:
        words = r"reference must be a classifier, such as [\s\S]*; got "
        with pytest.raises(TypeError, match=words):
            ThresholdGuess(model).fit(X, numbers)
    if hasattr(reference, "predict"):
        for parts in ({}, {"thresholds": False}):
            clf = OptimalTreeClassifier(guess=Guess(reference, check=False, **parts))
            with pytest.raises(TypeError, match="reference must be a classifier"):
                clf.fit(X, numbers)


@pytest.mark.parametrize(
    ("reference", "got"),
    [
        (LINEAR, "got LogisticRegression$"),
        (voting(FOREST, LINEAR), "got LogisticRegression, in VotingClassifier$"),
        (
            BaggingClassifier(OneVsRestClassifier(LINEAR), 2),
            "got LogisticRegression, in OneVsRestClassifier, in BaggingClassifier$",
        ),
        (make_pipeline(StandardScaler(), FOREST), "got Pipeline$"),
        (
            stacking(FOREST, final_estimator=LINEAR, passthrough=True),
            "got StackingClassifier$",
        ),
        (
            GradientBoostingClassifier(n_estimators=2, init=LINEAR),
            r"got GradientBoostingClassifier with init=LogisticRegression\(\)$",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_not_made_of_trees_is_refused(reference, got):
    X, y = rows()
    for model in (reference, clone(reference).fit(X, y)):
        words = f"reference must consist of decision trees only.*{got}"
        with pytest.raises(TypeError, match=words):
            ThresholdGuess(model).fit(X, y)
    # Its labels can be guessed from all the same, though not its depth.
    guess = Guess(reference, thresholds=False, check=False)
    clf = OptimalTreeClassifier(leaf_penalty=0.05, max_depth=2, guess=guess).fit(X, y)
    assert clf.guess_.max_depth is None


@pytest.mark.parametrize("reference", [BOOSTING, HISTOGRAM, TREE, OURS], ids=str)
def test_frozen_reference_that_is_not_fitted(reference):
    with pytest.raises(
        NotFittedError, match="must be fitted if it is a FrozenEstimator"
    ):
        ThresholdGuess(FrozenEstimator(reference)).fit(*rows())
