"""The integer grid: exact where it can be, within its limits always."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ostrya
from ostrya._solve.grid import MOST_COST, MOST_LOSS, to_grid
from ostrya._solve.multiples import exact_multiples, written_ratio
from ostrya._solve.training_data import TrainingData
from ostrya.objectives import PartialAUC


def make_problem(n=10, n_classes=2, weights=None, costs=None, leaf_penalty=0.01):
    if weights is not None:
        n, weights = len(weights), np.array(weights, dtype=np.float64)
    if costs is not None:
        costs = np.array(costs, dtype=np.float64)
        n_classes = len(costs)
    codes = np.arange(n, dtype=np.int32) % n_classes
    return TrainingData(
        np.zeros((n, 1)), codes, n_classes, weights, costs, leaf_penalty
    )


def objective(problem, labels, n_leaves):
    """Return the objective in exact arithmetic of the floats given."""
    n = problem.n_samples
    weights = np.ones(n) if problem.weights is None else problem.weights
    costs = 1 - np.eye(problem.n_classes) if problem.costs is None else problem.costs
    total, loss = Fraction(0), Fraction(0)
    for weight, code, label in zip(weights, problem.codes, labels, strict=True):
        total += Fraction(float(weight))
        loss += Fraction(float(weight)) * Fraction(float(costs[code, label]))
    return loss / total + Fraction(problem.leaf_penalty) * n_leaves


def cost(grid, problem, labels, n_leaves):
    terms = (
        int(weight) * int(grid.costs[code, label])
        for weight, code, label in zip(grid.weights, problem.codes, labels, strict=True)
    )
    return grid.scale * sum(terms) + grid.penalty * n_leaves


def assert_within_limits(grid, problem):
    largest = sum(map(int, grid.weights)) * int(grid.costs.max())
    assert largest < MOST_LOSS
    assert grid.scale * largest + grid.penalty * (problem.n_samples + 1) < MOST_COST
    assert grid.scale >= 1
    assert grid.penalty >= 0
    assert grid.weights.min() >= 0


def test_rows_that_weigh_the_same_give_the_smallest_grid():
    grid = to_grid(make_problem(n=150, leaf_penalty=0.01))
    assert set(grid.weights) == {1}
    assert (grid.scale, grid.penalty) == (2, 3)
    assert grid.costs.tolist() == [[0, 1], [1, 0]]
    assert float(grid.leaf_penalty) == 0.01
    assert grid.to_objective(2 * 15 + 3 * 2) == 0.12


@pytest.mark.parametrize("factor", [1, 1e-12, 1 / 7, 3.7, 1e12, math.pi])
def test_weights_in_simple_proportion_give_the_smallest_grid(factor):
    grid = to_grid(make_problem(weights=np.array([2, 4, 6, 0]) * factor))
    assert grid.weights.tolist() == [1, 2, 3, 0]


def test_balanced_weights_are_exact():
    counts = np.array([700, 289, 11])
    weights = np.repeat(1000 / (3 * counts), counts)
    grid = to_grid(make_problem(weights=weights))
    per_class = [int(grid.weights[i]) for i in (0, 800, 999)]
    common = math.lcm(*counts.tolist())
    assert per_class == [common // count for count in counts.tolist()]


def test_decimal_costs_are_exact():
    grid = to_grid(make_problem(costs=[[0, 0.3], [1.2, 0]], leaf_penalty=0.005))
    assert grid.costs.tolist() == [[0, 1], [4, 0]]
    assert Fraction(grid.penalty, grid.scale) == Fraction(5, 1000) * 10 / Fraction(
        3, 10
    )
    assert float(grid.leaf_penalty) == 0.005


@pytest.mark.parametrize("penalty", [0.0, 1 / 150, 0.1, 1 / 3, 1e-9, 0.123456789, 2.0])
def test_penalties_come_back_unchanged(penalty):
    grid = to_grid(make_problem(n=150, leaf_penalty=penalty))
    assert float(grid.leaf_penalty) == penalty


def test_a_penalty_of_one_row_is_one_row():
    grid = to_grid(make_problem(n=150, leaf_penalty=1 / 150))
    assert (grid.scale, grid.penalty) == (1, 1)


def test_costs_of_zero_leave_the_penalty():
    grid = to_grid(make_problem(costs=np.zeros((2, 2)), leaf_penalty=0.25))
    assert grid.to_objective(3 * grid.penalty) == 0.75


def test_no_costs_and_no_penalty_is_still_a_grid():
    grid = to_grid(make_problem(costs=np.zeros((2, 2)), leaf_penalty=0.0))
    assert grid.to_objective(0) == 0.0


def test_unrelated_weights_are_rounded_finely():
    chance = np.random.default_rng(0)
    weights = chance.random(1000)
    problem = make_problem(weights=weights)
    grid = to_grid(problem)
    assert_within_limits(grid, problem)
    ratio = grid.weights / grid.weights.sum() / (weights / weights.sum())
    np.testing.assert_allclose(ratio, 1, rtol=1e-9)


def test_a_million_weighted_rows_fit():
    chance = np.random.default_rng(1)
    problem = make_problem(weights=chance.random(1_000_000), leaf_penalty=0.5)
    grid = to_grid(problem)
    total = int(grid.weights.sum())
    assert grid.scale * total + grid.penalty * 1_000_001 < MOST_COST
    assert float(grid.leaf_penalty) == pytest.approx(0.5, rel=1e-6)


weights_lists = st.one_of(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=8),
    st.lists(st.floats(0, 1e6), min_size=1, max_size=8),
    st.lists(st.sampled_from([0.1, 1 / 3, 2.5, 1e-9, 1e300]), min_size=1, max_size=8),
).filter(lambda weights: sum(weights) > 0)
cost_matrices = st.integers(1, 3).flatmap(
    lambda k: st.lists(
        st.lists(st.floats(0, 1e3), min_size=k, max_size=k), min_size=k, max_size=k
    )
)


@given(
    weights=st.none() | weights_lists,
    costs=st.none() | cost_matrices,
    leaf_penalty=st.floats(0, 1.0),
    data=st.data(),
)
def test_costs_are_objectives_to_within_the_grid(weights, costs, leaf_penalty, data):
    problem = make_problem(4, 2, weights, costs, leaf_penalty)
    try:
        grid = to_grid(problem)
    except ValueError:
        assert costs is not None
        dear = problem.costs.max()
        least = problem.costs[problem.costs > 0].min()
        assert dear < leaf_penalty * 1e-9 or least < dear * 1e-6
        return
    assert_within_limits(grid, problem)
    n = problem.n_samples
    classes = st.integers(0, problem.n_classes - 1)
    labels = data.draw(st.lists(classes, min_size=n, max_size=n))
    leaves = data.draw(st.integers(1, n))
    expected = float(objective(problem, labels, leaves))
    counted = grid.to_objective(cost(grid, problem, labels, leaves))
    dearest = 1 if costs is None else np.max(costs)
    assert counted == pytest.approx(expected, rel=1e-12, abs=1e-5 * dearest + 1e-12)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_an_objective_means_the_cost_it_came_from(amount, n):
    grid = to_grid(make_problem(n=n % 1000 + 1, leaf_penalty=0.01))
    assert grid.to_cost(grid.to_objective(amount)) == amount
    assert grid.to_cost(grid.to_objective(amount) * (1 - 1e-14)) in (amount, amount - 1)


def test_an_objective_between_two_costs_means_the_higher():
    grid = to_grid(make_problem(n=150, leaf_penalty=0.01))
    below, above = grid.to_objective(7), grid.to_objective(8)
    assert grid.to_cost((below + above) / 2) == 8
    assert grid.to_cost(-1.0) == 0
    assert grid.to_cost(1e300) == MOST_COST - 1


@given(st.lists(st.fractions(0, 10, max_denominator=50), min_size=1, max_size=10))
def test_small_ratios_are_recognised(ratios):
    found = exact_multiples(np.array([float(ratio) for ratio in ratios]))
    assert [int(i) * found.unit for i in found.integers] == ratios


@pytest.mark.parametrize("objective", ["auc", PartialAUC(), "f1", lambda fp, fn: fp])
def test_a_class_that_weighs_next_to_nothing_beside_the_other_is_told(objective):
    """On the grid it weighed nothing, and was divided by."""
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    weights = [1.0, 1e-30, 2**0.5, 1e-30]
    with pytest.raises(ValueError, match=r"sample_weight must .* for class 1\. Use"):
        ostrya.solve(X, y, sample_weight=weights, objective=objective)


@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1.0, 1e300])
def test_a_callable_may_be_in_any_unit(unit):
    """Losses below a millionth were refused: the penalty, even 0, was "too large"."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (30, 2)).astype(float), rng.integers(0, 2, 30)
    for penalty in (0.0, 0.5, 2.0):
        outcome = ostrya.solve(
            X,
            y,
            objective=lambda fp, fn: unit * (fp + 2 * fn),
            leaf_penalty=penalty * unit,
        )
        plain = ostrya.solve(
            X, y, objective=lambda fp, fn: fp + 2 * fn, leaf_penalty=penalty
        )
        assert outcome.status == plain.status == "optimal"
        assert outcome.objective / unit == pytest.approx(plain.objective, rel=1e-9)


@pytest.mark.parametrize("objective", ["f1", lambda fp, fn: (fp + fn) / 4])
def test_a_penalty_too_large_beside_a_measure_is_told_with_what_will_do(objective):
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    with pytest.raises(ValueError, match=r"leaf_penalty must be at most 1, .*1e\+30"):
        ostrya.solve(X, y, objective=objective, leaf_penalty=1e30)
    assert ostrya.solve(X, y, objective=objective, leaf_penalty=1.0).n_leaves == 1


@pytest.mark.parametrize("dear", [1e14, 1e17, 1e300])
def test_costs_that_rounding_would_lose_are_refused(dear):
    # They were rounded to nothing, and a lone leaf was called optimal.
    with pytest.raises(
        ValueError, match=r"cost_matrix must not contain 1 .*or the largest"
    ):
        to_grid(make_problem(n=178, costs=[[0, dear], [1, 0]]))


@pytest.mark.parametrize("dear", [1.0, 1e5, 1e7, 1e7 * math.sqrt(2)])
@pytest.mark.parametrize("weights", [None, np.sqrt(np.arange(1, 200))])
def test_no_cost_is_moved_by_more_than_a_thousandth(dear, weights):
    costs = np.array([[0, dear], [1, 0]])
    grid = to_grid(make_problem(n=178, weights=weights, costs=costs))
    ratio = grid.costs[0, 1] / grid.costs[1, 0]
    assert ratio == pytest.approx(dear, rel=1e-3)


def test_the_remedy_for_costs_that_differ_too_much_works():
    costs = [[0, 1e17], [1, 0]]
    with pytest.raises(ValueError, match="cost_matrix must not contain 1") as refused:
        to_grid(make_problem(n=178, costs=costs))
    costs[0][1] = float(str(refused.value).rsplit(" ", 1)[1])
    to_grid(make_problem(n=178, costs=costs))


def test_a_cost_that_no_tree_need_pay_changes_no_optimum():
    X, y = np.arange(300.0).reshape(-1, 1) // 100, np.repeat([0, 1, 2], 100)
    for dear in (1.0, 1e6, 1e12):
        costs = 1 - np.eye(3)
        costs[0, 1] = dear
        outcome = ostrya.solve(X, y, cost_matrix=costs, max_depth=2)
        assert (outcome.status, outcome.n_leaves, outcome.loss) == ("optimal", 3, 0)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_a_written_ratio_is_found_whichever_way_it_was_written(top, bottom):
    assert written_ratio(top / bottom) == Fraction(top, bottom)


@given(st.integers(0, 10**9), st.integers(0, 9))
def test_a_decimal_is_found_as_it_was_written(digits, places):
    assert written_ratio(float(f"{digits}e-{places}")) == Fraction(digits, 10**places)
