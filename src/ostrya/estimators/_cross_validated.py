"""Splitter, scorer and metadata of an estimator that cross-validates itself."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn import get_config
from sklearn.metrics import get_scorer
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.validation import check_is_fitted

from ostrya.estimators._base import TreeClassifier
from ostrya.estimators._search import STOPS, ended
from ostrya.estimators.fold_scores import AllRows, Rows
from ostrya.estimators.optimal_tree import OptimalTreeClassifier

if TYPE_CHECKING:
    from typing_extensions import Self


class CrossValidatedClassifier(TreeClassifier):
    """A classifier with parameters `cv` and `scoring`, as scikit-learn has them."""

    cv: Any
    scoring: Any
    scorer_: Any
    n_splits_: int
    cv_results_: dict[str, Any]
    best_params_: dict[str, Any]
    best_estimator_: OptimalTreeClassifier

    def score(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> float:
        """Return the score of the predictions on rows, by ``scorer_``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `predict`.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        **params : dict
            With metadata routing enabled, what the scorer requests.

        Returns
        -------
        float
            More is better.
        """
        check_is_fitted(self)
        if sample_weight is not None:
            params["sample_weight"] = sample_weight
        if get_config()["enable_metadata_routing"]:
            params = process_routing(self, "score", **params).scorer.score
        return float(self.scorer_(self, X, y, **params))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``best_estimator_`` to a JSON file.

        `load` reads it, and so do `OptimalTreeClassifier.load` and the command line.
        Scores and trees of other sizes are not saved.

        Parameters
        ----------
        path : str or path
            The file to write; an existing file is replaced.
        """
        check_is_fitted(self)
        self.best_estimator_.save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the fitted model in a file that `save` wrote.

        It predicts what the saved model did. It has ``best_estimator_``,
        ``best_params_`` and the attributes of an `OptimalTreeClassifier`, but no
        ``cv_results_`` and no ``frontier_``.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        OptimalTreeClassifierCV
            The fitted model, with the chosen size as its `max_leaf_nodes`.

        Raises
        ------
        ValueError
            When the file is no valid model; see `OptimalTreeClassifier.load`.
        OSError
            When the file cannot be read.
        """
        model = OptimalTreeClassifier.load(path)
        known = model.get_params(deep=False)
        own = cls().get_params(deep=False)
        clf = cls(**{name: value for name, value in known.items() if name in own})
        clf.best_params_ = {"max_leaf_nodes": model.max_leaf_nodes}
        clf.scorer_ = clf._scorer()
        clf._take_estimator(model)
        return clf

    def _take_estimator(self, model: OptimalTreeClassifier) -> None:
        """Copy the fitted attributes of a classifier."""
        self.best_estimator_ = model
        for name, value in vars(model).items():
            if name.endswith("_"):
                setattr(self, name, value)

    def _early_end(self, stop: str) -> str:
        results = self.cv_results_
        n_left_out = sum(
            np.isnan(results[f"split{place}_test_score"]).all()
            for place in range(self.n_splits_)
        )
        return (
            f"{ended(self, stop, 'The fit')} before it was complete: {n_left_out} of "
            f"{self.n_splits_} folds were left out of the scores, and the training "
            f"loss of the tree is at most {self.gap_:.4g} above the optimum of its "
            f"size. Try, in this order: {STOPS[stop]}; fewer folds; a smaller "
            "max_leaf_nodes or max_depth."
        )

    def get_metadata_routing(self) -> MetadataRouter:
        """Return where metadata goes: to this estimator, splitter and scorer."""
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(
                splitter=check_cv(self.cv, classifier=True),
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
            .add(
                scorer=self._scorer(),
                method_mapping=MethodMapping()
                .add(caller="fit", callee="score")
                .add(caller="score", callee="score"),
            )
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Sizes are scored without class weights, and leaves are free: a row of next to
        # no weight has its own leaf if that scores best. scikit-learn's checks, which
        # expect such rows to be ignored, call that poor.
        tags.classifier_tags.poor_score = True
        return tags

    def _scorer(self) -> Any:
        return get_scorer("accuracy" if self.scoring is None else self.scoring)

    def _routed(
        self, weights: Any, params: dict[str, Any]
    ) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return what the splitter gets, and what the scorer gets."""
        weighed = {} if weights is None else {"sample_weight": weights}
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **weighed, **params)
            return routed.splitter.split, routed.scorer.score
        if unknown := set(params) - {"groups"}:
            raise TypeError(
                "the keywords of fit must be parameters of the estimator, unless "
                f"metadata routing is enabled; got {min(unknown)!r}. Enable it with "
                "sklearn.set_config(enable_metadata_routing=True)"
            )
        taken = inspect.signature(self.scorer_).parameters
        return params, weighed if "sample_weight" in taken else {}

    def _folds(
        self, rows: AllRows, split_params: Mapping[str, Any]
    ) -> list[tuple[Rows, Rows]]:
        if len(rows.labels) < 2:
            raise ValueError("X must have at least two rows for cv; got n_samples=1")
        cv = check_cv(self.cv, rows.labels, classifier=True)
        places = np.arange(len(rows.labels))
        folds = [  # places, also where a splitter gives booleans
            (places[train], places[test])
            for train, test in cv.split(rows.X, rows.labels, **split_params)
        ]
        if not folds:
            raise ValueError(f"cv must produce at least one fold; got {self.cv!r}")
        for place, (train, test) in enumerate(folds):
            if len(rows.weighing(train)) == 0 or len(test) == 0:
                raise ValueError(
                    "cv must produce folds with at least one training row of weight "
                    "above 0 and one row to score; got "
                    f"{len(rows.weighing(train))} and {len(test)} in fold {place}"
                )
        self.n_splits_ = len(folds)
        return folds
