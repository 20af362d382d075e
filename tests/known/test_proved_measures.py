"""Areas and F-scores of real data, proved; and the second engine beside the first."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, roc_auc_score
from test_known_optima import load

import ostrya
from ostrya.objectives import PartialAUC

# Tells "returned" from "hung", nothing finer.
PATIENCE = 300.0


def four_class():
    X, y = load("fourclass")
    return ostrya.preprocessing.ThresholdBinarizer(n_thresholds=6).fit(X).transform(
        X
    ), y


@pytest.mark.parametrize("policy", ["curiosity", "lower_bound"])
def test_both_engines_on_compas(policy):
    X, y = load("compas_binary12")
    given = {"leaf_penalty": 0.005, "time_limit": PATIENCE}
    first = ostrya.solve(X, y, **given)
    second = ostrya.solve(X, y, engine="leaf_sets", policy=policy, **given)
    assert second.status == "optimal"
    assert second.objective == pytest.approx(first.objective, rel=1e-12)
    # A tenth of the trees that OSDT weighed (2019, Table 2).
    assert second.statistics.subproblems <= 23_240


@pytest.mark.parametrize(
    ("given", "objective"),
    [
        ({"objective": "auc"}, 0.139592),
        ({"objective": PartialAUC(max_fpr=0.1)}, 0.261822),
    ],
)
def test_areas_on_four_class(given, objective):
    X, y = four_class()
    outcome = ostrya.solve(X, y, leaf_penalty=0.01, time_limit=PATIENCE, **given)
    assert outcome.status == "optimal"
    assert round(outcome.objective, 6) == objective
    if given["objective"] == "auc":
        auc = roc_auc_score(y, outcome.tree.predict_proba(X)[:, 1])
        assert outcome.loss == pytest.approx(1 - auc)


@pytest.mark.parametrize(
    ("name", "objective"),
    [
        ("compas_binary12", 0.352217),
        ("monk1_binary11", 0.04),
        ("monk2_binary11", 0.159),
        ("monk3_binary11", 0.094793),
    ],
)
def test_f1(name, objective):
    X, y = load(name)
    outcome = ostrya.solve(
        X, y, leaf_penalty=0.005, objective="f1", time_limit=PATIENCE
    )
    assert outcome.status == "optimal"
    assert round(outcome.objective, 6) == objective
    score = f1_score(y, outcome.tree.predict(X))
    assert outcome.loss == pytest.approx(1 - score, abs=1e-12)
    assert np.isfinite(outcome.lower_bound)
