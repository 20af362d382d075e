"""OptimalTreeClassifier: the sparse decision tree of least objective."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._guesses.guess import Guess, read_guess
from ostrya._guesses.label_loss import LabelLoss
from ostrya._guesses.plan import make_plan
from ostrya._guesses.report import GuessReport
from ostrya.estimators._search import SearchedTreeClassifier
from ostrya.estimators.importances import measure_importances
from ostrya.estimators.lazy_rows import over_cuts, read_groups, without_check
from ostrya.estimators.objectives import solve_objective
from ostrya.estimators.watching import watching
from ostrya.outcome import Progress
from ostrya.preprocessing.compression import is_lazy


class OptimalTreeClassifier(SearchedTreeClassifier):
    """The decision tree of least objective, with the proof that it is.

    The objective is ``loss + leaf_penalty * leaves``; the loss is the weighted share
    of training rows got wrong, or their mean cost. All trees are searched, over every
    threshold of every feature.

    Tables are taken as they are: NumPy, pandas, polars or pyarrow, with numbers,
    dates, durations, booleans, categories and strings. Numbers are asked ``age <=
    25.5``, dates ``signup <= 2023-09-08``, ordered categories ``size <= M``, other
    categories ``colour = red``, and columns that miss values ``income is missing``. A
    missing value, or a category not seen in training, answers no to every question
    except "is missing".

    Four categories or more are asked about in groups too, ``city in {Bonn, Kiel}``.
    Groups are the first levels of an order, by the share of a class among the training
    rows of each level, for each class; levels whose share may be by chance are in none.
    The proof speaks of trees over these groups. docs/how-to/tables.md says it in full.

    Parameters
    ----------
    leaf_penalty : float or "auto", default="auto"
        Penalty for each leaf, in units of the loss: with 0.01, a leaf must correct at
        least 1 % of the training rows. At least 0; searches below 0.001 take long.
        "auto" is ``max(0.01, 3 / n)``: each leaf must correct at least 1 % of the rows,
        and at least three rows. n is the number of training rows with a weight above
        0, or the sum of `sample_weight` if that is larger; class weights and the
        objective do not change it. ``leaf_penalty_`` is the penalty used.
    max_depth : int, None or "auto", default="auto"
        Most questions asked of a row; a lone leaf has depth 0. None: no limit. "auto":
        no limit either, but the search ends after 1 to 5 seconds of counted work, the
        same on every machine: then no tree of depth ``proved_depth_`` or less is
        better, and a deeper one by ``gap_`` at most. Objectives that are no sum over
        rows, and guessed bounds, take "auto" for None.
    max_leaves : int, default=None
        Most leaves. None: no limit.
    min_samples_leaf : int, default=1
        Fewest training rows in a leaf, counted without weights.
    objective : str or callable, default="accuracy"
        "accuracy": share of rows right. "balanced_accuracy": mean over the classes of
        the share of each that is right. "weighted_accuracy": for two classes,
        ``1 - (FP + omega FN) / (omega N+ + N-)`` [1]_, the second of ``classes_``
        being the positive one. Also for two classes: "auc", the area under the ROC
        convex hull of the leaves; "partial_auc", the same left of `max_fpr`, as a
        share of that part; "f1" and "f_beta", the F-score, labels of leaves chosen
        jointly; or a callable loss ``f(fp, fn)`` of the weights of false positives
        and false negatives that never falls when either grows.
    omega : float, default=1.0
        What an overlooked positive costs under "weighted_accuracy", where a false
        alarm costs 1. Above 0.
    beta : float, default=1.0
        What recall weighs beside precision under "f_beta". Above 0.
    max_fpr : float, default=1.0
        The false positive rate, in (0, 1], at which "partial_auc" ends.
    engine : str, default=None
        "columns" or "leaf_sets"; see `ostrya.solve`. None: the faster that serves.
    class_weight : dict or "balanced", default=None
        Factor >= 0 of the rows of each label, 1 for labels left out; on top of what
        `objective` does. "balanced": each class gets the same total weight.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost >= 0 of each ``[true, predicted]`` pair, in the order of ``classes_``.
        None: 1 where they differ.
    smoothing : float, default=0.0
        Pseudo-rows added to each class of a leaf by `predict_proba`: 1 is Laplace's
        rule, 0.5 Jeffreys'. It keeps probabilities of small leaves away from 0 and 1,
        and changes neither the tree nor `predict`. At least 0.
    guess : None, "auto", str, Guess or classifier, default=None
        Let a reference ensemble guess which trees need no search. "auto": guess the
        thresholds, the depth and the loss that no tree can avoid. A string such as
        "thresholds+bounds": guess these parts only. A `Guess`: parts and reference as
        given. A classifier: all parts, with this reference. None: no guess, so that the
        optimum is proved. Fitting the reference takes several seconds, so a guess pays
        off only where the exact search takes much longer than that.
    time_limit : float, default=60
        Seconds from the start of `fit` until it stops with the best tree found. Guesses
        are counted: they get half of it, and ``guess_.cut_short`` says what they had to
        leave out. None: no limit.
    memory_limit : int, default=None
        Bytes the process may hold, at least 32 MiB. None: half of the memory of the
        machine or container.
    n_jobs : int, default=None
        Threads of one search, where `max_depth` is a number or None; see
        `ostrya.solve`. None: 1, unless in a joblib context; -1: as many as processors.
    checkpoint : str or path, default=None
        A file in which the search keeps what it has proved, about every minute and when
        it ends; where there is one already, the search goes on from it. See
        `ostrya.solve`. Of one table and one setting: not for grids, nor with guessed
        bounds. What `guess` finds has to be the same each time.
    on_progress : callable, default=None
        Called with a `Progress` at once and then about every 0.1 s, also while the
        table is read and guesses are made; returning True stops the fit, which comes
        back with the best tree it has.
    verbose : int, default=0
        1: show a line with time, objective, bound, gap and leaves while it runs, in
        terminals and notebooks. 0: show nothing.

    Attributes
    ----------
    tree_ : Tree
        The tree; ``print(clf.tree_)`` draws it with its questions in words. Its
        columns are those of ``encoder_``.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    leaf_penalty_ : float
        The penalty used for each leaf: `leaf_penalty`, or what "auto" stands for on
        the training rows.
    objective_, loss_ : float
        Objective and loss of ``tree_`` on the training rows.
    lower_bound_ : float
        No tree within the limits has an objective below this.
    gap_ : float
        ``objective_ - lower_bound_``; exactly 0 when proved optimal.
    status_ : str
        "optimal", "optimal_to_depth" (see `max_depth`), "optimal_to_rounding" (weights
        or costs have too many digits for an exact proof), "time_limit",
        "memory_limit" or
        "interrupted"; "guessed" in place of the first two when thresholds or bounds
        were, or when a lazy table was searched over some thresholds only (``cuts_``).
        ``lower_bound_`` and ``gap_`` then speak of trees over the thresholds searched.
        A depth that was guessed, ``guess_.max_depth``, is a limit as one that was
        given: trees that are deeper are not spoken of, by "optimal" neither.
    proved_depth_ : int or None
        No tree within the limits, and of this depth or less, has a lower objective.
        None: no tree of any depth.
    guess_ : GuessReport or None
        With `guess`: thresholds before and after, the reference's scores, how far from
        the best tree over these thresholds, and over all, the tree can be at most, and
        how it compares with the reference. Files keep all of it but the models.
    cuts_ : Cuts or None
        Of lazy tables: rows, groups of them that were searched, and how many thresholds
        of the columns of which not all were.
    result_is_claimed_ : bool
        True in a model that `load` read: objective, bounds and status are what its
        file claims. False after `fit`, which found them.
    n_leaves_, depth_ : int
        Leaves of the tree, and most questions it asks of a row.
    trace_ : tuple of TracePoint
        How the bounds met.
    feature_importances_ : ndarray of shape (n_features,)
        Shares, adding up to 1, of what the splits on each input feature save: the
        training loss that making the split's node a leaf would add. All 0 for a lone
        leaf.
    roc_points_ : ndarray of shape (n_points, 2)
        For two classes, the false and true positive rates of ``tree_`` on the training
        rows, leaves ranked by their share of the second class; from (0, 0) to (1, 1).
    encoder_ : TableEncoder
        How the columns of the table are read.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, where they are all strings.

    Warns
    -----
    OptimalityWarning
        When the search stopped before the proof.
    ReferenceWarning
        When the reference of `guess` is too poor to guide the search.
    TableWarning
        When texts were taken as numbers or dates, a column names rows, labels look like
        measurements, or the tree is a single leaf, with the reason and the remedy.

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
    └─ no or missing: x1 = blue?
       ├─ yes: no    1 row, 100% right
       └─ no:  yes   2 rows, 100% right
    >>> clf.predict([[50, "red"], [50, "green"], [22, "red"]])
    array(['yes', 'yes', 'no'], dtype='<U3')
    """

    def __init__(
        self,
        leaf_penalty: float | Literal["auto"] = "auto",
        max_depth: int | Literal["auto"] | None = "auto",
        max_leaves: int | None = None,
        min_samples_leaf: int = 1,
        *,
        objective: str | Callable[[float, float], float] = "accuracy",
        omega: float = 1.0,
        beta: float = 1.0,
        max_fpr: float = 1.0,
        engine: str | None = None,
        class_weight: Any = None,
        cost_matrix: npt.ArrayLike | None = None,
        smoothing: float = 0.0,
        guess: str | Guess | Any | None = None,
        time_limit: float | None = 60,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        on_progress: Callable[[Progress], bool | None] | None = None,
        verbose: int = 0,
    ) -> None:
        self.leaf_penalty = leaf_penalty
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_samples_leaf = min_samples_leaf
        self.objective = objective
        self.omega = omega
        self.beta = beta
        self.max_fpr = max_fpr
        self.engine = engine
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.smoothing = smoothing
        self.guess = guess
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.on_progress = on_progress
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None
    ) -> OptimalTreeClassifier:
        """Find the tree of least objective, and prove it or report the gap.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows. A lazy table, which is grouped and counted by the engine
            that holds it, as `ostrya.compress` does; or a `CompressedTable`.
        y : array-like of shape (n_samples,), or a series
            Their labels, of any one type. The name of their column where `X` is lazy;
            None where it is compressed.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. None: all 1. The name of their column where `X`
            is lazy.

        Returns
        -------
        OptimalTreeClassifier
            Itself.

        Raises
        ------
        TypeError, ValueError
            When an argument is of the wrong kind or outside its range.
        """
        with watching(self) as monitor:
            guess = self._checked_guess()
            if is_lazy(X):
                guess = without_check(guess)
                table = read_groups(self, X, y, sample_weight, guess, monitor)
            else:
                table = self._read(X, y, sample_weight, monitor)
                if guess is not None:  # reference models take plain columns alone
                    table = table.without_codes()
            objective = solve_objective(self.objective)
            loss = LabelLoss.of(objective, self.beta, self.max_fpr, table.costs)
            plan = make_plan(guess, table, loss, monitor)

            search = partial(
                self._find_tree,
                table,
                max_depth=plan.max_depth(self.max_depth),
                objective=objective,
                beta=self.beta,
                max_fpr=self.max_fpr,
                engine=self.engine,
                n_jobs=self.n_jobs,
            )
            outcome = search(
                plan.columns,
                time_limit=monitor.left(),
                on_progress=monitor.on_progress,
                reference_labels=plan.reference_codes,
                checkpoint=self.checkpoint,
            )

            bound = None
            if table.cuts is None or table.cuts.are_all:
                bound = plan.bound_of_all_thresholds(outcome, search, monitor)
            self.guess_: GuessReport | None = plan.report(outcome, table, loss, bound)
            outcome = over_cuts(plan.without_proof(outcome), table.cuts)
            self._keep(outcome, table, plan.columns)
        return self

    def _checked_guess(self) -> Guess | None:
        """Return what is to be guessed, or raise where it cannot be."""
        guess = read_guess(self.guess)
        is_additive = solve_objective(self.objective) == "additive"
        has_bounds = is_additive and self.engine in (None, "columns")
        if guess is None or not guess.bounds:
            return guess
        if self.checkpoint is not None:
            raise ValueError(
                "checkpoint cannot be combined with guessed bounds; leave one out, or "
                'say guess="thresholds+depth"'
            )
        if has_bounds:
            return guess
        raise ValueError(
            "guess must leave out bounds unless the objective is one of accuracy and "
            'the engine is "columns"; say guess="thresholds+depth"'
        )

    def _shortcuts(self) -> list[str]:
        shortcuts = super()._shortcuts()
        is_additive = solve_objective(self.objective) == "additive"
        if self.guess is None:
            can_bound = is_additive and self.engine in (None, "columns")
            shortcuts.append(f'guess="{"auto" if can_bound else "thresholds+depth"}"')
        if is_additive:
            shortcuts.append("TopKTreeClassifier")
        return shortcuts

    def _importances(
        self, costs: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64]:
        """Return what each input feature's splits save, under the objective."""
        objective = solve_objective(self.objective)
        if objective == "additive":
            return super()._importances(costs)
        parts = (self.tree_, self.encoder_.source, self.n_features_in_)
        return measure_importances(*parts, objective, self.beta, self.max_fpr)
