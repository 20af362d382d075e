"""Predict what a search of a table will take."""

from __future__ import annotations

from typing import Any, Literal

import numpy.typing as npt

from ostrya._arguments import check_word
from ostrya._estimate_runtime import estimate_search
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.settings import check_settings
from ostrya._solve.validation import check_top_k, refuse_auto
from ostrya.estimators.search_table import SearchTableReader
from ostrya.results.runtime_estimate import RuntimeEstimate
from ostrya.top_k import TopKSplits

Method = Literal["exact", "guessed_thresholds", "top_k", "frontier"]
METHODS = ("exact", "guessed_thresholds", "top_k", "frontier")
#: Splits of a node that compete where none are named.
USUAL_TOP_K = TopKSplits(k=8)
#: Leaves of the largest tree of a frontier where no number is given.
USUAL_LEAVES = 16


def estimate_runtime(
    X: Any,
    y: Any = None,
    *,
    method: Method = "exact",
    leaf_penalty: float | Literal["auto"] = "auto",
    max_depth: int | None = None,
    max_leaf_nodes: int | None = None,
    min_samples_leaf: int = 1,
    sample_weight: npt.ArrayLike | None = None,
    class_weight: Any = None,
    cost_matrix: npt.ArrayLike | None = None,
    top_k: TopKSplits | None = None,
) -> RuntimeEstimate:
    """Predict subproblems, time and memory of a search without running it.

    Trees of small depth are searched for less than a second in total, and the rest is
    extrapolated from the growth of the work. The same input gives the same estimate on
    every machine. It is an order of magnitude.

    Parameters
    ----------
    X, y : array-like or dataframe, array-like or series
        Training rows and labels, as for `OptimalTreeClassifier`.
    method : {"exact", "guessed_thresholds", "top_k", "frontier"}, default="exact"
        The search to predict. "exact": `ostrya.solve`. "guessed_thresholds": the same
        over the thresholds that a boosted ensemble needs (`ThresholdGuess`); fitting
        the ensemble takes a few seconds. "top_k": `ostrya.solve` with `top_k`.
        "frontier": `ostrya.frontier`, which has no `leaf_penalty`.
    leaf_penalty, max_depth, max_leaf_nodes, min_samples_leaf
        As in `ostrya.solve`. For a frontier, `max_leaf_nodes` is 16 if it is None.
    sample_weight, class_weight, cost_matrix
        As in `ostrya.frontier`.
    top_k : TopKSplits, default=None
        The candidates of each node, for the method "top_k". None: the 8 best splits.

    Returns
    -------
    RuntimeEstimate
        Subproblems, seconds on one core, memory, and the factor by which they may be
        wrong.

    Raises
    ------
    TypeError, ValueError
        If an argument has a wrong type or value.

    See Also
    --------
    ostrya.solve : The search.

    Examples
    --------
    >>> import ostrya
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> ostrya.estimate_runtime(X, y, max_depth=2).is_counted
    True
    >>> deep = ostrya.estimate_runtime(X, y, max_depth=6, leaf_penalty=0.001)
    >>> deep.is_counted, deep.most_seconds > 60
    (False, True)
    """
    check_word("method", method, METHODS)
    refuse_auto(max_depth)
    if top_k is not None and method != "top_k":
        raise ValueError(f'top_k must be None unless method="top_k"; got {top_k!r}')
    chosen = check_top_k((top_k or USUAL_TOP_K) if method == "top_k" else None)
    if method == "frontier" and max_leaf_nodes is None:
        max_leaf_nodes = USUAL_LEAVES
    reader = SearchTableReader(
        leaf_penalty=0.0 if method == "frontier" else leaf_penalty,
        max_depth=max_depth,
        max_leaf_nodes=max_leaf_nodes,
        min_samples_leaf=min_samples_leaf,
        class_weight=class_weight,
        cost_matrix=cost_matrix,
    )
    table = reader.read(X, y, sample_weight, FitMonitor(None, None))
    data = reader._training_data(table)
    settings = check_settings(
        data,
        max_depth=max_depth,
        max_leaf_nodes=max_leaf_nodes,
        min_samples_leaf=min_samples_leaf,
        time_limit=None,
        memory_limit=None,
        on_progress=None,
        top_k=chosen,
    )
    return estimate_search(data, settings, method)
