"""TopKTreeClassifier: the best tree over the k best splits of each node."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._arguments import is_number
from ostrya._solve.objective_weights import check_sum
from ostrya._solve.validation import check_widths
from ostrya.estimators._search import STOPS, SearchedTreeClassifier
from ostrya.estimators.choose_k import choose_k
from ostrya.estimators.watching import watching
from ostrya.objectives import Objective
from ostrya.preprocessing.training_table import TrainingTable
from ostrya.results.outcome import Outcome, Progress
from ostrya.top_k import TopKSplits


class TopKTreeClassifier(SearchedTreeClassifier):
    """Optimal tree among those that use only the k best splits of each node.

    A greedy tree uses the split with the highest impurity gain at each node. This
    classifier may use any of the k best, and finds the best of all such trees [1]_.
    ``k=1`` is the greedy tree, pruned of splits that do not lower the objective;
    ``k="all"`` is the optimal tree (with the default `candidates`). A small k comes
    close to the optimum in a fraction of its time.

    The objective is ``loss + leaf_penalty * n_leaves``. Parameters that
    `OptimalTreeClassifier` also has mean the same here.

    Parameters
    ----------
    leaf_penalty : float or "auto", default="auto"
        Amount added to the objective for each leaf, in units of the loss. "auto" is
        ``max(0.01, 3 / n)`` for n training rows. 0 grows the trees of the paper, as
        large as `max_depth` allows.
    max_depth : int, default=5
        Maximum depth of the tree; a single leaf has depth 0. None: no limit. The
        default is a number, unlike that of `OptimalTreeClassifier`, because the number
        of trees grows with every level and no budget of counted work ends this search.
    max_leaf_nodes : int, default=None
        Maximum number of leaves. None: no limit.
    min_samples_leaf : int, default=1
        Minimum number of training rows in a leaf, counted without weights. Splits that
        leave fewer are not candidates.
    objective : str or Objective, default="accuracy"
        What to optimise: "accuracy", "balanced_accuracy" or a
        `ostrya.objectives.WeightedAccuracy`.
    class_weight : dict or "balanced", default=None
        Factor >= 0 for the weight of the rows of each label; 1 for labels that are not
        listed.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost >= 0 of each ``[true, predicted]`` pair, in the order of ``classes_``.
        None: 1 for every misclassification.
    smoothing : float, default=0.0
        Number of pseudo-rows of each class that `predict_proba` adds to a leaf. It
        changes neither the tree nor `predict`.
    k : int, float, "all", "auto", or a list, default=8
        Number of candidates of each node. Increase it for lower training loss at a
        higher cost. A float in (0, 1] is a fraction of all splits of the table (of its
        features, if these compete), rounded up. A list gives k for the root, its
        children, and so on; its last entry also applies to deeper levels. "auto"
        doubles k as long as the loss on held-out rows (five folds) decreases, for at
        most half of `time_limit`, and keeps the best.
    criterion : {"entropy", "gini", "sqrt"} or callable, default="entropy"
        Impurity that ranks the splits; "sqrt" is the function of Kearns and Mansour. A
        function of class frequencies is possible, too; see
        `ostrya.top_k.TopKSplits`. Model files do not keep it. The criterion uses the
        weights of rows, but not costs.
    candidates : {"splits", "features"}, default="splits"
        What competes. "splits": the k best splits, as in the paper. "features": the k
        best features, each with its best threshold and one neighbour on either side.
        Use "features" if most columns have many values, because their best splits are
        often neighbouring thresholds of one feature. Even ``k="all"`` may then miss the
        optimal tree.
    time_limit : float, default=60
        Maximum time for `fit`, in seconds, including the choice of k. None: no limit.
    memory_limit : int, default=None
        Maximum memory of the process, in bytes, at least 32 MiB. None: half of the
        memory of the machine or container.
    n_jobs : int, default=None
        Number of threads of the search. None: 1, unless in a joblib context; -1: one
        per processor. The result does not depend on it unless a limit ends the search.
    verbose : int, default=0
        1: show a progress line. 0: show nothing.

    Attributes
    ----------
    k_ : int, float, "all" or list
        The k that was used: `k`, or the number chosen by "auto". Model files do not
        keep it, nor ``k_losses_``.
    k_losses_ : dict
        With "auto": mean held-out loss of each k that was tried; otherwise empty.
    tree_ : Tree
        The tree. ``print(clf.tree_)`` shows what was proved and draws the tree.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    leaf_penalty_ : float
        Penalty per leaf that was used: `leaf_penalty`, or the value of "auto".
    objective_, loss_ : float
        Objective and loss of ``tree_`` on the training rows.
    lower_bound_ : float
        No tree over the k best splits has an objective below this; no tree at all if
        ``status_`` is "optimal".
    gap_ : float
        ``objective_ - lower_bound_``.
    status_ : str
        What was proved. "optimal_in_top_k": no tree over the k best splits of each
        node has a lower objective. "optimal": no tree at all has, because no node had
        more than k splits, or because the tree meets a lower bound for all trees.
        "time_limit", "memory_limit", "interrupted": the search, or the choice of k, was
        stopped.
    result_from_file_ : bool
        True if the model was read by `load`, so that objective, bounds and status are
        those stated in the file; False if `fit` computed them.
    n_leaves_, depth_ : int
        Number of leaves and depth of the tree.
    trace_ : tuple of TracePoint
        Lower bound and best objective over time.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each input feature in the training loss that the splits save.
    encoder_ : TableEncoder
        Converts tables to the matrix that the tree uses.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, if all of them are strings.

    Warns
    -----
    OptimalityWarning
        If the search ended before its tree was proved optimal, or before k was chosen.
    TableWarning
        As `OptimalTreeClassifier` does.

    See Also
    --------
    OptimalTreeClassifier : Searches all trees.
    ostrya.top_k.TopKSplits : The same restriction for `ostrya.solve`.

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

    _sought = "the objective of the best tree for this k"

    def __init__(
        self,
        *,
        leaf_penalty: float | Literal["auto"] = "auto",
        max_depth: int | None = 5,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        objective: str | Objective = "accuracy",
        class_weight: Any = None,
        cost_matrix: npt.ArrayLike | None = None,
        smoothing: float = 0.0,
        k: Any = 8,
        criterion: str | Callable[[npt.NDArray[np.float64]], npt.ArrayLike] = "entropy",
        candidates: str = "splits",
        time_limit: float | None = 60,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.leaf_penalty = leaf_penalty
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.objective = objective
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.smoothing = smoothing
        self.k = k
        self.criterion = criterion
        self.candidates = candidates
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        on_progress: Callable[[Progress], bool | None] | None = None,
    ) -> TopKTreeClassifier:
        """Find the best tree over the k best splits of each node.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows.
        y : array-like of shape (n_samples,), or a series
            Labels of any one type.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. None: all 1.
        on_progress : callable, default=None
            Function that is called with a `Progress` at once and then about every 0.1
            s. If it returns True, the fit ends with the best tree found so far. With
            ``k="auto"`` it is also called by the searches on folds, with their bounds.

        Returns
        -------
        TopKTreeClassifier
            Itself.

        Raises
        ------
        TypeError, ValueError
            When an argument is of the wrong kind or outside its range.
        """
        with watching(self, on_progress) as monitor:
            check_sum(self.objective, "Top-k trees")
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
            top_k=TopKSplits(k=k, criterion=self.criterion, candidates=self.candidates),
            n_jobs=self.n_jobs,
            on_progress=on_progress,
        )

    def _unproved(self, outcome: Outcome) -> str:
        if outcome.status == "interrupted" and outcome.gap == 0:
            # The tree is proved for its k, but not every k was tried that should be.
            return (
                "The fit was interrupted before k was chosen; the tree is the best one "
                f"for k={self.k_}. Try, in this order: {STOPS['interrupted']}; a "
                "fixed k."
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
