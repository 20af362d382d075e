"""Compare every point of a trace with a separate search for each depth.

Bounds, proved depths and the bound of the next depth hold at every moment of a search:
with one thread or several, under a work budget, and after resuming. A resumed search
never reports less than before, and returns the tree of an uninterrupted search.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from fuzz.target import Case
from fuzz.targets.oracle import read_problem, write_problem
from ostrya import _core
from strategies import deep_problems, raw_problems
from trace_checks import assert_trace_holds, least_costs

WAYS = ("alone", "effort", "stopped", "upper", "threads", "resumed", "resumed")


def draw(rng: random.Random) -> Case:
    """Return a problem and how to search it."""
    family = rng.choice([raw_problems, raw_problems, deep_problems])
    way = rng.choice(WAYS)
    options: dict[str, Any] = {}
    if rng.random() < 0.7:
        options["turns_after"] = 0
    if way == "effort":
        options["effort"] = rng.choice([1, 10**3, 10**5, 10**7])
    if way == "stopped":
        options["max_work"] = rng.choice([10**3, 10**5, 10**6, 10**7])
    if way == "threads":
        options |= {"n_threads": 2, "threads_after": 0}
    if way == "resumed":
        options["threads_after"] = rng.choice([0, 1000, 10**5, None])
    return {
        **write_problem(next(family(rng.getrandbits(60), 1))),
        "way": way,
        "options": options,
        "share": rng.choice([0.8, 0.9, 1.0, 1.1]),
        "stops": [rng.choice([10**3, 10**4, 10**5, 10**6]) for _ in range(3)],
    }


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that every point of the trace is true."""
    problem, options, way = read_problem(case), case["options"], case["way"]
    least_cost = least_costs(problem)
    upper = None
    if way == "upper":
        least = least_cost(2)
        upper = None if least is None else max(1, int(case["share"] * least))
    if way == "resumed":
        found = _resumed(problem, case)
    else:
        found = _core.solve(*problem.core_arguments(**options, upper=upper))
    assert_trace_holds(found, problem, least_cost, upper)
    counts[f"{way}: {found.status}"] += 1


def _resumed(problem: Any, case: Case) -> Any:
    """Stop and resume a search a few times; return the final, complete result."""
    options = case["options"]
    alone = _core.solve(*problem.core_arguments(**options))
    kept: list[bytes] = []

    def go_on(**limits: Any) -> Any:
        facts = kept[-1] if kept else None
        checkpoint = _core.Checkpoint(facts, lambda view: kept.append(bytes(view)))
        return _core.solve(
            *problem.core_arguments(**options, **limits, checkpoint=checkpoint)
        )

    before = None
    for work in (*case["stops"], None):
        found = go_on(max_work=work)
        if before is not None:
            assert_goes_on(before, found)
        before = found
    if alone.status == found.status == "optimal":
        assert _tree(found) == _tree(alone)
    return found


def assert_goes_on(before: Any, found: Any) -> None:
    """Assert that a resumed search never reports less than was known."""
    for point in found.trace:
        assert point.lower >= before.lower
        assert point.upper <= before.upper
        # Where all is proved, depths are no longer counted.
        assert point.proved_depth >= before.proved_depth or found.status == "optimal"
    assert found.lower >= before.lower
    assert found.upper <= before.upper


def _tree(found: Any) -> tuple[Any, ...]:
    arrays = (found.feature, found.threshold, found.yes, found.no)
    return tuple(tuple(map(repr, each.tolist())) for each in arrays)
