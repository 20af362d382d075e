"""CART's trees of every size from one fit: those of one fit for each size."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from ostrya._cart import cart_shapes


def table(seed, n_rows=120, n_values=30):
    chance = np.random.default_rng(seed)
    X = chance.integers(0, n_values, (n_rows, 4)) * 0.1
    y = (X[:, 0] > X[:, 1]) ^ (chance.random(n_rows) < 0.2)
    return X, y.astype(int), chance.integers(1, 4, n_rows).astype(float)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("depth", "least"), [(None, 1), (3, 5)])
def test_every_size_parts_the_rows_as_its_own_fit_does(seed, depth, least):
    X, y, weights = table(seed)
    limits = {"max_depth": depth, "min_samples_leaf": least}
    shapes = cart_shapes(X, y, weights, max_leaf_nodes=12, **limits)
    assert [shape.n_leaves for shape in shapes] == list(range(1, len(shapes) + 1))
    for shape in shapes[1:]:
        assert shape.broken_rule(X.shape[1]) is None
        cart = DecisionTreeClassifier(
            max_leaf_nodes=shape.n_leaves, random_state=0, **limits
        ).fit(X, y, sample_weight=weights)
        ours, theirs = shape.leaves_of_rows(X), cart.apply(X)
        pairs = set(zip(ours.tolist(), theirs.tolist(), strict=True))
        assert len(pairs) == shape.n_leaves == len(set(theirs.tolist()))


def test_values_closer_than_32_bits_are_told_apart():
    X = 1.0 + np.array([[0.0], [1.0], [2.0], [3.0]]) * 1e-12
    _, parted = cart_shapes(X, np.array([0, 0, 1, 1]), max_leaf_nodes=4)
    assert parted.leaves_of_rows(X).tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize(
    "limits", [{"max_leaf_nodes": 1}, {"max_leaf_nodes": 5, "max_depth": 0}]
)
def test_limits_that_allow_one_leaf_alone(limits):
    (lone,) = cart_shapes(*table(0)[:2], **limits)
    assert lone.n_leaves == 1
