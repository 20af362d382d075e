"""Convert the progress of a search to the units of the user, for callbacks."""

from __future__ import annotations

from collections.abc import Callable

from ostrya._solve.grid import Grid
from ostrya._solve.recount import Recount
from ostrya._solve.search import Report, SearchPoint
from ostrya.results.outcome import Progress


def in_costs(
    on_progress: Callable[[Progress], bool | None] | None,
    grid: Grid,
    start: Recount | None = None,
) -> Report | None:
    """Return the callback as a search calls it, with integer costs.

    `start` is a tree that is there before the search.
    """
    if on_progress is None:
        return None

    def report(point: SearchPoint) -> bool:
        upper, n_leaves = point.upper, point.n_leaves
        if start is not None and start.cost <= upper:
            upper, n_leaves = start.cost, start.tree.n_leaves
        if n_leaves == 0:
            progress = Progress.before_search(point.seconds, "preparing")
        else:
            progress = Progress(
                point.seconds,
                grid.to_lower_bound(min(point.lower, upper)),
                grid.to_objective(upper),
                point.subproblems,
                point.memory,
                n_leaves,
                proved_depth=point.proved_depth,
            )
        try:
            return bool(on_progress(progress))
        except KeyboardInterrupt:  # Ctrl-C ends the search, wherever it comes in
            return True

    return report
