"""OptimalTreeClassifier: the sparse decision tree of least objective."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.estimators._base import TreeClassifier, importances, worded
from ostrya.estimators.guess import Guess, read_guess
from ostrya.estimators.labels import (
    check_cost_matrix,
    check_labels,
    check_sample_weight,
)
from ostrya.estimators.objectives import class_factors, objective_factors
from ostrya.estimators.plan import GuessReport, Rows, make_plan
from ostrya.exceptions import OptimalityWarning
from ostrya.outcome import Outcome, Progress
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.checks import check_table, feature_names
from ostrya.preprocessing.table import count_rows, keep_rows
from ostrya.solve import solve

REMEDIES = {
    "time_limit": "raise time_limit or leaf_penalty, or set max_depth",
    "memory_limit": "raise memory_limit or leaf_penalty, or set max_depth",
    "interrupted": "fit again and let the search end",
}


class OptimalTreeClassifier(TreeClassifier):
    """The decision tree of least objective, with the proof that it is.

    The objective is ``loss + leaf_penalty * leaves``; the loss is the weighted share
    of training rows got wrong, or their mean cost. All trees are searched, over every
    threshold of every feature.

    Tables are taken as they are: NumPy, pandas, polars or pyarrow, with numbers,
    booleans, categories and strings. Numbers are asked ``age <= 25.5``, categories
    ``colour = red``, and columns that miss values ``income is missing``. A missing
    value, or a category not seen in training, answers no to every question except
    "is missing".

    Parameters
    ----------
    leaf_penalty : float, default=0.01
        Charge for each leaf, in units of the loss: 0.01 lets a leaf in if it gets one
        more row in a hundred right. At least 0; below 0.001 searches grow long.
    max_depth : int, default=None
        Most questions asked of a row; a lone leaf has depth 0. None: no limit.
    max_leaves : int, default=None
        Most leaves. None: no limit.
    min_samples_leaf : int, default=1
        Fewest training rows in a leaf, counted without weights.
    objective : str, default="accuracy"
        "accuracy": share of rows right. "balanced_accuracy": mean over the classes of
        the share of each that is right. "weighted_accuracy": for two classes,
        ``1 - (FP + omega FN) / (omega N+ + N-)`` [1]_, the second of ``classes_``
        being the positive one.
    omega : float, default=1.0
        What an overlooked positive costs under "weighted_accuracy", where a false
        alarm costs 1. Above 0.
    class_weight : dict or "balanced", default=None
        Factor >= 0 of the rows of each label, 1 for labels left out; on top of what
        `objective` does. "balanced": each class gets the same total weight.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost >= 0 of each ``[true, predicted]`` pair, in the order of ``classes_``.
        None: 1 where they differ.
    guess : None, "auto", str, Guess or classifier, default=None
        What a reference ensemble may guess, for much faster searches. "auto": which
        thresholds to search, how deep, and what no tree can get right. A string such
        as "thresholds+bounds": these parts. `Guess`: parts and reference as given. A
        classifier: all parts, from this reference. None: nothing, so that the optimum
        is proved.
    time_limit : float, default=60
        Seconds until the search stops with the best tree found. None: no limit.
    memory_limit : int, default=None
        Bytes the process may hold, at least 32 MiB. None: half of the memory of the
        machine or container.
    on_progress : callable, default=None
        Called with a `Progress` about every 0.1 s; returning True stops the search.

    Attributes
    ----------
    tree_ : Tree
        The tree; ``print(clf.tree_)`` draws it with its questions in words. Its
        columns are those of ``encoder_``.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    objective_, loss_ : float
        Objective and loss of ``tree_`` on the training rows.
    lower_bound_ : float
        No tree within the limits has an objective below this.
    gap_ : float
        ``objective_ - lower_bound_``; exactly 0 when proved optimal.
    status_ : str
        "optimal", "time_limit", "memory_limit" or "interrupted"; "guessed" in place of
        "optimal" when thresholds or bounds were. ``lower_bound_`` and ``gap_`` then
        speak of trees over the thresholds searched.
    guess_ : GuessReport or None
        With `guess`: thresholds before and after, the reference's scores, how far from
        the best tree over these thresholds the tree can be at most, and how it
        compares with the reference.
    n_leaves_, depth_ : int
        Leaves of the tree, and most questions it asks of a row.
    trace_ : tuple of TracePoint
        How the bounds met.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Shares, adding up to 1, of what the splits on each input feature save: the
        training loss that making the split's node a leaf would add. All 0 for a lone
        leaf.
    encoder_ : TableEncoder
        How the columns of the table are read.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the input columns, where they are all strings.

    Warns
    -----
    OptimalityWarning
        When the search stopped before the proof.
    ReferenceWarning
        When the reference of `guess` is too poor to guide the search.

    See Also
    --------
    ostrya.solve : The search itself, on a matrix of numbers.

    Notes
    -----
    Rows of weight 0 are as if absent. Equal input gives the equal tree, unless a
    limit on time or memory stops the search.

    References
    ----------
    .. [1] J. Lin, C. Zhong, D. Hu, C. Rudin and M. Seltzer, "Generalized and
       scalable optimal sparse decision trees", ICML 2020.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifier
    >>> X = [[20, "red"], [35, "red"], [40, "blue"], [18, "blue"], [None, "red"]]
    >>> clf = OptimalTreeClassifier(leaf_penalty=0.05)
    >>> clf.fit(X, ["no", "yes", "no", "no", "yes"]).status_
    'optimal'
    >>> print(clf.tree_)
    x0 <= 27.5?
    ├─ yes: no       2 rows, 100% right
    └─ no:  x1 = blue?
       ├─ yes: no    1 row, 100% right
       └─ no:  yes   2 rows, 100% right
    >>> clf.predict([[50, "red"], [50, "green"], [22, "red"]])
    array(['yes', 'yes', 'no'], dtype='<U3')
    """

    def __init__(
        self,
        leaf_penalty: float = 0.01,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_samples_leaf: int = 1,
        *,
        objective: str = "accuracy",
        omega: float = 1.0,
        class_weight: Any = None,
        cost_matrix: npt.ArrayLike | None = None,
        guess: str | Guess | Any | None = None,
        time_limit: float | None = 60,
        memory_limit: int | None = None,
        on_progress: Callable[[Progress], bool | None] | None = None,
    ) -> None:
        self.leaf_penalty = leaf_penalty
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_samples_leaf = min_samples_leaf
        self.objective = objective
        self.omega = omega
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.guess = guess
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.on_progress = on_progress

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OptimalTreeClassifier:
        """Find the tree of least objective, and prove it or report the gap.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows.
        y : array-like of shape (n_samples,), or a series
            Their labels, of any one type.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. None: all 1.

        Returns
        -------
        OptimalTreeClassifier
            Itself.

        Raises
        ------
        TypeError, ValueError
            When an argument is of the wrong kind or outside its range.
        """
        X = check_table(self, X, reset=True)
        labels = check_labels(y, count_rows(X))
        weights = check_sample_weight(sample_weight, len(labels))
        if weights is not None and not weights.all():
            X, labels = keep_rows(X, weights > 0), labels[weights > 0]
            weights = weights[weights > 0]

        self.classes_, codes = np.unique(labels, return_inverse=True)
        costs = check_cost_matrix(self.cost_matrix, len(self.classes_))
        weights = self._row_weights(codes, weights)
        self.encoder_ = TableEncoder(X, feature_names(self))
        matrix = self.encoder_.encode(X)
        rows = Rows(X, self.encoder_, matrix, self.classes_, codes, weights)
        plan = make_plan(read_guess(self.guess), rows)

        outcome = solve(
            plan.columns,
            codes,
            leaf_penalty=self.leaf_penalty,
            max_depth=plan.max_depth(self.max_depth),
            max_leaves=self.max_leaves,
            min_samples_leaf=self.min_samples_leaf,
            sample_weight=weights,
            cost_matrix=costs,
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
            on_progress=self.on_progress,
            reference_labels=plan.reference_codes,
        )

        tree = plan.restore(outcome.tree)
        self.tree_ = worded(tree, matrix, self.encoder_, self.classes_)
        self.feature_importances_ = importances(
            self.tree_, self.encoder_.source, self.n_features_in_, costs
        )
        self.guess_: GuessReport | None = plan.report(outcome, rows, costs)
        self._report(outcome)
        self.status_ = plan.status(outcome)
        return self

    def _row_weights(
        self, codes: npt.NDArray[np.intp], weights: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64] | None:
        """Return what each row weighs in the loss, or None when all weigh one."""
        masses = np.bincount(codes, weights).astype(np.float64)
        for factors in (
            objective_factors(self.objective, self.omega, masses),
            class_factors(self.class_weight, self.classes_, masses),
        ):
            if factors is not None:
                weights = (
                    factors[codes] if weights is None else weights * factors[codes]
                )
        return weights

    def _report(self, outcome: Outcome) -> None:
        """Keep what was proved, and warn of what was not."""
        self.objective_, self.loss_ = outcome.objective, outcome.loss
        self.lower_bound_, self.gap_ = outcome.lower_bound, outcome.gap
        self.status_, self.trace_ = outcome.status, outcome.trace
        self.n_leaves_, self.depth_ = outcome.n_leaves, outcome.tree.depth
        if outcome.status in REMEDIES:
            limit = getattr(self, outcome.status, None)
            stop = outcome.status if limit is None else f"{outcome.status}={limit}"
            warnings.warn(
                f"The search stopped ({stop}) before its proof, with the optimum in "
                f"[{outcome.lower_bound:.4g}, {outcome.objective:.4g}]; the tree is "
                f"the best found. To close the gap, {REMEDIES[outcome.status]}.",
                OptimalityWarning,
                stacklevel=3,
            )
