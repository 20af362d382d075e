"""Find the tree of least objective, and prove it or report the gap."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy.typing as npt

from ostrya._cluster.context import current_client
from ostrya._cluster.search import ClusterSearch
from ostrya._ctrl_c import CtrlC
from ostrya._guesses.guessed_search import GuessedSearch
from ostrya._solve.anchored_search import search_anchored
from ostrya._solve.area_search import AreaSearch
from ostrya._solve.callable_search import CallableSearch
from ostrya._solve.conclusion import Recounter, conclude
from ostrya._solve.engine import search_columns, search_leaf_sets
from ostrya._solve.f_score import FScoreSearch, suits_sums
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.grid import Grid, to_grid
from ostrya._solve.measure_grid import MeasureGrid, to_measure_grid
from ostrya._solve.measures import FScore, Monotone, RocArea
from ostrya._solve.pruning import prune
from ostrya._solve.ranked_splits import rank_splits
from ostrya._solve.recount import recount, recount_measure
from ostrya._solve.reports import in_costs
from ostrya._solve.search import Report, SearchOptions, SearchResult
from ostrya._solve.settings import Settings, check_settings
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import check_data
from ostrya._tree_shape import TreeShape
from ostrya.bounds import Bounds, LeafSetBounds
from ostrya.outcome import Outcome, Progress, Status
from ostrya.top_k import TopK
from ostrya.tree import Tree


def solve(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    leaf_penalty: float | Literal["auto"] = "auto",
    max_depth: int | Literal["auto"] | None = None,
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
    top_k: TopK | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
    objective: str | Callable[[float, float], float] = "additive",
    beta: float = 1.0,
    max_fpr: float = 1.0,
    engine: str | None = None,
    policy: str | None = None,
    bounds: Bounds | LeafSetBounds | None = None,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Outcome:
    """Find the decision tree of least objective, and prove that it is.

    The objective is ``loss + leaf_penalty * leaves``. The loss is the weighted mean
    of ``cost_matrix[y, prediction]``, by default the share of rows got wrong; a row
    weighs ``sample_weight * class_weight[y]``.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Finite numbers (bool, int or float), used as float64. A split asks whether a
        feature is at most a threshold. An array of float64 may be read where it lies:
        nothing, such as `on_progress`, may change it while the call runs.
    y : array-like of int, shape (n_samples,)
        Class codes 0, 1, ..., K - 1.
    leaf_penalty : float or "auto", default="auto"
        Penalty for each leaf, in units of the loss. At least 0. "auto" is
        ``max(0.01, 3 / n)``: each leaf must correct at least 1 % of the rows, and at
        least three rows. n is the number of rows with a weight above 0, or the sum of
        `sample_weight` if that is larger. ``Outcome.leaf_penalty`` is the penalty used.
    max_depth : int or "auto", default=None
        Most questions asked of a row; a lone leaf has depth 0. None: no limit.
        "auto": no limit either, but the search ends after a fixed amount of counted
        work, 1 to 5 seconds on tables of up to 100,000 rows. The status is then
        "optimal_to_depth": no tree of depth ``Outcome.proved_depth`` or less has a
        lower objective, but a deeper one may. Only additive
        objectives without `top_k` and `reference_labels` know "auto"; for others it
        means None.
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
        Look only for trees with an objective strictly below this. With
        `reference_labels` others may be returned; the status is then "upper_bound"
        only where it is proved of the true problem.
    warm_start : Tree, default=None
        A tree that obeys the limits: the first one to beat. It is pruned first: splits
        that can become leaves without raising the objective do.
    reference_labels : array-like of int, shape (n_samples,), default=None
        Predictions of a reference model, used to guess lower bounds: much faster,
        but no proof of the optimum; the status is then "guessed", and ``gap`` says
        how far from the optimum the tree can be at most [3]_. What `on_progress` gets
        and the trace holds are bounds of the true problem: no tree has an objective
        below their ``lower_bound``, and the best tree so far has at most their
        ``objective``.
    top_k : TopK, default=None
        Search only the trees whose every split is among the k best, by impurity, of
        its node: much faster, but no proof about other trees; the status is then
        "optimal_in_top_k". Rows of weight 0 are then as if absent. Not together with
        `upper_bound`, `warm_start`, `reference_labels` or `bounds`.
    on_progress : callable, default=None
        Called with a `Progress` at once and then about every 0.1 s, also while the rows
        are prepared, when there is no tree yet; returning True stops the search.
    objective : str or callable, default="additive"
        The loss. "additive": as above. For two classes, 1 being the positive one:
        "auc", one minus the area under the ROC convex hull of the leaves [1]_;
        "partial_auc", the same left of `max_fpr`, as a share of that part; "f1" and
        "f_beta", one minus the F-score, the labels of the leaves chosen jointly; or a
        callable ``f(fp, fn)`` of the weights of false positives and false negatives
        that never falls when either grows.
    beta : float, default=1.0
        What recall weighs beside precision under "f_beta". Above 0.
    max_fpr : float, default=1.0
        The false positive rate, in (0, 1], at which "partial_auc" ends.
    engine : str, default=None
        "columns", dynamic programming, for all objectives but areas; or "leaf_sets",
        a search over sets of leaves [2]_, for all. None: the first where it serves.
    policy : str, default=None
        Which leaf set is looked at next: "curiosity" (as None), "lower_bound",
        "objective", "entropy", "breadth_first" or "depth_first".
    bounds : Bounds or LeafSetBounds, default=None
        Switches of the bounds of the engine, for research. None: all on.
    n_jobs : int, default=None
        Threads of one search, and of the preparation of large tables. None: 1, unless
        in a joblib context; -1: as many as processors. Objective, status and tree do
        not depend on it, unless a limit ends the search. Used by the engine "columns"
        for additive objectives and F-scores; searches use one with `reference_labels`,
        and where ``max_depth="auto"``, for these end after counted work. For other
        machines see `ostrya.cluster`.
    checkpoint : str or path, default=None
        A file in which the search keeps what it has proved: about every minute, and
        when it ends. Where there is one already, the search goes on from it: bounds and
        tree are never worse than they were, and the tree in the end is the one that a
        search without a stop returns. The file must be of the very same problem and
        limits on trees; limits on time and memory, `upper_bound`, `warm_start`,
        `n_jobs` and `on_progress` may differ. One of another problem, a truncated or
        altered one is refused. Trust it as your own memory: load none from strangers.
        For additive objectives and the engine "columns", without `top_k` and
        `reference_labels`.

    Returns
    -------
    Outcome
        The tree, its objective, the lower bound proved, and the status. Running out
        of a limit, or Ctrl-C, ends the search with the best tree so far. A Ctrl-C that
        comes when the search has ended is raised once the outcome is returned.

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
    .. [2] X. Hu, C. Rudin and M. Seltzer, "Optimal sparse decision trees", NeurIPS
       2019.
    .. [3] H. McTavish, C. Zhong et al., "Fast sparse decision tree optimization via
       reference ensembles", AAAI 2022, Thm. 4.3.
    """
    started = time.perf_counter()
    monitor = FitMonitor(time_limit, on_progress)
    monitor.report("preparing")
    data = check_data(X, y, sample_weight, class_weight, cost_matrix, leaf_penalty)
    monitor.report("preparing")
    settings = check_settings(
        data,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_leaf=min_samples_leaf,
        time_limit=monitor.time_limit,
        memory_limit=memory_limit,
        upper_bound=upper_bound,
        warm_start=warm_start,
        reference_labels=reference_labels,
        top_k=top_k,
        on_progress=monitor.on_progress,
        objective=objective,
        beta=beta,
        max_fpr=max_fpr,
        engine=engine,
        policy=policy,
        bounds=bounds,
        n_jobs=n_jobs,
        checkpoint=checkpoint,
    )
    return find_tree(data, settings, started)


def find_tree(data: TrainingData, settings: Settings, started: float) -> Outcome:
    """Do what `solve` does, with arguments that are checked.

    The call `started` at that time, by `time.perf_counter`: limits count from then.
    """
    with CtrlC() as ctrl_c:
        return _find_tree(data, settings, started, ctrl_c)


def _find_tree(
    data: TrainingData, settings: Settings, started: float, ctrl_c: CtrlC
) -> Outcome:
    if settings.checkpoint is not None and current_client() is not None:
        raise ValueError(
            "checkpoint cannot be combined with ostrya.cluster; leave one out"
        )
    if settings.top_k is not None:
        data = data.without_weightless_rows()
    grid: Grid
    recounter: Recounter
    if settings.measure is None:
        grid = to_grid(data)
        recounter = partial(recount, data=data, grid=grid)
    else:
        grid = to_measure_grid(data, settings.measure)
        recounter = partial(recount_measure, data=data, grid=grid)
    # What takes time comes before the time left is read from the clock.
    top_k = None if settings.top_k is None else rank_splits(settings.top_k, data.X)
    start = None
    if settings.warm_start is not None:
        shape = TreeShape(**settings.warm_start.shape)
        start = recounter(prune(shape, data, grid, settings.limits.ends(started)))
    limits = settings.limits.remaining(data.n_samples, started)
    asked = None
    if settings.upper_bound is not None:
        asked = grid.to_cost(settings.upper_bound)
    upper = asked
    if start is not None and settings.reference is None:
        # Only trees cheaper than the warm start are worth finding.
        upper = start.cost if upper is None else min(start.cost, upper)
    options = SearchOptions(
        limits=limits,
        n_jobs=settings.n_jobs,
        upper=upper,
        reference=settings.reference,
        bounds=settings.bounds,
        top_k=top_k,
        policy=settings.policy,
        ctrl_c=ctrl_c,
    )
    report = in_costs(settings.on_progress, grid, start)
    proved: Status = "optimal"
    result: SearchResult
    if settings.reference is not None:
        proved = "guessed"
        given = settings.limits
        result = GuessedSearch(data, grid, options, given, started, report, start).run()
    elif isinstance(settings.measure, RocArea):
        assert isinstance(grid, MeasureGrid)
        result = AreaSearch(data, grid, options, report).run()
    elif isinstance(settings.measure, Monotone):
        assert isinstance(grid, MeasureGrid)
        search = partial(_search_callable, data, report, settings.engine)
        result, grid = search_anchored(search, data, grid, options, start)
        recounter = partial(recount_measure, data=data, grid=grid)
        if start is not None:
            start = recounter(TreeShape(**start.tree.shape))
    elif settings.engine == "leaf_sets":
        result = search_leaf_sets(data, grid, options, report)
    elif settings.may_choose_engine and not _suits_sums(grid):
        options = replace(options, bounds=LeafSetBounds())
        result = search_leaf_sets(data, grid, options, report)
    elif isinstance(grid, MeasureGrid):
        first = None if start is None else TreeShape(**start.tree.shape)
        options = replace(options, upper=asked)
        result = FScoreSearch(data, grid, options, report, first).run()
    else:
        kept = settings.checkpoint
        options = replace(options, effort=settings.effort, checkpoint=kept)
        # One that ends after counted work would depend on how workers take turns.
        client = None if settings.effort is not None else current_client()
        if client is None:
            result = search_columns(data, grid, options, report)
        else:
            given = settings.limits
            result = ClusterSearch(data, grid, options, given, report, client).run()
    max_depth = settings.limits.max_depth
    known = (data.leaf_penalty, settings.upper_bound, proved, max_depth)
    return conclude(result, start, recounter, grid, *known)


def _search_callable(
    data: TrainingData,
    report: Report | None,
    engine: str,
    grid: MeasureGrid,
    options: SearchOptions,
) -> SearchResult:
    """Search under a loss of the caller's own."""
    if engine == "leaf_sets":
        return search_leaf_sets(data, grid, options, report)
    return CallableSearch(data, grid, options, report).run()


def _suits_sums(grid: Grid) -> bool:
    """Return whether the engine for sums serves, which is the faster one."""
    if isinstance(grid, MeasureGrid) and isinstance(grid.measure, FScore):
        return suits_sums(grid)
    return True
