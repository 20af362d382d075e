"""Kernels made for a few labels count what the one for any number counts."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya


@pytest.mark.parametrize("min_samples_leaf", [1, 4])
@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
@pytest.mark.parametrize("n_values", [2, 9, 90])
def test_classes_that_never_occur_change_nothing(n_classes, n_values, min_samples_leaf):
    for seed in range(8):
        rng = np.random.default_rng([seed, n_classes, n_values])
        X = rng.integers(0, n_values, (70, 4))
        y = (X[:, 0] * n_classes // n_values + (X[:, 1] > X[:, 2])) % n_classes
        y = np.where(rng.random(70) < 0.2, rng.integers(0, n_classes, 70), y)
        y[0] = n_classes - 1  # else there are fewer classes
        given = {
            "leaf_penalty": [0.0, 0.02][seed % 2],
            "max_depth": 2 + seed % 2,
            "min_samples_leaf": min_samples_leaf,
        }
        few = ostrya.solve(X, y, **given)
        many = ostrya.solve(X, y, cost_matrix=1 - np.eye(n_classes + 5), **given)
        assert few.n_leaves > 1
        assert many.objective == pytest.approx(few.objective, rel=1e-12)
        assert many.tree.feature.tolist() == few.tree.feature.tolist()
