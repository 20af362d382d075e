"""`monotonic_cst` and `interaction_cst` of OptimalTreeClassifier."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from ostrya import (
    OptimalityWarning,
    OptimalTreeClassifier,
    RashomonSet,
    constraints,
)
from ostrya.export import export_text


def drawn(seed, n_rows=60):
    """Rows of four levels in three columns; labels that rise with the first one."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, 3)).astype(float)
    noise = rng.normal(0, 1.5, n_rows)
    y = (X[:, 0] - X[:, 1] * (X[:, 2] - 1.5) + noise > 1).astype(int)
    y[:2] = [0, 1]
    return X, y


GRID = np.array(list(itertools.product(np.arange(-0.5, 4, 0.5), repeat=3)))


def rises(values, column):
    """Whether values on the grid rise, and fall, along a column."""
    shaped = np.moveaxis(values.reshape(9, 9, 9), column, 0)
    steps = np.diff(shaped, axis=0)
    return (steps >= 0).all(), (steps <= 0).all()


@pytest.mark.parametrize("seed", range(12))
def test_predictions_and_probabilities_are_monotone(seed):
    X, y = drawn(seed)
    directions = random.Random(seed).choice([[1, 0, 0], [1, -1, 0], [-1, 1, 1]])
    clf = OptimalTreeClassifier(
        leaf_penalty=0.01, max_depth=3, monotonic_cst=directions
    ).fit(X, y)
    assert clf.status_ == "optimal"
    for column, direction in enumerate(directions):
        for values in (clf.predict(GRID), clf.predict_proba(GRID)[:, 1]):
            up, down = rises(values, column)
            assert direction <= 0 or up
            assert direction >= 0 or down
    assert clf.loss_ == pytest.approx((clf.predict(X) != y).mean())
    shares = clf.predict_proba(X)
    assert (shares[np.arange(len(X)), clf.predict(X)] >= 0.5).all()


@pytest.mark.parametrize("seed", range(6))
def test_no_tree_with_majority_labels_is_better(seed):
    X, y = drawn(seed, 30)
    clf = OptimalTreeClassifier(
        leaf_penalty=0.02, max_depth=2, monotonic_cst=[0, 1, 0]
    ).fit(X, y)
    trees = RashomonSet(
        leaf_penalty=0.02, max_depth=2, max_objective=clf.objective_ + 0.02
    ).fit(X, y)
    match = trees.first(constraints.Monotone({1: 1}))
    assert match.status == "none" or match.objective >= clf.objective_


def test_the_objective_is_at_most_that_of_scikit_learn():
    for seed in range(5):
        X, y = drawn(seed, 200)
        theirs = DecisionTreeClassifier(
            max_depth=3, monotonic_cst=[1, -1, 0], random_state=0
        ).fit(X, y)
        objective = (theirs.predict(X) != y).mean() + 0.01 * theirs.get_n_leaves()
        ours = OptimalTreeClassifier(
            leaf_penalty=0.01, max_depth=3, monotonic_cst=[1, -1, 0]
        ).fit(X, y)
        assert ours.objective_ <= objective + 1e-12


def paths(tree, node=0, asked=frozenset()):
    if tree.feature[node] < 0:
        yield asked
        return
    asked |= {int(tree.feature[node])}
    yield from paths(tree, tree.yes[node], asked)
    yield from paths(tree, tree.no[node], asked)


@pytest.mark.parametrize(
    ("given", "groups"),
    [
        ("no_interactions", [{0}, {1}, {2}]),
        ("pairwise", [{0, 1}, {0, 2}, {1, 2}]),
        ([[0, 1], {1, 2}], [{0, 1}, {1, 2}]),
        ([(0, 1)], [{0, 1}, {2}]),  # what is in no group is one more
        (["a"], TypeError),
        ([["a", "c"]], [{0, 2}, {1}]),
    ],
)
def test_paths_stay_within_groups(given, groups):
    for seed in range(4):
        X, y = drawn(seed, 100)
        X = pd.DataFrame(X, columns=["a", "b", "c"])
        clf = OptimalTreeClassifier(
            leaf_penalty=0.003, max_depth=3, interaction_cst=given
        )
        if groups is TypeError:
            with pytest.raises(TypeError, match="interaction_cst must be None"):
                clf.fit(X, y)
            continue
        clf.fit(X, y)
        assert clf.status_ == "optimal"
        assert all(any(p <= g for g in groups) for p in paths(clf.tree_))
        # scikit-learn understands the same groups.
        columns = {"a": 0, "b": 1, "c": 2}
        theirs = given
        if not isinstance(given, str):
            theirs = [[columns.get(c, c) for c in group] for group in given]
        HistGradientBoostingClassifier(interaction_cst=theirs, max_iter=1).fit(X, y)
        free = OptimalTreeClassifier(leaf_penalty=0.003, max_depth=3).fit(X, y)
        assert clf.objective_ >= free.objective_


def test_constraints_that_do_not_bind_change_nothing():
    X, y = drawn(0)
    free = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(X, y)
    same = OptimalTreeClassifier(
        leaf_penalty=0.01,
        max_depth=3,
        monotonic_cst=[0, 0, 0],
        interaction_cst=[[0, 1, 2]],
    ).fit(X, y)
    assert same.tree_ == free.tree_


def test_columns_of_any_kind_have_directions_or_are_refused():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, 120),
            "smokes": rng.random(120) < 0.5,
            "city": rng.choice(["Bonn", "Kiel", "Ulm"], 120),
            "income": np.where(rng.random(120) < 0.1, np.nan, 1.0),
        }
    )
    y = np.where(X["smokes"] & (X["age"] > 40), "ill", "well")
    for direction, can_ask in ((-1, True), (1, False)):
        clf = OptimalTreeClassifier(
            leaf_penalty=0.02, max_depth=2, monotonic_cst={"smokes": direction}
        ).fit(X, y)  # "well" is the second class
        assert ("smokes" in export_text(clf)) == can_ask
    for name in ("city", "income"):
        with pytest.raises(ValueError, match=f"got 1 for column '{name}'"):
            OptimalTreeClassifier(monotonic_cst={name: 1}).fit(X, y)


def test_constrained_models_are_saved_with_their_probabilities(tmp_path):
    for seed in range(20):
        X, y = drawn(seed)
        clf = OptimalTreeClassifier(
            leaf_penalty=0.005,
            max_depth=3,
            monotonic_cst={0: -1, 1: 1},
            interaction_cst=[{0, 1}, {1, 2}],
        ).fit(X, y)
        clf.save(tmp_path / "model.json")
        loaded = OptimalTreeClassifier.load(tmp_path / "model.json")
        assert loaded.tree_ == clf.tree_
        assert loaded.monotonic_cst == {0: -1, 1: 1}
        np.testing.assert_array_equal(
            loaded.predict_proba(GRID), clf.predict_proba(GRID)
        )
        if clf.tree_.probabilities is not None:
            return
    pytest.fail("no probabilities differ from the shares of their leaves")


def test_a_limit_leaves_a_tree_that_satisfies_the_constraints():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 5))
    y = (X[:, 0] * X[:, 1] + rng.normal(size=800) > 0).astype(int)
    with pytest.warns(OptimalityWarning, match="time_limit"):
        clf = OptimalTreeClassifier(
            leaf_penalty=0.001, max_depth=5, monotonic_cst=[1] * 5, time_limit=0.5
        ).fit(X, y)
    assert clf.lower_bound_ < clf.objective_
    assert (np.diff(clf.predict(np.linspace(-3, 3, 50)[:, None] + X[:1])) >= 0).all()


def test_counted_work_ends_a_search_without_a_depth_limit():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 8))
    y = (X[:, 0] * X[:, 1] + rng.normal(size=300) > 0).astype(int)
    clf = OptimalTreeClassifier(
        leaf_penalty=0.004, interaction_cst="no_interactions", time_limit=None
    ).fit(X, y)
    assert clf.status_ == "optimal_to_depth"
    assert clf.proved_depth_ >= 1
    assert all(len(path) <= 1 for path in paths(clf.tree_))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"monotonic_cst": [1, 0]}, "one direction for each of the 3 columns"),
        ({"monotonic_cst": [2, 0, 0]}, r"must contain only 1 \(increase\)"),
        ({"monotonic_cst": {"age": 1}}, "must name columns of X"),
        ({"monotonic_cst": [1, 0, 0], "smoothing": 1.0}, "smoothing must be 0"),
        ({"monotonic_cst": [1, 0, 0], "objective": "f1"}, "None unless objective"),
        ({"interaction_cst": "pairs"}, "got 'pairs'"),
        ({"interaction_cst": [[0, 3]]}, "a position from 0 to 2; got 3"),
        ({"interaction_cst": [[0, 1]], "guess": "auto"}, "guess cannot be combined"),
    ],
)
def test_constraints_that_do_not_fit_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        OptimalTreeClassifier(**parameters).fit(*drawn(0))


def test_directions_need_two_classes():
    X, y = drawn(0)
    y[2] = 2
    with pytest.raises(ValueError, match="unless y has two classes; got 3"):
        OptimalTreeClassifier(monotonic_cst=[1, 0, 0]).fit(X, y)
