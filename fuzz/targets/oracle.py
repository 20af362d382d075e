"""Tiny problems with all objectives and options, against brute force."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any

import numpy as np

import cases
import ostrya
from fuzz import problems as drawn
from fuzz.target import Case
from oracle import Problem, measures, optimum, sweep_optimum
from oracle.top_k import TopKOracle
from ostrya import _core
from strategies import (
    deep_problems,
    mixed_case,
    ordered_case,
    shallow_problems,
    yes_no_case,
)
from two_class import two_class_problems

KINDS = ("plain", "core", "leaf_sets", "budget", "warm", "guessed", "top_k", "measure")
OBJECTIVES = ("auc", "partial_auc", "f_beta", "callable")
RATES = {0.1: Fraction(1, 10), 1 / 3: Fraction(1, 3), 0.5: Fraction(1, 2)}
FUNCTIONS = {
    "max": lambda fp, fn: max(fp, fn),
    "product": lambda fp, fn: fp * fn,
    "steps": lambda fp, fn: int(fp > 1) + int(fn > 0),
}
# Much larger than any rounding of an objective.
STEP = 1e-7


def draw(rng: random.Random) -> Case:
    """Return a problem and how to solve it."""
    kind = rng.choice(KINDS)
    if kind == "measure":
        case, penalty = next(two_class_problems(rng.getrandbits(60), 1))
        return (
            {"kind": kind}
            | write_problem(case)
            | {
                "penalty": [penalty.numerator, penalty.denominator],
                "objective": rng.choice(OBJECTIVES),
                "function": rng.choice(sorted(FUNCTIONS)),
                "rate": rng.choice(sorted(RATES)),
                "beta": rng.choice([0.5, 1, 2]),
                "engine": rng.choice([None, "leaf_sets"]),
            }
        )
    family = rng.choice([mixed_case, mixed_case, ordered_case, yes_no_case])
    case = family(rng)
    is_shallow = kind in ("plain", "core") and rng.random() < 0.1
    if is_shallow:
        case = next(shallow_problems(rng.getrandbits(60), 1))
    elif kind == "plain" and rng.random() < 0.1:
        case = next(deep_problems(rng.getrandbits(60), 1))
    if kind in ("leaf_sets", "top_k"):
        depth = case.problem.max_depth
        depth = rng.randint(1, 3) if depth is None or depth > 3 else depth
        case = replace(case, problem=replace(case.problem, max_depth=depth))
    chosen = {
        "is_shallow": is_shallow,
        "off": [name for name in ostrya.bounds.Bounds().__dict__ if rng.random() < 0.2],
        "few_cuts": rng.choice([None, 0, 2, 10, 1000]),
        "cross_tables": rng.choice([None, True, False]),
        "share": rng.choice([0.0, 0.9, 1.0]),
        "reference": [rng.randrange(case.problem.n_classes) for _ in case.problem.rows],
        "k": [rng.randint(1, 5) for _ in range(rng.randint(1, 3))],
        "criterion": rng.choice(["entropy", "gini", "sqrt"]),
        "by_feature": rng.random() < 0.5,
    }
    return {"kind": kind} | write_problem(case) | chosen


def write_problem(case: cases.Case) -> Case:
    """Return a problem as plain values."""
    return {
        "problem": asdict(case.problem),
        "weight_unit": case.weight_unit,
        "cost_unit": case.cost_unit,
    }


def read_problem(case: Case) -> cases.Case:
    """Return the problem of a case."""
    parts = dict(case["problem"])
    for name in ("rows", "costs"):
        parts[name] = tuple(map(tuple, parts[name]))
    for name in ("labels", "weights"):
        parts[name] = tuple(parts[name])
    return cases.Case(Problem(**parts), case["weight_unit"], case["cost_unit"])


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that the solver finds and proves the optimum of brute force."""
    counts[case["kind"]] += 1
    CHECKS[case["kind"]](read_problem(case), case)


def _best(problem: cases.Case, case: Case) -> int:
    if case["is_shallow"]:
        return int(sweep_optimum(problem.problem))
    return int(optimum(problem.problem).cost)


def _plain(problem: cases.Case, case: Case) -> None:
    bounds = ostrya.bounds.Bounds(**dict.fromkeys(case["off"], False))
    outcome = ostrya.solve(**problem.arguments(), bounds=bounds)
    cases.assert_optimal(problem, outcome, _best(problem, case))


def _core_alone(problem: cases.Case, case: Case) -> None:
    chosen = {name: case[name] for name in ("few_cuts", "cross_tables")}
    off = dict.fromkeys(case["off"], False)
    cost = _best(problem, case)
    for upper in (None, cost + 1):
        found = _core.solve(*problem.core_arguments(off, upper=upper, **chosen))
        assert (found.upper, found.lower, found.status) == (cost, cost, "optimal")
    found = _core.solve(*problem.core_arguments(off, upper=cost, **chosen))
    assert found.lower == cost
    assert found.status in ("upper_bound", "optimal")


def _leaf_sets(problem: cases.Case, case: Case) -> None:
    arguments = problem.arguments() | {"time_limit": 5.0}
    outcome = ostrya.solve(**arguments, engine="leaf_sets")
    cost = _best(problem, case)
    if outcome.status == "time_limit":  # a slow engine: its bounds hold all the same
        assert outcome.lower_bound <= float(problem.objective(cost)) + STEP
        assert cases.recounted(problem, outcome) >= cost
    else:
        cases.assert_optimal(problem, outcome, cost)


def _budget(problem: cases.Case, case: Case) -> None:
    cost = _best(problem, case)
    objective = float(problem.objective(cost))
    above = ostrya.solve(**problem.arguments(), upper_bound=objective + STEP)
    cases.assert_optimal(problem, above, cost)
    upper = case["share"] * objective - STEP
    below = ostrya.solve(**problem.arguments(), upper_bound=upper)
    assert below.status in ("upper_bound", "optimal")
    assert upper <= below.lower_bound <= objective + STEP
    assert cases.recounted(problem, below) >= cost


def _warm(problem: cases.Case, case: Case) -> None:
    arguments = problem.arguments()
    other = arguments | {"y": arguments["y"][::-1].copy(), "leaf_penalty": 0.0}
    start = ostrya.solve(**other).tree
    outcome = ostrya.solve(**arguments, warm_start=start)
    cases.assert_optimal(problem, outcome, _best(problem, case))


def _guessed(problem: cases.Case, case: Case) -> None:
    reference = np.array(case["reference"])
    outcome = ostrya.solve(**problem.arguments(), reference_labels=reference)
    best = float(problem.objective(_best(problem, case)))
    cases.recounted(problem, outcome)
    assert outcome.lower_bound <= best + 1e-9
    assert outcome.objective >= best - 1e-9


def _top_k(problem: cases.Case, case: Case) -> None:
    by_feature, criterion = case["by_feature"], case["criterion"]
    top_k = ostrya.top_k.TopKSplits(
        k=case["k"],
        criterion=criterion,
        candidates="features" if by_feature else "splits",
    )
    outcome = ostrya.solve(**problem.arguments(), top_k=top_k)
    oracle = TopKOracle(problem.problem, case["k"], criterion, by_feature=by_feature)
    assert outcome.status in ("optimal", "optimal_in_top_k")
    assert outcome.gap == 0.0
    assert cases.predicted_cost(problem.problem, outcome.tree) == oracle.cost()


def _measure(problem: cases.Case, case: Case) -> None:
    penalty = Fraction(*case["penalty"])
    given: dict[str, Any] = problem.arguments() | {"leaf_penalty": float(penalty)}
    name = case["objective"]
    if name == "auc":
        loss = measures.auc_loss
    elif name == "partial_auc":
        loss = measures.partial_auc_loss(RATES[case["rate"]])
        name = drawn.objective_named(name, max_fpr=case["rate"])
    elif name == "f_beta":
        loss = measures.f_beta_loss(Fraction(case["beta"]))
        name = drawn.objective_named(name, beta=float(case["beta"]))
        given["engine"] = case["engine"]
    else:
        name = FUNCTIONS[case["function"]]
        loss = measures.counted_loss(name)
    outcome = ostrya.solve(**given, objective=name)
    best = float(measures.least_objective(problem.problem, penalty, loss))
    measures.all_partitions.cache_clear()
    measures.scores.cache_clear()
    assert outcome.status == "optimal"
    assert np.isclose(outcome.objective, best, rtol=1e-8, atol=1e-8)


CHECKS = {
    "plain": _plain,
    "core": _core_alone,
    "leaf_sets": _leaf_sets,
    "budget": _budget,
    "warm": _warm,
    "guessed": _guessed,
    "top_k": _top_k,
    "measure": _measure,
}
