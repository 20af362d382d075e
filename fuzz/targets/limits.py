"""Random limits on time, memory and trees: trees are valid and bounds hold."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

import ostrya
from fuzz import problems
from fuzz.soundness import assert_agree, assert_sound
from fuzz.target import Case

MEBIBYTE = 2**20


def draw(rng: random.Random) -> Case:
    """Return a hard table and several sets of limits."""
    table = problems.table(rng, most_rows=rng.choice([300, 3000]), most_columns=20)
    objective = rng.choice(["accuracy"] * 3 + ["f1", "auc", "partial_auc"])
    if objective != "accuracy":
        table = problems.two_class(rng, table)
    limits = {
        "leaf_penalty": rng.choice([0.0, 1e-4, 0.002, 0.02]),
        "max_depth": rng.choice([None, 0, 1, 2, 3, 5, 9, 10**9]),
        "max_leaf_nodes": rng.choice([None, None, 1, 2, 6, 10**9]),
        "min_samples_leaf": rng.choice([1, 1, 3, 10**9]),
    }
    return {
        "table": table,
        "limits": limits,
        "objective": objective,
        "ways": [_way(rng, objective) for _ in range(4)],
    }


def _way(rng: random.Random, objective: str) -> dict[str, Any]:
    """Return the limits and options of one search."""
    kinds = ["plain", "plain", "warm", "leaf_sets"]
    if objective == "accuracy":
        kinds += ["top_k", "guided"]
    return {
        "kind": rng.choice(kinds),
        "time_limit": rng.choice([1e-9, 10 ** rng.uniform(-5, -0.5), 0.3]),
        "memory_limit": rng.choice(
            [None, 32 * MEBIBYTE, rng.randint(32, 400) * MEBIBYTE]
        ),
        "k": rng.choice([1, 2, 8, 0.1, "all"]),
    }


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that each outcome is sound and its bounds hold for all other trees."""
    given = problems.arguments(case["table"]) | case["limits"]
    given["objective"] = problems.objective_named(case["objective"])
    outcomes: list[ostrya.results.Outcome] = []
    for way in case["ways"]:
        outcome = _solved(given, way, outcomes)
        assert_sound(outcome, given)
        counts[f"{way['kind']}: {outcome.status}"] += 1
        if way["kind"] != "top_k":  # its bound is about its own trees alone
            outcomes.append(outcome)
    for outcome in outcomes:
        for other in outcomes:
            assert_agree(outcome, other)


def _solved(
    given: dict[str, Any], way: dict[str, Any], before: list[ostrya.results.Outcome]
) -> ostrya.results.Outcome:
    limits = {name: way[name] for name in ("time_limit", "memory_limit")}
    kind = way["kind"]
    if kind == "leaf_sets":
        return ostrya.solve(**given, **limits, engine="leaf_sets")
    if kind == "top_k":
        return ostrya.solve(
            **given, **limits, top_k=ostrya.top_k.TopKSplits(k=way["k"])
        )
    if kind == "guided":
        reference = np.roll(given["y"], 1)
        return ostrya.solve(**given, **limits, reference_labels=reference)
    if kind == "warm" and before:
        start = before[-1]
        outcome = ostrya.solve(**given, **limits, warm_start=start.tree)
        # A tree that is known is never lost.
        assert outcome.objective <= start.objective * (1 + 1e-12)
        return outcome
    return ostrya.solve(**given, **limits)
