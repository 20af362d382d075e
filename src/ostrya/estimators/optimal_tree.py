"""OptimalTreeClassifier: a sparse decision tree with minimal objective."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._guesses.guess import Guess, read_guess
from ostrya._guesses.label_loss import LabelLoss
from ostrya._guesses.plan import make_plan
from ostrya._guesses.report import GuessReport
from ostrya._leaf_boxes import directions_of, with_monotone_probabilities
from ostrya._solve.constrained_search import TreeConstraints, find_constrained_tree
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.idle_threads import warn_of_idle_threads
from ostrya._solve.objective_weights import check_kind, is_sum, objective_name
from ostrya._solve.settings import check_settings
from ostrya.estimators._search import SearchedTreeClassifier
from ostrya.estimators.importances import measure_importances
from ostrya.estimators.lazy_rows import over_cuts, read_groups, without_check
from ostrya.estimators.tree_constraints import read_constraints
from ostrya.estimators.watching import watching
from ostrya.objectives import Objective
from ostrya.preprocessing.compression import is_lazy
from ostrya.preprocessing.training_table import TrainingTable
from ostrya.results.outcome import Progress
from ostrya.tree import Tree


class OptimalTreeClassifier(SearchedTreeClassifier):
    """Optimal sparse decision tree, with a proof or the optimality gap.

    The tree minimises the objective ``loss + leaf_penalty * n_leaves`` on the training
    rows. By default the loss is the weighted fraction of misclassified rows. The search
    considers all trees within the limits, with every threshold of every feature.

    Tables can be NumPy arrays, or pandas, polars or pyarrow data frames, with numbers,
    dates, durations, booleans, categories and text. Splits are conditions such as ``age
    <= 25.5``, ``signup <= 2023-09-08``, ``size <= M`` for ordered categories, ``colour
    = red``, or ``income is missing``. Missing values, and categories that do not occur
    in training, satisfy no condition except "is missing".

    Columns with four or more categories also have splits on groups of them, such as
    ``city in {Bonn, Kiel}``. For each class, categories are ordered by the share of the
    class among their training rows, and a group consists of the first categories of
    such an order; categories whose share may be due to chance are in no group. The
    proof covers the trees over these groups. See docs/how-to/tables.md.

    Parameters
    ----------
    leaf_penalty : float or "auto", default="auto"
        Amount added to the objective for each leaf, in units of the loss. With 0.01,
        each leaf must improve accuracy by at least one percentage point. "auto" is
        ``max(0.01, 3 / n)``: each leaf must correct at least 1% of the rows and at
        least three rows, where n is the number of training rows with a weight above 0,
        or the sum of `sample_weight` if that is larger. Decrease it for larger trees;
        values below 0.001 can make the search slow. Must be at least 0.
    max_depth : int, None or "auto", default="auto"
        Maximum depth of the tree. A tree that consists of a single leaf has depth 0.
        "auto" sets no limit, but ends the search after a fixed amount of counted work,
        about 1 to 5 seconds. The tree is then optimal among trees of depth
        ``proved_depth_`` or less, and no deeper tree is better by more than ``gap_``.
        Set 3 or 4 for a complete proof in little time, or None to search until the
        proof is complete or a limit is reached. For objectives that are not sums over
        rows, and with guessed bounds, "auto" is treated as None.
    max_leaf_nodes : int, default=None
        Maximum number of leaves. None: no limit. It is usually better to limit the size
        with `leaf_penalty`, which makes the proof easier.
    min_samples_leaf : int, default=1
        Minimum number of training rows in a leaf, counted without weights. Increase it
        if the probabilities of leaves must be reliable.
    objective : str, Objective or callable, default="accuracy"
        What to optimise. "accuracy": fraction of correctly classified rows.
        "balanced_accuracy": mean over the classes of the fraction correctly classified.
        For two classes, the second of ``classes_`` being the positive one: "f1"; "auc",
        the area under the ROC convex hull of the leaves; the objects `FBeta`,
        `PartialAUC` and `WeightedAccuracy` of `ostrya.objectives`; or a function
        ``f(fp, fn)`` that returns the loss for given total weights of false positives
        and false negatives and never decreases in either.
    class_weight : dict or "balanced", default=None
        Factor >= 0 for the weight of the rows of each label, in addition to
        `objective`; 1 for labels that are not listed. "balanced" gives all classes the
        same total weight. Use it if errors on some class are worse than on others.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost >= 0 of each ``[true, predicted]`` pair, in the order of ``classes_``. The
        loss is then the mean cost. None: 1 for every misclassification.
    smoothing : float, default=0.0
        Number of pseudo-rows of each class that `predict_proba` adds to a leaf: 1 is
        Laplace's rule, 0.5 Jeffreys'. Set it to keep probabilities of small leaves away
        from 0 and 1. It changes neither the tree nor `predict`. Must be at least 0.
    monotonic_cst : array-like of int or dict, default=None
        Direction of the effect of each feature on the probability of the second of
        ``classes_``, as in scikit-learn: 1 it may only increase with the feature, -1 it
        may only decrease, 0 no constraint. A dict gives the directions of some features
        by name or position. For two classes, and for features without categories and
        missing values. Predictions and probabilities are monotone for all possible
        rows, and the tree is the best one of which this holds: a leaf may then be
        labelled against its majority.
    interaction_cst : "pairwise", "no_interactions" or list, default=None
        Groups of features, by name or position, that may occur on one path of the tree,
        as in scikit-learn. Features that are in no group form one more group.
        "no_interactions": each path uses one feature only; "pairwise": at most two.
    guess : None, "auto", str, Guess or classifier, default=None
        Restriction of the search by a reference model, usually an ensemble. None: no
        restriction. "auto": the reference guesses thresholds, depth and lower bounds. A
        string such as "thresholds+bounds": only these parts. A `Guess` also chooses the
        reference; a classifier is used as the reference for all parts. Fitting the
        reference takes several seconds, so use a guess only if the exact search stops
        with a large gap.
    time_limit : float, default=60
        Maximum time for `fit`, in seconds. When it expires, the best tree found so far
        is returned. It includes reading the table, and guesses, which get at most half
        of it. None: no limit.
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
        The tree. ``print(clf.tree_)`` shows what was proved and draws the tree. Its
        columns are those of ``encoder_``.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    leaf_penalty_ : float
        Penalty per leaf that was used: `leaf_penalty`, or the value of "auto".
    objective_, loss_ : float
        Objective and loss of ``tree_`` on the training rows.
    lower_bound_ : float
        No tree within the limits has an objective below this.
    gap_ : float
        ``objective_ - lower_bound_``: no tree is better by more; exactly 0 if
        ``status_`` is "optimal".
    status_ : str
        What was proved. "optimal": no tree within the limits has a lower objective.
        "optimal_to_depth": no tree of depth ``proved_depth_`` or less has.
        "optimal_to_rounding": proved up to ``gap_``, because weights or costs have too
        many digits for exact integers. "time_limit", "memory_limit", "interrupted": the
        search was stopped. "guessed_bounds": the search finished under lower bounds
        guessed with `guess`; no tree is better by more than ``gap_``.
        "optimal_in_guessed_thresholds", "optimal_in_selected_thresholds": proved for
        trees over the thresholds that a reference model, or the reduction of a lazy or
        compressed table, kept; ``lower_bound_`` and ``gap_`` refer to these trees, and
        if ``gap_`` is above 0, the proof covers depth ``proved_depth_``. If `guess`
        limited the depth, every status refers to trees up to ``guess_.max_depth``.
    proved_depth_ : int or None
        No tree within the limits and of this depth or less has a lower objective.
        None: no tree of any depth.
    guess_ : GuessReport or None
        With `guess`: what was guessed, how far the tree can be from the optimal one,
        and how it compares with the reference. Model files keep all but the models.
    compression_ : CompressionSummary or None
        For lazy and compressed tables: the numbers of rows, of groups of equal rows,
        and of thresholds searched.
    result_from_file_ : bool
        True if the model was read by `load`, so that objective, bounds and status are
        those stated in the file; False if `fit` computed them.
    n_leaves_, depth_ : int
        Number of leaves and depth of the tree.
    trace_ : tuple of TracePoint
        Lower bound and best objective over time.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each input feature in the training loss that the splits save, where a
        split saves what making its node a leaf would add. They sum to 1, or are all 0
        for a single leaf.
    roc_points_ : ndarray of shape (n_points, 2)
        For two classes, the false and true positive rates of ``tree_`` on the training
        rows, leaves ranked by their share of the second class; from (0, 0) to (1, 1).
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
    ReferenceWarning
        If the reference model of `guess` is too inaccurate to guide the search.
    TableWarning
        If text was read as numbers or dates, a column looks like an identifier, labels
        look like measurements, or the tree is a single leaf. It states the remedy.

    See Also
    --------
    OptimalTreeClassifierCV : Chooses the number of leaves by cross-validation.
    TopKTreeClassifier : A faster search over the k best splits of each node.
    ostrya.solve : The same search as a function of NumPy arrays.

    Notes
    -----
    Rows with weight 0 are ignored. The same input gives the same tree, unless a limit
    on time or memory stops the search.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifier
    >>> from ostrya.export import export_text
    >>> X = [[20, "red"], [35, "red"], [40, "blue"], [18, "blue"], [None, "red"]]
    >>> clf = OptimalTreeClassifier(leaf_penalty=0.05)
    >>> clf.fit(X, ["no", "yes", "no", "no", "yes"]).status_
    'optimal'
    >>> print(export_text(clf))  # print(clf) also states what was proved
    x0 <= 27.5?
    ├─ yes: no       2 rows, 100% correct
    └─ no or missing: x1 = blue?
       ├─ yes: no    1 row, 100% correct
       └─ no:  yes   2 rows, 100% correct
    >>> clf.predict([[50, "red"], [50, "green"], [22, "red"]])
    array(['yes', 'yes', 'no'], dtype='<U3')
    """

    def __init__(
        self,
        *,
        leaf_penalty: float | Literal["auto"] = "auto",
        max_depth: int | Literal["auto"] | None = "auto",
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        objective: str | Objective | Callable[[float, float], float] = "accuracy",
        class_weight: Any = None,
        cost_matrix: npt.ArrayLike | None = None,
        smoothing: float = 0.0,
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        guess: str | Guess | Any | None = None,
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
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.guess = guess
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        checkpoint: str | os.PathLike[str] | None = None,
        on_progress: Callable[[Progress], bool | None] | None = None,
    ) -> OptimalTreeClassifier:
        """Find the tree with the lowest objective, and prove it or report the gap.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows. Also a lazy table, whose equal rows are merged by its own
            engine, or a `CompressedTable`.
        y : array-like of shape (n_samples,), or a series
            Labels of any one type. The name of their column if `X` is lazy; None if it
            is compressed.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. None: all 1. The name of their column if `X` is
            lazy.
        checkpoint : str or path, default=None
            A file in which the search saves what it has proved, about every minute and
            when it ends. If the file exists, the search resumes from it. Use it for
            searches of hours; it belongs to one table and one set of parameters, so not
            in grid searches. Not with guessed bounds. See `ostrya.solve`.
        on_progress : callable, default=None
            Function that is called with a `Progress` at once and then about every 0.1
            s. If it returns True, the fit ends with the best tree found so far.

        Returns
        -------
        OptimalTreeClassifier
            Itself.

        Raises
        ------
        TypeError, ValueError
            When an argument is of the wrong kind or outside its range.
        """
        with watching(self, on_progress) as monitor:
            guess = self._checked_guess(checkpoint)
            if is_lazy(X):
                guess = without_check(guess)
                table = read_groups(self, X, y, sample_weight, guess, monitor)
            else:
                table = self._read(X, y, sample_weight, monitor)
            constraints = self._constraints(checkpoint)
            if constraints is not None:
                self._fit_constrained(table, constraints, monitor)
                return self
            loss = LabelLoss.of(self.objective, table.costs)
            plan = make_plan(guess, table, loss, monitor, self.memory_limit)

            search = partial(
                self._find_tree,
                table,
                max_depth=plan.max_depth(self.max_depth),
                objective=self.objective,
                n_jobs=self.n_jobs,
            )
            warn_of_idle_threads(
                self.n_jobs,
                plan.max_depth(self.max_depth),
                counts_work=is_sum(self.objective) and plan.reference_codes is None,
            )
            outcome = search(
                plan.columns,
                time_limit=monitor.left(),
                on_progress=monitor.on_progress,
                reference_labels=plan.reference_codes,
                polish=plan.reference_codes is None or guess is None or guess.polish,
                checkpoint=checkpoint,
            )

            bound = None
            if table.compression is None or table.compression.are_all:
                bound = plan.bound_of_all_thresholds(outcome, search, monitor)
            self.guess_: GuessReport | None = plan.report(outcome, table, loss, bound)
            outcome = over_cuts(plan.without_proof(outcome), table.compression)
            self._keep(outcome, table, plan.columns)
        return self

    def _constraints(self, checkpoint: Any = None) -> TreeConstraints | None:
        """Return the constraints in columns of ``encoder_``; None: there are none."""
        constraints = read_constraints(
            *(self.monotonic_cst, self.interaction_cst, self.encoder_),
            getattr(self, "feature_names_in_", None),
            len(self.classes_),
        )
        if constraints is None:
            return None
        if not is_sum(self.objective):
            raise ValueError(
                "monotonic_cst and interaction_cst must be None unless objective is "
                '"accuracy", "balanced_accuracy" or a WeightedAccuracy; got objective='
                f"{objective_name(self.objective)}"
            )
        for name, value in (("guess", self.guess), ("checkpoint", checkpoint)):
            if value is not None:
                raise ValueError(
                    f"{name} cannot be combined with monotonic_cst and "
                    "interaction_cst. Omit one of them"
                )
        if self.smoothing and constraints.has_directions:
            raise ValueError(
                "smoothing must be 0 if monotonic_cst is set, because it may reverse "
                f"the order of probabilities; got {self.smoothing}"
            )
        return constraints

    def _fit_constrained(
        self, table: TrainingTable, constraints: TreeConstraints, monitor: FitMonitor
    ) -> None:
        """Find the best tree that satisfies the constraints."""
        data = self._training_data(table)
        settings = check_settings(
            data,
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            time_limit=monitor.left(),
            memory_limit=self.memory_limit,
            on_progress=monitor.on_progress,
            objective=self.objective,
        )
        outcome = find_constrained_tree(
            data, settings, constraints, time.perf_counter()
        )
        self.guess_ = None
        self._keep(over_cuts(outcome, table.compression), table)

    def _with_probabilities(self, tree: Tree) -> Tree:
        """Return the tree with probabilities that satisfy `monotonic_cst`."""
        constraints = self._constraints()
        if constraints is None or not constraints.has_directions:
            return tree
        return with_monotone_probabilities(tree, directions_of(constraints.directions))

    def _keeps_labels(self) -> bool:
        return self.monotonic_cst is not None

    def _checked_guess(self, checkpoint: Any) -> Guess | None:
        """Return what is to be guessed, or raise where it cannot be."""
        guess = read_guess(self.guess)
        check_kind(self.objective)
        if guess is None or not guess.bounds:
            return guess
        if checkpoint is not None:
            raise ValueError(
                "checkpoint cannot be combined with guessed bounds. Omit one of them, "
                'or set guess="thresholds+depth"'
            )
        if is_sum(self.objective):
            return guess
        raise ValueError(
            'guess must not include bounds unless objective is "accuracy", '
            '"balanced_accuracy" or a WeightedAccuracy; got '
            f"objective={objective_name(self.objective)}. Set "
            'guess="thresholds+depth"'
        )

    def _shortcuts(self) -> list[str]:
        shortcuts = super()._shortcuts()
        is_additive = is_sum(self.objective)
        if self.guess is None:
            shortcuts.append(f'guess="{"auto" if is_additive else "thresholds+depth"}"')
        if is_additive:
            shortcuts.append("TopKTreeClassifier")
        return shortcuts

    def _importances(
        self, costs: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64]:
        """Return what each input feature's splits save, under the objective."""
        if is_sum(self.objective):
            return super()._importances(costs)
        parts = (self.tree_, self.encoder_.source, self.n_features_in_)
        return measure_importances(*parts, self.objective)
