"""TopKTreeClassifier: the best tree over the k best splits of each node."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy.typing as npt

from ostrya._arguments import is_number
from ostrya._solve.validation import check_widths
from ostrya.estimators._search import STOPS, SearchedTreeClassifier
from ostrya.estimators.choose_k import choose_k
from ostrya.estimators.objectives import check_weighted
from ostrya.estimators.watching import watching
from ostrya.outcome import Outcome, Progress
from ostrya.preprocessing.training_table import TrainingTable
from ostrya.top_k import TopK


class TopKTreeClassifier(SearchedTreeClassifier):
    """The best tree whose every split is among the k best of its node.

    A greedy tree takes the split of highest impurity gain at each node; this one may
    take any of the k highest, and finds the best of all trees that can be grown so
    [1]_. ``k=1`` is the greedy tree of `criterion`, pruned of the splits that do not
    lower the training objective; ``k="all"`` is the optimal tree, unless features
    compete (see `candidates`). In between, a small k comes close to the optimum in a
    fraction of its time.

    The objective is ``loss + leaf_penalty * leaves``. Tables, labels, weights and
    costs are read as by `OptimalTreeClassifier`.

    Parameters
    ----------
    leaf_penalty : float or "auto", default="auto"
        Penalty for each leaf, in units of the loss: with 0.01, a leaf must correct at
        least 1 % of the training rows. At least 0; 0 grows the tree of
        the paper, as large as `max_depth` allows.
        "auto" is ``max(0.01, 3 / n)``: each leaf must correct at least 1 % of the rows,
        and at least three rows. n is the number of training rows with a weight above
        0, or the sum of `sample_weight` if that is larger; class weights and the
        objective do not change it. ``leaf_penalty_`` is the penalty used.
    max_depth : int, default=5
        Most questions asked of a row; a lone leaf has depth 0. None: no limit.
    max_leaves : int, default=None
        Most leaves. None: no limit.
    min_samples_leaf : int, default=1
        Fewest training rows in a leaf, counted without weights; splits that leave
        fewer do not compete.
    k : int, float, "all", "auto", or a list, default=8
        How many splits a node may choose from. A float in (0, 1] is a share of all
        splits of the training table (of its features, where these compete), rounded
        up; a list gives k for the root, its children, and so on, the last one holding
        further down (a range or an array of one dimension is as good). More than there
        are is all of them. "auto" doubles k from 1 on as long as that lowers the loss
        on held-out rows (five folds; it stops after two doublings in vain, or when
        half of `time_limit` is spent) and keeps the best.
    criterion : str, default="entropy"
        Impurity that ranks the splits: "entropy", "gini", or "sqrt", the square root
        function of Kearns and Mansour; see `TopK`. It is measured in row weights, not
        in costs.
    candidates : str, default="splits"
        "splits": the k best splits compete, as in the paper; with ``k="all"`` the tree
        is the optimum, with ``k=1`` the greedy one. "features": the k best features
        do, each with its best threshold and the next one on either side; better where
        columns have many values, for there the best splits are neighbours of one
        threshold. The optimum may then not be let in, even with ``k="all"``.
    objective : str, default="accuracy"
        "accuracy", "balanced_accuracy" or "weighted_accuracy", as for
        `OptimalTreeClassifier`.
    omega : float, default=1.0
        What an overlooked positive costs under "weighted_accuracy". Above 0.
    class_weight : dict or "balanced", default=None
        Factor >= 0 of the rows of each label, 1 for labels left out.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost >= 0 of each ``[true, predicted]`` pair, in the order of ``classes_``.
        None: 1 where they differ.
    smoothing : float, default=0.0
        Pseudo-rows added to each class of a leaf by `predict_proba`: 1 is Laplace's
        rule, 0.5 Jeffreys'. It keeps probabilities of small leaves away from 0 and 1,
        and changes neither the tree nor `predict`. At least 0.
    time_limit : float, default=60
        Seconds from the start of `fit` until it stops with the best tree found; the
        choice of k, where "auto" makes one, is counted. None: no limit.
    memory_limit : int, default=None
        Bytes the process may hold, at least 32 MiB. None: half of the memory of the
        machine or container.
    n_jobs : int, default=None
        Threads of one search; the result does not depend on it, unless a limit ends the
        search. None: 1, unless in a joblib context; -1: as many as processors.
    on_progress : callable, default=None
        Called with a `Progress` at once and then about every 0.1 s, also while the
        table is read; returning True stops the fit. With "auto" the searches on parts
        of the rows call it too, each with bounds of its own. A choice that is stopped,
        or by Ctrl-C, keeps the best k so far, with about a second for its tree.
    verbose : int, default=0
        1: show a line with time, objective, bound, gap and leaves while it runs, in
        terminals and notebooks. 0: show nothing.

    Attributes
    ----------
    k_ : int, float, "all" or list
        The k used: `k` itself, or the number that "auto" chose. Neither this nor
        ``k_losses_`` is kept by `save`.
    k_losses_ : dict
        With "auto" the mean held-out loss of each k tried; otherwise empty.
    tree_ : Tree
        The tree; ``print(clf.tree_)`` draws it with its questions in words.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    leaf_penalty_ : float
        The penalty used for each leaf: `leaf_penalty`, or what "auto" stands for on
        the training rows.
    objective_, loss_ : float
        Objective and loss of ``tree_`` on the training rows.
    lower_bound_ : float
        No tree that k lets in has an objective below this; no tree at all where
        ``status_`` is "optimal".
    gap_ : float
        ``objective_ - lower_bound_``.
    status_ : str
        "optimal_in_top_k": proved best among the trees that k lets in. "optimal":
        proved best of all, because no node had more splits than k, or because the
        tree met a lower bound of all trees before splits had to be left out.
        "time_limit", "memory_limit", "interrupted": the search, or the choice of k,
        stopped there.
    result_is_claimed_ : bool
        True in a model that `load` read: objective, bounds and status are what its
        file claims. False after `fit`, which found them.
    n_leaves_, depth_ : int
        Leaves of the tree, and most questions it asks of a row.
    trace_ : tuple of TracePoint
        How the bounds met.
    feature_importances_ : ndarray of shape (n_features,)
        Shares, adding up to 1, of what the splits on each input feature save.
    encoder_ : TableEncoder
        How the columns of the table are read.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, where they are all strings.

    Warns
    -----
    OptimalityWarning
        When the search stopped before it had seen all trees that k lets in, or was
        interrupted before k was chosen.
    TableWarning
        As `OptimalTreeClassifier` does.

    See Also
    --------
    OptimalTreeClassifier : The best of all trees.
    ostrya.TopK : The same choice for `ostrya.solve`, with its tie rule.

    References
    ----------
    .. [1] G. Blanc, J. Lange, C. Pabbaraju, C. Sullivan, L.-Y. Tan and M. Tiwari,
       "Harnessing the power of choices in decision tree learning", NeurIPS 2023.

    Examples
    --------
    >>> from ostrya import TopKTreeClassifier
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> for k in (1, 4, 16):
    ...     clf = TopKTreeClassifier(leaf_penalty=0, max_depth=3, k=k).fit(X, y)
    ...     print(k, clf.status_, round(1 - clf.loss_, 3))
    1 optimal_in_top_k 0.968
    4 optimal_in_top_k 0.974
    16 optimal_in_top_k 0.977
    """

    k_: Any
    k_losses_: dict[int, float]

    _sought = "the best tree that k lets in"

    def __init__(
        self,
        leaf_penalty: float | Literal["auto"] = "auto",
        max_depth: int | None = 5,
        max_leaves: int | None = None,
        min_samples_leaf: int = 1,
        *,
        k: Any = 8,
        criterion: str = "entropy",
        candidates: str = "splits",
        objective: str = "accuracy",
        omega: float = 1.0,
        class_weight: Any = None,
        cost_matrix: npt.ArrayLike | None = None,
        smoothing: float = 0.0,
        time_limit: float | None = 60,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        on_progress: Callable[[Progress], bool | None] | None = None,
        verbose: int = 0,
    ) -> None:
        self.leaf_penalty = leaf_penalty
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_samples_leaf = min_samples_leaf
        self.k = k
        self.criterion = criterion
        self.candidates = candidates
        self.objective = objective
        self.omega = omega
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.smoothing = smoothing
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.on_progress = on_progress
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TopKTreeClassifier:
        """Find the best tree that k lets in, and prove it or report the gap.

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
        TopKTreeClassifier
            Itself.

        Raises
        ------
        TypeError, ValueError
            When an argument is of the wrong kind or outside its range.
        """
        with watching(self) as monitor:
            check_weighted(self.objective, "Top-k trees")
            is_chosen = isinstance(self.k, str) and self.k == "auto"
            if not is_chosen:
                check_widths(self.k, more=', or "auto"')
            table = self._read(X, y, sample_weight, monitor)

            search = partial(self._search, on_progress=monitor.on_progress)
            self.k_, self.k_losses_ = self.k, {}
            if is_chosen:
                choice = choose_k(table, search, monitor)
                self.k_, self.k_losses_ = choice.k, choice.losses
                outcome = choice.outcome
            else:
                outcome = search(table, self.k, monitor.left())

            self._keep(outcome, table)
        return self

    def _search(
        self, table: TrainingTable, k: Any, time_limit: float | None, on_progress: Any
    ) -> Outcome:
        return self._find_tree(
            table,
            max_depth=self.max_depth,
            time_limit=time_limit,
            top_k=TopK(k=k, criterion=self.criterion, candidates=self.candidates),
            n_jobs=self.n_jobs,
            on_progress=on_progress,
        )

    def _unproved(self, outcome: Outcome) -> str:
        if outcome.status == "interrupted" and outcome.gap == 0:
            # The tree is proved for its k, but not every k was tried that should be.
            return (
                "The choice of k stopped (interrupted) before its end; the tree is the "
                f"best that k={self.k_} lets in. What helps: "
                f"{STOPS['interrupted']}."
            )
        return super()._unproved(outcome)

    def _shortcuts(self) -> list[str]:
        is_least = is_number(self.k_) and self.k_ == 1
        return [*super()._shortcuts(), *([] if is_least else ["a smaller k"])]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Where leaves are free, a row of next to no weight gets its own if that is
        # what it takes to label it right; scikit-learn's checks call that poor.
        tags.classifier_tags.poor_score = self.leaf_penalty == 0
        return tags
