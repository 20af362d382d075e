"""Find the tree of least objective, and prove it or report the gap.

Here alone the package imports its compiled engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import ostrya._core as _core
from ostrya import door
from ostrya.bounds import Bounds
from ostrya.exceptions import InternalError
from ostrya.grid import Grid, to_grid
from ostrya.guarantee import true_lower_bound
from ostrya.machine import memory_size
from ostrya.options import OPTIONS
from ostrya.outcome import Outcome, Progress, Statistics, TracePoint
from ostrya.polish import Rows, polish
from ostrya.problem import Problem
from ostrya.recount import Recount, recount
from ostrya.tree import Tree

# The engine always gets some time, or a tree could not be promised.
LEAST_SECONDS = 0.001
TEN_YEARS = 3.2e8
MOST_MEMORY = 2**62


def solve(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    leaf_penalty: float = 0.01,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_leaf: int = 1,
    sample_weight: npt.ArrayLike | None = None,
    class_weight: Any = None,
    cost_matrix: npt.ArrayLike | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    upper_bound: float | None = None,
    warm_start: Tree | None = None,
    reference_labels: npt.ArrayLike | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
    bounds: Bounds | None = None,
) -> Outcome:
    """Find the decision tree of least objective, and prove that it is.

    The objective is ``loss + leaf_penalty * leaves``. The loss is the weighted mean
    of ``cost_matrix[y, prediction]``, by default the share of rows got wrong; a row
    weighs ``sample_weight * class_weight[y]``.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Finite numbers (bool, int or float), used as float64. A split asks whether a
        feature is at most a threshold.
    y : array-like of int, shape (n_samples,)
        Class codes 0, 1, ..., K - 1.
    leaf_penalty : float, default=0.01
        Charge for each leaf, in units of the loss. At least 0.
    max_depth : int, default=None
        Most questions asked of a row; a lone leaf has depth 0. None: no limit.
    max_leaves : int, default=None
        Most leaves. None: no limit.
    min_samples_leaf : int, default=1
        Fewest training rows in a leaf, counted without weights. A lone leaf is
        always allowed.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights >= 0, not all 0. None: all 1.
    class_weight : dict or "balanced", default=None
        Factor >= 0 for each class code, 1 for codes left out. "balanced":
        ``n_samples / (K * rows of the class)``, over the K classes present.
    cost_matrix : array-like of shape (K, K), default=None
        Cost >= 0 of each ``[true class, predicted class]``. None: 1 where they differ.
    time_limit : float, default=None
        Seconds until the search stops with what it has.
    memory_limit : int, default=None
        Bytes the whole process may hold, at least 32 MiB. The search takes what the
        process leaves of it, or a quarter of it where that is more. None: half of the
        memory of the machine or container; 4 GiB where the system does not say.
    upper_bound : float, default=None
        Look only for trees with an objective strictly below this.
    warm_start : Tree, default=None
        A tree that obeys the limits: the first one to beat.
    reference_labels : array-like of int, shape (n_samples,), default=None
        Predictions of a reference model, used to guess lower bounds: much faster,
        but no proof of the optimum; the status is then "guessed", and ``gap`` says
        how far from the optimum the tree can be at most [2]_.
    on_progress : callable, default=None
        Called with a `Progress` about every 0.1 s; returning True stops the search.
    bounds : Bounds, default=None
        Switches of the bounds, for research. None: all on.

    Returns
    -------
    Outcome
        The tree, its objective, the lower bound proved, and the status. Running out
        of a limit, or Ctrl-C, ends the search with the best tree so far.

    Raises
    ------
    TypeError, ValueError
        When an argument is of the wrong kind or outside its range.
    InternalError
        When the result fails its final recount.

    Examples
    --------
    >>> import ostrya
    >>> outcome = ostrya.solve([[1], [2], [3], [4]], [0, 1, 1, 0], leaf_penalty=0.05)
    >>> outcome.status, outcome.n_leaves, outcome.objective
    ('optimal', 3, 0.15000000000000002)
    >>> print(outcome.tree)
    x0 <= 1.5?
    ├─ yes: class 0      1 row, 100% right
    └─ no:  x0 <= 3.5?
       ├─ yes: class 1   2 rows, 100% right
       └─ no:  class 0   1 row, 100% right

    References
    ----------
    .. [1] J. Lin, C. Zhong, D. Hu, C. Rudin and M. Seltzer, "Generalized and
       scalable optimal sparse decision trees", ICML 2020.
    .. [2] H. McTavish, C. Zhong et al., "Fast sparse decision tree optimization via
       reference ensembles", AAAI 2022, Thm. 4.3.
    """
    started = time.perf_counter()
    problem = door.check_problem(
        X, y, sample_weight, class_weight, cost_matrix, leaf_penalty
    )
    limits = door.check_options(
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_leaf=min_samples_leaf,
        time_limit=time_limit,
        memory_limit=memory_limit,
        upper_bound=upper_bound,
    )
    door.check_warm_start(warm_start, problem, limits)
    reference = door.check_reference(reference_labels, problem)
    on_progress = door.check_callback(on_progress)
    switches = door.check_bounds(bounds)

    grid = to_grid(problem)
    options = _engine_limits(limits, problem.n_samples, started)
    upper = limits["upper_bound"]
    start = None if warm_start is None else recount(warm_start.shape, problem, grid)
    options["upper"] = None if upper is None else grid.to_cost(upper)
    if start is not None and reference is None:
        # Only trees cheaper than the one at hand are worth finding.
        given = options["upper"]
        options["upper"] = start.cost if given is None else min(start.cost, given)
    options["reference"] = reference
    options["bounds"] = vars(switches)
    options["slips"] = {}
    found = _core.solve(
        problem.X,
        problem.codes,
        grid.weights,
        grid.costs,
        grid.scale,
        grid.penalty,
        options,
        _translate(on_progress, grid, start),
    )
    if reference is not None:
        found = _without_guesses(found, reference, problem, grid)
        if found["status"] == "guessed" and limits["max_leaves"] is None:
            search = _SubsetSearch(problem, grid, options, limits, started)
            found = _polished(found, search, limits["max_depth"])
    return _outcome(found, start, problem, grid, upper)


def _engine_limits(
    limits: dict[str, Any], n_samples: int, started: float
) -> dict[str, Any]:
    """Return the limits as the engine takes them, cut where they cannot bind."""
    most = {
        "max_depth": n_samples,
        "max_leaves": n_samples,
        "min_samples_leaf": n_samples,
        "time_limit": TEN_YEARS,
        "memory_limit": MOST_MEMORY,
    }
    cut = {
        name: None if limits[name] is None else min(limits[name], most[name])
        for name in most
    }
    if cut["memory_limit"] is None and (size := memory_size()) is not None:
        cut["memory_limit"] = max(size // 2, OPTIONS["memory_limit"].least or 0)
    if cut["time_limit"] is not None:
        spent = time.perf_counter() - started
        cut["time_limit"] = max(cut["time_limit"] - spent, LEAST_SECONDS)
    return cut


def _translate(
    on_progress: Callable[[Progress], bool | None] | None,
    grid: Grid,
    start: Recount | None,
) -> Callable[..., bool] | None:
    """Return the callback as the engine calls it, with integer costs."""
    if on_progress is None:
        return None

    def report(seconds: float, lower: int, upper: int, *counts: int) -> bool:
        subproblems, memory, n_leaves = counts
        if start is not None and start.cost <= upper:
            upper, n_leaves = start.cost, start.tree.n_leaves
        progress = Progress(
            seconds,
            grid.to_objective(min(lower, upper)),
            grid.to_objective(upper),
            subproblems,
            memory,
            n_leaves,
        )
        try:
            return bool(on_progress(progress))
        except KeyboardInterrupt:  # Ctrl-C ends the search, wherever it comes in
            return True

    return report


def _keep_start(found: dict[str, Any], start: Recount) -> dict[str, Any]:
    """Return what was found, with the tree at hand in place of a worse one."""
    lower, upper = min(found["lower"], start.cost), min(found["upper"], start.cost)
    trace = [
        (seconds, min(low, start.cost), min(high, start.cost), subproblems, memory)
        for seconds, low, high, subproblems, memory in found["trace"]
    ]
    kept = found | {"lower": lower, "upper": upper, "trace": trace}
    if found["upper"] >= start.cost:
        kept |= start.tree.shape
    if lower == upper and found["status"] != "guessed":
        kept["status"] = "optimal"
    return kept


def _outcome(
    found: dict[str, Any],
    start: Recount | None,
    problem: Problem,
    grid: Grid,
    upper_bound: float | None,
) -> Outcome:
    """Recount what the engine found, and say it in the caller's units."""
    if start is not None:
        found = _keep_start(found, start)
    counted = recount(found, problem, grid)
    _require_proof(found, counted.cost)
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


def _without_guesses(
    found: dict[str, Any],
    reference: npt.NDArray[Any],
    problem: Problem,
    grid: Grid,
) -> dict[str, Any]:
    """Return what was found in the dearer problem as claims about the true one."""
    cost = recount(found, problem, grid).cost
    if cost > found["upper"]:
        _require_proof(found, cost)
    lower = min(true_lower_bound(found["lower"], reference, problem, grid), cost)
    is_closed = found["status"] in ("guessed", "upper_bound")
    status = "guessed" if is_closed else found["status"]
    return found | {"lower": lower, "upper": cost, "status": status}


@dataclass
class _SubsetSearch:
    """A search of some of the rows, within what is left of the time."""

    problem: Problem
    grid: Grid
    options: dict[str, Any]
    limits: dict[str, Any]
    started: float
    is_stopped: bool = False

    def __call__(self, rows: Rows, max_depth: int, upper: int) -> dict[str, Any] | None:
        spent = time.perf_counter() - self.started
        self.is_stopped |= spent >= (self.limits["time_limit"] or TEN_YEARS)
        if self.is_stopped:
            return None
        left = _engine_limits(self.limits, self.problem.n_samples, self.started)
        found: dict[str, Any] = _core.solve(
            np.asfortranarray(self.problem.X[rows]),
            self.problem.codes[rows],
            self.grid.weights[rows],
            self.grid.costs,
            self.grid.scale,
            self.grid.penalty,
            self.options
            | left
            | {"max_depth": max_depth, "upper": upper, "reference": None},
            None,
        )
        self.is_stopped = found["status"] not in ("optimal", "upper_bound")
        return found if found["upper"] < upper else None


def _polished(
    found: dict[str, Any], search: _SubsetSearch, max_depth: int | None
) -> dict[str, Any]:
    """Return what was found with its subtrees improved."""
    better, is_through = polish(found, search.problem, search.grid, max_depth, search)
    cost = recount(better, search.problem, search.grid).cost
    lower = cost if is_through and not search.is_stopped else min(found["lower"], cost)
    return found | better | {"lower": lower, "upper": cost}


def _require_proof(found: dict[str, Any], cost: int) -> None:
    """Raise unless the engine's claims agree with each other and with the recount."""
    lower, upper, status = found["lower"], found["upper"], found["status"]
    is_sound = cost == upper and lower <= upper
    if not is_sound or (status == "optimal" and lower != upper):
        raise InternalError(
            f"the search ended {status!r} with cost {upper} and lower bound {lower}, "
            f"but its tree counts {cost}; this is a mistake of ostrya, please report "
            "it with the data and the arguments of the call"
        )
