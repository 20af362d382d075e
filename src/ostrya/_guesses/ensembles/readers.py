"""Choose the reader of a model, and read ensembles member by member."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sklearn.ensemble import GradientBoostingClassifier

from ostrya._guesses.ensembles.boosters import read_lightgbm, read_xgboost
from ostrya._guesses.ensembles.histograms import read_histogram_boosting
from ostrya._guesses.ensembles.splits import Splits, joined
from ostrya._guesses.ensembles.trees import (
    read_boosting,
    read_optimal_tree,
    read_tree,
)

ALLOWED = (
    "reference must consist of decision trees only: a tree or tree ensemble of "
    "scikit-learn (forests, boosting, bagging, voting, stacking without passthrough, "
    "one-vs-rest or one-vs-one), an LGBMClassifier, XGBClassifier or "
    "OptimalTreeClassifier; or it must be an ExplainableBoostingClassifier"
)


def is_readable(model: Any) -> bool:
    """Return True if the splits of a model can be read."""
    try:
        read_splits(model)
    except TypeError:
        return False
    return True


def read_splits(model: Any) -> Splits:
    """Return all splits of all trees of a fitted ensemble.

    Raises TypeError for other models, and for ensembles that contain one.
    """
    if type(model).__name__ == "FrozenEstimator":
        model = model.estimator
    reader = _reader(model)
    if reader is not None:
        return reader(model)
    if not hasattr(model, "estimators_") or getattr(model, "passthrough", False):
        raise TypeError(f"{ALLOWED}; got {type(model).__name__}")
    try:
        members = [
            part if features is None else part.renamed(features)
            for part, features in _read_members(model)
        ]
    except TypeError as error:
        raise TypeError(f"{error}, in {type(model).__name__}") from None
    return joined(members)


def _reader(model: Any) -> Callable[[Any], Splits] | None:
    """Return the reader of a model that is not an ensemble of models, or None."""
    if isinstance(model, GradientBoostingClassifier):
        return read_boosting
    # An attribute by which each of the other fitted models is recognised.
    for name, reader in (
        ("booster_", read_lightgbm),
        ("get_booster", read_xgboost),
        ("_predictors", read_histogram_boosting),
    ):
        if hasattr(model, name):
            return reader
    if hasattr(model, "tree_"):
        return read_optimal_tree if hasattr(model, "encoder_") else read_tree
    return None


def _read_members(model: Any) -> Iterator[tuple[Splits, Any]]:
    """Yield the splits of each member, and the features that its indices refer to."""
    members = model.estimators_
    features = getattr(model, "estimators_features_", [None] * len(members))
    for member, chosen in zip(members, features, strict=True):
        # A one-vs-rest ensemble has a constant member for a class without others.
        if type(member).__name__ != "_ConstantPredictor":
            yield read_splits(member), chosen
