"""Guessed lower bounds keep the guarantee of Theorem 4.3.

Guesses 2022, Thm. 4.3: the returned tree costs no more than any tree of a surrogate
problem, in which a row that the reference gets wrong loses its all whatever the label.
If the reference errs only where some optimal tree errs too, the two problems agree on
that tree, so the optimum is found; a reference without errors is such a one.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import effort
import ostrya
from cases import nested, recounted, zero_one
from oracle import Problem, optimum
from strategies import random_problems, small_cases


def surrogate(problem: Problem, reference) -> Problem:
    """The problem in which rows the reference gets wrong lose their full weight.

    Such rows move to new classes, one for each, whose cost is the largest of the old.
    """
    n_classes = problem.n_classes
    labels = tuple(
        label if label == guess else n_classes + label
        for label, guess in zip(problem.labels, reference, strict=True)
    )
    lost = tuple((max(row),) * n_classes for row in problem.costs)
    # Only the old labels may be predicted: the new ones cost more than everything.
    never = sum(problem.weights) * (1 + max(map(max, problem.costs))) + problem.penalty
    costs = tuple(row + (never,) * n_classes for row in problem.costs + lost)
    return replace(problem, labels=labels, costs=costs)


def guessed(case, reference):
    labels = np.array(reference)
    outcome = ostrya.solve(**case.arguments(), reference_labels=labels, polish=False)
    assert outcome.status == "guessed_bounds"
    assert not outcome.is_optimal
    return outcome


def random_reference(rng, problem, wrong):
    return [
        rng.randrange(problem.n_classes) if rng.random() < wrong else label
        for label in problem.labels
    ]


@pytest.mark.parametrize("wrong", [0.1, 0.3, 0.7, 1.0])
def test_guarantee_with_a_reference_that_errs(wrong):
    rng = random.Random(f"reference/{wrong}")
    for case in random_problems(4000, 300):
        reference = random_reference(rng, case.problem, wrong)
        cost = recounted(case, guessed(case, reference))
        assert cost >= optimum(case.problem).cost
        assert cost <= optimum(surrogate(case.problem, reference)).cost


def test_reference_without_errors_finds_the_optimum():
    for case in random_problems(4100, 400):
        outcome = guessed(case, case.problem.labels)
        assert recounted(case, outcome) == optimum(case.problem).cost


def test_reference_that_is_an_optimal_tree_finds_the_optimum():
    for case in random_problems(4200, 600):
        if case.problem.costs != zero_one(case.problem.n_classes):
            continue
        tree = ostrya.solve(**case.arguments()).tree
        outcome = guessed(case, tree.predict(case.arguments()["X"]))
        assert recounted(case, outcome) == optimum(case.problem).cost


@settings(max_examples=effort.cases(200))
@given(small_cases(), st.randoms(use_true_random=False))
def test_guarantee_on_drawn_problems(case, rng):
    reference = random_reference(rng, case.problem, 0.5)
    cost = recounted(case, guessed(case, reference))
    assert cost <= optimum(surrogate(case.problem, reference)).cost


def test_same_reference_same_tree():
    rng = random.Random(4300)
    for case in random_problems(4300, 50):
        reference = random_reference(rng, case.problem, 0.3)
        first, second = guessed(case, reference), guessed(case, reference)
        assert nested(first.tree) == nested(second.tree)


@pytest.mark.parametrize("wrong", [0.0, 0.1, 0.3, 1.0])
def test_lower_bound_is_true_whatever_the_reference_says(wrong):
    rng = random.Random(f"lower/{wrong}")
    for case in random_problems(4400, 100):
        outcome = guessed(case, random_reference(rng, case.problem, wrong))
        least = float(case.objective(optimum(case.problem).cost))
        assert outcome.lower_bound <= least * (1 + 1e-12) + 1e-15
        assert outcome.gap == max(outcome.objective - outcome.lower_bound, 0.0)


def test_gap_is_no_wider_than_the_theorem_allows():
    rng = random.Random(4500)
    for case in random_problems(4500, 100):
        problem = case.problem
        reference = random_reference(rng, problem, 0.3)
        outcome = guessed(case, reference)
        lost = sum(
            weight * problem.costs[label][guess]
            for weight, label, guess in zip(
                problem.weights, problem.labels, reference, strict=True
            )
        )
        allowed = float(case.objective(problem.scale * lost))
        assert outcome.gap <= allowed + 1e-12


def test_reference_that_is_the_worst_there_is():
    for case in random_problems(4600, 100):
        problem = case.problem
        worst = [max(range(len(row)), key=row.__getitem__) for row in problem.costs]
        reference = [worst[label] for label in problem.labels]
        cost = recounted(case, guessed(case, reference))
        assert optimum(problem).cost <= cost
        assert cost <= optimum(surrogate(problem, reference)).cost


def hard_problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 10))
    y = (X[:, 0] * X[:, 1] + X[:, 2] > rng.normal(size=2000)).astype(int)
    return X, y, np.where(rng.random(2000) < 0.2, 1 - y, y)


def test_stopped_search_with_a_reference_says_so():
    X, y, reference = hard_problem()
    outcome = ostrya.solve(
        *(X, y),
        leaf_penalty=0.0005,
        time_limit=0.05,
        reference_labels=reference,
        polish=False,
    )
    assert outcome.status == "time_limit"
    assert outcome.lower_bound <= outcome.objective
    lost = np.mean(reference != y)
    assert outcome.lower_bound <= lost + outcome.leaf_penalty * outcome.n_leaves


def test_upper_bound_under_a_guess_is_claimed_only_where_it_is_proved():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    outcome = ostrya.solve(
        X,
        y,
        leaf_penalty=0.01,
        upper_bound=0.1,
        reference_labels=[1, 1, 0, 0],
        polish=False,
    )
    assert outcome.status == "guessed_bounds"
    assert outcome.lower_bound <= 0.02


@pytest.mark.parametrize("wrong", [0.0, 0.2, 1.0])
def test_upper_bound_keeps_the_theorem_and_lies_about_nothing(wrong):
    rng = random.Random(f"upper/{wrong}")
    seen = set()
    for case in random_problems(4150, 150):
        problem = case.problem
        reference = random_reference(rng, problem, wrong)
        least = optimum(problem).cost
        upper = max(least + rng.randrange(-3, 4) * problem.scale, 0)
        outcome = ostrya.solve(
            **case.arguments(),
            reference_labels=np.array(reference),
            polish=False,
            upper_bound=float(case.objective(upper)),
        )
        seen.add(outcome.status)
        cost = recounted(case, outcome)
        assert cost <= optimum(surrogate(problem, reference)).cost
        if outcome.status == "upper_bound":
            assert least >= upper
        assert outcome.lower_bound <= max(
            float(case.objective(least)) * (1 + 1e-12), outcome.objective
        )
    assert "optimal" not in seen
    assert "guessed_bounds" in seen
    assert wrong or "upper_bound" in seen


@pytest.mark.parametrize("wrong", [0.0, 0.3, 1.0])
def test_a_warm_start_is_beaten_or_kept_and_never_called_optimal(wrong):
    rng = random.Random(f"start/{wrong}")
    for case in random_problems(4250, 60):
        problem = case.problem
        reference = random_reference(rng, problem, wrong)
        poor = ostrya.solve(**{**case.arguments(), "max_leaf_nodes": 1}).tree
        for start in (poor, ostrya.solve(**case.arguments()).tree):
            outcome = ostrya.solve(
                **case.arguments(),
                reference_labels=np.array(reference),
                polish=False,
                warm_start=start,
            )
            assert outcome.status == "guessed_bounds"
            cost = recounted(case, outcome)
            assert cost <= optimum(surrogate(problem, reference)).cost
            assert outcome.lower_bound <= (
                float(case.objective(optimum(problem).cost)) * (1 + 1e-12) + 1e-15
            )
        assert cost == optimum(problem).cost


def test_what_is_told_on_the_way_is_true_of_the_true_problem():
    rng = random.Random(4350)
    for case in random_problems(4350, 100):
        reference = random_reference(rng, case.problem, 0.5)
        outcome = guessed(case, reference)
        least = float(case.objective(optimum(case.problem).cost))
        lowers = [point.lower_bound for point in outcome.trace]
        uppers = [point.objective for point in outcome.trace]
        assert lowers == sorted(lowers)
        assert uppers == sorted(uppers, reverse=True)
        assert lowers[-1] <= least * (1 + 1e-12) + 1e-15
        assert uppers[-1] >= outcome.objective - 1e-12


def test_progress_under_a_guess_is_of_the_true_problem():
    X, y, reference = hard_problem()
    told = []

    def stop_at_third(progress):
        told.append(progress)
        return len(told) == 3

    outcome = ostrya.solve(
        X,
        y,
        leaf_penalty=0.0005,
        reference_labels=reference,
        on_progress=stop_at_third,
    )
    assert outcome.status == "interrupted"
    # The surrogate problem cannot cost less than what the reference loses.
    lost = np.mean(reference != y)
    assert all(progress.lower_bound <= outcome.objective for progress in told)
    assert any(progress.lower_bound < lost for progress in told)
