"""References of LightGBM and XGBoost, where they are installed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.multiclass import OneVsRestClassifier

from ostrya.guesses import ThresholdGuess

SMALL = {"n_estimators": 4, "max_depth": 2, "n_jobs": 1}


def lightgbm(kind, **options):
    package = pytest.importorskip("lightgbm")
    return getattr(package, f"LGBM{kind}")(**SMALL, verbose=-1, **options)


def xgboost(kind, **options):
    package = pytest.importorskip("xgboost")
    return getattr(package, f"XGB{kind}")(**SMALL, **options)


PACKAGES = pytest.mark.parametrize("make", [lightgbm, xgboost])


def rows(n=300):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 3))
    score = X[:, 0] * X[:, 1] + X[:, -1] + 0.5 * rng.normal(size=n)
    return X, (score > np.median(score)).astype(int)


@PACKAGES
@pytest.mark.parametrize("is_fitted", [False, True])
@pytest.mark.parametrize(
    "around",
    [
        lambda model: model,
        OneVsRestClassifier,
        lambda model: VotingClassifier(
            [("a", model), ("b", RandomForestClassifier(2, random_state=0))]
        ),
    ],
    ids=["alone", "one against the rest", "voting"],
)
@pytest.mark.filterwarnings("ignore::ostrya.exceptions.ReferenceWarning")
def test_alone_and_in_ensembles(make, around, is_fitted):
    X, y = rows()
    reference = around(make("Classifier"))
    model = clone(reference).fit(X, y) if is_fitted else reference
    guess = ThresholdGuess(model).fit(X, y)
    assert 0 < guess.n_thresholds_after_ <= guess.n_thresholds_before_
    assert guess.reference_score_after_ >= guess.reference_score_before_
    assert np.mean(guess.reference_.predict(X) == y) == guess.reference_score_after_


@PACKAGES
@pytest.mark.parametrize("is_fitted", [False, True])
def test_columns_of_booleans(make, is_fitted):
    X, _ = rows()
    table = pd.DataFrame(X, columns=list("abc"))
    table["car"] = np.random.default_rng(4).random(len(X)) < 0.5
    y = (table["car"] ^ (table["a"] > 0)).astype(int)
    reference = make("Classifier")
    model = clone(reference).fit(table, y) if is_fitted else reference
    guess = ThresholdGuess(model).fit(table, y)
    assert "car = true" in guess.get_feature_names_out()
    assert guess.reference_score_after_ >= guess.reference_score_before_ > 0.8
    # The same columns as numbers: a boolean is split between 0 and 1.
    numbers = table.astype(float)
    if is_fitted:
        guess = ThresholdGuess(model).fit(numbers, y)
        assert "car <= 0.5" in guess.get_feature_names_out()


@PACKAGES
def test_regressors_and_boosters_are_refused(make):
    X, y = rows()
    regressor = make("Regressor")
    fitted = make("Classifier").fit(X, y)
    booster = fitted.get_booster() if make is xgboost else fitted.booster_
    for model in (regressor, clone(regressor).fit(X, y)):
        with pytest.raises(
            TypeError, match=r"must be a classifier, .* got .*Regressor"
        ):
            ThresholdGuess(model).fit(X, y)
    words = f"reference must be a classifier, .* got a Booster of {make.__name__}. Give"
    with pytest.raises(TypeError, match=words):
        ThresholdGuess(booster).fit(X, y)


@PACKAGES
def test_frozen_reference_that_is_not_fitted(make):
    frozen = FrozenEstimator(make("Classifier"))
    with pytest.raises(
        NotFittedError, match="must be fitted if it is a FrozenEstimator"
    ):
        ThresholdGuess(frozen).fit(*rows())


def test_linear_booster_is_refused():
    package = pytest.importorskip("xgboost")
    linear = package.XGBClassifier(n_estimators=2, booster="gblinear", n_jobs=1)
    words = "consist of decision trees only; got XGBClassifier with booster='gbl"
    with pytest.raises(TypeError, match=words):
        ThresholdGuess(linear).fit(*rows())
