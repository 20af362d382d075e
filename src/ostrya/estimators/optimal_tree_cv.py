"""OptimalTreeClassifierCV: the number of leaves chosen by cross-validation."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from ostrya._arguments import check_word
from ostrya._frontier import FrontierSearch
from ostrya._solve.objective_weights import check_sum
from ostrya._solve.options import auto_penalty
from ostrya.estimators._cross_validated import CrossValidatedClassifier
from ostrya.estimators._search import STOPS
from ostrya.estimators.fold_scores import (
    AllRows,
    FoldClock,
    FoldScores,
    Listener,
    Rows,
    SharedRanking,
    WantedScores,
    frontier_settings,
    in_words_of,
    score_fold,
    search_frontier,
    take_point,
    within,
)
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.estimators.reading import Readings
from ostrya.estimators.row_numbers import hint_at_row_numbers
from ostrya.estimators.single_leaf import hint_at_chosen_leaf
from ostrya.estimators.size_choice import (
    RULES,
    choose_size,
    penalty_of_size,
    score_table,
)
from ostrya.estimators.watching import watching
from ostrya.exceptions import OptimalityWarning
from ostrya.objectives import Objective
from ostrya.preprocessing.checks import feature_names
from ostrya.preprocessing.training_table import (
    TrainingTable,
    check_all_rows,
    without_weightless_rows,
)
from ostrya.results.frontier import Frontier
from ostrya.results.outcome import Progress


class OptimalTreeClassifierCV(CrossValidatedClassifier):
    """Optimal tree whose number of leaves is chosen by cross-validation.

    In each fold, the best trees of 1, 2, ..., `max_leaf_nodes` leaves are searched for
    on the training rows and scored on the held-out rows. The result is the best tree of
    the chosen size on all rows.

    Parameters
    ----------
    max_depth : int, None or "auto", default="auto"
        Maximum depth of the tree; a single leaf has depth 0. "auto": no limit on
        depth, and every search ends after a fixed amount of counted work, so that the
        result is the same on every machine. None or an integer: the final search
        continues until its tree is proved optimal or `time_limit` is reached.
    max_leaf_nodes : int or None, default=32
        Largest number of leaves to try. None: as many as the other limits allow. The
        default is a number, unlike that of `OptimalTreeClassifier`, because every size
        up to it is searched and scored. There is no `leaf_penalty`, because the number
        of leaves is chosen instead.
    min_samples_leaf : int, default=1
        Minimum number of training rows in a leaf, counted without weights.
    objective : str or Objective, default="accuracy"
        What to optimise: "accuracy", "balanced_accuracy" or a
        `ostrya.objectives.WeightedAccuracy`. Set `scoring` accordingly.
    class_weight : dict or "balanced", default=None
        Factor >= 0 for the rows of each label; 1 for labels that are not listed.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost >= 0 of each ``[true, predicted]`` pair, in the order of ``classes_``.
        None: 1 for every misclassification.
    smoothing : float, default=0.0
        Number of pseudo-rows of each class that `predict_proba` adds to a leaf.
    cv : int, splitter or iterable, default=None
        As in scikit-learn: the number of stratified folds (None: 5), a splitter, or
        pairs of row numbers for training and for scoring.
    scoring : str or callable, default=None
        A scikit-learn scorer, by name or as ``f(estimator, X, y)``; higher is better.
        None: accuracy.
    rule : {"best", "one_standard_error"}, default="best"
        How the size is chosen. "best": the highest mean score; the smallest size if
        several tie. "one_standard_error": the fewest leaves whose mean score is within
        one standard error of the highest. The standard error is that of the size with
        the highest mean, ``std(scores, ddof=1) / sqrt(n_folds)`` [1]_. Set it if a
        smaller tree is worth some accuracy: on tables of a few hundred rows, where the
        standard error is large, it usually costs about a percentage point, and
        sometimes several.
    return_train_score : bool, default=False
        Whether ``cv_results_`` includes scores on the training rows.
    return_cart_score : bool, default=False
        Whether ``cv_results_`` includes the scores of CART trees of the same sizes,
        grown on the same folds within the same limits. `ostrya.export.plot_frontier`
        draws them in grey.
    time_limit : float, default=60
        Maximum time for `fit`, in seconds. The folds, the frontier of all rows and the
        final search get equal shares; time that one does not need goes to the next. If
        the time is too short for the full search of each fold, all folds are compared
        by trees that are found faster. A fold is left out of the scores if there is no
        time even for these. If all folds are left out, the size is the best one for the
        default ``leaf_penalty`` of `OptimalTreeClassifier`. None: no limit.
    memory_limit : int, default=None
        Maximum memory of the process in bytes, at least 32 MiB. None: half of the
        memory of the machine or container.
    n_jobs : int, default=None
        Number of threads. Folds are searched at the same time, each on one thread.
        None: 1, unless in a joblib context; -1: one per processor. The result does not
        depend on it.
    verbose : int, default=0
        1: show a progress line. 0: show nothing.

    Attributes
    ----------
    tree_ : Tree
        The best tree found of the chosen size, fitted to all rows.
    frontier_ : Frontier
        The best trees found of all sizes, fitted to all rows.
    cv_results_ : dict
        In the form of `sklearn.model_selection.GridSearchCV`, one entry per size:
        "param_max_leaf_nodes", "params", "split0_test_score", ..., "mean_test_score",
        "std_test_score", "standard_error_test_score", "rank_test_score", and the
        same for "train" and "cart_test" if requested. The sizes end where no fold
        has a better tree of more leaves.
    best_index_ : int
        Index of the chosen size in ``cv_results_``.
    best_params_ : dict
        The chosen size, as ``{"max_leaf_nodes": size}``.
    best_score_ : float
        Its mean score on the held-out rows.
    best_estimator_ : OptimalTreeClassifier
        A classifier of that size with ``leaf_penalty=0``, fitted to all rows.
    scorer_ : callable
        The scorer.
    n_splits_ : int
        Number of folds.
    fold_statuses_ : list of str
        How the search of each fold ended: "optimal" if all sizes are proved optimal,
        "work_limit" if it ended after its fixed amount of work, otherwise the reason
        why it stopped early. Folds that were left out have NaN scores in
        ``cv_results_``.
    status_ : str
        As in `OptimalTreeClassifier`, among trees of at most the chosen number of
        leaves: "optimal", "optimal_to_depth", or the limit that ended the search.
    loss_, objective_ : float
        Training loss of ``tree_``.
    lower_bound_, gap_ : float
        No tree of the chosen size has a training loss below the bound; the gap is the
        loss minus the bound.
    classes_, encoder_, feature_importances_, n_leaves_, depth_, n_features_in_
        As in `OptimalTreeClassifier`.

    Warns
    -----
    OptimalityWarning
        When a limit or an interruption ended a search or left out a fold.
    TableWarning
        As `OptimalTreeClassifier` does.

    See Also
    --------
    ostrya.frontier : The best tree of every size.

    Notes
    -----
    `sample_weight` is used in the searches, and in the scores if the scorer accepts
    weights; with metadata routing the scorer receives what it requests. The folds are
    those of `cv`, so they depend on the order of the rows.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification
       and regression trees", 1984, section 3.4.3.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifierCV
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = OptimalTreeClassifierCV(max_leaf_nodes=5).fit(X, y)
    >>> clf.best_params_, clf.status_
    ({'max_leaf_nodes': 4}, 'optimal')
    >>> clf.cv_results_["mean_test_score"].round(3)
    array([0.333, 0.667, 0.927, 0.967, 0.96 ])
    """

    leaf_penalty: float = 0.0  # leaves are limited, not charged for
    frontier_: Frontier
    fold_statuses_: list[str]
    cv_results_: dict[str, Any]
    best_index_: int
    best_score_: float

    def __init__(
        self,
        *,
        max_depth: int | Literal["auto"] | None = "auto",
        max_leaf_nodes: int | None = 32,
        min_samples_leaf: int = 1,
        objective: str | Objective = "accuracy",
        class_weight: Any = None,
        cost_matrix: npt.ArrayLike | None = None,
        smoothing: float = 0.0,
        cv: Any = None,
        scoring: str | Callable[..., float] | None = None,
        rule: Literal["best", "one_standard_error"] = "best",
        return_train_score: bool = False,
        return_cart_score: bool = False,
        time_limit: float | None = 60,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.objective = objective
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.smoothing = smoothing
        self.cv = cv
        self.scoring = scoring
        self.rule = rule
        self.return_train_score = return_train_score
        self.return_cart_score = return_cart_score
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
        **params: Any,
    ) -> OptimalTreeClassifierCV:
        """Choose the number of leaves and find the best tree of that size.

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
            s. If it returns True, the fit ends with the folds scored so far.
        **params : dict
            ``groups`` for the splitter; with metadata routing enabled, whatever
            splitter and scorer request.

        Returns
        -------
        OptimalTreeClassifierCV
            Itself.

        Raises
        ------
        TypeError, ValueError
            When an argument is of the wrong kind or outside its range.
        """
        with watching(self, on_progress) as monitor:
            check_word("rule", self.rule, RULES)
            check_sum(self.objective, "frontiers")
            self.scorer_ = self._scorer()
            checked = check_all_rows(self, X, y, sample_weight)
            split_params, score_params = self._routed(checked[-1], params)
            rows = AllRows(*checked, self.scorer_, score_params)
            folds = self._folds(rows, split_params)

            model, listener = self._model(), Listener(monitor)
            n_jobs = effective_n_jobs(self.n_jobs)
            n_waves = math.ceil(len(folds) / n_jobs)
            readings = Readings(1 + n_waves, 1 + min(n_jobs, len(folds)))
            monitor.report("preparing")
            table = model._read_checked(
                *without_weightless_rows(*checked), monitor, readings
            )
            self.classes_ = model.classes_
            if table.whole is not None:
                read = rows.weighing()[table.whole.sample]
                folds = [within(fold, read) for fold in folds]
            shared = SharedRanking(table, rows, monitor, self.memory_limit)
            clock = FoldClock(monitor, reading=monitor.seconds())
            # One share is kept for the search of the chosen size, which comes last.
            share = clock.share(n_waves + 2)
            search = search_frontier(model, table, shared.of_all(), share, listener)
            frontier = search.conclude()
            scores = [FoldScores.left_out("interrupted")] * len(folds)
            if frontier.status != "interrupted":
                n_passes = search.passes_within(clock.for_search(n_waves + 1))
                scores = self._score(rows, folds, shared, listener, clock, n_passes)
                if listener.is_stopped:
                    monitor.ctrl_c.has_searched(was_interrupted=True)

            penalty = auto_penalty(table.n_rows, table.sample_weights)
            may_improve = not any(each.status == "interrupted" for each in scores)
            if may_improve and not any(each.held_out for each in scores):
                # The penalty chooses the size then, so its search comes first.
                data = model._training_data(table)
                settings = frontier_settings(model, data, monitor.left(), listener)
                search.improve(frontier.max_leaf_nodes, settings, penalty)
                frontier, may_improve = search.conclude(), False
            self._choose(frontier, scores, penalty)
            size = min(self.best_params_["max_leaf_nodes"], frontier.max_leaf_nodes)
            if may_improve:
                data = model._training_data(table)
                search.improve(
                    size,
                    frontier_settings(model, data, monitor.left(), listener),
                    penalty_of_size(frontier, size, penalty),
                )
                frontier = search.conclude()
            model.set_params(max_leaf_nodes=self.best_params_["max_leaf_nodes"])
            point = frontier.at_leaves(size)
            if "interrupted" in self.fold_statuses_:
                point = replace(point, status="interrupted")
            take_point(model, point, frontier, table, search.proved_depth(size))
            model._keep_headline()
            self.frontier_ = in_words_of(table, frontier)
            self._keep(model, table)
            hint_at_row_numbers(self, table)
        return self

    def _fold_model(self, labels: npt.NDArray[Any]) -> OptimalTreeClassifier:
        """Return an unfitted classifier for rows that may lack some classes."""
        model, here = self._model(), np.isin(self.classes_, labels)
        if self.cost_matrix is not None:
            model.cost_matrix = np.asarray(self.cost_matrix)[np.ix_(here, here)]
        if isinstance(self.class_weight, Mapping):
            present = self.classes_[here].tolist()
            factors = self.class_weight.items()
            model.class_weight = {k: v for k, v in factors if k in present}
        return model

    def _model(self) -> OptimalTreeClassifier:
        """Return an unfitted classifier that knows the layout of the table."""
        names = (
            *("max_depth", "max_leaf_nodes", "min_samples_leaf", "objective"),
            *("class_weight", "cost_matrix", "smoothing", "time_limit", "memory_limit"),
        )
        given = {name: getattr(self, name) for name in names}
        model = OptimalTreeClassifier(leaf_penalty=0.0, **given)
        model.n_features_in_ = self.n_features_in_
        if (names := feature_names(self)) is not None:
            model.feature_names_in_ = names
        return model

    def _score(
        self,
        rows: AllRows,
        folds: list[tuple[Rows, Rows]],
        shared: SharedRanking,
        listener: Listener,
        clock: FoldClock,
        n_passes: int,
    ) -> list[FoldScores]:
        """Return the scores of each fold; none for those that are left out."""
        n_jobs = effective_n_jobs(self.n_jobs)
        n_waves = math.ceil(len(folds) / n_jobs)
        wanted = WantedScores(self.return_train_score, self.return_cart_score)

        def score(place: int) -> FoldScores:
            def search(model: Any, table: Any) -> FrontierSearch:
                limit = clock.share(n_waves - place // n_jobs + 1)
                ranking = shared.of_fold(table, folds[place][0])
                return search_frontier(model, table, ranking, limit, listener, n_passes)

            fold = folds[place]
            model = self._fold_model(rows.labels[rows.weighing(fold[0])])
            return score_fold(model, rows, fold, search, listener, clock, wanted)

        run = Parallel(n_jobs=self.n_jobs, require="sharedmem")
        scores: list[FoldScores] = run(
            delayed(score)(place) for place in range(len(folds))
        )
        return scores

    def _choose(
        self, frontier: Frontier, scores: list[FoldScores], penalty: float
    ) -> None:
        """Keep all scores, and the size that `rule` or else `penalty` chooses."""
        self.fold_statuses_ = [each.status for each in scores]
        n_sizes = max(len(frontier.points), *(len(each.held_out) for each in scores))

        def all_sizes(kind: str) -> npt.NDArray[np.float64]:
            return np.array([each.by_size(kind, n_sizes) for each in scores])

        others = {}
        if self.return_train_score:
            others["train"] = all_sizes("training")
        if self.return_cart_score:
            others["cart_test"] = all_sizes("cart")
        self.cv_results_ = score_table(all_sizes("held_out"), **others)
        if any(each.held_out for each in scores):
            self.best_index_ = choose_size(self.cv_results_, self.rule)
        else:
            self.best_index_ = frontier.at_penalty(penalty).n_leaves - 1
        self.best_params_ = self.cv_results_["params"][self.best_index_]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])

    def _keep(self, model: OptimalTreeClassifier, table: TrainingTable) -> None:
        """Become `model`; warn if a limit or an interruption ended the fit early."""
        self._take_estimator(model)
        self._keep_headline()
        stops = [status for status in self.fold_statuses_ if status in STOPS]
        if self.status_ in STOPS:
            stops.insert(0, self.status_)
        if table.whole is not None:
            warnings.warn(model._sampled(table), OptimalityWarning, stacklevel=3)
        elif stops:
            warnings.warn(self._early_end(stops[0]), OptimalityWarning, stacklevel=3)
        else:
            hint_at_chosen_leaf(self)
