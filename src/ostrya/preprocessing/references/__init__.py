"""Read the splits of tree ensembles: which thresholds a reference model asks about.

Each reader takes one kind of fitted model and returns `Splits`; `read_splits` finds the
reader.
"""

from __future__ import annotations

from typing import Any

from ostrya.preprocessing.references.boosters import read_lightgbm, read_xgboost
from ostrya.preprocessing.references.histograms import read_histogram_boosting
from ostrya.preprocessing.references.splits import Splits
from ostrya.preprocessing.references.trees import read_trees

__all__ = ["Splits", "is_readable", "read_splits"]

# What tells each kind of model from the others, once fitted.
_READERS = (
    ("booster_", read_lightgbm),
    ("get_booster", read_xgboost),
    ("_predictors", read_histogram_boosting),
    ("tree_", read_trees),
    ("estimators_", read_trees),
)


def is_readable(model: Any) -> bool:
    """Return True when the model is of a kind whose splits can be read."""
    return any(hasattr(model, name) for name, _ in _READERS)


def read_splits(model: Any) -> Splits:
    """Return every split of every tree of a fitted ensemble.

    Parameters
    ----------
    model : classifier
        A fitted decision tree or ensemble of trees of scikit-learn, or a fitted
        ``LGBMClassifier`` or ``XGBClassifier``.

    Raises
    ------
    TypeError
        When it is none of these.
    """
    for name, reader in _READERS:
        if hasattr(model, name):
            return reader(model)
    raise TypeError(
        "reference must be an ensemble of decision trees: one of scikit-learn, "
        "LGBMClassifier, XGBClassifier or ExplainableBoostingClassifier; got "
        f"{type(model).__name__}"
    )
