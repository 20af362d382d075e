"""Choose k by its loss on held-out rows, within a time budget."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ostrya.estimators.rows import TrainingRows
from ostrya.outcome import Outcome

N_FOLDS = 5
# Doublings of k without a lower loss after which the choice is made.
PATIENCE = 2
SEED = 0

# Solves for some rows with a k and a time limit in seconds.
Search = Callable[[TrainingRows, int, float | None], Outcome]


@dataclass(frozen=True)
class Choice:
    """The k chosen, and the held-out loss of every k that was tried to the end."""

    k: int
    losses: dict[int, float]


def choose_k(rows: TrainingRows, search: Search, seconds: float | None) -> Choice:
    """Return the least k of least held-out loss among 1, 2, 4, ...

    k is doubled until its loss has not fallen for `PATIENCE` doublings, no node has
    more splits, or time is up; a k that time does not let through all folds is left
    out. The folds depend on the rows, not on their order.

    Parameters
    ----------
    rows : TrainingRows
        All rows.
    search : callable
        Solves for some rows, a k and a time limit.
    seconds : float or None
        The time there is; None: no limit.
    """
    started = time.perf_counter()
    fold = _folds(rows)
    losses: dict[int, float] = {}
    k = 1
    while True:
        parts = []
        has_all = True
        for held_out in range(N_FOLDS):
            left = None
            if seconds is not None:
                left = seconds - (time.perf_counter() - started)
                if left <= 0:
                    return _best(losses)
            if not (fold == held_out).any() or (fold == held_out).all():
                continue
            outcome = search(_part(rows, fold != held_out), k, left)
            if outcome.status not in ("optimal", "optimal_in_top_k"):
                return _best(losses)
            has_all &= outcome.status == "optimal"
            parts.append(_loss(outcome, _part(rows, fold == held_out)))
        losses[k] = float(np.mean(parts)) if parts else 0.0
        best = _best(losses).k
        if has_all or k >= best * 2**PATIENCE:
            return _best(losses)
        k *= 2


def _best(losses: dict[int, float]) -> Choice:
    """Return the least k of least loss; 1 where nothing could be tried."""
    k = min(losses, key=lambda k: (losses[k], k)) if losses else 1
    return Choice(k, losses)


def _folds(rows: TrainingRows) -> npt.NDArray[np.intp]:
    """Return the fold of each row: even within classes, the same in any row order."""
    keys = [*rows.matrix.T[::-1], rows.codes]
    if rows.weights is not None:
        keys.insert(0, rows.weights)
    # By class, then by features, then by weight: rows that tie are the same row.
    order = np.lexsort(keys)
    counts = np.bincount(rows.codes)
    random = np.random.default_rng(SEED)
    place = np.concatenate([random.permutation(count) for count in counts])
    starts = np.concatenate([np.full(c, s) for s, c in enumerate(counts)])
    fold = np.empty(len(order), dtype=np.intp)
    fold[order] = (place + starts) % N_FOLDS
    return fold


def _part(rows: TrainingRows, kept: npt.NDArray[np.bool_]) -> TrainingRows:
    weights = None if rows.weights is None else rows.weights[kept]
    return replace(
        rows, matrix=rows.matrix[kept], codes=rows.codes[kept], weights=weights
    )


def _loss(outcome: Outcome, rows: TrainingRows) -> float:
    """Return the weighted mean cost of the tree's predictions."""
    predicted = outcome.tree.predict(rows.matrix)
    if rows.costs is None:
        costs = (predicted != rows.codes).astype(np.float64)
    else:
        costs = np.asarray(rows.costs, dtype=np.float64)[rows.codes, predicted]
    return float(np.average(costs, weights=rows.weights))
