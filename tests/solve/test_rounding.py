"""What is reported is true in the numbers given, whatever the integers can hold."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import ostrya
from oracle import Problem, measures
from ostrya._solve.grid import down, to_grid
from ostrya._solve.measure_grid import to_measure_grid
from ostrya._solve.measures import FScore, Monotone, RocArea
from ostrya._solve.multiples import written_ratio
from ostrya._solve.validation import check_data
from ostrya.objectives import FBeta, PartialAUC

WIDE = [1e8, 1.0, 3.0, 4e7]
ROWS = [[2, 1], [2, 1], [2, 0], [1, 0]]
LABELS = [0, 1, 1, 0]


def problem_of(rows, labels, weights, **limits):
    return Problem(
        rows=tuple(map(tuple, rows)),
        labels=tuple(labels),
        weights=tuple(map(Fraction, weights)),
        costs=((0, 1), (1, 0)),
        **limits,
    )


def test_partial_auc_of_a_small_rate_overflowed():
    """A product of 2**63.6 made a leaf that pays look finished: 0.991, "optimal"."""
    rows, labels, weights = [[2], [2], [3], [0], [1]], [0, 0, 0, 0, 1], [4, 2, 1, 2, 3]
    outcome = ostrya.solve(
        rows,
        labels,
        sample_weight=weights,
        objective=PartialAUC(max_fpr=0.02),
        leaf_penalty=0.001,
        max_leaf_nodes=2,
    )
    problem = problem_of(rows, labels, weights, max_leaf_nodes=2)
    loss = measures.partial_auc_loss(Fraction(1, 50))
    best = measures.least_objective(problem, Fraction(1, 1000), loss)
    assert outcome.objective == pytest.approx(float(best), rel=1e-12)
    assert (outcome.status, outcome.gap) == ("optimal", 0.0)


def test_partial_auc_of_two_hundred_rows_overflowed():
    """The product also overflowed without weights, for many rows and a small rate."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (221, 5)).astype(float)
    y = (rng.random(221) < np.where(X[:, 0] * X[:, 1] > 0, 0.95, 0.1)).astype(int)
    given = {"objective": PartialAUC(max_fpr=0.01), "leaf_penalty": 0.003}
    outcome = ostrya.solve(X, y, max_leaf_nodes=4, **given)
    assert outcome.status == "optimal"
    for off in ("node_support", "incremental_accuracy", "tangent"):
        bounds = ostrya.bounds.LeafSetBounds(**{off: False})
        again = ostrya.solve(X, y, max_leaf_nodes=4, bounds=bounds, **given)
        assert again.objective == outcome.objective


@pytest.mark.parametrize("seed", range(12))
def test_partial_auc_of_many_rows_is_that_of_brute_force(seed):
    """On such tables 0.998 was called optimal where a tree has 0.740."""
    rng = np.random.default_rng(seed)
    X = (rng.random((221, 5)) < rng.uniform(0.2, 0.8, 5)).astype(int)
    chance = rng.choice([0.0, 0.02, 0.3, 0.9, 1.0], size=(2, 2, 2))
    y = (rng.random(221) < chance[X[:, 0], X[:, 1], X[:, 2]]).astype(int)
    y[:2] = [0, 1]
    most = 3 + seed % 2
    outcome = ostrya.solve(
        X,
        y,
        objective=PartialAUC(max_fpr=0.01),
        leaf_penalty=0.003,
        max_leaf_nodes=most,
    )
    kinds, counts = np.unique(np.column_stack([X, y]), axis=0, return_counts=True)
    problem = problem_of(
        kinds[:, :5].tolist(),
        kinds[:, 5].tolist(),
        counts.tolist(),
        max_leaf_nodes=most,
    )
    loss = measures.partial_auc_loss(Fraction(1, 100))
    best = measures.least_objective(problem, Fraction(3, 1000), loss)
    assert outcome.objective == pytest.approx(float(best), rel=1e-12)
    assert (outcome.status, outcome.gap) == ("optimal", 0.0)


def test_a_product_of_a_tangent_overflowed():
    rows = [(1, 0, 0), (0, 1, 0), (0, 1, 0), (1, 1, 1), (0, 1, 1), (0, 1, 0), (0, 1, 1)]
    labels = [0, 1, 1, 1, 0, 0, 1]
    weights = [1, 10**4, 10**5, 10**10, 1, 100, 10**11]
    outcome = ostrya.solve(
        rows,
        labels,
        sample_weight=weights,
        objective=PartialAUC(max_fpr=2e-5),
        leaf_penalty=1 / 30,
        max_leaf_nodes=4,
    )
    problem = problem_of(rows, labels, weights, max_leaf_nodes=4)
    loss = measures.partial_auc_loss(Fraction(2, 10**5))
    best = measures.least_objective(problem, Fraction(1, 30), loss)
    assert outcome.objective == pytest.approx(float(best), rel=1e-12)
    assert outcome.status == "optimal"


@pytest.mark.parametrize("engine", [None, "columns", "leaf_sets"])
def test_large_weights_were_rounded_under_f_scores(engine):
    """The smallest weighed nothing: 0.03 was reported of a tree that costs 0.173."""
    outcome = ostrya.solve(
        ROWS,
        LABELS,
        sample_weight=WIDE,
        objective="f1",
        leaf_penalty=0.01,
        engine=engine,
    )
    problem = problem_of(ROWS, LABELS, WIDE)
    loss = measures.f_beta_loss(Fraction(1))
    best = measures.least_objective(problem, Fraction(1, 100), loss)
    assert outcome.objective == pytest.approx(float(best), rel=1e-12)
    assert outcome.lower_bound <= outcome.objective
    assert outcome.gap < 1e-6
    if engine is None:
        assert (outcome.status, outcome.gap) == ("optimal", 0.0)


def test_the_finest_grid_of_an_f_score_was_asserted_away():
    """Its product is at most 2**126, though the bits of its factors add up to 128."""
    rows, labels = [[0], [0], [1], [0]], [0, 1, 0, 0]
    weights = [946e6, 397e-5, 707e-5, 937e-5]
    beta = 1.584569177831728
    outcome = ostrya.solve(
        rows,
        labels,
        sample_weight=weights,
        objective=FBeta(beta=beta),
        leaf_penalty=1e-9,
    )
    loss = measures.f_beta_loss(Fraction(beta))
    problem = problem_of(rows, labels, weights)
    best = measures.least_objective(problem, Fraction(1e-9), loss)
    assert outcome.objective == pytest.approx(float(best), rel=1e-11)
    assert outcome.lower_bound <= outcome.objective


@pytest.mark.parametrize("weights", [WIDE, [1e12, 1.0, 3.0, 1e6], [1e-6, 1e6, 1, 1e-3]])
@pytest.mark.parametrize(
    ("objective", "loss"),
    [
        ("auc", measures.auc_loss),
        ("f1", measures.f_beta_loss(Fraction(1))),
        (max, measures.counted_loss(max)),
    ],
)
def test_weights_over_many_orders_of_magnitude_are_exact(objective, loss, weights):
    outcome = ostrya.solve(
        ROWS, LABELS, sample_weight=weights, objective=objective, leaf_penalty=0.01
    )
    exact = [written_ratio(weight) for weight in weights]
    problem = problem_of(ROWS, LABELS, exact)
    best = measures.least_objective(problem, Fraction(1, 100), loss)
    assert outcome.objective == pytest.approx(float(best), rel=1e-12)
    assert outcome.gap <= 1e-12 * outcome.objective


def test_weights_of_many_digits_leave_a_gap_that_is_told():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (40, 3)).astype(float), rng.integers(0, 2, 40)
    weights = rng.random(40)
    for objective in ("accuracy", "auc", "f1", lambda fp, fn: fp + 2 * fn):
        outcome = ostrya.solve(
            X, y, sample_weight=weights, objective=objective, max_depth=2
        )
        assert outcome.status == "optimal_to_rounding"
        assert 0 < outcome.gap < 1e-9
        assert not outcome.is_optimal
        assert outcome.proved_depth == 2


def test_equal_numbers_of_many_digits_are_exact():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (40, 3)).astype(float), rng.integers(0, 2, 40)
    outcome = ostrya.solve(X, y, sample_weight=np.full(40, math.pi), max_depth=2)
    assert outcome.status == "optimal"


def test_a_penalty_of_many_digits_is_not_rounded_under_a_callable():
    """It was rounded to 2**-40 of the greatest loss, and reported so."""
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    penalty = math.pi * 1e-7
    outcome = ostrya.solve(X, y, objective=lambda fp, fn: fp + fn, leaf_penalty=penalty)
    assert outcome.leaf_penalty == penalty
    assert outcome.objective == 4 * penalty
    assert outcome.status == "optimal"


def test_losses_that_differ_by_less_than_a_unit_are_told_apart():
    """A callable is searched again on a grid that the best tree lies on."""

    def loss(fp, fn):
        return 1e9 * fp + 1e-9 * math.sqrt(fn) if fp + fn else 0.0

    X, y = [[0, 0], [0, 1], [1, 0], [1, 0], [1, 0], [1, 1]], [0, 0, 1, 1, 0, 1]
    for engine in ("columns", "leaf_sets"):
        outcome = ostrya.solve(
            X, y, objective=loss, leaf_penalty=0.0, max_leaf_nodes=2, engine=engine
        )
        problem = problem_of(X, y, [1] * 6, max_leaf_nodes=2)
        best = measures.least_objective(problem, 0, measures.counted_loss(loss))
        assert outcome.objective == float(best)
        assert (outcome.status, outcome.gap) == ("optimal", 0.0)


@pytest.mark.parametrize(
    "measure",
    [
        RocArea(Fraction(1)),
        RocArea(Fraction(1, 10**6)),
        RocArea(written_ratio(math.pi / 10**4)),
        FScore(Fraction(1)),
        FScore(written_ratio(math.e) ** 2),
        FScore(Fraction(1, 10**6)),
        Monotone(lambda fp, fn: Fraction(fp + 2 * fn)),
    ],
)
@pytest.mark.parametrize("penalty", [0.0, 1e-9, math.pi / 1000, 0.3, 1000.0])
@pytest.mark.parametrize("weights", [None, WIDE, [1.0, 1e12, 1e15, 1.0], [0.1] * 4])
def test_measures_fit_the_integers_of_the_engine(measure, penalty, weights):
    """These are the ranges that the engine states, and asserts in debug builds."""
    data = check_data(ROWS, LABELS, weights, None, None, penalty)
    grid = to_measure_grid(data, measure)
    total = int(grid.weights.sum())
    assert total < 2**52
    assert grid.scale == 1
    assert grid.resolution * grid.span + 4 * grid.penalty <= 2**59
    if isinstance(measure, RocArea):
        top, bottom, multiple, divisor = grid.in_integers
        negatives = int(grid.weights[data.codes == 0].sum())
        pairs = Fraction(2 * top * negatives * (total - negatives), bottom)
        assert 0 < top <= bottom <= 2**20
        assert min(multiple, divisor) == 1
        assert max(multiple, divisor) < 2**63
        assert pairs * multiple / divisor == grid.resolution
    if isinstance(measure, FScore):
        top, bottom, resolution = grid.in_integers
        assert (top + bottom) * total * resolution < 2**127


def test_bounds_are_rounded_down():
    assert down(Fraction(1, 3)) <= Fraction(1, 3)
    assert down(Fraction(2, 3)) < Fraction(2, 3)
    assert down(Fraction(1, 2)) == 0.5


@pytest.mark.parametrize("seed", range(20))
def test_the_slack_of_a_grid_covers_its_rounding(seed):
    rng = np.random.default_rng(seed)
    weights = 10.0 ** rng.uniform(-6, 6, 12)
    costs = rng.random((3, 3)) * 10.0 ** rng.uniform(-2, 2, (3, 3))
    codes = np.arange(12) % 3
    data = check_data(np.zeros((12, 1)), codes, weights, None, costs, 0.0)
    grid = to_grid(data)
    total = sum(map(Fraction, weights.tolist()))
    for _ in range(20):
        predicted = rng.integers(0, 3, 12)
        rows = range(12)
        true = sum(
            Fraction(weights[i]) * Fraction(costs[codes[i], predicted[i]]) for i in rows
        )
        cost = sum(
            int(grid.weights[i]) * int(grid.costs[codes[i], predicted[i]]) for i in rows
        )
        off = abs(true / total - cost * grid.scale * grid.unit)
        assert off <= grid.slack
        assert grid.slack > 0


def test_labels_were_chosen_on_a_grid_that_rounds():
    """The tree of 0.0637 below costs 0.0510 with the labels that are best for it."""
    rows = [[1], [3], [0], [0], [0], [3]]
    labels = [0, 1, 2, 0, 1, 2]
    weights = [7e8, 1e-3, 1e3, 3e7, 10.0, 7.0]
    costs = [[0, 0.001, 0.5], [1e6, 0, 1], [1, 0.5, 0]]
    outcome = ostrya.solve(
        rows,
        labels,
        sample_weight=weights,
        cost_matrix=costs,
        leaf_penalty=0.05,
        max_leaf_nodes=3,
        min_samples_leaf=2,
    )
    tree = outcome.tree
    leaves = tree.value[tree.feature < 0]
    best = sum(
        min(
            sum(Fraction(m) * Fraction(costs[t][c]) for t, m in enumerate(leaf))
            for c in range(3)
        )
        for leaf in leaves.tolist()
    )
    loss = best / sum(map(Fraction, weights))
    assert outcome.status == "optimal_to_rounding"
    assert outcome.loss == pytest.approx(float(loss), rel=1e-9)
