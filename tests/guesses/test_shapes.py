"""References of the package interpret, where it is installed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline

from ostrya import OptimalTreeClassifier
from ostrya.guesses import ThresholdGuess

# interpret says that its pictures leave missing values out.
pytestmark = pytest.mark.filterwarnings("ignore:Missing values detected")


def machine():
    glassbox = pytest.importorskip("interpret.glassbox")
    return glassbox.ExplainableBoostingClassifier(
        outer_bags=1, max_rounds=50, interactions=0, random_state=0, n_jobs=1
    )


def rows(n=300, n_classes=2):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 3))
    score = X[:, 0] * X[:, 1] + X[:, -1] + 0.5 * rng.normal(size=n)
    return X, np.searchsorted(
        np.quantile(score, np.arange(1, n_classes) / n_classes), score
    )


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("is_fitted", [False, True])
def test_larger_jumps_are_fewer(n_classes, is_fitted):
    X, y = rows(n_classes=n_classes)
    model = machine().fit(X, y) if is_fitted else machine()
    few = ThresholdGuess(model, tolerance=0.03).fit(X, y)
    more = ThresholdGuess(model, tolerance=0.01).fit(X, y)
    assert few.n_thresholds_before_ == more.n_thresholds_before_
    assert set(few.questions_) <= set(more.questions_)
    assert 0 < more.n_thresholds_after_ < more.n_thresholds_before_


def missing_rows(n_classes=2):
    """Whether `a` is missing says almost all; its values say nothing."""
    rng = np.random.default_rng(0)
    n = 800
    is_missing = rng.random(n) < 0.3
    noise = rng.integers(0, n_classes, n)
    table = pd.DataFrame(
        {"a": np.where(is_missing, np.nan, 1.0), "b": rng.integers(0, 3, n)}
    )
    y = np.where(rng.random(n) < 0.1, noise, np.where(is_missing, n_classes - 1, 0))
    return table, y


@pytest.mark.parametrize("is_fitted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", ["number", "level"])
def test_jump_at_missing_values_keeps_their_question(kind, n_classes, is_fitted):
    table, y = missing_rows(n_classes)
    if kind == "level":
        table["a"] = table["a"].map({1.0: "here"}).astype(object)
    model = machine().fit(table, y) if is_fitted else machine()
    guess = ThresholdGuess(model).fit(table, y)
    assert "a is missing" in guess.get_feature_names_out()
    assert guess.reference_score_after_ >= guess.reference_score_before_ > 0.9


def test_missing_values_like_the_last_bin_need_no_question():
    table, _ = missing_rows()
    y = (table["b"] > 0).astype(int)
    guess = ThresholdGuess(machine().fit(table, y)).fit(table, y)
    assert {name[0] for name in guess.get_feature_names_out()} == {"b"}
    # Levels are not kept for the sake of missing values that there are none of.
    whole = pd.DataFrame({"b": table["b"], "c": table["b"].map(lambda b: "xyz"[b])})
    whole["c"] = np.random.default_rng(1).permutation(whole["c"])
    guess = ThresholdGuess(machine().fit(whole, y)).fit(whole, y)
    assert {name[0] for name in guess.get_feature_names_out()} == {"b"}


def test_another_tolerance_in_a_pipeline():
    X, y = rows()
    pipe = make_pipeline(
        ThresholdGuess(machine(), tolerance=0.01),
        OptimalTreeClassifier(leaf_penalty=0.02, max_depth=2),
    )
    assert pipe.fit(X, y).score(X, y) > 0.6


def test_what_is_refused():
    X, y = rows()
    with pytest.raises(
        NotFittedError, match="must be fitted if it is a FrozenEstimator"
    ):
        ThresholdGuess(FrozenEstimator(machine())).fit(X, y)
    voting = VotingClassifier([("a", machine())])
    words = "got ExplainableBoostingClassifier, in VotingClassifier"
    with pytest.raises(TypeError, match=words):
        ThresholdGuess(voting).fit(X, y)
