"""Every allocation of a search fails in turn: a valid result or `MemoryError`.

This is how SQLite is tested: the first allocation of a search fails, then the second,
until a search ends without a failure. Allocations that the memory budget counts can
fail in any build. All others, and leaks, are only covered by builds made for it.
"""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import ostrya
from cases import Case as Tiny
from cases import nested
from frontier_checks import without_penalty
from fuzz import problems
from fuzz.soundness import (
    assert_agree,
    assert_frontier_sound,
    assert_frontiers_agree,
    assert_sound,
)
from fuzz.target import Case
from fuzz.targets.oracle import read_problem, write_problem
from oracle import Leaf, Problem, optimum
from oracle.costs import leaf_cost
from ostrya import _core
from strategies import mixed_case, ordered_case, yes_no_case

# A case with more allocations than this has some of them fail, not all.
MOST = 300
# And one that takes longer than this is left out.
SECONDS = 0.2
WHERE = (
    *("columns", "columns", "tables", "prices", "threads"),
    *("sizes", "top_k", "top_k_threads", "leaf_sets"),
)
CAN_FAIL_ALL = hasattr(_core.testing, "fail_allocation")


def draw(rng: random.Random) -> Case:
    """Return a problem, how to search it, and the seed for what fails."""
    chance = {"where": rng.choice(WHERE), "chance": rng.getrandbits(32)}
    if CAN_FAIL_ALL and rng.random() < 0.5:
        objective = rng.choice(["accuracy", "accuracy", "f1", "auc", "partial_auc"])
        table = problems.table(rng, most_rows=60, most_columns=5)
        if objective != "accuracy":
            table = problems.two_class(rng, table)
        limits = problems.tree_limits(rng, table)
        limits["max_depth"] = min(limits["max_depth"] or 3, 3)
        return chance | {"table": table, "limits": limits, "objective": objective}
    family = rng.choice([mixed_case, ordered_case, yes_no_case])
    return chance | write_problem(family(rng))


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that a failing allocation causes nothing worse than `MemoryError`."""
    rng = random.Random(case["chance"])
    if "table" in case:
        _check_all(case, rng, counts)
    else:
        _check_budget(read_problem(case), case["where"], rng, counts)


# --- allocations on the budget -----------------------------------------------------


def _check_budget(
    tiny: Tiny, where: str, rng: random.Random, counts: Counter[str]
) -> None:
    if where == "sizes":  # a frontier is about losses alone
        tiny = without_penalty(tiny)
    best = optimum(tiny.problem).cost if "top_k" not in where else None

    def attempt(**trouble: int) -> bool:
        """Search once; return whether memory ran out."""
        try:
            found = _search(tiny, where, _core.AllocationTrouble(**trouble))
        except MemoryError:
            assert "fails" in trouble
            counts["MemoryError"] += 1
            return True
        _assert_valid(tiny.problem, found, best)
        counts[f"budget: {found.status}"] += 1
        return False

    # A vector that cannot be made smaller stays as it is, so one that fails may do no
    # harm; several in a row mean that the search was over.
    last = _first(lambda n: not any(attempt(fails=n + i) for i in range(4)))
    for n in _in_turn(last, rng):
        attempt(fails=n)
        attempt(exhausts=n)
        counts["allocations on the budget"] += 1


def _search(tiny: Tiny, where: str, trouble: _core.AllocationTrouble) -> _core.Result:
    if where == "leaf_sets":
        return _core.solve_leaf_sets(*tiny.leaf_set_arguments(trouble=trouble))
    if where == "sizes":
        arguments = tiny.core_arguments(trouble=trouble)
        return _core.solve_sizes(*arguments, first=1, loss=0)[-1]
    chosen: dict[str, Any] = {}
    if where == "tables":
        chosen = {"cross_tables": True, "few_cuts": 0}
    elif where == "prices":
        chosen = {"turns_after": 0}
    elif where == "threads":
        chosen = {"n_threads": 3, "threads_after": 0}
    elif "top_k" in where:
        chosen = {"top_k": _core.TopK([2], criterion="gini")}
        if where == "top_k_threads":
            chosen |= {"n_threads": 3, "threads_after": 0}
    return _core.solve(*tiny.core_arguments(trouble=trouble, **chosen))


class _Shape:
    """A result as `cases.nested` reads trees; labels come from the rows."""

    def __init__(self, found: _core.Result) -> None:
        self.feature, self.threshold = found.feature, found.threshold
        self.yes, self.no = found.yes, found.no
        self.label = [0] * len(found.feature)


def _assert_valid(problem: Problem, found: _core.Result, best: int | None) -> None:
    tree = nested(_Shape(found))
    parts = list(_leaves(problem, tree, problem.all_rows, 0))
    assert sum(leaf_cost(problem, rows) for rows, _ in parts) == found.upper
    assert found.lower <= found.upper
    assert problem.max_leaf_nodes is None or len(parts) <= problem.max_leaf_nodes
    assert problem.max_depth is None or max(d for _, d in parts) <= problem.max_depth
    if best is not None:
        assert found.lower <= best <= found.upper
    if found.status in ("optimal", "optimal_in_top_k", "upper_bound"):
        assert found.lower == found.upper
    else:
        assert found.status == "memory_limit"


def _leaves(
    problem: Problem, tree: Any, rows: tuple[int, ...], depth: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    if isinstance(tree, Leaf):
        yield rows, depth
        return
    is_yes = {i: problem.rows[i][tree.feature] <= tree.threshold for i in rows}
    for child, answer in ((tree.yes, True), (tree.no, False)):
        part = tuple(i for i in rows if is_yes[i] == answer)
        yield from _leaves(problem, child, part, depth + 1)


# --- all allocations of the engine -------------------------------------------------


def _check_all(case: Case, rng: random.Random, counts: Counter[str]) -> None:
    given = problems.arguments(case["table"]) | case["limits"]
    objective = problems.objective_named(case["objective"])
    given |= {"objective": objective, "time_limit": SECONDS}
    where, is_additive = case["where"], case["objective"] == "accuracy"
    find, assert_holds = ostrya.solve, _assert_outcome
    if where == "leaf_sets" or case["objective"] not in ("accuracy", "f1"):
        given["engine"] = "leaf_sets"
    elif where == "top_k" and is_additive:
        given["top_k"] = ostrya.top_k.TopKSplits(k=2)
    elif where == "sizes" and is_additive:
        find, assert_holds = ostrya.frontier, _assert_frontier
        del given["objective"], given["leaf_penalty"]
    whole = find(**given)
    if whole.status == "time_limit":  # hundreds of such searches are too many
        counts["too long"] += 1
        return
    given["time_limit"] = 100 * SECONDS

    def attempt(n: int) -> bool:
        """Search once; return whether memory ran out."""
        gc.collect(0)
        before = _core.testing.live_allocations()
        _core.testing.fail_allocation(n)
        try:
            outcome = find(**given)
        except MemoryError:
            outcome = None
        failed = n > 0 and _core.testing.failing_allocation() == 0
        _core.testing.fail_allocation(0)
        if outcome is not None:
            assert_holds(outcome, whole, given)
        else:
            assert failed
            counts["MemoryError"] += 1
        del outcome
        leaked = _core.testing.live_allocations() - before
        assert leaked == 0, f"{leaked} allocations were not freed"
        return failed

    for n in _in_turn(_first(lambda n: not attempt(n)) - 1, rng):
        attempt(n)
        counts["allocations of the engine"] += 1


def _assert_outcome(
    outcome: ostrya.results.Outcome,
    whole: ostrya.results.Outcome,
    given: dict[str, Any],
) -> None:
    assert_sound(outcome, given)
    assert_agree(outcome, whole)


def _assert_frontier(
    frontier: ostrya.results.Frontier,
    whole: ostrya.results.Frontier,
    given: dict[str, Any],
) -> None:
    assert_frontier_sound(frontier, given)
    assert_frontiers_agree(frontier, whole)


def _first(holds: Callable[[int], bool]) -> int:
    """Return the smallest n >= 1 with a property that all larger ones have too."""
    high = 1
    while not holds(high):
        high *= 2
    low = high // 2  # does not hold, or is 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _in_turn(n_allocations: int, rng: random.Random) -> list[int]:
    every = range(1, n_allocations + 1)
    return sorted(rng.sample(every, min(MOST, n_allocations)))
