"""Frontiers against brute force, for every number of leaves, complete or stopped."""

from __future__ import annotations

import math
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cases
import ostrya
from frontier_checks import (
    assert_brackets_hold,
    assert_equals_oracle,
    assert_well_formed,
    frontier_of,
    without_penalty,
)
from fuzz import problems
from fuzz.soundness import assert_frontier_sound, assert_frontiers_agree
from fuzz.target import Case
from fuzz.targets.oracle import read_problem, write_problem
from ostrya._ctrl_c import CtrlC
from strategies import deep_problems, mixed_case, ordered_case, yes_no_case

MEBIBYTE = 2**20
SECONDS = 1.0
STOPS = ("time", "memory", "callback", "ctrl-c")


def draw(rng: random.Random) -> Case:
    """Return a problem for the oracle, or a larger table and two ways to search it."""
    if rng.random() < 0.7:
        return _tiny(rng)
    table = problems.table(rng, most_rows=rng.choice([60, 400, 3000]))
    limits = problems.tree_limits(rng, table)
    del limits["leaf_penalty"]
    limits["max_leaf_nodes"] = rng.choice([None, 1, 3, 6, 16])
    return {"table": table, "limits": limits, "ways": [_way(rng), _way(rng)]}


def _tiny(rng: random.Random) -> Case:
    if rng.random() < 0.1:
        case = next(deep_problems(rng.getrandbits(60), 1))
    else:
        case = rng.choice([mixed_case, mixed_case, ordered_case, yes_no_case])(rng)
    most = rng.choice([None, 1, 2, 3, 5, 7]) if len(case.problem.rows) < 30 else 5
    case = replace(case, problem=replace(case.problem, max_leaf_nodes=most))
    return write_problem(without_penalty(case)) | {"way": _way(rng)}


def _way(rng: random.Random) -> dict[str, Any]:
    """Return what stops the search, if anything."""
    return {
        "stop": rng.choice([None, None, *STOPS]),
        "seconds": rng.choice([1e-9, 10 ** rng.uniform(-5, -0.5)]),
        "calls": rng.choice([1, 2, 3, 5]),
    }


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that each size is optimal, or within bounds that no search refutes."""
    if "table" in case:
        _check_table(case, counts)
        return
    problem, way = read_problem(case), case["way"]
    found = _stopped(way, cases.PATIENCE, lambda **by: frontier_of(problem, **by))
    counts[f"tiny: {found.status}"] += 1
    assert_well_formed(found)
    if found.status == "optimal":
        assert_equals_oracle(problem, found)
    else:
        assert way["stop"] is not None or found.status == "time_limit"
        assert_brackets_hold(problem, found)


def _check_table(case: Case, counts: Counter[str]) -> None:
    given = problems.arguments(case["table"]) | case["limits"]
    found = []
    for way in case["ways"]:
        frontier = _stopped(way, SECONDS, lambda **by: ostrya.frontier(**given, **by))
        counts[f"{way['stop']}: {frontier.status}"] += 1
        assert_well_formed(frontier)
        assert_frontier_sound(frontier, given)
        found.append(frontier)
    assert_frontiers_agree(*found)
    _assert_penalties(found[0], given)


def _assert_penalties(frontier: ostrya.results.Frontier, given: dict[str, Any]) -> None:
    """Assert that no search at a penalty of an interval beats the tree of it."""
    for each in frontier.hull[:3]:
        if not each.is_optimal:
            continue
        least = each.least_penalty
        penalty = (least + min(each.most_penalty, 2 * least + 1)) / 2
        single = ostrya.solve(**given, leaf_penalty=penalty, time_limit=SECONDS)
        objective = each.loss + penalty * each.n_leaves
        # A penalty may be rounded, by less than this.
        by = 1e-6 * (1 + objective)
        assert single.lower_bound <= objective + by
        assert single.objective >= objective - by


def _stopped(
    way: dict[str, Any], seconds: float, find: Callable[..., ostrya.results.Frontier]
) -> ostrya.results.Frontier:
    """Return the result of a search that is stopped in this way, or by a limit."""
    changes: dict[str, Any] = {"time_limit": seconds}
    if way["stop"] == "time":
        changes["time_limit"] = way["seconds"]
    elif way["stop"] == "memory":
        changes["memory_limit"] = 32 * MEBIBYTE
    elif way["stop"] == "callback":
        n_calls = iter(range(1, 10**9))
        changes["on_progress"] = lambda progress: next(n_calls) == way["calls"]
    elif way["stop"] == "ctrl-c":
        return _interrupted(way, changes, find)
    return find(**changes)


def _interrupted(
    way: dict[str, Any],
    changes: dict[str, Any],
    find: Callable[..., ostrya.results.Frontier],
) -> ostrya.results.Frontier:
    pressed: list[ostrya.results.Progress] = []

    def press(progress: ostrya.results.Progress) -> None:
        if progress.phase == "searching":
            pressed.append(progress)
            if len(pressed) == way["calls"]:
                signal.raise_signal(signal.SIGINT)

    # Programs that a shell starts in the background are made to ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    CtrlC._last_kept = -math.inf  # or it would be the second of two
    found = None
    try:
        found = find(**changes, on_progress=press)
        if len(pressed) >= way["calls"] and found.status != "interrupted":
            time.sleep(60)  # too late for the search: it is heard after it
            raise AssertionError("Ctrl-C was lost")
    except KeyboardInterrupt:
        pass
    return find(**changes) if found is None else found
