"""Searches on several threads at once: each as if it were alone."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import ostrya
from fuzz import problems
from fuzz.soundness import (
    assert_agree,
    assert_frontier_sound,
    assert_frontiers_agree,
    assert_sound,
    close,
)
from fuzz.target import Case

SECONDS = 1.0


def draw(rng: random.Random) -> Case:
    """Return a table and several ways to search it."""
    table = problems.table(rng, most_rows=200, most_columns=6)
    kinds = ["plain", "plain", "leaf_sets", "top_k", "watched", "guided", "frontier"]
    return {
        "table": table,
        "limits": problems.tree_limits(rng, table),
        "kinds": [rng.choice(kinds) for _ in range(4)],
    }


def check(case: Case, counts: Counter[str]) -> None:
    """What threads find together is what each of them finds alone."""
    given = problems.arguments(case["table"]) | case["limits"]
    given["time_limit"] = SECONDS
    with ThreadPoolExecutor(len(case["kinds"])) as pool:
        # One table for all: the engine reads it where it lies.
        together = list(pool.map(lambda kind: _solved(given, kind), case["kinds"]))
    for kind, outcome in zip(case["kinds"], together, strict=True):
        counts[kind] += 1
        alone = _solved(given, kind)
        if isinstance(outcome, ostrya.Frontier):
            assert isinstance(alone, ostrya.Frontier)
            assert_frontier_sound(outcome, given)
            assert_frontiers_agree(outcome, alone)
            if outcome.status == alone.status == "optimal":
                assert outcome.points == alone.points
            continue
        assert isinstance(alone, ostrya.Outcome)
        assert_sound(outcome, given)
        assert_agree(outcome, alone)
        if outcome.gap == alone.gap == 0.0:
            assert close(outcome.objective, alone.objective)
            assert outcome.tree == alone.tree


def _solved(given: dict[str, Any], kind: str) -> ostrya.Outcome | ostrya.Frontier:
    if kind == "frontier":
        limits = {k: v for k, v in given.items() if k != "leaf_penalty"}
        return ostrya.frontier(**limits)
    if kind == "leaf_sets":
        return ostrya.solve(**given, engine="leaf_sets")
    if kind == "top_k":
        return ostrya.solve(**given, top_k=ostrya.TopK(k=3))
    if kind == "guided":
        return ostrya.solve(**given, reference_labels=given["y"])
    if kind == "watched":
        return ostrya.solve(**given, on_progress=lambda progress: None)
    return ostrya.solve(**given)
