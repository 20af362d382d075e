"""Theorem A.1 of the guesses paper holds on random tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrya
from benchmarks.guesses.depth_gap import depth_gap


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 2), st.sampled_from([0.005, 0.02, 0.05]))
def test_a_depth_that_is_too_small_costs_no_more_than_the_bound(seed, depth, penalty):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (40, 5)).astype(float)
    y = (X[:, 0].astype(int) ^ X[:, 1].astype(int)) | (rng.random(40) < 0.2)
    best = ostrya.solve(X, y, leaf_penalty=penalty, max_depth=None)
    limited = ostrya.solve(X, y, leaf_penalty=penalty, max_depth=depth)
    gap = depth_gap(X, y.astype(int), best.tree, depth, penalty)
    cost = limited.objective - best.objective
    if best.tree.depth > depth:
        assert cost <= gap.of_the_cut_tree + 1e-9
        assert gap.of_the_cut_tree <= gap.bound + 1e-9


def test_a_tree_that_is_not_cut_has_no_gap():
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    tree = ostrya.solve(X, y, leaf_penalty=0.1, max_depth=None).tree
    assert depth_gap(X, y, tree, 1, 0.1) == pytest.approx((0.0, 0.0))
    assert depth_gap(X, y, tree, 0, 0.1) == pytest.approx((0.4, 0.4))
