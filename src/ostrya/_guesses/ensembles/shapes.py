"""Find thresholds where shape functions of an explainable boosting machine jump.

Guesses 2022, Appendix E: for each feature, use the thresholds where the scores of two
neighbouring bins differ by more than ``tolerance * largest importance / importance``.
Missing values have a bin of their own, which the appendix does not cover. The encoding
stores them above every threshold, so their neighbour is the last bin; a jump there
keeps the condition "is missing".
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._guesses.ensembles.precision import last_below
from ostrya._guesses.ensembles.splits import Splits, to_splits

Floats = npt.NDArray[np.float64]


def is_shape_model(model: Any) -> bool:
    """Return True for an explainable boosting machine of the package interpret."""
    names = {kind.__name__ for kind in type(model).__mro__}
    return "ExplainableBoostingClassifier" in names


def read_jumps(model: Any, tolerance: float) -> tuple[Splits, int]:
    """Return the thresholds of large jumps, and the number of all thresholds.

    Pairs of features are ignored. `tolerance` is the smallest jump of the most
    important feature that counts.
    """
    importances = model.term_importances()
    alone = [place for place, term in enumerate(model.term_features_) if len(term) == 1]
    largest = max((importances[place] for place in alone), default=0.0)
    rows: list[tuple[int, float, float, int]] = []
    n_thresholds = 0
    for place in alone:
        feature = model.term_features_[place][0]
        thresholds, jumps = _jumps(model, place, model.bins_[feature][0])
        n_thresholds += len(jumps)
        if importances[place] > 0:
            limit = tolerance * largest / importances[place]
            rows += [
                (feature, float(threshold), float(jump), place)
                for threshold, jump in zip(thresholds, jumps, strict=True)
                if jump > limit
            ]
    return to_splits(rows, len(alone), 1), n_thresholds


def _jumps(model: Any, place: int, cuts: Any) -> tuple[Floats, Floats]:
    """Return the thresholds of one shape function and the jump at each.

    The threshold is NaN if it separates levels or missing values.
    """
    # The first and the last bin are those of missing and unknown values.
    scores = np.asarray(model.term_scores_[place])
    known = scores[1:-1].reshape(len(scores) - 2, -1)  # one column per class
    jumps = np.abs(np.diff(known, axis=0)).max(axis=1)
    is_level = isinstance(cuts, dict)
    thresholds = np.full(len(jumps), np.nan) if is_level else last_below(cuts)
    if len(known) and np.asarray(model.bin_weights_[place])[0] > 0:
        jump = np.abs(scores[0] - known[-1]).max()
        thresholds, jumps = np.append(thresholds, np.nan), np.append(jumps, jump)
    return thresholds, jumps
