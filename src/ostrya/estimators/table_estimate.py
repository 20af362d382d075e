"""Say what a search of a table will take before it is begun."""

from __future__ import annotations

from typing import Any, Literal

import numpy.typing as npt

from ostrya._arguments import check_word
from ostrya._estimate import estimate_search
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.settings import check_settings
from ostrya._solve.validation import check_top_k, refuse_auto
from ostrya.estimated import Estimate
from ostrya.estimators.search_table import SearchTableReader
from ostrya.top_k import TopK

Method = Literal["exact", "guessed", "top_k", "frontier"]
METHODS = ("exact", "guessed", "top_k", "frontier")
#: Splits of a node that compete where none are named.
USUAL_TOP_K = TopK(k=8)
#: Leaves of the largest tree of a frontier where no number is given.
USUAL_LEAVES = 16


def estimate(
    X: Any,
    y: Any = None,
    *,
    method: Method = "exact",
    leaf_penalty: float | Literal["auto"] = "auto",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_leaf: int = 1,
    sample_weight: npt.ArrayLike | None = None,
    class_weight: Any = None,
    cost_matrix: npt.ArrayLike | None = None,
    top_k: TopK | None = None,
) -> Estimate:
    """Say what a search is expected to take before it is begun.

    Trees of small depth are searched for less than a second in all, and what the rest
    takes is extrapolated from how their work grows. Equal input gives equal estimates
    on every machine.

    Parameters
    ----------
    X, y : array-like or dataframe, array-like or series
        The training rows and their labels, as `OptimalTreeClassifier` takes them.
    sample_weight, class_weight, cost_matrix
        As in `ostrya.frontier`.
    method : {"exact", "guessed", "top_k", "frontier"}, default="exact"
        "exact": `ostrya.solve`. "guessed": the same over the thresholds that a boosted
        ensemble needs, which is fitted for it (`ThresholdGuess`); that takes a few
        seconds. "top_k": `ostrya.solve` with `top_k`. "frontier": `ostrya.frontier`,
        which takes no `leaf_penalty`.
    leaf_penalty, max_depth, max_leaves, min_samples_leaf
        As in `ostrya.solve`; `max_leaves` of a frontier is 16 where it is None.
    top_k : TopK, default=None
        Which splits compete, with the method "top_k". None: the 8 best.

    Returns
    -------
    Estimate
        Subproblems, seconds on one core and memory, and by what factor they may be off.

    Raises
    ------
    TypeError, ValueError
        When an argument is of the wrong kind or outside its range.

    See Also
    --------
    ostrya.solve : The search.

    Examples
    --------
    >>> import ostrya
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> ostrya.estimate(X, y, max_depth=2).is_counted
    True
    >>> deep = ostrya.estimate(X, y, max_depth=6, leaf_penalty=0.001)
    >>> deep.is_counted, deep.most_seconds > 60
    (False, True)
    """
    check_word("method", method, METHODS)
    refuse_auto(max_depth)
    if top_k is not None and method != "top_k":
        raise ValueError(f'top_k must be None unless method="top_k"; got {top_k!r}')
    chosen = check_top_k((top_k or USUAL_TOP_K) if method == "top_k" else None)
    if method == "frontier" and max_leaves is None:
        max_leaves = USUAL_LEAVES
    reader = SearchTableReader(
        leaf_penalty=0.0 if method == "frontier" else leaf_penalty,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_leaf=min_samples_leaf,
        class_weight=class_weight,
        cost_matrix=cost_matrix,
    )
    table = reader.read(X, y, sample_weight, FitMonitor(None, None))
    data = reader._training_data(table)
    settings = check_settings(
        data,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_leaf=min_samples_leaf,
        time_limit=None,
        memory_limit=None,
        on_progress=None,
        top_k=chosen,
    )
    return estimate_search(data, settings, method)
