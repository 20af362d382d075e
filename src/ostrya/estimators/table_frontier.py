"""Find the tree of least loss for every number of leaves of a table, and prove each."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from ostrya._frontier import find_frontier
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.validation import refuse_auto
from ostrya.estimators.fold_scores import frontier_settings, in_words_of
from ostrya.estimators.search_table import SearchTableReader
from ostrya.preprocessing.compression import CompressionSummary
from ostrya.results.frontier import Frontier
from ostrya.results.outcome import FrontierStatus, Progress


def frontier(
    X: Any,
    y: Any = None,
    *,
    max_depth: int | None = None,
    max_leaf_nodes: int | None = 16,
    min_samples_leaf: int = 1,
    sample_weight: npt.ArrayLike | None = None,
    class_weight: Any = None,
    cost_matrix: npt.ArrayLike | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
) -> Frontier:
    """Find the decision tree with the lowest loss for every number of leaves.

    For each h from 1 to `max_leaf_nodes`, one search proves which tree with at most h
    leaves has the lowest loss on the training rows. The result also lists the trees
    that are optimal for some ``leaf_penalty``, with the range of penalties for each,
    so you do not have to choose a penalty in advance.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), or a dataframe
        Training rows, as for `OptimalTreeClassifier`; also a lazy or compressed table.
    y : array-like of shape (n_samples,), or a series
        Labels of any one type. The name of their column if `X` is lazy; None if it is
        compressed.
    max_depth : int, default=None
        Maximum depth of the trees; a single leaf has depth 0. None: no limit. There is
        no "auto" because every size is searched until it is proved or a limit is
        reached.
    max_leaf_nodes : int, default=16
        Largest number of leaves. None: as many as the other limits allow. The default
        is a number because the time grows with every size.
    min_samples_leaf : int, default=1
        Minimum number of training rows in a leaf, counted without weights. A single
        leaf is always allowed.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights >= 0, not all 0. None: all 1.
    class_weight : dict or "balanced", default=None
        Factor >= 0 for each label; 1 for labels that are not listed. "balanced" gives
        all classes the same total weight.
    cost_matrix : array-like of shape (K, K), default=None
        Cost >= 0 of each ``[true label, predicted label]``, with the labels in sorted
        order. If `y` contains class codes 0, 1, ..., some codes may occur in no row.
        None: 1 for every misclassification.
    time_limit : float, default=None
        Maximum time, in seconds. None: no limit.
    memory_limit : int, default=None
        Maximum memory of the process, in bytes, at least 32 MiB. None: half of the
        memory of the machine or container, or 4 GiB if that is unknown.
    on_progress : callable, default=None
        Function that is called with a `Progress` at once and then about every 0.1 s. If
        it returns True, the search stops. ``objective`` and ``lower_bound`` are the
        loss and its bound for the size that is being searched.

    Returns
    -------
    Frontier
        The trees, in words of the table, their losses, and what was proved about each.
        If a limit or Ctrl-C ends the search, the result has intervals for the losses
        that are not proved.

    Raises
    ------
    TypeError, ValueError
        If an argument has a wrong type or value.
    InternalError
        If a result fails its final recount.

    See Also
    --------
    ostrya.solve : The best tree for one penalty.

    Examples
    --------
    >>> import ostrya
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8]]
    >>> frontier = ostrya.frontier(X, [0, 0, 0, 1, 1, 0, 1, 1])
    >>> for point in frontier.points:
    ...     print(point.max_leaf_nodes, point.loss, point.status)
    1 0.5 optimal
    2 0.125 optimal
    3 0.125 optimal
    4 0.0 optimal
    >>> for each in frontier.hull:
    ...     print(each.n_leaves, each.least_penalty, each.most_penalty)
    1 0.375 inf
    2 0.0625 0.375
    4 0.0 0.0625
    >>> X = [["red", 3], ["red", None], ["blue", 3], ["blue", None]]
    >>> frontier = ostrya.frontier(X, ["no", "no", "yes", "yes"])
    >>> print(frontier.at_leaves(2).tree)
    x0 = blue?
    ├─ yes: yes   2 rows, 100% correct
    └─ no:  no    2 rows, 100% correct
    """
    monitor = FitMonitor(time_limit, on_progress)
    refuse_auto(max_depth)
    reader = SearchTableReader(
        leaf_penalty=0.0,
        max_depth=max_depth,
        max_leaf_nodes=max_leaf_nodes,
        min_samples_leaf=min_samples_leaf,
        class_weight=class_weight,
        cost_matrix=cost_matrix,
        memory_limit=memory_limit,
    )
    table = reader.read(X, y, sample_weight, monitor)
    started = time.perf_counter()
    data = reader._training_data(table)
    limits = monitor.left(), monitor.on_progress
    found = find_frontier(data, frontier_settings(reader, data, *limits), started)
    return _over_cuts(in_words_of(table, found), table.compression)


def _over_cuts(frontier: Frontier, cuts: CompressionSummary | None) -> Frontier:
    """Return a frontier that claims no more than was proved over some thresholds."""
    if cuts is None or cuts.are_all:
        return frontier

    def claim(status: FrontierStatus) -> FrontierStatus:
        if status.startswith("optimal"):
            return "optimal_in_selected_thresholds"
        return status

    return replace(
        frontier,
        points=tuple(
            replace(each, status=claim(each.status)) for each in frontier.points
        ),
        hull=tuple(replace(each, is_optimal=False) for each in frontier.hull),
        status=claim(frontier.status),
    )
