"""Losses and labels of leaves: counted in arrays as in fractions, one by one."""

from __future__ import annotations

import itertools
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ostrya
from ostrya._solve import labelings
from ostrya._solve.grid import to_grid
from ostrya._solve.measure_grid import to_measure_grid
from ostrya._solve.measures import MOST_EXACT, FScore, Monotone, RocArea
from ostrya._solve.pruning import prune
from ostrya._solve.validation import check_data
from ostrya._tree_shape import TreeShape

WEIGHTS = st.integers(0, 3) | st.integers(0, 10**6)
LEAVES = st.lists(st.tuples(WEIGHTS, WEIGHTS), max_size=9).map(lambda x: [*x, (1, 2)])
RATIOS = (
    RocArea(Fraction(1)),
    RocArea(Fraction(7, 100)),
    FScore(Fraction(1)),
    FScore(Fraction(9, 100)),
)
LOSSES = {
    "max": lambda fp, fn: Fraction(max(fp, fn)),
    "sum": lambda fp, fn: Fraction(fp + fn),
    "steps": lambda fp, fn: Fraction((fp + 2 * fn) // 5),
}


@pytest.mark.parametrize("measure", RATIOS)
@given(leaves=LEAVES)
def test_arrays_are_counted_as_fractions_are(measure, leaves):
    array = np.array(leaves, dtype=np.int64)
    assert measure.weigh(array) == measure.weigh(leaves)
    assert measure.loss(array) == measure.loss(leaves)


def test_shares_too_close_for_floats_are_compared_exactly():
    most = MOST_EXACT
    leaves = np.array([[most, most - 1], [most + 1, most], [most - 1, most]])
    for measure in RATIOS:
        assert measure.weigh(leaves) == measure.weigh(leaves.tolist())


@pytest.mark.parametrize("name", LOSSES)
@given(leaves=LEAVES)
def test_labels_of_a_callable_are_the_best(name, leaves):
    loss, labels = Monotone(LOSSES[name]).weigh(leaves)

    def of(labels):
        pairs = list(zip(leaves, labels, strict=True))
        fp = sum(n for (n, _), label in pairs if label == 1)
        return LOSSES[name](fp, sum(p for (_, p), label in pairs if label == 0))

    assert of(labels) == loss
    assert loss == min(map(of, itertools.product((0, 1), repeat=len(leaves))))


@pytest.mark.parametrize("n_leaves", [60, labelings.MOST_MIXED + 1])
def test_labels_of_too_many_labelings_cost_what_is_said(n_leaves):
    leaves = np.random.default_rng(0).integers(1, 10**6, (n_leaves, 2))
    loss, labels = labelings.best_labels(leaves, LOSSES["max"])
    is_positive = np.array(labels) == 1
    fp, fn = leaves[is_positive, 0].sum(), leaves[~is_positive, 1].sum()
    assert loss == max(fp, fn)
    # The best split of errors is nearly even, and nearly what shares make it.
    assert loss <= 0.52 * leaves.min(axis=1).sum()


def test_the_loss_of_a_long_front_is_asked_for_seldom():
    asked = []

    def loss(fp, fn):
        asked.append((fp, fn))
        return Fraction(max(fp, fn))

    leaves = [(2**k, 2**k) for k in range(12)]  # 4,096 labelings, none beaten
    assert labelings.best_labels(leaves, loss)[0] == 2048
    assert len(asked) < 200


@pytest.mark.parametrize("objective", [None, RocArea(Fraction(1)), FScore(Fraction(1))])
def test_pruning_ends_with_its_time(objective):
    X, y = np.arange(8.0).reshape(-1, 1), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    tree = ostrya.solve(X, np.array([0, 1] * 4), leaf_penalty=0.0).tree
    data = check_data(X, y, None, None, None, 0.01)
    grid = to_grid(data) if objective is None else to_measure_grid(data, objective)
    shape = TreeShape(**tree.shape)
    pruned = prune(shape, data, grid).n_leaves
    assert pruned < 8
    late = prune(shape, data, grid, time.perf_counter() - 1.0)
    assert late.n_leaves == (pruned if objective is None else 8)


def test_a_depth_proved_of_sums_is_not_told_of_a_callable():
    """Progress said proved_depth=3 while the outcome had 0."""
    rng = np.random.default_rng(0)
    X, y = rng.random((300, 8)), rng.integers(0, 2, 300)
    told = []

    def look(progress):
        told.append(progress.proved_depth)
        return len(told) >= 30

    def loss(fp, fn):
        return (fp**2 + fn**2) / 300**2

    ostrya.solve(X, y, leaf_penalty=0.01, objective=loss, on_progress=look)
    assert set(told) == {0}
