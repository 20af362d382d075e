"""Find the tree with the lowest objective, and prove it or report the gap."""

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
from ostrya._solve.certificate import CertifiedProblem, certify_bound
from ostrya._solve.conclusion import Recounter, conclude
from ostrya._solve.engine import search_columns, search_leaf_sets
from ostrya._solve.f_score import FScoreSearch, suits_sums
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.grid import Grid, to_grid
from ostrya._solve.idle_threads import warn_of_idle_threads
from ostrya._solve.measure_grid import MeasureGrid, to_measure_grid
from ostrya._solve.measures import FScore, Monotone, RocArea
from ostrya._solve.pruning import prune
from ostrya._solve.ranked_splits import rank_splits
from ostrya._solve.recount import recount, recount_measure
from ostrya._solve.reports import in_costs
from ostrya._solve.row_cost_grid import to_row_cost_grid
from ostrya._solve.search import Report, SearchOptions, SearchResult
from ostrya._solve.settings import Settings, check_settings
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import check_data
from ostrya._tree_shape import TreeShape
from ostrya.bounds import Bounds, LeafSetBounds
from ostrya.objectives import Objective
from ostrya.results.outcome import Outcome, Progress, Status
from ostrya.top_k import TopKSplits
from ostrya.tree import Tree


def solve(
    X: npt.ArrayLike,
    y: npt.ArrayLike | None = None,
    *,
    costs: npt.ArrayLike | None = None,
    leaf_penalty: float | Literal["auto"] = "auto",
    max_depth: int | Literal["auto"] | None = None,
    max_leaf_nodes: int | None = None,
    min_samples_leaf: int = 1,
    objective: str | Objective | Callable[[float, float], float] = "accuracy",
    sample_weight: npt.ArrayLike | None = None,
    class_weight: Any = None,
    cost_matrix: npt.ArrayLike | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    n_jobs: int | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    upper_bound: float | None = None,
    warm_start: Tree | None = None,
    reference_labels: npt.ArrayLike | None = None,
    polish: bool = True,
    top_k: TopKSplits | None = None,
    engine: str | None = None,
    policy: str | None = None,
    bounds: Bounds | LeafSetBounds | None = None,
    certify: bool = False,
) -> Outcome:
    """Find the decision tree with the lowest objective, and prove it.

    The objective is ``loss + leaf_penalty * n_leaves``. By default, the loss is the
    mean of ``cost_matrix[y, prediction]`` with row weights ``sample_weight *
    class_weight[y]``; without weights and costs it is the fraction of misclassified
    rows. For data frames and labels of any type use `OptimalTreeClassifier`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Finite numbers (bool, int or float), used as float64. A split asks whether a
        feature is at most a threshold. An array of float64 may be read in place:
        nothing, such as `on_progress`, may change it during the call.
    y : array-like of int, shape (n_samples,)
        Class codes 0, 1, ..., K - 1. None if `costs` is set.
    costs : array-like of shape (n_samples, K), default=None
        Cost of predicting each class for each row, in place of `y`. The loss is the
        weighted mean cost; costs may be negative. For rewards, use `OptimalPolicyTree`,
        or pass their negatives. Cannot be combined with `y`, `class_weight`,
        `cost_matrix`, `objective`, `top_k`, `reference_labels` and the engine
        "leaf_sets".
    leaf_penalty : float or "auto", default="auto"
        Amount added to the objective for each leaf, in units of the loss. "auto" is
        ``max(0.01, 3 / n)``, where n is the number of rows with a weight above 0, or
        the sum of `sample_weight` if that is larger. With `costs`, this is multiplied
        by the mean difference between the highest and the lowest cost of a row. Must be
        at least 0.
    max_depth : int or "auto", default=None
        Maximum depth of the tree; a single leaf has depth 0. None: no limit; the search
        continues until the proof is complete or another limit is reached. This is the
        default here, because `solve` has no time limit by default either. "auto": no
        limit, but the search ends after a fixed amount of counted work, 1 to 5 seconds
        on tables of up to 100,000 rows, with the status "optimal_to_depth" if the proof
        is not complete. "auto" is treated as None for objectives that are not sums over
        rows, with `top_k` and with `reference_labels`.
    max_leaf_nodes : int, default=None
        Maximum number of leaves. None: no limit.
    min_samples_leaf : int, default=1
        Minimum number of training rows in a leaf, counted without weights. A single
        leaf is always allowed.
    objective : str, Objective or callable, default="accuracy"
        What to optimise. "accuracy": the loss described above. "balanced_accuracy":
        the mean over the classes of the fraction misclassified. For two classes, 1
        being the positive one: "f1", one minus the F-score; "auc", one minus the area
        under the ROC convex hull of the leaves [1]_; the objects `FBeta`, `PartialAUC`
        and `WeightedAccuracy` of `ostrya.objectives`; or a function ``f(fp, fn)`` that
        returns the loss for given total weights of false positives and false negatives
        and never decreases in either. "accuracy", "balanced_accuracy" and
        `WeightedAccuracy` are sums over rows; some options require one of these.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights >= 0, not all 0. None: all 1.
    class_weight : dict or "balanced", default=None
        Factor >= 0 for each class code; 1 for codes that are not listed. "balanced":
        ``n_samples / (K * rows of the class)``, for the K classes that occur.
    cost_matrix : array-like of shape (K, K), default=None
        Cost >= 0 of each ``[true class, predicted class]``. None: 1 for every
        misclassification.
    time_limit : float, default=None
        Maximum time, in seconds. When it expires, the best tree found so far is
        returned. None: no limit.
    memory_limit : int, default=None
        Maximum memory of the whole process, in bytes, at least 32 MiB. The search uses
        what the process leaves of it, but at least a quarter of it. None: half of the
        memory of the machine or container, or 4 GiB if that is unknown.
    n_jobs : int, default=None
        Number of threads. None: 1, unless in a joblib context; -1: one per processor.
        The result does not depend on it unless a limit ends the search. It has an
        effect for the engine "columns" with sums over rows and F-scores, but not with
        `reference_labels` or ``max_depth="auto"``; the latter causes a warning if it is
        set to another number than 1. To use several machines, see
        `ostrya.use_dask`.
    on_progress : callable, default=None
        Function that is called with a `Progress` at once and then about every 0.1 s,
        also while the rows are prepared. If it returns True, the search stops.
    checkpoint : str or path, default=None
        A file in which the search saves what it has proved, about every minute and when
        it ends. If the file exists, the search resumes from it: bounds and tree are
        never worse than before, and the final tree is that of an uninterrupted search.
        Limits on time and memory, `upper_bound`, `warm_start`, `n_jobs` and
        `on_progress` may change between calls; files of another problem, and damaged
        ones, are rejected. For sums over rows and the engine "columns", without `top_k`
        and `reference_labels`. Load no checkpoint from someone you do not trust: a
        forged file can contain false bounds.
    upper_bound : float, default=None
        Search only for trees with an objective strictly below this. With
        `reference_labels` other trees may be returned; the status is then "upper_bound"
        only if it is proved for the true problem.
    warm_start : Tree, default=None
        A tree within the limits, used as the first incumbent. Splits that do not lower
        the objective are pruned first.
    reference_labels : array-like of int, shape (n_samples,), default=None
        Predictions of a reference model, from which lower bounds are guessed. The
        search is much faster, but its result is not proved optimal: the status is
        "guessed_bounds", and no tree is better by more than ``gap`` [3]_. The bounds in
        the trace and in `on_progress` are those of the true problem.
    polish : bool, default=True
        With `reference_labels`: first search for the optimal tree if that takes about a
        second, and improve a guessed tree by searches of its subtrees. Set it to False
        only to compare with lower bounds as published in [3]_.
    top_k : TopKSplits, default=None
        Search only trees whose splits are all among the k best of their nodes. The
        search is much faster; the status is "optimal_in_top_k". Rows with weight 0 are
        ignored. Cannot be combined with `upper_bound`, `warm_start`, `reference_labels`
        or `bounds`.
    engine : {"columns", "leaf_sets"}, default=None
        "columns": dynamic programming, for all objectives but areas. "leaf_sets": a
        search over sets of leaves [2]_, for all objectives. None: the faster one that
        is applicable.
    policy : str, default=None
        Which leaf set the engine "leaf_sets" visits next: "curiosity" (as None),
        "lower_bound", "objective", "entropy", "breadth_first" or "depth_first".
    bounds : Bounds or LeafSetBounds, default=None
        Switches for the bounds of the engine, for research. None: all on.
    certify : bool, default=False
        Whether to write a certificate, a proof of the lower bound that other programs
        can check: see ``Outcome.certificate``. Writing it takes about as long as the
        search, and `time_limit` applies to each of the two. For objectives that are
        sums over rows, without `upper_bound`, `reference_labels` and `top_k`.

    Returns
    -------
    Outcome
        The tree, its objective, the lower bound and the status. A limit or Ctrl-C ends
        the search with the best tree found so far. If Ctrl-C arrives after the end of
        the search, KeyboardInterrupt is raised once the outcome has been returned.

    Raises
    ------
    TypeError, ValueError
        If an argument has a wrong type or value.
    InternalError
        If the result fails its final recount.

    Examples
    --------
    >>> import ostrya
    >>> outcome = ostrya.solve([[1], [2], [3], [4]], [0, 1, 1, 0], leaf_penalty=0.05)
    >>> outcome.status, outcome.n_leaves, outcome.objective
    ('optimal', 3, 0.15000000000000002)
    >>> print(outcome.tree)
    x0 <= 1.5?
    ├─ yes: class 0      1 row, 100% correct
    └─ no:  x0 <= 3.5?
       ├─ yes: class 1   2 rows, 100% correct
       └─ no:  class 0   1 row, 100% correct

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
    given = (sample_weight, class_weight, cost_matrix, leaf_penalty, objective)
    data = check_data(X, y, *given, costs)
    monitor.report("preparing")
    settings = check_settings(
        data,
        max_depth=max_depth,
        max_leaf_nodes=max_leaf_nodes,
        min_samples_leaf=min_samples_leaf,
        time_limit=monitor.time_limit,
        memory_limit=memory_limit,
        upper_bound=upper_bound,
        warm_start=warm_start,
        reference_labels=reference_labels,
        polish=polish,
        top_k=top_k,
        on_progress=monitor.on_progress,
        objective=objective,
        engine=engine,
        policy=policy,
        bounds=bounds,
        n_jobs=n_jobs,
        checkpoint=checkpoint,
        certify=certify,
    )
    is_additive = settings.measure is None and settings.engine == "columns"
    counts_work = is_additive and settings.reference is None and top_k is None
    warn_of_idle_threads(n_jobs, max_depth, counts_work=counts_work)
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
            "checkpoint cannot be combined with ostrya.use_dask. Omit one of them"
        )
    if data.row_costs is not None and current_client() is not None:
        raise ValueError(
            "costs per row cannot be combined with ostrya.use_dask. Search on this "
            "machine"
        )
    if settings.top_k is not None:
        data = data.without_weightless_rows()
    grid: Grid
    recounter: Recounter
    if settings.measure is None:
        make = to_grid if data.row_costs is None else to_row_cost_grid
        grid = make(data)
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
        proved = "guessed_bounds"
        given = settings.limits
        guessed = GuessedSearch(data, grid, options, given, started, report, start)
        result = guessed.run() if settings.polish else guessed.run_as_published()
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
    outcome = conclude(result, start, recounter, grid, *known)
    if not settings.certify:
        return outcome
    again = settings.limits.remaining(data.n_samples, time.perf_counter())
    problem = CertifiedProblem(data, grid, settings.limits, again)
    lower = result.lower if start is None else min(result.lower, start.cost)
    work = result.statistics.work
    certificate = certify_bound(problem, outcome.tree, lower, work, ctrl_c)
    return replace(outcome, certificate=certificate)


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
