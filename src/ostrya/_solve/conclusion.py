"""From what an engine found to what the caller is told, counted again on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ostrya._solve.grid import Grid
from ostrya._solve.recount import Recount
from ostrya.exceptions import InternalError
from ostrya.outcome import Outcome, Statistics, TracePoint

#: Counts a tree of a given shape from the rows.
Count = Callable[[Mapping[str, Any]], Recount]


def conclude(
    found: dict[str, Any],
    start: Recount | None,
    count: Count,
    grid: Grid,
    upper_bound: float | None,
    proved: str,
) -> Outcome:
    """Recount what the engine found, and say it in the caller's units.

    `proved` is the status of a tree at hand that turns out to be the best.
    """
    if start is not None:
        found = _keep_start(found, start, proved)
    counted = count(found)
    require_proof(found, counted.cost)
    tree = counted.tree
    objective = counted.loss + grid.leaf_penalty * tree.n_leaves
    # Equal costs are equal objectives, whatever rounding makes of them.
    lower = objective
    if found["lower"] < found["upper"]:
        lower = min(grid.to_objective(found["lower"]), objective)
    if found["status"] == "upper_bound" and upper_bound is not None:
        lower = max(lower, upper_bound)
    return Outcome(
        tree=tree,
        objective=objective,
        loss=counted.loss,
        n_leaves=tree.n_leaves,
        lower_bound=lower,
        gap=max(objective - lower, 0.0),
        status=found["status"],
        leaf_penalty=grid.leaf_penalty,
        trace=tuple(
            TracePoint(
                seconds,
                grid.to_objective(lower),
                grid.to_objective(upper),
                subproblems,
                memory,
            )
            for seconds, lower, upper, subproblems, memory in found["trace"]
        ),
        statistics=Statistics(**found["statistics"]),
    )


def _keep_start(found: dict[str, Any], start: Recount, proved: str) -> dict[str, Any]:
    """Return what was found, with the tree at hand in place of a worse one."""
    lower, upper = min(found["lower"], start.cost), min(found["upper"], start.cost)
    trace = [
        (seconds, min(low, start.cost), min(high, start.cost), subproblems, memory)
        for seconds, low, high, subproblems, memory in found["trace"]
    ]
    kept = found | {"lower": lower, "upper": upper, "trace": trace}
    if found["upper"] >= start.cost:
        kept |= start.tree.shape
    if lower == upper:
        kept["status"] = proved
    return kept


def require_proof(found: dict[str, Any], cost: int) -> None:
    """Raise unless the engine's claims agree with each other and with the recount."""
    lower, upper, status = found["lower"], found["upper"], found["status"]
    is_sound = cost == upper and lower <= upper
    is_closed = status in ("optimal", "optimal_in_top_k")
    if not is_sound or (is_closed and lower != upper):
        raise InternalError(
            f"the search ended {status!r} with cost {upper} and lower bound {lower}, "
            f"but its tree counts {cost}; this is a mistake of ostrya, please report "
            "it with the data and the arguments of the call"
        )
