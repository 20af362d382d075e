"""OptimalTreeClassifierCV: the number of leaves chosen by cross-validation."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from ostrya._arguments import check_word
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
    in_words_of,
    score_fold,
    search_frontier,
    take_point,
)
from ostrya.estimators.lone_leaf import hint_at_chosen_leaf
from ostrya.estimators.objectives import check_weighted
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.estimators.size_choice import RULES, choose_size, score_table
from ostrya.estimators.watching import watching
from ostrya.exceptions import OptimalityWarning
from ostrya.outcome import Progress
from ostrya.preprocessing.checks import feature_names
from ostrya.preprocessing.training_table import check_all_rows, without_weightless_rows
from ostrya.trade_off import Frontier


class OptimalTreeClassifierCV(CrossValidatedClassifier):
    """The optimal tree whose number of leaves is chosen by cross-validation.

    For each fold the best trees of 1, 2, ..., `max_leaves` leaves on its training rows
    are found by one search, as `ostrya.frontier` does, and scored on the rows held out.
    The tree is the best one of the chosen size on all rows.

    Parameters
    ----------
    max_leaves : int or None, default=16
        Most leaves of the largest trees tried. None: as many as the other limits allow.
    max_depth : int or None, default=4
        Most questions asked of a row; a lone leaf has depth 0. None: no limit.
    min_samples_leaf : int, default=1
        Fewest training rows in a leaf, counted without weights.
    cv : int, splitter or iterable, default=None
        As in scikit-learn: the number of stratified folds (None: 5), a splitter, or
        pairs of row numbers for training and for scoring.
    scoring : str or callable, default=None
        A scorer of scikit-learn, by name or as ``f(estimator, X, y)``; more is better.
        None: accuracy.
    rule : {"one_standard_error", "best"}, default="one_standard_error"
        Which size is taken. "best": that of the highest mean score, the smallest of
        those that tie. "one_standard_error": the fewest leaves whose mean score is
        within one standard error of the highest; the standard error is that of the
        size with the highest mean, ``std(scores, ddof=1) / sqrt(n_folds)`` [1]_.
    n_jobs : int, default=None
        Folds searched at the same time, in threads: the search leaves the interpreter
        to others. None: 1, unless in a joblib context; -1: as many as processors.
    return_train_score : bool, default=False
        Whether ``cv_results_`` has scores of the training rows too.
    return_cart_score : bool, default=False
        Whether ``cv_results_`` has scores of CART's trees of as many leaves too, grown
        on the training rows of each fold within the same limits: what
        `ostrya.export.plot_frontier` draws in grey.
    objective : str, default="accuracy"
        "accuracy", "balanced_accuracy" or "weighted_accuracy": what trees are searched
        for, as in `OptimalTreeClassifier`.
    omega : float, default=1.0
        What an overlooked positive costs under "weighted_accuracy". Above 0.
    class_weight : dict or "balanced", default=None
        Factor >= 0 of the rows of each label, 1 for labels left out.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost >= 0 of each ``[true, predicted]`` pair, in the order of ``classes_``.
    time_limit : float, default=60
        Seconds for the whole fit. The search of all rows and those of the folds get
        equal shares of it; what one does not need is left to the next. A search that
        is cut short gives the best trees it has. Once the time is up, folds that are
        not scored are left out; if all are, the tree is the best one found for the
        default ``leaf_penalty`` of `OptimalTreeClassifier`. None: no limit.
    memory_limit : int, default=None
        Bytes the process may hold, at least 32 MiB. None: half of the memory of the
        machine or container.
    on_progress : callable, default=None
        Called with a `Progress` at once and then about every 0.1 s; returning True
        stops the fit, which comes back with the folds that it has.
    verbose : int, default=0
        1: show a line while it runs. 0: show nothing.

    Attributes
    ----------
    tree_ : Tree
        The best tree of the chosen size on all rows, in words of the table.
    frontier_ : Frontier
        The best trees of all sizes on all rows.
    cv_results_ : dict
        In the form of `sklearn.model_selection.GridSearchCV`, one entry per size:
        "param_max_leaves", "params", "split0_test_score", ..., "mean_test_score",
        "std_test_score", "standard_error_test_score", "rank_test_score", and the
        same of "train" and "cart_test" where asked for. Sizes beyond which nothing
        changes in any fold are left out.
    best_index_ : int
        The place of the chosen size in ``cv_results_``.
    best_params_ : dict
        The chosen size, as ``{"max_leaves": size}``.
    best_score_ : float
        Its mean score on the rows held out.
    best_estimator_ : OptimalTreeClassifier
        A classifier of that size, ``leaf_penalty=0``, fitted to all rows.
    scorer_ : callable
        The scorer.
    n_splits_ : int
        Number of folds.
    fold_statuses_ : list of str
        How the search of each fold ended: "optimal" when all its sizes are proved,
        else what stopped it. A fold that was left out because of that, "interrupted"
        or "time_limit", has nan as scores in ``cv_results_``.
    status_ : str
        "optimal" when ``tree_`` is proved the best of its size; "interrupted" when
        the fit was; else the limit that ended its search.
    loss_, objective_ : float
        Loss of ``tree_`` on the training rows.
    lower_bound_, gap_ : float
        No tree of at most so many leaves loses less than the bound; loss minus bound.
    classes_, encoder_, feature_importances_, n_leaves_, depth_, n_features_in_
        As in `OptimalTreeClassifier`.

    Warns
    -----
    OptimalityWarning
        When a search stopped before its proof, or the fit before its last fold.

    See Also
    --------
    ostrya.frontier : The best tree of every size.

    Notes
    -----
    `sample_weight` weighs rows in the searches, and in the scores where the scorer
    takes weights; with metadata routing enabled the scorer gets what it requests.
    Folds are those of `cv`, which depend on the order of rows.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification
       and regression trees", 1984, section 3.4.3.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifierCV
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = OptimalTreeClassifierCV(max_leaves=5, max_depth=3).fit(X, y)
    >>> clf.best_params_, clf.status_
    ({'max_leaves': 4}, 'optimal')
    >>> clf.cv_results_["mean_test_score"].round(3)
    array([0.333, 0.667, 0.927, 0.967, 0.96 ])
    """

    leaf_penalty: float = 0.0  # leaves are limited, not charged for
    frontier_: Frontier
    fold_statuses_: list[str]
    cv_results_: dict[str, Any]
    best_index_: int
    best_params_: dict[str, int]
    best_score_: float
    best_estimator_: OptimalTreeClassifier

    def __init__(
        self,
        max_leaves: int | None = 16,
        max_depth: int | None = 4,
        min_samples_leaf: int = 1,
        *,
        cv: Any = None,
        scoring: str | Callable[..., float] | None = None,
        rule: Literal["one_standard_error", "best"] = "one_standard_error",
        n_jobs: int | None = None,
        return_train_score: bool = False,
        return_cart_score: bool = False,
        objective: str = "accuracy",
        omega: float = 1.0,
        class_weight: Any = None,
        cost_matrix: npt.ArrayLike | None = None,
        time_limit: float | None = 60,
        memory_limit: int | None = None,
        on_progress: Callable[[Progress], bool | None] | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_leaves = max_leaves
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.cv = cv
        self.scoring = scoring
        self.rule = rule
        self.n_jobs = n_jobs
        self.return_train_score = return_train_score
        self.return_cart_score = return_cart_score
        self.objective = objective
        self.omega = omega
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.on_progress = on_progress
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, **params: Any
    ) -> OptimalTreeClassifierCV:
        """Choose the number of leaves, and find the best tree of so many.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows.
        y : array-like of shape (n_samples,), or a series
            Their labels, of any one type.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. None: all 1.
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
        with watching(self) as monitor:
            check_word("rule", self.rule, RULES)
            check_weighted(self.objective, "frontiers")
            self.scorer_ = self._scorer()
            checked = check_all_rows(self, X, y, sample_weight)
            split_params, score_params = self._routed(checked[-1], params)
            rows = AllRows(*checked, self.scorer_, score_params)
            folds = self._folds(rows, split_params)

            model, listener = self._model(), Listener(monitor)
            table = model._encode(*without_weightless_rows(*checked), monitor.report)
            self.classes_ = model.classes_
            shared = SharedRanking(table, rows, monitor, self.memory_limit)
            n_waves = math.ceil(len(folds) / effective_n_jobs(self.n_jobs))
            clock = FoldClock(monitor, reading=monitor.seconds())
            share = clock.share(n_waves + 1)
            frontier = search_frontier(model, table, shared.of_all(), share, listener)
            scores = [FoldScores.left_out("interrupted")] * len(folds)
            if frontier.status != "interrupted":
                scores = self._score(rows, folds, shared, listener, clock)
                if listener.is_stopped:
                    monitor.ctrl_c.has_searched(was_interrupted=True)

            penalty = auto_penalty(table.n_rows, table.sample_weights)
            self._choose(frontier, scores, penalty)
            size = min(self.best_params_["max_leaves"], frontier.max_leaves)
            model.set_params(max_leaves=self.best_params_["max_leaves"])
            take_point(model, frontier.at_leaves(size), frontier, table)
            self.frontier_ = in_words_of(table, frontier)
            self._keep(model)
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``best_estimator_`` to a JSON file.

        Parameters
        ----------
        path : str or path
            Where to; `OptimalTreeClassifier.load` reads it. A file there is replaced.
        """
        check_is_fitted(self)
        self.best_estimator_.save(path)

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
        model = OptimalTreeClassifier(
            leaf_penalty=0.0,
            max_depth=self.max_depth,
            max_leaves=self.max_leaves,
            min_samples_leaf=self.min_samples_leaf,
            objective=self.objective,
            omega=self.omega,
            class_weight=self.class_weight,
            cost_matrix=self.cost_matrix,
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
        )
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
    ) -> list[FoldScores]:
        """Return the scores of each fold; none for those that are left out."""
        n_jobs = effective_n_jobs(self.n_jobs)
        n_waves = math.ceil(len(folds) / n_jobs)
        wanted = WantedScores(self.return_train_score, self.return_cart_score)

        def score(place: int) -> FoldScores:
            def search(model: Any, table: Any) -> Frontier:
                limit = clock.share(n_waves - place // n_jobs)
                ranking = shared.of_fold(table, folds[place][0])
                return search_frontier(model, table, ranking, limit, listener)

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

    def _keep(self, model: OptimalTreeClassifier) -> None:
        """Take what `model` was fitted to; warn of what is not proved."""
        self.best_estimator_ = model
        for name, value in vars(model).items():
            if name.endswith("_"):
                setattr(self, name, value)
        stops = [status for status in self.fold_statuses_ if status in STOPS]
        if "interrupted" in stops:
            self.status_ = "interrupted"
        if self.status_ in STOPS:
            stops.insert(0, self.status_)
        if stops:
            warnings.warn(self._unproved(stops[0]), OptimalityWarning, stacklevel=3)
        else:
            hint_at_chosen_leaf(self)

    def _unproved(self, stop: str) -> str:
        limit = getattr(self, stop, None)
        n_open = sum(status in STOPS for status in self.fold_statuses_)
        return (
            f"The fit stopped ({stop if limit is None else f'{stop}={limit}'}) before "
            f"its proofs: {n_open} of {self.n_splits_} folds were left out or have "
            f"sizes that are not proved, and the tree is within {self.gap_:.4g} of the "
            f"best of its size. What helps, best first: a smaller max_depth; a "
            f"smaller max_leaves; {STOPS[stop]}."
        )
