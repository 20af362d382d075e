"""OptimalPolicyTree: a tree that chooses the action with the highest mean reward."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import narwhals as nw
import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ostrya._coded_matrix import CodedMatrix, Matrix
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.idle_threads import warn_of_idle_threads
from ostrya._solve.settings import check_settings
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import (
    check_option,
    check_row_costs,
    check_rows,
    data_of_costs,
)
from ostrya._solver import find_tree
from ostrya._weights import check_sample_weight
from ostrya.estimators._base import TreeEstimator
from ostrya.estimators._search import OPTIONS_OF_TREES, STOPS, unproved
from ostrya.estimators.importances import importances
from ostrya.estimators.row_numbers import hint_at_row_numbers
from ostrya.estimators.watching import watching
from ostrya.estimators.words import in_words, with_short_thresholds
from ostrya.exceptions import OptimalityWarning
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.checks import check_table, feature_names
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints
from ostrya.preprocessing.table import as_frame, count_rows, keep_rows
from ostrya.preprocessing.training_table import TrainingTable
from ostrya.preprocessing.typical import with_typical_values
from ostrya.results.outcome import Outcome, Progress


class OptimalPolicyTree(TreeEstimator):
    """Optimal sparse policy tree, with a proof or the optimality gap.

    A policy assigns an action, such as a treatment, to each row. The tree maximises the
    mean reward on the training rows minus ``leaf_penalty`` for each leaf. The search
    considers all trees within the limits, with every threshold of every feature.

    Rewards that were not observed have to be estimated first, usually as doubly robust
    scores; see docs/how-to/policies.md. Tables can contain everything that
    `OptimalTreeClassifier` accepts, except that they must fit into memory.

    Parameters
    ----------
    leaf_penalty : float or "auto", default="auto"
        Amount by which each leaf must increase the mean reward, in units of the
        rewards. "auto" is ``max(0.01, 3 / n)`` times the mean difference between the
        highest and the lowest reward of a row, where n is the number of training rows
        with a weight above 0, or the sum of `sample_weight` if that is larger. Must be
        at least 0.
    max_depth : int, None or "auto", default="auto"
        Maximum depth of the tree. A tree that consists of a single leaf has depth 0.
        "auto" sets no limit, but ends the search after a fixed amount of counted work,
        about 1 to 5 seconds; the tree is then optimal among trees of depth
        ``proved_depth_`` or less. Policies are usually trees of depth 2 or 3. None: no
        limit.
    max_leaf_nodes : int, default=None
        Maximum number of leaves. None: no limit.
    min_samples_leaf : int, default=1
        Minimum number of training rows in a leaf, counted without weights. Increase it
        if rewards are noisy.
    time_limit : float, default=60
        Maximum time for `fit`, in seconds. When it expires, the best tree found so far
        is returned. None: no limit.
    memory_limit : int, default=None
        Maximum memory of the process, in bytes, at least 32 MiB. None: half of the
        memory of the machine or container.
    n_jobs : int, default=None
        Number of threads of the search. None: 1, unless in a joblib context; -1: one
        per processor. If `max_depth` is "auto", it has no effect, and setting it to
        another number than 1 causes a warning. The result does not depend on it unless
        a limit ends the search.
    verbose : int, default=0
        1: show a line with time, objective, lower bound, gap and leaves during the
        search, in terminals and notebooks. 0: show nothing.

    Attributes
    ----------
    tree_ : Tree
        The tree. ``print(policy.tree_)`` shows what was proved and draws the tree. Its
        attribute ``costs`` contains minus the mean reward of each action in each node.
    actions_ : ndarray of shape (n_actions,)
        The actions: the column names of `rewards` if it is a dataframe, otherwise 0, 1,
        and so on.
    mean_reward_ : float
        Mean reward of the tree's actions on the training rows.
    leaf_penalty_ : float
        Penalty per leaf that was used: `leaf_penalty`, or the value of "auto".
    objective_, loss_ : float
        The loss is minus the mean reward; the objective, which the search minimises, is
        ``loss_ + leaf_penalty_ * n_leaves_``.
    lower_bound_ : float
        No tree within the limits has an objective below this.
    gap_ : float
        ``objective_ - lower_bound_``: no tree is better by more.
    status_ : str
        What was proved. "optimal": no tree within the limits is better.
        "optimal_to_rounding": proved up to ``gap_``, because rewards have too many
        digits for exact integers; this is usual for estimated rewards, and the gap is
        then far below their precision. "optimal_to_depth": no tree of depth
        ``proved_depth_`` or less is better. "time_limit", "memory_limit",
        "interrupted": the search was stopped.
    proved_depth_ : int or None
        No tree within the limits and of this depth or less is better. None: no tree of
        any depth.
    result_from_file_ : bool
        True if the model was read by `load`; False if `fit` computed it.
    n_leaves_, depth_ : int
        Number of leaves and depth of the tree.
    trace_ : tuple of TracePoint
        Lower bound and best objective over time.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each input feature in the mean reward that the splits add. They sum to
        1, or are all 0 for a single leaf.
    encoder_ : TableEncoder
        Converts tables to the matrix that the tree uses.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, if all of them are strings.

    Warns
    -----
    OptimalityWarning
        If a limit or an interruption ended the search before its proof.
    TableWarning
        If text was read as numbers or dates, or a column looks like an identifier.

    See Also
    --------
    OptimalTreeClassifier : The same for labels instead of rewards.
    ostrya.solve : Its argument `costs` takes one cost per row and label.

    Notes
    -----
    The mean reward on the training rows is too optimistic, because the tree was chosen
    to maximise it. Use `score` on held-out rows to estimate the value of the policy.

    References
    ----------
    Z. Zhou, S. Athey and S. Wager, "Offline multi-action policy learning:
    Generalization and optimization", Operations Research 71(1), 2023.

    Examples
    --------
    >>> from ostrya import OptimalPolicyTree
    >>> X = [[25], [30], [45], [50]]
    >>> rewards = [[1.0, 0.0], [2.0, 1.0], [0.0, 3.0], [1.0, 2.0]]
    >>> policy = OptimalPolicyTree(max_depth=2, leaf_penalty=0.01).fit(X, rewards)
    >>> policy.status_, policy.mean_reward_
    ('optimal', 2.0)
    >>> print(policy)
    Mean reward 2 on 4 training rows with 2 leaves; proved: no tree within these limits\
 has a lower objective.
    <BLANKLINE>
    x0 <= 37.5?
    ├─ yes: 0   2 rows, mean reward 1.5
    └─ no:  1   2 rows, mean reward 2.5
    >>> policy.predict([[20], [60]])
    array([0, 1])
    """

    leaf_penalty: float | Literal["auto"]

    def __init__(
        self,
        *,
        leaf_penalty: float | Literal["auto"] = "auto",
        max_depth: int | Literal["auto"] | None = "auto",
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        time_limit: float | None = 60,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.leaf_penalty = leaf_penalty
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def actions_(self) -> npt.NDArray[Any]:
        """The actions, in the order of the columns of the rewards."""
        check_is_fitted(self)
        return self.classes_

    @property
    def mean_reward_(self) -> float:
        """Mean reward of the tree's actions on the training rows."""
        check_is_fitted(self)
        return -self.loss_

    def fit(
        self,
        X: Any,
        rewards: Any,
        sample_weight: Any = None,
        *,
        checkpoint: str | os.PathLike[str] | None = None,
        on_progress: Callable[[Progress], bool | None] | None = None,
    ) -> OptimalPolicyTree:
        """Find the tree with the highest mean reward, and prove it or report the gap.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows.
        rewards : array-like of shape (n_samples, n_actions), or a dataframe
            Reward of each action for each row, or an estimate such as a doubly robust
            score. Rewards may be negative.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. None: all 1.
        checkpoint : str or path, default=None
            A file in which the search saves what it has proved, about every minute and
            when it ends. If the file exists, the search resumes from it. See
            `ostrya.solve`.
        on_progress : callable, default=None
            Function that is called with a `Progress` at once and then about every 0.1
            s. If it returns True, the fit ends with the best tree found so far.

        Returns
        -------
        OptimalPolicyTree
            Itself.

        Raises
        ------
        TypeError, ValueError
            When an argument is of the wrong kind or outside its range.
        """
        with watching(self, on_progress) as monitor:
            monitor.report("preparing")
            for name in OPTIONS_OF_TREES:
                check_option(name, getattr(self, name))
            table, costs = self._read_rewards(X, rewards, sample_weight, monitor)
            data = self._data(table.matrix, costs, table.weights)
            warn_of_idle_threads(self.n_jobs, self.max_depth, counts_work=True)
            settings = check_settings(
                data,
                max_depth=self.max_depth,
                max_leaf_nodes=self.max_leaf_nodes,
                min_samples_leaf=self.min_samples_leaf,
                memory_limit=self.memory_limit,
                time_limit=monitor.left(),
                on_progress=monitor.on_progress,
                n_jobs=self.n_jobs,
                checkpoint=checkpoint,
            )
            self._keep(find_tree(data, settings, time.perf_counter()), table)
        return self

    def score(self, X: Any, rewards: Any, sample_weight: Any = None) -> float:
        """Return the mean reward of the policy on given rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.
        rewards : array-like of shape (n_samples, n_actions), or a dataframe
            Reward of each action for each row, with the columns of `fit`.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. None: all 1.

        Returns
        -------
        float
            The weighted mean reward of the actions that `predict` returns.
        """
        leaf = self.apply(X)
        values = check_row_costs("rewards", _plain(rewards)[0], len(leaf))
        if values.shape[1] != len(self.actions_):
            raise ValueError(
                f"rewards must have one column per action ({len(self.actions_)}); got "
                f"{values.shape[1]}"
            )
        weights = check_sample_weight(sample_weight, len(leaf))
        received = values[np.arange(len(leaf)), self.tree_.label[leaf]]
        return float(np.average(received, weights=weights))

    def _read_rewards(
        self, X: Any, rewards: Any, sample_weight: Any, monitor: FitMonitor
    ) -> tuple[TrainingTable, npt.NDArray[np.float64]]:
        """Check and encode the training table; return it with the costs of actions.

        Sets ``classes_`` and ``encoder_``. Rows of weight 0 are left out.
        """
        as_frame(X)  # raises for a lazy table
        values, names = _plain(rewards)
        X = check_table(self, X, reset=True)
        values = check_row_costs("rewards", values, count_rows(X))
        if values.shape[1] < 2:
            raise ValueError(
                "rewards must have at least two columns, one for each action; got "
                f"{values.shape[1]}. If you may also do nothing, add a column for it"
            )
        weights = check_sample_weight(sample_weight, len(values))
        if weights is not None and not weights.all():
            kept = weights > 0
            X, values, weights = keep_rows(X, kept), values[kept], weights[kept]
        self.classes_ = np.arange(values.shape[1]) if names is None else names
        best = ClassWeights(values.argmax(axis=1), weights)
        hints = TableHints()
        self.encoder_, matrix = TableEncoder.read(
            X,
            feature_names(self),
            best,
            hints,
            lambda: monitor.report("preparing"),
        )
        hints.warn()
        table = TrainingTable(
            raw=X,
            encoder=self.encoder_,
            matrix=matrix,
            classes=self.classes_,
            codes=best.codes,
            weights=weights,
            sample_weights=weights,
            costs=None,
            names=feature_names(self),
        )
        return table, 0.0 - values

    def _data(
        self,
        matrix: Matrix,
        costs: npt.NDArray[np.float64],
        weights: npt.NDArray[np.float64] | None,
    ) -> TrainingData:
        if not isinstance(matrix, CodedMatrix):
            matrix = check_rows(matrix)
        penalty = check_option("leaf_penalty", self.leaf_penalty)
        return data_of_costs(matrix, costs, weights, penalty)

    def _keep(self, outcome: Outcome, table: TrainingTable) -> None:
        """Keep the tree and its proof; warn if there is none."""
        tree = replace(outcome.tree, shows_rewards=True)
        tree = with_short_thresholds(tree, table.matrix, table.matrix, self.encoder_)
        self.tree_ = in_words(tree, self.encoder_, self.classes_)
        asked = self.tree_.feature[self.tree_.feature >= 0]
        self.encoder_ = with_typical_values(
            self.encoder_, asked.tolist(), table.matrix, None
        )
        self.feature_importances_ = self._importances(None)
        self.leaf_penalty_ = outcome.leaf_penalty
        self.objective_, self.loss_ = outcome.objective, outcome.loss
        self.lower_bound_, self.gap_ = outcome.lower_bound, outcome.gap
        self.status_, self.trace_ = outcome.status, outcome.trace
        self.n_leaves_, self.depth_ = outcome.n_leaves, outcome.tree.depth
        self.proved_depth_ = outcome.proved_depth
        self.compression_ = None
        self.result_from_file_ = False
        self._keep_headline()
        if outcome.status in STOPS:
            is_open = self.max_depth is None or self.max_depth == "auto"
            shortcuts = ["max_depth=2 or 3"] if is_open else []
            message = unproved(self, outcome, "the optimal objective", shortcuts)
            warnings.warn(message, OptimalityWarning, stacklevel=3)
        hint_at_row_numbers(self, table)

    def _importances(self, costs: None) -> npt.NDArray[np.float64]:
        """Return what each input feature's splits add to the reward."""
        return importances(self.tree_, self.encoder_.source, self.n_features_in_, costs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.two_d_labels = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags


def _plain(rewards: Any) -> tuple[Any, npt.NDArray[Any] | None]:
    """Return rewards as something that NumPy reads, and the names of their columns."""
    frame = nw.from_native(rewards, pass_through=True, eager_only=True)
    if not isinstance(frame, nw.DataFrame):
        return rewards, None
    names = list(frame.columns)
    if len(set(names)) < len(names):
        raise ValueError(
            "rewards must have distinct column names. Rename or drop columns"
        )
    values = frame.to_numpy()
    if all(isinstance(name, str) for name in names):
        return values, np.array(names)
    kind = np.array(names)
    return values, kind if kind.dtype.kind in "iu" else np.array(list(map(str, names)))
