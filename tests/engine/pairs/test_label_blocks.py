"""Columns of many values and more than two classes: blocks of cells lose no tree.

The optimum of depth two is small enough to be found by trying all pairs of cuts in
numpy; deeper ones are compared with bit columns, which count every pair.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import optimum
from ostrya import _core
from ostrya._core import testing
from strategies import build_case, columns, costs_and_unit, weights_and_unit


def leaf_losses(gains):
    """The loss of each set of rows under its best label, from sums by label."""
    return gains.min(axis=-1)


def best_stump(X, losses, min_samples_leaf):
    """The least loss of one leaf, or of two leaves over any cut."""
    least = leaf_losses(losses.sum(axis=0))
    for column in X.T:
        order = np.argsort(column, kind="stable")
        upto = np.cumsum(losses[order], axis=0)
        ends = np.flatnonzero(np.diff(column[order]))
        counts = ends + 1
        is_legal = (counts >= min_samples_leaf) & (
            len(column) - counts >= min_samples_leaf
        )
        upto, whole = upto[ends[is_legal]], losses.sum(axis=0)
        if len(upto):
            both = leaf_losses(upto) + leaf_losses(whole - upto)
            least = min(least, both.min())
    return least


def best_of_depth_two(X, losses, min_samples_leaf=1):
    """The least loss of all trees of depth two or less; `losses` are rows x labels."""
    least = best_stump(X, losses, min_samples_leaf)
    for column in X.T:
        for value in np.unique(column)[:-1]:
            yes = column <= value
            if min(yes.sum(), (~yes).sum()) < min_samples_leaf:
                continue
            least = min(
                least,
                best_stump(X[yes], losses[yes], min_samples_leaf)
                + best_stump(X[~yes], losses[~yes], min_samples_leaf),
            )
    return least


def long_table(rng, n_classes, n_values):
    """Two or three columns whose classes come in overlapping bands, with duplicates."""
    n = int(rng.integers(90, 200))
    X = rng.integers(0, n_values, (n, int(rng.integers(2, 4))))
    X[rng.integers(0, n, n // 8)] = X[0]
    band = (X[:, 0] * n_classes // n_values + (X[:, 1] > n_values / 3)) % n_classes
    noise = rng.random(n) < rng.choice([0.05, 0.3, 0.9])
    return X.astype(float), np.where(noise, rng.integers(0, n_classes, n), band)


@pytest.mark.parametrize("n_classes", [3, 4, 5, 8, 9, 16, 17, 33])
@pytest.mark.parametrize("n_values", [30, 400])
@pytest.mark.parametrize("min_samples_leaf", [1, 7])
def test_depth_two_of_many_classes(n_classes, n_values, min_samples_leaf):
    for kind in ("plain", "weights", "costs", "both"):
        rng = np.random.default_rng([n_classes, n_values, min_samples_leaf, len(kind)])
        X, y = long_table(rng, n_classes, n_values)
        unit = np.ones(len(y), dtype=int)
        if kind in ("weights", "both"):
            unit = rng.integers(1, 9, len(y))
        costs = 1 - np.eye(n_classes, dtype=int)
        if kind in ("costs", "both"):
            costs = rng.integers(0, 6, (n_classes, n_classes))
        losses = costs[y] * unit[:, None]
        case = build_case(
            X.tolist(),
            y.tolist(),
            weights=unit.tolist(),
            costs=costs.tolist(),
            max_depth=2,
            min_samples_leaf=min_samples_leaf,
        )
        found = _core.solve(*case.core_arguments(few_cuts=0))
        least = best_of_depth_two(X, losses, min_samples_leaf)
        assert (found.status, found.lower, found.upper) == ("optimal", least, least)


@pytest.mark.parametrize("n_classes", [3, 6, 10, 20])
@pytest.mark.parametrize("min_samples_leaf", [1, 5])
def test_children_of_every_split(n_classes, min_samples_leaf):
    for seed in range(6):
        rng = np.random.default_rng([n_classes, min_samples_leaf, seed])
        X, y = long_table(rng, n_classes, 250)
        weights = rng.integers(1, [2, 2, 5][seed % 3], len(y))
        costs = 1 - np.eye(n_classes, dtype=int)
        case = build_case(
            X.tolist(),
            y.tolist(),
            weights=weights.tolist(),
            max_depth=2,
            min_samples_leaf=min_samples_leaf,
        )
        found = testing.split_bounds(*case.core_arguments(few_cuts=0))
        losses = costs[y] * weights[:, None]
        for split in found["splits"]:
            yes = X[:, split["feature"]] <= split["threshold"]
            least = sum(
                best_stump(X[side], losses[side], min_samples_leaf)
                for side in (yes, ~yes)
            )
            costs_seen = (split["yes_costs"], split["no_costs"])
            shallow = sum(min(leaf, two) for leaf, two, _ in costs_seen)
            assert found["base"] + shallow == least


@st.composite
def cases_of_many_classes(draw):
    """Few rows, up to twenty classes, weights, costs, duplicates and limits."""
    n_rows = draw(st.integers(3, 12))
    rows = list(zip(*draw(columns(n_rows)), strict=True))
    codes = st.integers(0, draw(st.sampled_from([2, 4, 7, 10, 19])))
    labels = draw(st.lists(codes, min_size=n_rows, max_size=n_rows))
    weights, weight_unit = draw(weights_and_unit(n_rows))
    parts = {"weights": weights, "weight_unit": weight_unit}
    if max(labels) < 4:
        parts["costs"], parts["cost_unit"] = draw(costs_and_unit(labels))
    return build_case(
        rows,
        labels,
        **parts,
        max_depth=draw(st.sampled_from([2, 2, 3])),
        max_leaves=draw(st.sampled_from([None, None, 3, 4])),
        min_samples_leaf=draw(st.sampled_from([1, 1, 2, 3])),
    )


@given(cases_of_many_classes(), st.sampled_from([0, 1]))
def test_histograms_of_many_classes_find_the_optimum(case, few_cuts):
    found = _core.solve(*case.core_arguments(few_cuts=few_cuts))
    cost = optimum(case.problem).cost
    assert (found.status, found.lower, found.upper) == ("optimal", cost, cost)


@pytest.mark.parametrize("n_classes", [3, 6, 12, 20])
@pytest.mark.parametrize("n_values", [12, 40, 300])
def test_blocks_count_as_bits_do(n_classes, n_values):
    for seed in range(3):
        rng = np.random.default_rng([n_classes, n_values, seed])
        X, y = long_table(rng, n_classes, n_values)
        weights = rng.integers(1, 4, len(y)).tolist() if seed == 1 else None
        case = build_case(
            X.tolist(),
            y.tolist(),
            weights=weights,
            max_depth=3,
            min_samples_leaf=[1, 1, 5][seed],
        )
        by_bits = _core.solve(*case.core_arguments(few_cuts=10**6))
        for few_cuts in (0, 20):
            found = _core.solve(*case.core_arguments(few_cuts=few_cuts))
            assert found.upper == found.lower == by_bits.upper
