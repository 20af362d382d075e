"""Rows with costs of their own: what each label gains on each row, not codes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import Problem, optimum
from ostrya import _core

N_LABELS = st.integers(1, 4)


@st.composite
def problems(draw):
    n = draw(st.integers(1, 9))
    n_labels = draw(N_LABELS)
    cells = st.integers(0, draw(st.sampled_from([1, 2, 9])))
    rows = draw(
        st.lists(
            st.lists(cells, min_size=2, max_size=2).map(tuple), min_size=n, max_size=n
        )
    )
    costs = st.lists(st.integers(0, 20), min_size=n_labels, max_size=n_labels)
    return rows, draw(st.lists(costs, min_size=n, max_size=n))


def of_oracle(rows, costs, **limits):
    """Each row is a class of its own; classes beyond the labels cost too much."""
    n = len(rows)
    width = max(n, len(costs[0]))
    padded = [tuple(row) + (10**6,) * (width - len(row)) for row in costs]
    padded += [(10**6,) * width] * (width - n)
    return Problem(tuple(rows), tuple(range(n)), (1,) * n, tuple(padded), **limits)


def search(rows, costs, penalty, **limits):
    """Return the result, and what the gains add up to beyond the costs."""
    costs = np.array(costs, dtype=np.int64)
    gains = np.ascontiguousarray(costs.max(axis=1, keepdims=True) - costs)
    n, k = gains.shape
    unused = np.zeros(n, np.int32), np.ones(n, np.int64), np.zeros((k, k), np.int64)
    options = _core.Options(_core.Limits(**limits), gains=gains)
    found = _core.solve(np.array(rows, dtype=float), *unused, 1, penalty, options)
    return found, int(gains.sum() - costs.max(axis=1).sum())


@given(
    problems(),
    st.integers(0, 8),
    st.sampled_from([None, 0, 1, 2, 3]),
    st.integers(1, 3),
)
def test_the_optimum_is_that_of_the_oracle(problem, penalty, max_depth, least_rows):
    limits = {"max_depth": max_depth, "min_samples_leaf": least_rows}
    found, shift = search(*problem, penalty, **limits)
    assert found.status == "optimal"
    best = optimum(of_oracle(*problem, penalty=penalty, **limits))
    assert found.upper - shift == best.cost


@given(problems(), st.integers(0, 8), st.integers(1, 4))
def test_limits_on_leaves_hold(problem, penalty, most):
    found, shift = search(*problem, penalty, max_leaf_nodes=most)
    best = optimum(of_oracle(*problem, penalty=penalty, max_leaf_nodes=most))
    assert found.upper - shift == best.cost


def test_a_classification_problem_is_one_of_gains():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (300, 4)).astype(float)
    y = ((X[:, 0] > 2) + (X[:, 1] > X[:, 2]) + (rng.random(300) < 0.2)).astype(np.int32)
    weights = rng.integers(1, 5, 300)
    gains = np.zeros((300, 4), dtype=np.int64)
    gains[np.arange(300), y] = weights
    zero_one = (1 - np.eye(4)).astype(np.int64)
    limits = _core.Limits(max_depth=3)
    plain = _core.solve(X, y, weights, zero_one, 1, 6, _core.Options(limits))
    options = _core.Options(limits, gains=gains)
    unused = np.zeros(300, np.int32), weights, zero_one
    same = _core.solve(X, *unused, 1, 6, options)
    assert (same.lower, same.upper) == (plain.lower, plain.upper)
    assert same.threshold.tolist() == pytest.approx(
        plain.threshold.tolist(), nan_ok=True
    )


def test_a_search_without_time_still_counts_its_tree():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2000, 6))
    costs = rng.integers(0, 100, (2000, 3))
    found, _ = search(X, costs, 50, time_limit=0.0)
    assert found.status == "time_limit"
    gains = costs.max(axis=1, keepdims=True) - costs
    leaf = gains.sum() - gains.sum(axis=0).max() + 50
    assert 0 <= found.lower <= found.upper <= leaf
