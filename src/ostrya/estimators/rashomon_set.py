"""RashomonSet: all trees whose objective is close to the best one."""

from __future__ import annotations

import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ostrya._arguments import check_number, show
from ostrya._ctrl_c import CtrlC
from ostrya._solve.engine import search_columns
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.grid import to_grid
from ostrya._solve.limits import Limits
from ostrya._solve.recount import recount
from ostrya._solve.reports import in_costs
from ostrya._solve.search import SearchOptions
from ostrya._solve.settings import check_settings
from ostrya._solve.training_data import TrainingData
from ostrya._solve.tree_counts import TreeCounts, cost_up_to, cost_within
from ostrya._tree_shape import TreeShape
from ostrya.bounds import Bounds
from ostrya.estimators.first_match import ConditionalChoice
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.estimators.reliance import SetImportances
from ostrya.estimators.set_views import SetViews
from ostrya.estimators.tree_questions import TreeQuestions
from ostrya.estimators.watching import watching
from ostrya.estimators.words import in_words, short_thresholds
from ostrya.exceptions import InternalError, OptimalityWarning
from ostrya.preprocessing.training_table import TrainingTable
from ostrya.results.outcome import Progress
from ostrya.tree import Tree


def _is_share(value: float) -> bool:
    return bool(np.isfinite(value)) and value >= 0


class RashomonSet(
    SetViews,
    SetImportances,
    ConditionalChoice,
    TreeQuestions,
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """All decision trees whose objective is close to the best one.

    Often many trees are almost as good as the best one. This class counts them, lists
    them in order, samples them and answers questions about all of them, without
    storing them one by one: the set is exact even if it contains more than 10^10
    trees.

    The objective is that of `OptimalTreeClassifier`: training loss plus `leaf_penalty`
    for each leaf. The set contains every tree whose objective is at most
    ``(1 + epsilon)`` times the lowest one, or at most `max_objective`, within the
    limits on depth, leaves and rows per leaf. The comparison is exact.

    Two trees are different if they ask different questions. Each leaf predicts the
    class with the lowest loss; other labels do not make another tree. Every leaf has
    training rows. Questions that split all training rows in the same way count as one,
    and `equal_questions_` lists their other names.

    Trees are ordered by objective, then by number of leaves. Trees that agree in both
    are ordered by the first question (column, then threshold), then by the subtree for
    "yes" (leaves, training loss, then the same rule), then by the subtree for "no".

    Parameters
    ----------
    leaf_penalty : float or "auto", default="auto"
        Penalty for each leaf, in units of the loss; see `OptimalTreeClassifier`.
    max_depth : int, default=None
        Maximum depth of the trees; a single leaf has depth 0. None: no limit. There is
        no "auto", because the set must be complete up to some objective.
    max_leaf_nodes : int, default=None
        Maximum number of leaves. None: no limit.
    min_samples_leaf : int, default=1
        Minimum number of training rows in a leaf, counted without weights.
    class_weight : dict or "balanced", default=None
        Weights of the classes; see `OptimalTreeClassifier`.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost of each ``[true class, predicted class]``. None: 1 for every
        misclassification.
    epsilon : float, default=0.05
        The set contains trees with an objective of at most ``1 + epsilon`` times the
        lowest one. Ignored if `max_objective` is set.
    max_objective : float, default=None
        The set contains trees with an objective of at most this. None:
        `epsilon` determines it.
    trivial_splits : bool, default=True
        Whether to include trees in which two sibling leaves predict the same class.
        Such a split changes no prediction, but it is often part of the set. False
        makes the set smaller and keeps one tree of each such pair.
    time_limit : float, default=60
        Maximum time for `fit`, in seconds. When it expires, the set contains all trees
        up to the objective `complete_to_`. None: no limit.
    memory_limit : int, default=None
        Maximum memory of the process, in bytes, at least 32 MiB. None: half of the
        memory of the machine or container.
    verbose : int, default=0
        1: show a progress line while the best tree is searched. 0: show nothing.

    Attributes
    ----------
    n_trees_ : int
        Number of trees in the set. ``len`` returns the same number, but Python limits
        it to `sys.maxsize`.
    objective_ : float
        The lowest objective of a tree.
    max_objective_ : float
        The largest objective that a tree of the set may have.
    complete_to_ : float or None
        Every tree with an objective of at most this is in the set. Equal to
        ``max_objective_`` unless a limit stopped the fit. None if nothing was counted.
    status_ : {"complete", "time_limit", "memory_limit", "interrupted"}
        Whether the set is complete, or what stopped the fit.
    leaf_penalty_ : float
        The penalty used.
    equal_questions_ : dict of str to list of str
        For each question of the trees that has other names, those names: questions
        that split the training rows in the same way, or in the opposite way.
    classes_ : ndarray
        The labels.
    encoder_ : TableEncoder
        Converts tables to the columns that the trees ask about.
    n_features_in_ : int
        Number of columns of the training table.
    feature_names_in_ : ndarray of str
        Their names, if the table has names.

    See Also
    --------
    OptimalTreeClassifier : Finds the best tree only.

    Examples
    --------
    >>> from ostrya import RashomonSet
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5, max_depth=2)
    >>> trees.fit(X, [0, 0, 1, 1, 1, 0]).n_trees_
    13
    >>> print(trees[0])
    x1 <= 0.5?
    ├─ yes: 0   3 rows, 100% correct
    └─ no:  1   3 rows, 100% correct
    >>> trees.leaf_counts(), trees.feature_importances()
    ({2: 1, 3: 12}, array([0.92307692, 0.84615385]))
    """

    def __init__(
        self,
        *,
        leaf_penalty: float | Literal["auto"] = "auto",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        class_weight: Any = None,
        cost_matrix: npt.ArrayLike | None = None,
        epsilon: float = 0.05,
        max_objective: float | None = None,
        trivial_splits: bool = True,
        time_limit: float | None = 60,
        memory_limit: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.leaf_penalty = leaf_penalty
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.epsilon = epsilon
        self.max_objective = max_objective
        self.trivial_splits = trivial_splits
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        on_progress: Callable[[Progress], bool | None] | None = None,
    ) -> RashomonSet:
        """Count all trees of the set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows.
        y : array-like of shape (n_samples,), or a series
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. Rows with weight 0 are ignored.
        on_progress : callable, default=None
            Called with a `Progress` while the best tree is searched; returning True
            stops the fit.

        Returns
        -------
        RashomonSet
            Itself.

        Raises
        ------
        TypeError, ValueError
            If an argument is of the wrong type or outside its range.
        """
        self._check_parameters()
        with watching(self, on_progress) as monitor, CtrlC() as ctrl_c:
            reader = self._reader()
            table = reader._read(X, y, sample_weight, monitor)
            self._copy_columns(reader)
            self._count(reader, table, monitor, ctrl_c)
        if self.status_ != "complete":
            warnings.warn(self._incomplete(), OptimalityWarning, stacklevel=2)
        return self

    def _check_parameters(self) -> None:
        """Raise if a parameter is wrong, whatever the table is."""
        if isinstance(self.max_depth, str):
            raise ValueError(
                "max_depth must be an integer >= 0, or None (no limit); got "
                f"{self.max_depth!r}"
            )
        check_number("epsilon", self.epsilon, "a finite number >= 0", _is_share)
        if self.max_objective is not None:
            check_number(
                "max_objective", self.max_objective, "a finite number", np.isfinite
            )
        if not isinstance(self.trivial_splits, (bool, np.bool_)):
            raise TypeError(
                f"trivial_splits must be True or False; got {show(self.trivial_splits)}"
            )

    def _reader(self) -> OptimalTreeClassifier:
        """Return the classifier that reads the table and its weights."""
        return OptimalTreeClassifier(
            leaf_penalty=self.leaf_penalty,
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            class_weight=self.class_weight,
            cost_matrix=self.cost_matrix,
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
        )

    def _copy_columns(self, reader: OptimalTreeClassifier) -> None:
        for name in ("classes_", "encoder_", "n_features_in_", "feature_names_in_"):
            if hasattr(reader, name):
                setattr(self, name, getattr(reader, name))
            elif hasattr(self, name):
                delattr(self, name)  # of an earlier fit

    def _count(
        self,
        reader: OptimalTreeClassifier,
        table: TrainingTable,
        monitor: FitMonitor,
        ctrl_c: CtrlC,
    ) -> None:
        """Find the best tree, then count all trees up to the threshold."""
        data = reader._training_data(table)
        settings = check_settings(
            data,
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            time_limit=monitor.left(),
            memory_limit=self.memory_limit,
            on_progress=monitor.on_progress,
        )
        grid = to_grid(data)
        self._data, self._grid, self._table = data, grid, table
        limits = self._limits_left(settings.limits, data, monitor)
        best = search_columns(
            data,
            grid,
            SearchOptions(limits=limits, bounds=Bounds(), ctrl_c=ctrl_c),
            in_costs(settings.on_progress, grid),
        )
        ctrl_c.has_searched(was_interrupted=best.status == "interrupted")
        self.leaf_penalty_ = data.leaf_penalty
        self.objective_ = grid.to_objective(best.upper)
        self.lower_bound_ = grid.to_lower_bound(best.lower)
        self.n_leaves_ = best.shape.n_leaves
        if self.max_objective is not None:
            most = cost_up_to(grid, float(self.max_objective))
        else:
            most = cost_within(grid, best.upper, float(self.epsilon))
        self.max_objective_ = grid.to_objective(most)
        self._most = most
        is_known = best.lower == best.upper or self.max_objective is not None
        if table.whole is not None or not is_known:
            self._take_nothing(table.whole.limit if table.whole else best.status)
            return
        self._counts: TreeCounts | None = TreeCounts(
            data,
            grid,
            self._limits_left(settings.limits, data, monitor),
            optimum=min(best.lower, most),
            most=most,
            trivial_splits=bool(self.trivial_splits),
            ctrl_c=ctrl_c,
        )
        self._take(self._counts)

    def _limits_left(
        self, limits: Limits, data: TrainingData, monitor: FitMonitor
    ) -> Limits:
        limits = replace(limits, time_limit=monitor.left())
        return limits.remaining(data.n_samples, time.perf_counter())

    def _take(self, counts: TreeCounts) -> None:
        self.n_trees_ = counts.n_trees
        self.status_ = counts.status
        complete = counts.complete_to
        self.complete_to_ = (
            None if complete is None else self._grid.to_objective(complete)
        )
        self._thresholds = [
            short_thresholds(
                cuts.column,
                cuts.thresholds,
                self._data.X,
                self._table.matrix,
                self.encoder_,
                self._table.least,
            )
            for cuts in counts.cuts
        ]
        self.equal_questions_ = self._name_equal_questions(counts)

    def _take_nothing(self, status: str) -> None:
        """Be a set without trees: a limit was reached before any could be counted."""
        self._counts = None
        self.n_trees_, self.status_, self.complete_to_ = 0, status, None
        self._thresholds = []
        self.equal_questions_ = {}

    def _name_equal_questions(self, counts: TreeCounts) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for column, threshold, kept, its_threshold, is_turned in counts.aliases:
            asked = self._question(kept, its_threshold)[0]
            other = self._question(column, threshold)[1 if is_turned else 0]
            names.setdefault(asked, []).append(other)
        return names

    def _question(self, column: int, threshold: float) -> tuple[str, str]:
        """Return a question and its denial, with a threshold of few digits."""
        short = short_thresholds(
            column,
            np.array([threshold]),
            self._data.X,
            self._table.matrix,
            self.encoder_,
            self._table.least,
        )
        questions, denials = self.encoder_.wordings(column, short.tolist())
        return questions[0], denials[0]

    def _incomplete(self) -> str:
        """Return what is known of an incomplete set, and what to do about it."""
        if self._counts is None or self.complete_to_ is None:
            known = "No tree was counted."
        else:
            known = (
                f"The set contains the {self.n_trees_:,} trees with an objective of at "
                f"most {self.complete_to_:.6g}, instead of {self.max_objective_:.6g}."
            )
        value = getattr(self, self.status_, None)
        stop = self.status_ if value is None else f"{self.status_}={value}"
        return (
            f"{known} The fit was stopped ({stop}). Try, in this order: a smaller "
            "epsilon; a smaller max_depth; a larger leaf_penalty; a higher limit."
        )

    # --- the trees ---------------------------------------------------------------

    def __len__(self) -> int:
        check_is_fitted(self, "n_trees_")
        if self.n_trees_ > sys.maxsize:
            raise OverflowError(
                f"len() is limited to sys.maxsize={sys.maxsize}; use n_trees_, which "
                f"is {self.n_trees_}"
            )
        return self.n_trees_

    def __bool__(self) -> bool:
        check_is_fitted(self, "n_trees_")
        return self.n_trees_ > 0

    @overload
    def __getitem__(self, index: int) -> Tree: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tree]: ...
    def __getitem__(self, index: Any) -> Tree | list[Tree]:
        """Return the i-th best tree, or the trees of a slice as a list."""
        check_is_fitted(self, "n_trees_")
        if isinstance(index, slice):
            places = range(self.n_trees_)[index]
            return [self._tree(place) for place in places]
        if not isinstance(index, (int, np.integer)) or isinstance(index, bool):
            raise TypeError(f"index must be an integer or a slice; got {show(index)}")
        place = int(index) + (self.n_trees_ if index < 0 else 0)
        if not 0 <= place < self.n_trees_:
            raise IndexError(
                f"index must be between 0 and {self.n_trees_ - 1}; got {index}"
            )
        return self._tree(place)

    def __iter__(self) -> Iterator[Tree]:
        """Yield all trees in order, best first."""
        check_is_fitted(self, "n_trees_")
        place = 0
        while place < self.n_trees_:
            yield self._tree(place)
            place += 1

    def _tree(self, place: int) -> Tree:
        assert self._counts is not None
        columns, cuts, yes, no = self._counts.tree(place)
        feature = np.full(len(columns), -1, dtype=np.int32)
        threshold = np.full(len(columns), np.nan)
        for node, (column, cut) in enumerate(zip(columns, cuts, strict=True)):
            if column >= 0:
                feature[node] = self._counts.cuts[column].column
                threshold[node] = self._thresholds[column][cut]
        shape = TreeShape(
            feature, threshold, np.array(yes, np.int32), np.array(no, np.int32)
        )
        counted = recount(shape, self._data, self._grid)
        expected = self._counts.kind_at(place).cost
        if counted.cost != expected:
            raise InternalError(
                f"tree {place} was counted with cost {expected} but costs "
                f"{counted.cost}; please report this with the data and the parameters"
            )
        return in_words(counted.tree, self.encoder_, self.classes_)

    def objective(self, index: int) -> float:
        """Return the objective of the i-th best tree.

        Parameters
        ----------
        index : int
            Its place, counted from 0.

        Returns
        -------
        float
            The training loss plus the leaf penalties.
        """
        check_is_fitted(self, "n_trees_")
        if not 0 <= index < self.n_trees_:
            raise IndexError(
                f"index must be between 0 and {self.n_trees_ - 1}; got {index}"
            )
        assert self._counts is not None
        return self._grid.to_objective(self._counts.kind_at(index).cost)

    def sample(self, n: int = 1, random_state: Any = None) -> list[Tree]:
        """Return trees drawn uniformly from the set, without replacement.

        Parameters
        ----------
        n : int, default=1
            Number of trees, at most ``n_trees_``.
        random_state : int, default=None
            Seed for a reproducible sample.

        Returns
        -------
        list of Tree
            In the order in which they were drawn.
        """
        return [self._tree(place) for place in self.sample_indices(n, random_state)]

    def sample_indices(self, n: int = 1, random_state: Any = None) -> list[int]:
        """Return the places of trees drawn uniformly, without replacement.

        Parameters
        ----------
        n : int, default=1
            Number of trees, at most ``n_trees_``.
        random_state : int, default=None
            Seed for a reproducible sample.

        Returns
        -------
        list of int
            Places from 0 to ``n_trees_ - 1``.
        """
        check_is_fitted(self, "n_trees_")
        check_number(
            "n",
            n,
            f"an integer between 0 and the {self.n_trees_} trees of the set",
            lambda k: 0 <= k <= self.n_trees_,
        )
        chance = random.Random(random_state)
        if self.n_trees_ <= sys.maxsize:
            return chance.sample(range(self.n_trees_), int(n))
        drawn: dict[int, None] = {}
        while len(drawn) < n:
            drawn[chance.randrange(self.n_trees_)] = None
        return list(drawn)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True  # made dense
        return tags
