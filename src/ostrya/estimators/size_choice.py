"""Which number of leaves is best by its scores on held-out rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from ostrya.results.frontier import Frontier

Floats = npt.NDArray[np.float64]

RULES = ("best", "one_standard_error")


def score_table(held_out: Floats, **others: Floats) -> dict[str, Any]:
    """Return scores, one row per fold and one column per size, as ``cv_results_``.

    `others` are scores of other kinds, such as ``train``, by their names there.

    Folds that were not scored hold nan and are left out of means and deviations.
    """
    sizes = list(range(1, held_out.shape[1] + 1))
    table: dict[str, Any] = {
        "param_max_leaf_nodes": np.ma.MaskedArray(sizes, mask=False),
        "params": [{"max_leaf_nodes": size} for size in sizes],
        **_columns("test", held_out),
    }
    means = table["mean_test_score"]
    table["standard_error_test_score"] = standard_errors(held_out)
    # What has no score comes last.
    lowest = np.where(np.isnan(means), -np.inf, means)
    table["rank_test_score"] = rankdata(-lowest, method="min").astype(np.int32)
    for kind, scores in others.items():
        table |= _columns(kind, scores)
    return table


def standard_errors(scores: Floats) -> Floats:
    """Return, for each size, ``std(ddof=1) / sqrt(n_folds)`` of its scores.

    It is 0 where there are fewer than two folds, which say nothing of their spread.
    """
    scored = scores[~np.isnan(scores).all(axis=1)]
    if len(scored) < 2:
        return np.zeros(scores.shape[1])
    errors: Floats = np.std(scored, axis=0, ddof=1) / np.sqrt(len(scored))
    return errors


def choose_size(table: dict[str, Any], rule: str) -> int:
    """Return the place of the size that a rule takes; the smaller one of equals.

    Raises
    ------
    ValueError
        When no size has a score.
    """
    means: Floats = table["mean_test_score"]
    if np.isnan(means).all():
        raise ValueError(
            "scoring must return a number for at least one number of leaves; got NaN "
            "for all of them. Use another scorer, or set other folds with cv"
        )
    best = int(np.nanargmax(means))
    if rule == "best":
        return best
    error = float(np.nan_to_num(table["standard_error_test_score"][best]))
    return int(np.flatnonzero(means >= means[best] - error)[0])


def penalty_of_size(frontier: Frontier, size: int, default: float) -> float:
    """Return a leaf penalty under which a tree of at most `size` leaves is best.

    This is `default`, the penalty of `OptimalTreeClassifier` if possible, so that the
    search is the same. Sizes that are not on the hull are best for no penalty. They get
    the one at which the next smaller and the next larger size on the hull tie.
    """
    n_leaves = frontier.at_leaves(size).n_leaves
    each = next(each for each in reversed(frontier.hull) if each.n_leaves <= n_leaves)
    least, most = each.least_penalty, each.most_penalty
    if each.n_leaves < n_leaves:
        return least
    if least <= default <= most:
        return default
    if most == math.inf:
        return 2 * least
    return math.sqrt(least * most) if least > 0 else most / 2


def _columns(kind: str, scores: Floats) -> dict[str, Floats]:
    scored = scores[~np.isnan(scores).all(axis=1)]
    none = np.full(scores.shape[1], np.nan)
    return {
        **{f"split{i}_{kind}_score": row for i, row in enumerate(scores)},
        f"mean_{kind}_score": scored.mean(axis=0) if len(scored) else none,
        f"std_{kind}_score": scored.std(axis=0) if len(scored) else none,
    }
