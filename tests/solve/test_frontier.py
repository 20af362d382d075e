"""The frontier: the least loss for every number of leaves, and for every penalty."""

from __future__ import annotations

import math
import signal
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrya
from frontier_checks import (
    assert_brackets_hold,
    assert_equals_oracle,
    assert_well_formed,
    frontier_of,
    without_penalty,
)
from ostrya import _core
from ostrya._frontier import _conclude
from ostrya._solve.grid import to_grid
from ostrya._solve.recount import recount
from ostrya._solve.search import FrontierResult, SizeBracket
from ostrya._solve.validation import check_data
from ostrya._tree_shape import TreeShape
from strategies import deep_problems, random_problems, small_cases, yes_no_case


@given(small_cases())
def test_a_frontier_equals_the_oracle_for_every_size(case):
    case = without_penalty(case)
    frontier = frontier_of(case)
    assert_well_formed(frontier)
    assert_equals_oracle(case, frontier)


@pytest.mark.parametrize(
    ("problems", "count", "max_leaf_nodes"),
    [(random_problems, 60, 7), (deep_problems, 5, 5)],
)
def test_problems_of_every_family(problems, count, max_leaf_nodes):
    for case in problems(19, count):
        case = without_penalty(case)
        case = replace(
            case, problem=replace(case.problem, max_leaf_nodes=max_leaf_nodes)
        )
        frontier = frontier_of(case)
        assert_well_formed(frontier)
        assert_equals_oracle(case, frontier)


def test_cuts_that_a_first_penalty_drops_are_searched_later():
    # The first penalty is as much as the only cut wins back: no cut is left then.
    frontier = ostrya.frontier(
        [[0], [0], [0], [1], [0], [0], [0]],
        [0, 0, 0, 1, 0, 0, 0],
        cost_matrix=[[2, 3], [4, 3]],
    )
    assert [round(7 * point.loss) for point in frontier.points] == [16, 15]


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_more_rows_than_a_word_has_bits(rng):
    case = without_penalty(yes_no_case(rng))
    case = replace(case, problem=replace(case.problem, max_leaf_nodes=None))
    assert_equals_oracle(case, frontier_of(case, max_leaf_nodes=None))


def penalties_to_try(frontier):
    """The ends of every interval, and penalties just inside them."""
    for each in frontier.hull:
        most = min(each.most_penalty, each.least_penalty + 1.0)
        width = most - each.least_penalty
        for share in (0.0, 1e-3, 0.5, 1 - 1e-3, 1.0):
            yield each, each.least_penalty + share * width


@given(small_cases())
def test_trees_of_the_hull_are_what_solve_finds_for_their_penalties(case):
    case = without_penalty(case)
    arguments = case.arguments()
    frontier = frontier_of(case)
    for each, penalty in penalties_to_try(frontier):
        outcome = ostrya.solve(**(arguments | {"leaf_penalty": penalty}))
        assert each.is_optimal
        assert math.isclose(
            outcome.objective, each.loss + penalty * each.n_leaves, rel_tol=1e-9
        )
        chosen = frontier.at_penalty(penalty)
        assert math.isclose(
            outcome.objective, chosen.loss + penalty * chosen.n_leaves, rel_tol=1e-9
        )


@given(small_cases(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(case, rng):
    case = without_penalty(case)
    order = list(range(len(case.problem.rows)))
    rng.shuffle(order)
    rows, labels, weights = (
        tuple(each[i] for i in order)
        for each in (case.problem.rows, case.problem.labels, case.problem.weights)
    )
    shuffled = replace(case.problem, rows=rows, labels=labels, weights=weights)
    one, other = frontier_of(case), frontier_of(replace(case, problem=shuffled))
    assert [point.loss for point in one.points] == [p.loss for p in other.points]
    assert [str(point.tree) for point in one.points] == [
        str(point.tree) for point in other.points
    ]


def hard_table():
    """Rows that take a while: many columns and labels that are mostly noise."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, size=(600, 24)).astype(float)
    return X, rng.integers(0, 2, size=600)


def test_a_stopped_search_brackets_every_size():
    X, y = hard_table()
    calls = []

    def stop(progress):
        calls.append(progress)
        return len(calls) > 2

    stopped = ostrya.frontier(X, y, max_leaf_nodes=12, on_progress=stop)
    assert stopped.status == "interrupted"
    assert_well_formed(stopped)
    assert stopped.points[0].is_optimal
    assert not stopped.points[-1].is_optimal
    assert not stopped.hull[-1].is_optimal
    proved = ostrya.frontier(X, y, max_leaf_nodes=5)
    for point in proved.points:
        bracket = stopped.at_leaves(point.max_leaf_nodes)
        assert bracket.lower_bound <= point.loss <= bracket.loss


@pytest.mark.parametrize("allocation", [1, 60, 80, 110, 160, 240])
def test_brackets_hold_wherever_memory_runs_out(allocation, monkeypatch):
    trouble = _core.AllocationTrouble(exhausts=allocation)
    monkeypatch.setattr(_core, "Options", partial(_core.Options, trouble=trouble))
    for case in random_problems(23, 30):
        case = without_penalty(case)
        case = replace(case, problem=replace(case.problem, max_leaf_nodes=6))
        frontier = frontier_of(case)
        assert frontier.status in ("optimal", "memory_limit")
        assert_well_formed(frontier)
        assert_brackets_hold(case, frontier)


@pytest.mark.parametrize("time_limit", [1e-9, 0.05, 0.3])
def test_a_time_limit_leaves_brackets(time_limit):
    X, y = hard_table()
    frontier = ostrya.frontier(X, y, max_leaf_nodes=14, time_limit=time_limit)
    assert frontier.status == "time_limit"
    assert_well_formed(frontier)


def test_a_memory_limit_is_kept():
    X, y = hard_table()
    limit = 32 * 2**20
    frontier = ostrya.frontier(
        X, y, max_leaf_nodes=14, memory_limit=limit, time_limit=0.5
    )
    assert frontier.status in ("time_limit", "memory_limit")
    assert_well_formed(frontier)


def test_ctrl_c_leaves_brackets():
    pressed = []

    def press(progress):
        if progress.phase == "searching" and not pressed:
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)

    frontier = ostrya.frontier(*hard_table(), max_leaf_nodes=14, on_progress=press)
    assert pressed
    assert frontier.status == "interrupted"
    assert_well_formed(frontier)


def test_what_a_callback_raises_comes_out():
    def fail(progress):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ostrya.frontier(*hard_table(), max_leaf_nodes=12, on_progress=fail)


def test_points_end_where_more_leaves_do_not_help():
    X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    frontier = ostrya.frontier(X, y, max_leaf_nodes=4)
    assert [point.loss for point in frontier.points] == [0.5, 0.0]
    assert frontier.at_leaves(4) is frontier.points[-1]
    assert frontier.max_leaf_nodes == 4


def test_depth_and_rows_bound_the_sizes():
    X, y = hard_table()
    assert ostrya.frontier(X, y, max_depth=2, max_leaf_nodes=None).max_leaf_nodes == 4
    assert ostrya.frontier([[1]], [0]).max_leaf_nodes == 1
    assert ostrya.frontier([[1]], [0]).hull[0].n_leaves == 1


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"max_leaf_nodes": 0}, ValueError, "max_leaf_nodes must be an integer >= 1"),
        ({"max_leaf_nodes": 2.5}, TypeError, "max_leaf_nodes must be an integer >= 1"),
        ({"max_depth": "auto"}, ValueError, "max_depth must be an integer >= 0, or"),
        ({"max_depth": -1}, ValueError, "max_depth must be an integer >= 0"),
        ({"min_samples_leaf": 0}, ValueError, "min_samples_leaf must be an integer"),
        ({"time_limit": 0}, ValueError, "time_limit must be a finite number > 0"),
        ({"memory_limit": 1}, ValueError, "memory_limit must be an integer"),
        ({"sample_weight": [1.0]}, ValueError, "sample_weight"),
        ({"on_progress": 3}, TypeError, "on_progress must be a callable"),
        ({"X": [[math.inf], [1.0]]}, ValueError, "Input X contains infinity"),
    ],
)
def test_bad_arguments_are_named(changes, error, message):
    arguments = {"X": [[0.0], [1.0]], "y": [0, 1]} | changes
    with pytest.raises(error, match=message):
        ostrya.frontier(**arguments)


def test_questions_outside_a_frontier_are_refused():
    frontier = ostrya.frontier([[0], [1], [2]], [0, 1, 0], max_leaf_nodes=2)
    with pytest.raises(ValueError, match="must be at most 2, the largest size"):
        frontier.at_leaves(3)
    with pytest.raises(TypeError, match="max_leaf_nodes must be an integer >= 1"):
        frontier.at_leaves(1.0)
    for penalty in (-0.1, math.nan):
        with pytest.raises(ValueError, match="leaf_penalty must be a number >= 0"):
            frontier.at_penalty(penalty)
    assert frontier.at_penalty(math.inf).n_leaves == 1


@pytest.mark.parametrize("seed", range(60))
def test_rounding_raises_no_bound_above_that_of_fewer_leaves(seed):
    # Losses are sums of the caller's weights and bounds come from the grid. With
    # weights of all magnitudes a bound was above what is proved of fewer leaves.
    rng = np.random.default_rng(seed)
    weights, y = 10.0 ** rng.uniform(-17, 0, 8), np.array([0, 1] * 4)
    X = np.arange(8.0)[:, None]
    data = check_data(X, y, weights, None, None, 0.0)
    grid = to_grid(data)
    whole = ostrya.frontier(X, y, sample_weight=weights)
    shapes = [
        TreeShape(tree.feature, tree.threshold, tree.yes, tree.no)
        for tree in (point.tree for point in whole.points)
    ]
    costs = [recount(shape, data, grid).cost for shape in shapes]
    for n_proved in range(1, len(shapes)):
        sizes = tuple(
            SizeBracket(shape, cost if place < n_proved else max(cost - 1, 0), cost)
            for place, (shape, cost) in enumerate(zip(shapes, costs, strict=True))
        )
        result = FrontierResult(sizes, "interrupted", whole.statistics)
        points = _conclude(result, 8, data, grid).points
        for one, other in pairwise(points):
            assert other.loss <= one.loss
            assert other.lower_bound <= one.lower_bound <= one.loss
