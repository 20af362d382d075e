"""OptimalTreeClassifier: what it finds, what it says of it, and how it predicts."""

from __future__ import annotations

import inspect
from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import balanced_accuracy_score
from sklearn.tree import DecisionTreeClassifier

import ostrya
from ostrya import OptimalityWarning, OptimalTreeClassifier
from ostrya._solve.options import OPTIONS
from ostrya.objectives import WeightedAccuracy

IRIS = load_iris()
CHANCE = np.random.default_rng(0)
NOISE = CHANCE.normal(size=(600, 12))
COINS = CHANCE.integers(0, 2, 600)


def iris(**parameters):
    return OptimalTreeClassifier(**parameters).fit(IRIS.data, IRIS.target)


def test_it_finds_what_the_engine_finds():
    clf = iris(leaf_penalty=0.02, max_depth=3)
    outcome = ostrya.solve(IRIS.data, IRIS.target, leaf_penalty=0.02, max_depth=3)
    assert clf.status_ == "optimal"
    assert clf.objective_ == outcome.objective == clf.lower_bound_
    assert clf.loss_ == outcome.loss
    assert clf.loss_ == pytest.approx(1 - clf.score(IRIS.data, IRIS.target))
    assert clf.gap_ == 0
    assert (clf.n_leaves_, clf.depth_) == (clf.tree_.n_leaves, clf.tree_.depth)
    assert clf.trace_[-1].objective == clf.objective_


def test_it_is_no_worse_than_cart():
    data = load_breast_cancer()
    clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=2).fit(
        data.data, data.target
    )
    cart = DecisionTreeClassifier(max_depth=2, random_state=0)
    cart.fit(data.data, data.target)
    cost = 1 - cart.score(data.data, data.target) + 0.01 * cart.get_n_leaves()
    assert clf.objective_ <= cost


def test_shares_of_the_leaf_are_the_probabilities():
    clf = iris(max_leaf_nodes=2)
    leaf = clf.apply(IRIS.data)
    for node in np.unique(leaf):
        shares = np.bincount(IRIS.target[leaf == node], minlength=3)
        found = clf.predict_proba(IRIS.data)[leaf == node]
        assert np.allclose(found, shares / shares.sum())


def test_weights_enter_the_probabilities():
    weights = np.where(IRIS.target == 0, 3.0, 1.0)
    clf = OptimalTreeClassifier(max_leaf_nodes=1)
    clf.fit(IRIS.data, IRIS.target, sample_weight=weights)
    assert clf.predict_proba(IRIS.data[:1]).tolist() == [[0.6, 0.2, 0.2]]


def test_paths_lead_from_the_root_to_the_leaf():
    clf = iris()
    paths = clf.decision_path(IRIS.data)
    assert paths.shape == (150, clf.tree_.n_nodes)
    leaf = clf.apply(IRIS.data)
    depth = dict(clf.tree_.walk())
    for row in range(0, 150, 10):
        nodes = paths[row].indices
        assert nodes[0] == 0
        assert nodes[-1] == leaf[row]
        assert len(nodes) == depth[leaf[row]] + 1
        for above, below in pairwise(nodes):
            assert below in (clf.tree_.yes[above], clf.tree_.no[above])


def test_balanced_accuracy_is_what_is_maximised():
    y = (IRIS.target == 1).astype(int)
    weights = CHANCE.integers(1, 5, len(y)).astype(float)
    for sample_weight in (None, weights):
        clf = OptimalTreeClassifier(
            leaf_penalty=0.01, max_depth=1, objective="balanced_accuracy"
        )
        clf.fit(IRIS.data, y, sample_weight=sample_weight)
        score = balanced_accuracy_score(
            y, clf.predict(IRIS.data), sample_weight=sample_weight
        )
        assert clf.loss_ == pytest.approx(1 - score)


@pytest.mark.parametrize("omega", [0.2, 1.0, 5.0])
def test_weighted_accuracy_is_that_of_the_paper(omega):
    y = COINS[:200]
    X = NOISE[:200, :3]
    clf = OptimalTreeClassifier(
        leaf_penalty=0, max_depth=2, objective=WeightedAccuracy(omega=omega)
    ).fit(X, y)
    wrong = clf.predict(X) != y
    fp, fn = wrong[y == 0].sum(), wrong[y == 1].sum()
    loss = (fp + omega * fn) / (omega * (y == 1).sum() + (y == 0).sum())
    assert clf.loss_ == pytest.approx(loss)


def test_class_weights_go_by_label():
    y = np.array(["ant", "bee"])[COINS]
    clf = OptimalTreeClassifier(max_leaf_nodes=1, class_weight={"bee": 100})
    assert clf.fit(NOISE, y).predict(NOISE[:1]) == ["bee"]
    balanced = OptimalTreeClassifier(max_leaf_nodes=1, class_weight="balanced")
    balanced.fit(NOISE, y)
    assert balanced.loss_ == pytest.approx(0.5)


def test_costs_follow_the_order_of_the_classes():
    y = np.array(["sick", "well"])[COINS]
    miss_the_sick = [[0, 50], [1, 0]]
    clf = OptimalTreeClassifier(max_leaf_nodes=1, cost_matrix=miss_the_sick)
    clf.fit(NOISE, y)
    assert clf.predict(NOISE[:1]) == ["sick"]
    assert clf.loss_ == pytest.approx(np.mean(y == "well"))


def test_rows_of_weight_zero_are_as_if_absent():
    weights = (np.arange(150) % 3 > 0).astype(float)
    kept = weights > 0
    clf = OptimalTreeClassifier().fit(IRIS.data, IRIS.target, sample_weight=weights)
    less = OptimalTreeClassifier().fit(IRIS.data[kept], IRIS.target[kept])
    assert (clf.predict(IRIS.data) == less.predict(IRIS.data)).all()
    assert clf.objective_ == pytest.approx(less.objective_)


def test_importances_are_shares_of_what_the_splits_save():
    X = np.array([[a, b, 0] for a in (0, 1) for b in (0, 1)] * 5)
    clf = OptimalTreeClassifier().fit(X, X[:, 0] ^ X[:, 1])
    # Making the root a leaf adds 1/2; each lower split a leaf, 1/4.
    assert sorted(clf.feature_importances_.tolist()) == [0, 0.5, 0.5]
    leaf = OptimalTreeClassifier(max_leaf_nodes=1).fit(X, X[:, 0])
    assert not leaf.feature_importances_.any()


def test_a_stop_before_the_proof_is_told_with_interval_and_remedy():
    clf = OptimalTreeClassifier(leaf_penalty=0.0005, time_limit=0.05)
    with pytest.warns(
        OptimalityWarning, match=r"time_limit=0\.05.*\[.*a longer"
    ) as caught:
        clf.fit(NOISE, COINS)
    text = str(caught[0].message)
    assert f"[{clf.lower_bound_:.4g}, {clf.objective_:.4g}]" in text
    assert caught[0].filename == __file__
    assert clf.status_ == "time_limit"
    assert clf.gap_ == pytest.approx(clf.objective_ - clf.lower_bound_)
    assert clf.gap_ > 0


def test_the_callback_watches_and_may_stop():
    seen = []

    def stop(progress):
        seen.append(progress)
        return True

    clf = OptimalTreeClassifier(leaf_penalty=0.0005)
    with pytest.warns(OptimalityWarning, match="interrupted"):
        clf.fit(NOISE, COINS, on_progress=stop)
    assert clf.status_ == "interrupted"
    assert len(seen) >= 1


def test_thresholds_have_few_digits_and_say_what_they_ask():
    X = CHANCE.normal(size=(80, 2))
    clf = OptimalTreeClassifier().fit(X, X[:, 0] > 0.3)
    question = clf.tree_.questions[0]
    assert question == f"x0 <= {float(clf.tree_.threshold[0])!r}"
    assert len(question) <= len("x0 <= -0.12345")
    assert clf.score(X, X[:, 0] > 0.3) == 1


def test_fit_leaves_the_parameters_and_the_data_alone():
    costs = np.ones((3, 3)) - np.eye(3)
    clf = OptimalTreeClassifier(
        leaf_penalty=0.02, cost_matrix=costs, class_weight={1: 2}
    )
    before = {name: id(value) for name, value in clf.get_params().items()}
    X, y = IRIS.data.copy(), IRIS.target.copy()
    assert clf.fit(X, y) is clf
    assert {name: id(value) for name, value in clf.get_params().items()} == before
    assert (IRIS.data == X).all()
    assert (y == IRIS.target).all()


def test_the_signature_follows_the_table_of_options():
    signature = inspect.signature(OptimalTreeClassifier).parameters
    for name in OPTIONS.keys() - {"upper_bound", "time_limit", "max_depth"}:
        assert signature[name].default == OPTIONS[name].default
    assert signature["max_depth"].default == "auto"
    assert signature["time_limit"].default == 60
