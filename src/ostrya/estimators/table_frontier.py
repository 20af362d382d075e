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
from ostrya.outcome import FrontierStatus, Progress
from ostrya.preprocessing.compression import Cuts
from ostrya.trade_off import Frontier


def frontier(
    X: Any,
    y: Any = None,
    *,
    max_leaves: int | None = 16,
    max_depth: int | None = None,
    min_samples_leaf: int = 1,
    sample_weight: npt.ArrayLike | None = None,
    class_weight: Any = None,
    cost_matrix: npt.ArrayLike | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
) -> Frontier:
    """Find the decision tree of least loss for every number of leaves.

    One search proves, for each h from 1 to `max_leaves`, which tree of at most h leaves
    loses least on the training rows. The trees that are best for some ``leaf_penalty``
    are told with the penalties for which they are: no penalty has to be guessed.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), or a dataframe
        The training rows, as `OptimalTreeClassifier` takes them: numbers, texts,
        categories, dates, durations and booleans, with missing values; or a lazy or
        compressed table.
    y : array-like of shape (n_samples,), or a series
        Their labels, of any one type. The name of their column where `X` is lazy, None
        where it is compressed.
    max_leaves : int, default=16
        Most leaves of the largest trees. None: as many as the other limits allow.
    max_depth : int, default=None
        Most questions asked of a row; a lone leaf has depth 0. None: no limit.
    min_samples_leaf : int, default=1
        Fewest training rows in a leaf, counted without weights. A lone leaf is
        always allowed.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights >= 0, not all 0. None: all 1.
    class_weight : dict or "balanced", default=None
        Factor >= 0 for each label, 1 for labels left out. "balanced": all classes have
        the same total weight.
    cost_matrix : array-like of shape (K, K), default=None
        Cost >= 0 of each ``[true label, predicted label]``, with the labels in sorted
        order. If `y` holds class codes 0, 1, ..., there may be codes that no row has.
        None: 1 where the labels differ.
    time_limit : float, default=None
        Seconds until the search stops with what it has.
    memory_limit : int, default=None
        Bytes the whole process may hold, at least 32 MiB. None: half of the memory of
        the machine or container; 4 GiB where the system does not say.
    on_progress : callable, default=None
        Called with a `Progress` at once and then about every 0.1 s; returning True
        stops the search. Its ``objective`` and ``lower_bound`` are the loss and the
        bound of the size that is searched, its ``n_leaves`` are those of the best tree
        of that size.

    Returns
    -------
    Frontier
        The trees, in the words of the table, their losses, and what was proved of
        each. Running out of a limit,
        or Ctrl-C, ends the search with what is proved so far and brackets for the
        rest.

    Raises
    ------
    TypeError, ValueError
        When an argument is of the wrong kind or outside its range.
    InternalError
        When a result fails its final recount.

    See Also
    --------
    ostrya.solve : The best tree for one penalty.

    Examples
    --------
    >>> import ostrya
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8]]
    >>> frontier = ostrya.frontier(X, [0, 0, 0, 1, 1, 0, 1, 1])
    >>> for point in frontier.points:
    ...     print(point.max_leaves, point.loss, point.status)
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
    ├─ yes: yes   2 rows, 100% right
    └─ no:  no    2 rows, 100% right
    """
    monitor = FitMonitor(time_limit, on_progress)
    refuse_auto(max_depth)
    reader = SearchTableReader(
        leaf_penalty=0.0,
        max_depth=max_depth,
        max_leaves=max_leaves,
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
    return _over_cuts(in_words_of(table, found), table.cuts)


def _over_cuts(frontier: Frontier, cuts: Cuts | None) -> Frontier:
    """Return a frontier that claims no more than was proved over some thresholds."""
    if cuts is None or cuts.are_all:
        return frontier

    def claim(status: FrontierStatus) -> FrontierStatus:
        return "guessed" if status.startswith("optimal") else status

    return replace(
        frontier,
        points=tuple(
            replace(each, status=claim(each.status)) for each in frontier.points
        ),
        hull=tuple(replace(each, is_optimal=False) for each in frontier.hull),
        status=claim(frontier.status),
    )
