"""Extreme weights, penalties and parameters, against brute force in fractions.

The numbers leave as little room as possible in the integers of the engines: weights
over twelve orders of magnitude, false positive rates down to a millionth, leaf
penalties of any size, rows repeated a thousand times. Despite all rounding,

- the objective is that of the returned tree, computed from the original numbers,
- no tree is below the lower bound,
- every tree with status "optimal" is optimal.
"""

from __future__ import annotations

import collections
import math
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

import ostrya
from fuzz import problems
from fuzz.target import Case
from oracle import Problem, measures

OBJECTIVES = (
    "accuracy",
    "costs",
    "class_weight",
    "auc",
    "partial_auc",
    "partial_auc",
    "f1",
    "f_beta",
    "callable",
)
SUMS = ("accuracy", "costs", "class_weight")
FUNCTIONS = {
    "max": lambda fp, fn: max(fp, fn),
    "sum": lambda fp, fn: fp + 2 * fn,
    "product": lambda fp, fn: fp * fn,
    "steps": lambda fp, fn: int(fp > 1) + int(fn > 0),
    "roots": lambda fp, fn: math.sqrt(fp) + math.sqrt(fn),
    "ratio": lambda fp, fn: fp / (fp + 7.3) + 0.1 * fn,
    "uneven": lambda fp, fn: 1e9 * fp + 1e-3 * fn,
}
# The package computes sums and quotients of floats in a different order.
CLOSE = Fraction(1, 10**11)
PATIENCE = 20.0


def draw(rng: random.Random) -> Case:
    """Return a tiny problem with extreme numbers."""
    n_rows = rng.randint(2, 8)
    kinds = rng.choice([[1, 1], [1, 1, 1], [2, 1], [3], [5], [2, 2], [1, 1, 1, 1]])
    objective = rng.choice(OBJECTIVES)
    n_classes = rng.randint(2, 3) if objective in SUMS else 2
    labels = [rng.randrange(n_classes) for _ in range(n_rows)]
    labels[:2] = [0, 1]
    often = rng.choice([1, 1, 1, 1, 2, 50, 1000])
    size = 10.0 ** rng.uniform(-6, 0)
    dear = [1.0, 0.5, 3.0, 1e3, 0.1, rng.random(), 1e6]
    return {
        "rows": [[rng.randint(0, k) for k in kinds] for _ in range(n_rows)],
        "labels": labels,
        "weights": _weights(rng, n_rows),
        "times": [rng.randint(1, often) for _ in range(n_rows)],
        "objective": objective,
        "n_classes": n_classes,
        "penalty": rng.choice(
            [0.0, 1e-9, 1e-4, 0.003, 1 / 30, 0.1, 1.0, rng.random() * size, size]
        ),
        "max_leaf_nodes": rng.choice([None, None, 2, 3, 4]),
        "max_fpr": rng.choice(
            [1e-6, 1e-3, 0.01, 0.02, 1 / 3, 0.99, 1.0, 10.0 ** rng.uniform(-6, 0)]
        ),
        "beta": rng.choice([1e-3, 0.1, 1.0, 2.0, 1e3, rng.uniform(0.1, 3), 0.12345]),
        "function": rng.choice(sorted(FUNCTIONS)),
        "engine": rng.choice([None, None, "leaf_sets"]),
        "costs": [
            [0.0 if i == j else rng.choice(dear) for j in range(n_classes)]
            for i in range(n_classes)
        ],
        "factor": rng.choice([1e-6, 0.1, 3.0, 1e6, math.pi]),
    }


def _weights(rng: random.Random, n_rows: int) -> list[float] | None:
    kinds = [
        lambda: float(rng.randint(1, 5)),
        lambda: float(10 ** rng.randint(0, 12)),
        lambda: 10.0 ** rng.randint(-6, 6),
        lambda: 10.0 ** rng.uniform(-6, 6),
        lambda: float(rng.choice([1, 3, rng.randint(1, 10**8), 10**9])),
        lambda: rng.random() + 1e-3,
        lambda: rng.choice([0.0, 1.0, 0.1, 1e-3, 1e6]),
    ]
    if rng.random() < 0.1:
        return None
    one = rng.choice(kinds)
    return [one() for _ in range(n_rows)]


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that everything reported is true for the original numbers."""
    problem = _exact_problem(case)
    masses = [measures.mass(problem, problem.all_rows, code) for code in (0, 1)]
    if min(masses) == 0:
        return  # refused, or of no interest
    outcome = _solve(case)
    if outcome is None:
        counts["refused"] += 1
        return
    counts[outcome.status] += 1
    loss, penalty = _loss(case, problem), Fraction(case["penalty"])
    best = measures.least_objective(problem, penalty, loss)
    measures.all_partitions.cache_clear()
    measures.scores.cache_clear()
    counted = _counted(case, problem, outcome) + penalty * outcome.n_leaves
    scale = max(1, abs(counted), abs(best))
    if case["objective"] == "costs":
        scale = max(scale, Fraction(max(map(max, case["costs"]))))
    close = CLOSE * scale
    objective = Fraction(outcome.objective)
    assert abs(objective - counted) <= close, (outcome.objective, float(counted))
    assert objective >= best - close, (outcome.objective, float(best))
    assert Fraction(outcome.lower_bound) <= best + close
    assert outcome.gap == outcome.objective - outcome.lower_bound
    if outcome.status == "optimal":
        assert outcome.gap == 0.0
        assert objective <= best + close, (outcome.objective, float(best))
    else:
        assert outcome.status in ("optimal_to_rounding", "time_limit")


def _exact_problem(case: Case) -> Problem:
    """Return the distinct rows with their total weights."""
    n_rows = len(case["rows"])
    given = [1.0] * n_rows if case["weights"] is None else case["weights"]
    weights = [Fraction(w) * n for w, n in zip(given, case["times"], strict=True)]
    if case["objective"] == "class_weight":
        factors = {1: Fraction(case["factor"])}
        pairs = zip(weights, case["labels"], strict=True)
        weights = [weight * factors.get(code, 1) for weight, code in pairs]
    codes = range(case["n_classes"])
    costs = [[Fraction(int(i != j)) for j in codes] for i in codes]
    if case["objective"] == "costs":
        costs = [[Fraction(cost) for cost in row] for row in case["costs"]]
    return Problem(
        rows=tuple(map(tuple, case["rows"])),
        labels=tuple(case["labels"]),
        weights=tuple(weights),
        costs=tuple(map(tuple, costs)),
        max_leaf_nodes=case["max_leaf_nodes"],
    )


def _solve(case: Case) -> Any:
    """Return the outcome, or None if the numbers are rejected."""
    place = np.repeat(np.arange(len(case["rows"])), case["times"])
    name = case["objective"]
    given: dict[str, Any] = {
        "X": np.array(case["rows"], float)[place],
        "y": np.array(case["labels"])[place],
        "leaf_penalty": case["penalty"],
        "max_leaf_nodes": case["max_leaf_nodes"],
        "time_limit": PATIENCE,
    }
    if case["weights"] is not None:
        given["sample_weight"] = np.array(case["weights"])[place]
    if name not in ("auc", "partial_auc"):
        given["engine"] = case["engine"]
    if name == "costs":
        given["cost_matrix"] = case["costs"]
    elif name == "class_weight":
        given["class_weight"] = {1: case["factor"]}
    elif name == "callable":
        given["objective"] = FUNCTIONS[case["function"]]
    elif name != "accuracy":
        numbers = case["beta"], case["max_fpr"]
        given["objective"] = problems.objective_named(name, *numbers)
    try:
        return ostrya.solve(**given)
    except ValueError as error:
        message = str(error)
        assert "leaf_penalty" in message or "_weight" in message or "cost" in message
        return None


def _loss(case: Case, problem: Problem) -> Any:
    """Return the loss of leaves with their best labels."""
    name = case["objective"]
    if name in SUMS:
        return _mean_cost
    if name == "auc":
        return measures.auc_loss
    if name == "partial_auc":
        return measures.partial_auc_loss(Fraction(case["max_fpr"]))
    if name == "callable":
        function = FUNCTIONS[case["function"]]
        return measures.counted_loss(lambda fp, fn: function(_plain(fp), _plain(fn)))
    return measures.f_beta_loss(Fraction(1 if name == "f1" else case["beta"]))


def _plain(count: Fraction) -> float:
    return int(count) if count.denominator == 1 else float(count)


def _mean_cost(problem: Problem, leaves: Any) -> Fraction:
    codes = range(problem.n_classes)
    lost = Fraction(0)
    for rows in leaves:
        of = [measures.mass(problem, rows, code) for code in codes]
        lost += min(sum(of[i] * problem.costs[i][j] for i in codes) for j in codes)
    return lost / sum(problem.weights)


def _counted(case: Case, problem: Problem, outcome: Any) -> Fraction:
    """Return the loss of the tree with its own labels."""
    places = outcome.tree.apply(np.array(case["rows"], float)).tolist()
    leaves = collections.defaultdict(list)
    for row, leaf in enumerate(places):
        leaves[leaf].append(row)
    name = case["objective"]
    if name in ("auc", "partial_auc"):
        return _loss(case, problem)(problem, tuple(map(tuple, leaves.values())))
    labels = [int(outcome.tree.label[leaf]) for leaf in places]
    rows = list(zip(problem.labels, labels, problem.weights, strict=True))
    if name in SUMS:
        lost = sum(weight * problem.costs[code][k] for code, k, weight in rows)
        return Fraction(lost) / sum(problem.weights)
    fp = sum((weight for code, k, weight in rows if code < k), Fraction(0))
    fn = sum((weight for code, k, weight in rows if code > k), Fraction(0))
    if name == "callable":
        return Fraction(FUNCTIONS[case["function"]](_plain(fp), _plain(fn)))
    square = Fraction(1 if name == "f1" else case["beta"]) ** 2
    positives = measures.mass(problem, problem.all_rows, 1)
    return (fp + square * fn) / ((1 + square) * positives - fn + fp)
