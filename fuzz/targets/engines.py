"""Larger problems: one engine against the other, and against Top-k with all splits."""

from __future__ import annotations

import random
from collections import Counter

import ostrya
from fuzz import problems
from fuzz.soundness import assert_agree, assert_sound, close
from fuzz.target import Case

SECONDS = 2.0


def draw(rng: random.Random) -> Case:
    """Return a table, limits and an objective."""
    table = problems.table(rng, most_rows=120, most_columns=6)
    objective = rng.choice(["accuracy", "accuracy", "f1", "auc"])
    if objective != "accuracy":
        table = problems.two_class(rng, table)
    limits = problems.tree_limits(rng, table)
    limits["max_depth"] = min(limits["max_depth"] or 3, 3)
    return {
        "table": table,
        "limits": limits,
        "objective": objective,
        "policy": rng.choice(["curiosity", "lower_bound", "breadth_first"]),
        "criterion": rng.choice(["entropy", "gini", "sqrt"]),
        "off": [name for name in ostrya.bounds.Bounds().__dict__ if rng.random() < 0.3],
    }


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that different ways to solve a problem do not contradict each other."""
    given = problems.arguments(case["table"]) | case["limits"]
    given |= {"objective": case["objective"], "time_limit": SECONDS}
    counts[case["objective"]] += 1
    outcomes = {
        "leaf_sets": ostrya.solve(**given, engine="leaf_sets", policy=case["policy"])
    }
    if case["objective"] in ("accuracy", "f1"):
        outcomes["columns"] = ostrya.solve(**given)
    if case["objective"] == "accuracy":
        off = ostrya.bounds.Bounds(**dict.fromkeys(case["off"], False))
        outcomes["switched off"] = ostrya.solve(**given, bounds=off)
        outcomes["guided"] = ostrya.solve(**given, reference_labels=given["y"])
        # Rows of weight 0 are as if absent there, so other leaves may be too small.
        if "sample_weight" not in given or given["sample_weight"].min() > 0:
            top_k = ostrya.top_k.TopKSplits(k="all", criterion=case["criterion"])
            outcomes["all splits"] = ostrya.solve(**given, top_k=top_k)
    for name, outcome in outcomes.items():
        assert_sound(outcome, given)
        counts[f"{name} proved"] += outcome.gap == 0.0
        for other in outcomes.values():
            assert_agree(outcome, other)
            if outcome.gap == other.gap == 0.0:
                assert close(outcome.objective, other.objective)
