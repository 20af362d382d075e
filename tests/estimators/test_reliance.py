"""Reliance on features is what exchanging their values between all rows shows."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

from ostrya import RashomonSet

pytestmark = pytest.mark.filterwarnings("ignore::ostrya.TableWarning")


def by_exchange(trees, tree, X, y, weights, costs):
    """Return the reliance on each feature, from every pair of rows."""
    codes = np.searchsorted(trees.classes_, y)
    share = weights / weights.sum()

    def losses(table):
        return costs[codes, tree.predict(trees.encode(table))]

    plain = share @ losses(X)
    found = []
    for name in X.columns:
        switched = 0.0
        for row in range(len(X)):
            table = X.copy()
            table[name] = X[name].iloc[[row] * len(X)].to_numpy()
            switched += share[row] * (share @ losses(table))
        found.append(switched - plain)
    return found


def drawn(seed):
    rng = random.Random(f"reliance/{seed}")
    n = rng.randint(8, 20)
    X = pd.DataFrame(
        {
            "a": [rng.randint(0, 6) for _ in range(n)],
            "b": [rng.choice([1.5, 2.5, None]) for _ in range(n)],
            "c": [rng.choice(["x", "y", "z"]) for _ in range(n)],
        }
    )
    X["b"] = X["b"].astype(float)
    y = np.array([rng.choice("pqr"[: rng.choice([2, 3])]) for _ in range(n)])
    weights = np.array([1.0 + rng.randint(0, 2) * (seed % 2) for _ in range(n)])
    k = len(set(y))
    costs = 1.0 - np.eye(k)
    if seed % 3 == 0:
        costs[0, -1] = 3.0
    made = RashomonSet(
        leaf_penalty=0.03, max_depth=3, epsilon=0.15, max_leaf_nodes=4,
        cost_matrix=costs,
    )  # fmt: skip
    return made.fit(X, y, weights), X, y, weights, costs


@pytest.mark.parametrize("seed", range(8))
def test_reliance_is_what_exchanging_values_shows(seed):
    trees, X, y, weights, costs = drawn(seed)
    places = sorted({*range(min(trees.n_trees_, 4)), trees.n_trees_ - 1})
    expected = [by_exchange(trees, trees[i], X, y, weights, costs) for i in places]
    reliances, is_exact = trees._reliances(10**6, None)
    assert is_exact
    assert np.allclose(reliances[places], expected, atol=1e-12)
    for place, each in enumerate(trees.model_reliance(max_trees=10**6)):
        column = reliances[:, place]
        assert (each.least, each.most) == (column.min(), column.max())
        assert each.mean == pytest.approx(column.mean(), abs=1e-12)
        assert each.is_exact
        assert each.n_trees == trees.n_trees_


def table(n=120, seed=0):
    chance = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "real": chance.integers(0, 10, n),
            "noise": chance.integers(0, 4, n),
            "city": chance.choice(["Bonn", "Kiel"], n),
        }
    )
    y = np.where((X.real > 5) ^ (chance.random(n) < 0.1), "yes", "no")
    return X, y


def test_a_large_set_is_sampled():
    X, y = table()
    trees = RashomonSet(leaf_penalty=0.01, max_depth=2, epsilon=0.5).fit(X, y)
    assert 100 < trees.n_trees_ < 3000
    first = trees.model_reliance(max_trees=50, random_state=1)
    assert not first[0].is_exact
    assert first[0].n_trees == 50
    assert first == trees.model_reliance(max_trees=50, random_state=1)
    exact = trees.model_reliance(max_trees=trees.n_trees_)
    for few, every in zip(first, exact, strict=True):
        assert every.least <= few.least <= few.most <= every.most


def test_the_distribution_tells_a_feature_from_noise():
    X, y = table()
    trees = RashomonSet(leaf_penalty=0.02, max_depth=2, epsilon=0.1).fit(X, y)
    found = trees.importance_distribution(n_bootstraps=8, random_state=3)
    assert found.weights.sum() == pytest.approx(1)
    assert found.n_incomplete == 0
    assert found.quantile("real", 0.05) > 0.2
    assert abs(found.mean("noise")) < 0.05
    assert found.share_above("real", 0) == pytest.approx(1)
    assert found.quantile(0, 0) <= found.quantile(0, 0.5) <= found.quantile(0, 1)
    assert found.quantile(0, 1) == found.values[:, 0].max()
    again = trees.importance_distribution(n_bootstraps=8, random_state=3)
    assert (again.values == found.values).all()
    with pytest.raises(ValueError, match="feature must be one of"):
        found.mean("size")


def test_wrong_arguments_are_refused():
    X, y = table(40)
    trees = RashomonSet(max_depth=1).fit(X, y)
    with pytest.raises(ValueError, match="n_bootstraps must be an integer >= 1; got 0"):
        trees.importance_distribution(n_bootstraps=0)
    with pytest.raises(ValueError, match="max_trees must be an integer >= 1; got 0"):
        trees.model_reliance(max_trees=0)
