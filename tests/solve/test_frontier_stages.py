"""A frontier in stages: good trees of all sizes first, then proofs, then one size."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ostrya
from frontier_checks import (
    assert_brackets_hold,
    assert_well_formed,
    without_penalty,
)
from ostrya import _frontier
from ostrya._frontier import FrontierSearch
from ostrya._solve import penalty_sweep
from ostrya._solve.grid import to_grid
from ostrya._solve.settings import check_settings
from ostrya._solve.size_brackets import SizeBrackets, smaller_trees
from ostrya._solve.validation import check_data
from ostrya._tree_shape import TreeShape
from ostrya.estimators.size_choice import penalty_of_size
from strategies import random_problems


def checked(X, y, max_depth=None, max_leaf_nodes=16, time_limit=None, **weights):
    """Data and settings, as `ostrya.frontier` hands them on."""
    data = check_data(
        X,
        y,
        weights.get("sample_weight"),
        weights.get("class_weight"),
        weights.get("cost_matrix"),
        0.0,
    )
    settings = check_settings(
        data,
        max_depth=max_depth,
        max_leaf_nodes=max_leaf_nodes,
        min_samples_leaf=weights.get("min_samples_leaf", 1),
        time_limit=time_limit,
        memory_limit=None,
        on_progress=None,
    )
    return data, settings


def noisy_classes(n_rows=400, n_classes=5, seed=0):
    """Rows of a table that no search proves within a moment."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 6))
    centres = rng.normal(size=(n_classes, 6))
    y = (X @ centres.T + rng.normal(size=(n_rows, n_classes))).argmax(axis=1)
    return X.round(2), y


def all_prunings(shape, node=0):
    """Every way to prune a subtree, as the set of its leaves."""
    yield frozenset([node])
    if shape.feature[node] >= 0:
        for yes in all_prunings(shape, int(shape.yes[node])):
            for no in all_prunings(shape, int(shape.no[node])):
                yield yes | no


@given(st.integers(0, 10_000), st.integers(1, 8))
def test_smaller_trees_are_the_best_prunings(seed, max_leaf_nodes):
    X, y = noisy_classes(40, 3, seed)
    tree = ostrya.solve(
        X, y, leaf_penalty=0, top_k=ostrya.top_k.TopKSplits(k=1), max_depth=3
    ).tree
    shape = TreeShape(**tree.shape)
    data, _ = checked(X, y)
    grid = to_grid(data)
    found = {
        t.n_leaves: loss for t, loss in smaller_trees(shape, data, grid, max_leaf_nodes)
    }
    losses = {}
    for leaves in all_prunings(shape):
        loss = sum(
            int(tree.value[leaf].sum() - tree.value[leaf].max()) for leaf in leaves
        )
        losses[len(leaves)] = min(loss, losses.get(len(leaves), loss))
    best = losses[1]
    for n_leaves in range(1, min(max_leaf_nodes, tree.n_leaves) + 1):
        if n_leaves == 1 or losses[n_leaves] < best:
            assert found.pop(n_leaves) == losses[n_leaves]
            best = losses[n_leaves]
    assert not found


def test_the_first_pass_alone_has_good_trees_of_all_sizes():
    X, y = noisy_classes()
    data, settings = checked(X, y, max_leaf_nodes=20)
    losses = []
    for n_passes in (1, 2, 3):
        search = FrontierSearch(data, settings)
        search.run(time.perf_counter(), 1, n_passes)
        frontier = search.conclude()
        assert search.has_good_trees
        assert_well_formed(frontier)
        losses.append([frontier.at_leaves(size).loss for size in range(1, 21)])
    assert losses[0][-1] < losses[0][0]
    assert (np.diff(losses, axis=0) <= 0).all()


def test_passes_are_those_that_were_completed_in_the_time():
    X, y = noisy_classes()
    data, settings = checked(X, y, max_leaf_nodes=20)
    search = FrontierSearch(data, settings)
    assert [search.passes_within(seconds) for seconds in (0.0, 9.0, None)] == [1, 1, 3]
    search._pass_ends = [1.0, 2.0, 4.0]
    seconds = (0.5, 1.0, 3.0, 4.0, None)
    assert [search.passes_within(each) for each in seconds] == [1, 1, 2, 3, 3]


def test_every_size_has_a_good_tree_before_any_proof():
    """Sizes beyond the one that a search was stopped at used to repeat its tree."""
    X, y = noisy_classes()
    data, settings = checked(X, y, max_leaf_nodes=20)
    search = FrontierSearch(data, settings)
    search.run(time.perf_counter(), max_work=1)
    frontier = search.conclude()
    assert search.has_good_trees
    assert frontier.status == "work_limit"
    assert_well_formed(frontier)
    for penalty in (0.1, 0.03, 0.01):
        greedy = ostrya.solve(
            X, y, leaf_penalty=penalty, max_depth=5, top_k=ostrya.top_k.TopKSplits(k=2)
        )
        if greedy.n_leaves <= 20:
            assert frontier.at_leaves(greedy.n_leaves).loss <= greedy.loss + 0.02
    losses = [point.loss for point in frontier.points]
    assert len(losses) > 10
    assert len(set(losses[:10])) > 7


def test_counted_work_gives_the_same_trees_again_and_in_any_order_of_rows():
    X, y = noisy_classes()
    order = np.random.default_rng(1).permutation(len(y))
    told = []
    for rows in (slice(None), slice(None), order):
        search = FrontierSearch(*checked(X[rows], y[rows]))
        search.run(time.perf_counter(), max_work=2**22)
        frontier = search.conclude()
        told.append([(point.loss, str(point.tree)) for point in frontier.points])
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("work", [1, 100, 3000])
@pytest.mark.parametrize("effort", [1, None])
def test_brackets_hold_wherever_counted_work_ends(work, effort, monkeypatch):
    monkeypatch.setattr(_frontier, "FIRST_WORK", 1)
    monkeypatch.setattr(penalty_sweep, "MOST_WORK", work)
    for case in random_problems(31, 25):
        case = without_penalty(case)
        case = replace(case, problem=replace(case.problem, max_leaf_nodes=6))
        arguments = case.arguments()
        del arguments["leaf_penalty"]
        data, settings = checked(**arguments)
        search = FrontierSearch(data, settings)
        search.run(time.perf_counter(), max_work=work)
        frontier = search.conclude()
        assert_well_formed(frontier)
        assert_brackets_hold(case, frontier)
        for size in (2, 4):
            size = min(size, frontier.max_leaf_nodes)
            search.improve(size, replace(settings, effort=effort), 0.02)
            better = search.conclude()
            assert_well_formed(better)
            assert_brackets_hold(case, better)
            assert effort is not None or better.at_leaves(size).is_optimal


def test_a_proof_to_some_depth_is_one_for_the_chosen_size():
    X, y = noisy_classes()
    data, settings = checked(X, y, max_depth="auto", max_leaf_nodes=8)
    search = FrontierSearch(data, settings)
    search.run(time.perf_counter(), max_work=1)
    frontier = search.conclude()
    sizes = {each.n_leaves for each in frontier.hull if each.n_leaves > 3}
    size = min(sizes)
    penalty = penalty_of_size(frontier, size, default=1.0)
    search.improve(size, settings, penalty)
    depth = search.proved_depth(size)
    point = search.conclude().at_leaves(size)
    assert point.loss <= frontier.at_leaves(size).loss
    assert depth >= 2
    proved = ostrya.frontier(X, y, max_leaf_nodes=size, max_depth=2)
    assert point.loss <= proved.at_leaves(proved.max_leaf_nodes).loss


def test_bounds_of_one_size_do_not_hold_for_larger_ones():
    X, y = noisy_classes(60, 3)
    data, _ = checked(X, y)
    grid = to_grid(data)
    small = ostrya.frontier(X, y, max_leaf_nodes=3)
    known = SizeBrackets(data, grid, 16)
    sizes = []
    for point in small.points:
        loss = round(point.loss * len(y))
        shape = TreeShape(**point.tree.shape)
        sizes.append(_frontier.SizeBracket(shape, loss, loss))
    known.take(sizes, 3)
    assert known.at(3).lower == known.at(3).upper
    assert known.at(4).lower == 0
    known.raise_bounds(lambda n_leaves: 30 - n_leaves)
    assert known.at(16).lower == 14
