"""From the result of a search to an outcome, counted again on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ostrya._solve.grid import Grid, down
from ostrya._solve.multiples import written_ratio
from ostrya._solve.recount import Recount
from ostrya._solve.search import SearchPoint, SearchResult
from ostrya._tree_shape import TreeShape
from ostrya.exceptions import InternalError
from ostrya.results.outcome import Outcome, Status, TracePoint, is_settled

#: Counts a tree of a given shape from the rows.
Recounter = Callable[[TreeShape], Recount]


def conclude(
    result: SearchResult,
    start: Recount | None,
    recounter: Recounter,
    grid: Grid,
    leaf_penalty: float,
    upper_bound: float | None,
    proved: Status,
    max_depth: int | None = None,
) -> Outcome:
    """Recount the tree of a search, and say what was proved in the caller's units.

    `proved` is the status of a warm start that turns out to be the best tree, and
    `max_depth` the limit on depth, to which trees are then proved.

    On a grid that is not exact, equal integers do not prove equal objectives. The tree
    is then optimal if its objective and the lower bound, both without rounding errors,
    are the same float: no tree has an objective that is a smaller float. Otherwise the
    status is "optimal_to_rounding", and the gap says how much rounding may hide.
    """
    if start is not None:
        result = keep_start(result, start, proved)
    counted = recounter(result.shape)
    require_proof(result, counted.cost)
    tree = counted.tree
    objective = counted.loss + leaf_penalty * tree.n_leaves
    exact = counted.exact_loss + written_ratio(leaf_penalty) * tree.n_leaves
    # No tree has less than one leaf, or a loss below the least one.
    bound = max(grid.to_bound(result.lower), grid.floor + written_ratio(leaf_penalty))
    if grid.is_exact:
        has_met = result.lower == result.upper
    else:
        has_met = float(bound) >= float(exact)
    lower = objective if has_met else min(down(bound), objective)
    status = result.status
    if status == "optimal" and not has_met:
        status = "optimal_to_rounding"
    if status == "upper_bound" and upper_bound is not None:
        lower = max(lower, upper_bound)
    return Outcome(
        tree=tree,
        objective=objective,
        loss=counted.loss,
        n_leaves=tree.n_leaves,
        lower_bound=lower,
        gap=max(objective - lower, 0.0),
        status=status,
        leaf_penalty=leaf_penalty,
        trace=tuple([_in_objectives(point, grid) for point in result.trace]),
        statistics=result.statistics,
        proved_depth=max_depth if is_settled(result.status) else result.proved_depth,
    )


def _in_objectives(point: SearchPoint, grid: Grid) -> TracePoint:
    seconds, lower, upper, subproblems, memory, _, depth, next_lower, work = point
    # A bound of all trees holds for those of any depth.
    next_lower = min(max(next_lower, lower), upper)
    return TracePoint(
        seconds,
        grid.to_lower_bound(lower),
        grid.to_objective(upper),
        subproblems,
        memory,
        depth,
        grid.to_lower_bound(next_lower),
        work,
    )


def keep_start(result: SearchResult, start: Recount, proved: Status) -> SearchResult:
    """Return the result, with the warm start in place of a tree that is no better."""
    lower, upper = min(result.lower, start.cost), min(result.upper, start.cost)
    is_kept = result.upper >= start.cost
    return replace(
        result,
        shape=TreeShape(**start.tree.shape) if is_kept else result.shape,
        lower=lower,
        upper=upper,
        status=proved if lower == upper else result.status,
        trace=tuple(
            point._replace(
                lower=min(point.lower, start.cost), upper=min(point.upper, start.cost)
            )
            for point in result.trace
        ),
    )


def require_proof(result: SearchResult, cost: int) -> None:
    """Raise unless the engine's claims agree with each other and with the recount."""
    is_sound = cost == result.upper and result.lower <= result.upper
    has_met = result.status in ("optimal", "optimal_in_top_k")
    if not is_sound or (has_met and result.lower != result.upper):
        raise InternalError(
            f"the search ended {result.status!r} with cost {result.upper} and lower "
            f"bound {result.lower}, but its tree costs {cost}. This is a bug in "
            "Ostrya; please report it with the data and the arguments of the call"
        )
