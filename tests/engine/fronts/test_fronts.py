"""Callables over fronts: the optimum of every tree there is, whatever the prices."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrya
from oracle.measures import counted_loss, least_objective, mass
from ostrya import _core
from two_class import arguments, two_class_problems

# Each grows with both counts; few are convex.
SHAPES = (
    lambda a, b: lambda fp, fn: a * fp + b * fn,
    lambda a, b: lambda fp, fn: max(a * fp, b * fn),
    lambda a, b: lambda fp, fn: min(a * fp, b * fn) + fp + fn,
    lambda a, b: lambda fp, fn: (fp + a) * (fn + b),
    lambda a, b: lambda fp, fn: int(fp > a) + int(fn > b),
    lambda a, b: lambda fp, fn: 3 * int(fp > a and fn > b) + max(fp, fn),
    lambda a, b: lambda fp, fn: (fp // (a + 1)) ** 2 + fn // (b + 1),
    lambda a, b: lambda fp, fn: float(fp) ** 0.5 + float(fn) ** (1 / (a + 1)),
)


def sample(seed):
    """A problem, its leaf penalty and a callable."""
    rng = random.Random(f"fronts/{seed}")
    case, penalty = next(two_class_problems(1000 + seed, 1))
    problem = replace(case.problem, min_samples_leaf=rng.choice([1, 1, 1, 2, 3]))
    shapes = rng.sample(SHAPES, rng.choice([1, 1, 2]))
    parts = [shape(rng.randint(0, 3), rng.randint(0, 3)) for shape in shapes]

    def function(fp, fn):
        return sum(part(fp, fn) for part in parts)

    return replace(case, problem=problem), penalty, function


@settings(max_examples=120)
@given(st.integers(0, 10**6))
def test_both_ways_find_the_optimum(seed):
    case, penalty, function = sample(seed)
    best = float(least_objective(case.problem, penalty, counted_loss(function)))
    for engine in (None, "leaf_sets"):
        outcome = ostrya.solve(
            **arguments(case, penalty), objective=function, engine=engine
        )
        assert (outcome.status, outcome.gap) == ("optimal", 0.0)
        assert outcome.objective == pytest.approx(best, rel=1e-8, abs=1e-8)
        assert outcome.lower_bound == outcome.objective


def priced_search(case, penalty, function, prices, slip=0):
    """The result of the search over fronts alone, at prices that may serve badly."""
    problem = case.problem
    masses = [mass(problem, problem.all_rows, label) for label in (0, 1)]
    counts = itertools.product(*(range(most + 1) for most in masses))
    shift = min(function(fp, fn) - prices[0] * fp - prices[1] * fn for fp, fn in counts)
    X, codes, weights, *_ = case.core_data()
    return _core.solve_fronts(
        *(X, codes, weights),
        np.array([[0, prices[0]], [prices[1], 0]]),
        penalty,
        _core.FrontOptions(case.core_limits(), lower=0, shift=shift + slip),
        _core.Monotone(function),
    )


def priced_sample(seed):
    rng = random.Random(f"prices/{seed}")
    case, _, shaped = sample(seed)
    prices = rng.choice([1, 10, 60, 500]), rng.choice([1, 10, 60, 500])
    return case, rng.choice([0, 1, 7, 50]), lambda *c: int(60 * shaped(*c)), prices


@settings(max_examples=200)
@given(st.integers(0, 10**6))
def test_any_prices_find_the_optimum(seed):
    case, penalty, function, prices = priced_sample(seed)
    best = least_objective(case.problem, penalty, counted_loss(function))
    found = priced_search(case, penalty, function, prices)
    assert (found.status, found.lower, found.upper) == ("optimal", best, best)


def test_a_slip_of_the_shift_is_caught():
    def is_wrong(seed):
        case, penalty, function, prices = priced_sample(seed)
        best = least_objective(case.problem, penalty, counted_loss(function))
        return priced_search(case, penalty, function, prices, slip=1).upper > best

    assert any(is_wrong(seed) for seed in range(2000))


def scattered(n_rows=60):
    rng = np.random.default_rng(0)
    return rng.integers(0, 4, size=(n_rows, 3)), rng.integers(0, 2, n_rows)


def test_a_callable_sum_of_errors_is_proved():
    # Not in a minute by the search over leaf sets.
    X, y = scattered()
    outcome = ostrya.solve(
        X, y, leaf_penalty=0.01, objective=lambda fp, fn: fp + fn, time_limit=60.0
    )
    same = ostrya.solve(X, y, leaf_penalty=0.01 / len(y))
    assert outcome.status == same.status == "optimal"
    assert outcome.objective == pytest.approx(len(y) * same.objective)
    assert outcome.statistics.subproblems < 10_000


def test_a_callable_f_score_is_the_f_score():
    X, y = scattered()
    score = ostrya.solve(X, y, leaf_penalty=0.01, objective="f1")
    outcome = ostrya.solve(
        X,
        y,
        leaf_penalty=0.01,
        objective=lambda fp, fn: Fraction(fp + fn, 2 * int(y.sum()) - fn + fp),
    )
    assert outcome.status == score.status == "optimal"
    assert outcome.objective == pytest.approx(score.objective, rel=1e-9)


def worst_kind(fp, fn):
    return max(fp, 2 * fn) / 60


CHANGES = {
    "classes change places": lambda X, y: (
        X,
        1 - y,
        {"objective": lambda fp, fn: worst_kind(fn, fp)},
    ),
    "a constant is added": lambda X, y: (
        X,
        y,
        {"objective": lambda fp, fn: worst_kind(fp, fn) + 7},
    ),
    "losses and penalty double": lambda X, y: (
        X,
        y,
        {"objective": lambda fp, fn: 2 * worst_kind(fp, fn), "leaf_penalty": 0.02},
    ),
    "columns turn round": lambda X, y: (-X[:, ::-1], y, {}),
    "rows come twice at half the weight": lambda X, y: (
        np.repeat(X, 2, axis=0),
        np.repeat(y, 2),
        {"sample_weight": np.full(2 * len(y), 0.5)},
    ),
    "rows stand in another order": lambda X, y: (X[::-1], y[::-1], {}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_nothing(change):
    X, y = scattered()
    first = ostrya.solve(X, y, leaf_penalty=0.01, objective=worst_kind)
    X_new, y_new, asked = CHANGES[change](X, y)
    second = ostrya.solve(
        X_new, y_new, **{"objective": worst_kind, "leaf_penalty": 0.01, **asked}
    )
    constant = 7 if "constant" in change else 0
    factor = 2 if "double" in change else 1
    assert first.status == second.status == "optimal"
    assert second.objective - constant == pytest.approx(
        factor * first.objective, abs=1e-9
    )
    if "order" in change:
        assert second.tree == first.tree


def test_upper_bounds_and_warm_starts():
    X, y = scattered()
    best = ostrya.solve(X, y, leaf_penalty=0.01, objective=worst_kind)
    again = ostrya.solve(
        X, y, leaf_penalty=0.01, objective=worst_kind, warm_start=best.tree
    )
    assert (again.status, again.tree) == ("optimal", best.tree)
    none = ostrya.solve(
        X, y, leaf_penalty=0.01, objective=worst_kind, upper_bound=best.objective
    )
    assert none.status in ("upper_bound", "optimal")
    assert none.lower_bound == pytest.approx(best.objective)
    above = best.objective + 0.001
    some = ostrya.solve(
        X, y, leaf_penalty=0.01, objective=worst_kind, upper_bound=above
    )
    assert (some.status, some.objective) == ("optimal", best.objective)


def test_a_lone_leaf_and_a_callable_that_never_changes():
    X, y = scattered()
    alone = ostrya.solve(np.zeros((60, 2)), y, leaf_penalty=0.01, objective=worst_kind)
    assert (alone.status, alone.n_leaves) == ("optimal", 1)
    flat = ostrya.solve(X, y, leaf_penalty=0.01, objective=lambda fp, fn: 3.0)
    assert (flat.status, flat.n_leaves) == ("optimal", 1)
    assert flat.objective == pytest.approx(3.01)
    short = ostrya.solve(X, y, leaf_penalty=0.01, objective=worst_kind, max_depth=0)
    assert (short.status, short.n_leaves) == ("optimal", 1)
