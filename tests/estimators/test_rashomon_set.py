"""RashomonSet: what it says of all trees is what a list of them says."""

from __future__ import annotations

import random
import sys
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import ostrya
from known.test_known_optima import load
from ostrya import OptimalityWarning, RashomonSet


def drawn(seed):
    """A small table with labels and weights, and a set that was fitted to it."""
    rng = random.Random(f"set/{seed}")
    n_rows, n_columns = rng.randint(4, 25), rng.randint(1, 4)
    tops = [rng.choice([1, 1, 3, 9]) for _ in range(n_columns)]
    X = np.array([[rng.randint(0, top) for top in tops] for _ in range(n_rows)], float)
    labels = "abc"[: rng.choice([1, 2, 2, 3])]
    y = np.array([rng.choice(labels) for _ in range(n_rows)])
    weights = None
    if rng.random() < 0.5:
        weights = np.array([1.0, *(rng.choice([0.5, 1, 2, 0]) for _ in X[1:])])
    trees = RashomonSet(
        leaf_penalty=rng.choice([0.02, 0.05, 0.1]),
        max_depth=rng.choice([1, 2, 3, None]),
        epsilon=rng.choice([0, 0.1, 0.3]),
        trivial_splits=rng.random() < 0.5,
    )
    trees.fit(X, y, weights)
    fresh = [
        [rng.choice([rng.uniform(-1, 10), rng.randint(0, 9)]) for _ in tops]
        for _ in range(30)
    ]
    return trees, np.vstack([X, fresh])


@pytest.mark.filterwarnings("ignore::ostrya.TableWarning")
@pytest.mark.parametrize("block", range(5))
def test_questions_about_all_trees_are_answered_as_by_a_list_of_them(block):
    for seed in range(25 * block, 25 * block + 25):
        trees, X = drawn(seed)
        if trees.n_trees_ > 1000:
            continue
        votes = np.zeros((len(X), len(trees.classes_)))
        probabilities = np.zeros_like(votes)
        used = Counter()
        objectives = []
        encoded = trees.encoder_.encode(X)
        for tree in trees:
            votes[np.arange(len(X)), tree.predict(encoded)] += 1
            shares = tree.predict_proba(encoded)
            probabilities[:, : shares.shape[1]] += shares
            asked = tree.feature[tree.feature >= 0]
            used.update(set(trees.encoder_.source[asked].tolist()))
            is_leaf = tree.feature < 0
            wrong = tree.value[is_leaf].sum() - tree.value[is_leaf].max(axis=1).sum()
            loss = wrong / tree.value[is_leaf].sum()
            objectives.append(loss + trees.leaf_penalty_ * tree.n_leaves)
        n = trees.n_trees_
        assert n == len(objectives) == len(trees)
        assert np.allclose(trees.vote_shares(X), votes / n, atol=1e-12)
        assert np.allclose(trees.predict_proba(X), probabilities / n, atol=1e-12)
        assert trees.feature_counts() == [used[f] for f in range(trees.n_features_in_)]
        assert [trees.objective(i) for i in range(n)] == pytest.approx(objectives)
        assert sum(trees.leaf_counts().values()) == n
        assert sum(each.n_trees for each in trees.objective_counts()) == n


@pytest.mark.parametrize(
    ("epsilon", "depth", "n_trees"),
    [(0.05, 4, 492_035), (0.05, 5, 1_233_261), (0.1, 5, 25_998_804_569)],
)
def test_counts_on_compas_are_those_of_independent_programs(epsilon, depth, n_trees):
    X, y = load("compas_binary12")
    trees = RashomonSet(leaf_penalty=0.005, max_depth=depth, epsilon=epsilon).fit(X, y)
    assert trees.n_trees_ == n_trees
    assert trees.status_ == "complete"
    assert trees.objective(0) == trees.objective_
    assert trees.objective(n_trees - 1) <= trees.max_objective_


def test_the_first_tree_is_the_optimal_one():
    X, y = load("compas_binary12")
    trees = RashomonSet(leaf_penalty=0.005, max_depth=3).fit(X, y)
    clf = ostrya.OptimalTreeClassifier(leaf_penalty=0.005, max_depth=3).fit(X, y)
    assert trees.objective_ == pytest.approx(clf.objective_, abs=1e-15)
    assert trees[0].n_leaves == clf.tree_.n_leaves


def fitted(**parameters):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 60, 200),
            "city": rng.choice(["Bonn", "Kiel", "Jena"], 200),
            "income": np.where(rng.random(200) < 0.1, np.nan, rng.integers(1, 9, 200)),
        }
    )
    y = np.where((X["age"] > 30) & (X["city"] != "Jena"), "yes", "no")
    y = np.where(rng.random(200) < 0.1, "no", y)
    return RashomonSet(leaf_penalty=0.02, max_depth=3, **parameters).fit(X, y), X, y


def test_tables_with_categories_and_missing_values_are_accepted():
    trees, X, y = fitted(epsilon=0.2)
    assert trees.n_trees_ > 1
    assert (trees.predict(X) == y).mean() > 0.85
    assert trees.feature_importances()[:2].tolist() == [1.0, 1.0]
    assert trees.best_without("age") is None
    assert "city" in str(trees[0])


def test_indices_slices_and_samples():
    trees, *_ = fitted(epsilon=0.5)
    n = trees.n_trees_
    assert str(trees[-1]) == str(trees[n - 1])
    assert [str(t) for t in trees[1:3]] == [str(trees[1]), str(trees[2])]
    with pytest.raises(IndexError, match="index must be between 0"):
        trees[n]
    places = trees.sample_indices(min(n, 20), random_state=0)
    assert len(set(places)) == len(places)
    assert all(0 <= place < n for place in places)
    assert trees.sample_indices(5, 1) == trees.sample_indices(5, 1)
    with pytest.raises(ValueError, match="n must be"):
        trees.sample(n + 1)


def test_len_refuses_what_python_cannot_hold():
    rows = [[i >> k & 1 for k in range(7)] for i in range(128)]
    y = np.random.default_rng(0).integers(0, 2, 128)
    trees = RashomonSet(leaf_penalty=0.0, max_depth=5, max_objective=1.0).fit(rows, y)
    assert trees.n_trees_ > sys.maxsize
    with pytest.raises(OverflowError, match="use n_trees_"):
        len(trees)
    assert trees
    assert len(trees.sample(3, random_state=0)) == 3
    assert trees.vote_shares(rows).sum(axis=1) == pytest.approx(1)


def test_equal_questions_keep_their_other_names():
    X = pd.DataFrame({"a": [0, 0, 1, 1], "b": [1, 1, 0, 0], "c": [1, 2, 3, 4]})
    trees = RashomonSet(leaf_penalty=0.05, max_depth=2, epsilon=1.0).fit(
        X, [0, 0, 1, 1]
    )
    names = [name for others in trees.equal_questions_.values() for name in others]
    assert len(names) == 2
    assert any("b" in name for name in names)
    assert any("c" in name for name in names)


def test_max_objective_takes_the_place_of_epsilon():
    X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    trees = RashomonSet(leaf_penalty=0.1, max_objective=0.3, max_depth=2).fit(X, y)
    assert trees.max_objective_ == 0.3
    assert [each.objective for each in trees.objective_counts()] == [0.2, 0.3]
    none = RashomonSet(leaf_penalty=0.1, max_objective=0.1).fit(X, y)
    assert none.n_trees_ == 0
    assert not none
    with pytest.raises(ValueError, match="no trees to predict with"):
        none.predict(X)


def test_trivial_splits_can_be_left_out():
    X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    assert (
        RashomonSet(leaf_penalty=0.1, max_depth=2, max_objective=0.3).fit(X, y).n_trees_
        == 5
    )
    few = RashomonSet(
        leaf_penalty=0.1, max_depth=2, max_objective=0.3, trivial_splits=False
    ).fit(X, y)
    assert few.n_trees_ == 3


def test_a_time_limit_leaves_a_set_that_says_how_far_it_is_complete():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 8))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=3000) > 0).astype(int)
    with pytest.warns(OptimalityWarning, match="Try, in this order: a smaller epsilon"):
        trees = RashomonSet(leaf_penalty=0.001, max_depth=4, time_limit=0.5).fit(X, y)
    assert trees.status_ == "time_limit"
    if trees.n_trees_:
        assert trees.complete_to_ < trees.max_objective_
        assert trees.objective(trees.n_trees_ - 1) <= trees.complete_to_
    else:
        assert trees.complete_to_ is None or trees.complete_to_ <= trees.max_objective_


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"epsilon": -0.1}, "epsilon must be a finite number >= 0; got -0.1"),
        ({"max_objective": float("nan")}, "max_objective must be a finite number"),
        ({"max_depth": "auto"}, "max_depth must be an integer >= 0, or None"),
        ({"max_leaf_nodes": 0}, "max_leaf_nodes must be an integer >= 1"),
    ],
)
def test_wrong_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        RashomonSet(**parameters).fit([[0], [1]], [0, 1])


def test_trivial_splits_must_be_a_truth_value():
    with pytest.raises(TypeError, match="trivial_splits must be True or False"):
        RashomonSet(trivial_splits="no").fit([[0], [1]], [0, 1])
