"""Thresholds where the shape functions of an explainable boosting machine jump.

Guesses 2022, Appendix E: of each feature, take the thresholds where the score of two
neighbouring bins differs by more than ``tolerance * largest importance / importance``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ostrya.preprocessing.references.precision import last_below
from ostrya.preprocessing.references.splits import Splits, to_splits


def is_shape_model(model: Any) -> bool:
    """Return True for an explainable boosting machine of the package interpret."""
    names = {kind.__name__ for kind in type(model).__mro__}
    return "ExplainableBoostingClassifier" in names


def read_jumps(model: Any, tolerance: float) -> tuple[Splits, int]:
    """Return the thresholds of large jumps, and the number of all thresholds.

    Parameters
    ----------
    model : ExplainableBoostingClassifier
        A fitted model; its pairs of features are left out.
    tolerance : float
        The least jump of the most important feature.
    """
    importances = model.term_importances()
    alone = [place for place, term in enumerate(model.term_features_) if len(term) == 1]
    largest = max((importances[place] for place in alone), default=0.0)
    rows: list[tuple[int, float, float, int]] = []
    n_thresholds = 0
    for place in alone:
        feature = model.term_features_[place][0]
        # The first and the last bin are those of missing and unknown values.
        scores = np.asarray(model.term_scores_[place])[1:-1]
        jumps = np.abs(np.diff(scores, axis=0))
        if jumps.ndim == 2:
            jumps = jumps.max(axis=1)
        cuts = model.bins_[feature][0]
        thresholds = (
            [np.nan] * len(jumps) if isinstance(cuts, dict) else last_below(cuts)
        )
        n_thresholds += len(jumps)
        if importances[place] > 0:
            limit = tolerance * largest / importances[place]
            rows += [
                (feature, float(threshold), float(jump), place)
                for threshold, jump in zip(thresholds, jumps, strict=True)
                if jump > limit
            ]
    return to_splits(rows, len(alone), 1), n_thresholds
