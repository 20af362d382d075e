"""Concurrent searches, and several threads in one search."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

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
from fuzz.targets.oracle import read_problem, write_problem
from fuzz.targets.prices import large_case
from ostrya import _core
from strategies import deep_problems, mixed_case, ordered_case

SECONDS = 1.0


def draw(rng: random.Random) -> Case:
    """Return a table for concurrent searches, or for one with several threads."""
    return _draw_shared(rng) if rng.random() < 0.5 else _draw_together(rng)


def _draw_shared(rng: random.Random) -> Case:
    family = rng.choice([mixed_case, ordered_case, large_case, large_case, None])
    drawn = family(rng) if family else next(deep_problems(rng.getrandbits(60), 1))
    return write_problem(drawn) | {
        "n_threads": rng.randint(2, 4),
        "k": [rng.randint(1, 6) for _ in range(rng.choice([0, 1, 1, 1, 3]))],
        "by_rows": rng.choice([None, False, True]),
        "ranks_features": rng.random() < 0.3,
        "criterion": rng.choice(["entropy", "gini", "sqrt"]),
        "seconds": 10 ** rng.uniform(-3, -1),
    }


def _draw_together(rng: random.Random) -> Case:
    table = problems.table(rng, most_rows=200, most_columns=6)
    kinds = ["plain", "plain", "leaf_sets", "top_k", "watched", "guided", "frontier"]
    return {
        "table": table,
        "limits": problems.tree_limits(rng, table),
        "kinds": [rng.choice(kinds) for _ in range(4)],
        "n_jobs": rng.choice([1, 1, 2, 3]),
    }


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that threads find the same as a single thread."""
    if "n_threads" in case:
        _check_shared(case, counts)
    else:
        _check_together(case, counts)


def _check_shared(case: Case, counts: Counter[str]) -> None:
    """Start several threads; a search that is stopped early must still be sound."""
    alone = _searched(case, SECONDS, 1)
    if alone.status == "time_limit":
        counts["one search: too long"] += 1
        return
    shared = _searched(case, 20 * SECONDS, case["n_threads"])
    counts[f"one search: {shared.status}"] += 1
    assert (shared.lower, shared.upper) == (alone.lower, alone.upper)
    assert shared.status == alone.status
    for part in ("feature", "threshold", "yes", "no"):
        assert np.array_equal(
            *(np.asarray(getattr(each, part)) for each in (alone, shared)),
            equal_nan=True,
        )
    stopped = _searched(case, case["seconds"], case["n_threads"])
    assert stopped.lower <= alone.upper <= stopped.upper


def _searched(case: Case, seconds: float, n_threads: int) -> _core.Result:
    names = ("criterion", "by_rows", "ranks_features")
    top_k = _core.TopK(case["k"], **{name: case[name] for name in names})
    return _core.solve(
        *read_problem(case).core_arguments(
            time_limit=seconds,
            n_threads=n_threads,
            threads_after=0,
            top_k=top_k if case["k"] else None,
        )
    )


def _check_together(case: Case, counts: Counter[str]) -> None:
    given = problems.arguments(case["table"]) | case["limits"]
    given["time_limit"] = SECONDS
    with ThreadPoolExecutor(len(case["kinds"])) as pool:
        # One table for all: the engine reads it where it lies.
        n_jobs = case["n_jobs"]
        together = list(
            pool.map(lambda kind: _solved(given, kind, n_jobs), case["kinds"])
        )
    for kind, outcome in zip(case["kinds"], together, strict=True):
        counts[kind] += 1
        alone = _solved(given, kind)
        if isinstance(outcome, ostrya.results.Frontier):
            assert isinstance(alone, ostrya.results.Frontier)
            assert_frontier_sound(outcome, given)
            assert_frontiers_agree(outcome, alone)
            if outcome.status == alone.status == "optimal":
                assert outcome.points == alone.points
            continue
        assert isinstance(alone, ostrya.results.Outcome)
        assert_sound(outcome, given)
        assert_agree(outcome, alone)
        if outcome.gap == alone.gap == 0.0:
            assert close(outcome.objective, alone.objective)
            assert outcome.tree == alone.tree


def _solved(
    given: dict[str, Any], kind: str, n_jobs: int = 1
) -> ostrya.results.Outcome | ostrya.results.Frontier:
    if kind == "frontier":
        limits = {k: v for k, v in given.items() if k != "leaf_penalty"}
        return ostrya.frontier(**limits)
    if kind == "leaf_sets":
        return ostrya.solve(**given, engine="leaf_sets")
    if kind == "top_k":
        return ostrya.solve(**given, top_k=ostrya.top_k.TopKSplits(k=3), n_jobs=n_jobs)
    if kind == "guided":
        return ostrya.solve(**given, reference_labels=given["y"])
    if kind == "watched":
        return ostrya.solve(**given, on_progress=lambda progress: None, n_jobs=n_jobs)
    return ostrya.solve(**given, n_jobs=n_jobs)
