"""Choose k by its loss on held-out rows, and grow its tree, in the time of a fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import cells_of
from ostrya._guesses.label_loss import LabelLoss
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._tree_shape import TreeShape
from ostrya.preprocessing.training_table import TrainingTable
from ostrya.results.outcome import Outcome, is_closed

N_FOLDS = 5
# Doublings of k without a lower loss after which the choice is made.
PATIENCE = 2
SEED = 0
# The choice may take this share of the time; the tree gets what is left.
SHARE = 0.5
# Seconds that a stopped fit may still use to search the tree for the chosen k.
LAST_SECONDS = 1.0


# Searches some rows with a k and a time limit in seconds.
SearchWithK = Callable[[TrainingTable, int, float | None], Outcome]


@dataclass(frozen=True)
class Choice:
    """The k chosen, the held-out loss of every k tried to the end, and the tree."""

    k: int
    losses: dict[int, float]
    outcome: Outcome


def choose_k(rows: TrainingTable, search: SearchWithK, monitor: FitMonitor) -> Choice:
    """Return the least k of least held-out loss among 1, 2, 4, ..., and its tree.

    k is doubled until its loss has not fallen for `PATIENCE` doublings, no node has
    more splits, or time is up; a k that time does not let through all folds is left
    out. The folds depend on the rows, not on their order.

    The tree of k = 1 is grown first: it checks the arguments, it is there when time is
    short, and it tells what a search takes at the least, so that none is begun in vain.
    If the fit is stopped, the choice ends and the status is "interrupted".
    """
    before = monitor.seconds()
    greedy = search(rows, 1, monitor.left())
    least = monitor.seconds() - before
    if not is_closed(greedy.status):
        return Choice(1, {}, greedy)

    losses: dict[int, float] = {}
    try:
        for k, loss in _held_out_losses(rows, search, monitor, least):
            losses[k] = loss
            if k >= _best(losses) * 2**PATIENCE:
                break
        is_stopped = monitor.is_stopped
    except KeyboardInterrupt:
        monitor.ctrl_c.raise_again()
        is_stopped = True
    k, limit = _best(losses), monitor.left()
    if is_stopped:
        monitor.mute()
        # Keep the current tree if searching another would keep the user waiting.
        k = k if 2 * least <= LAST_SECONDS else 1
        limit = LAST_SECONDS if limit is None else min(limit, LAST_SECONDS)
    outcome = greedy if k == 1 else search(rows, k, limit)
    if is_stopped:
        outcome = replace(outcome, status="interrupted")
    return Choice(k, losses, outcome)


def _best(losses: dict[int, float]) -> int:
    """Return the least k of least loss; 1 where nothing could be tried."""
    return min(losses, key=lambda k: (losses[k], k)) if losses else 1


def _held_out_losses(
    rows: TrainingTable, search: SearchWithK, monitor: FitMonitor, least: float
) -> Iterator[tuple[int, float]]:
    """Yield k = 1, 2, 4, ... and its loss, as long as there is time and choice.

    A search of all rows takes at least `least` seconds. If the fit is stopped, this
    raises KeyboardInterrupt, as Ctrl-C does.
    """

    def left(n_searches: int) -> float | None:
        """Return the seconds there are, None for no limit; 0: too few for so many."""
        if monitor.is_stopped:
            raise KeyboardInterrupt
        if monitor.time_limit is None:
            return None
        seconds = monitor.time_limit * SHARE - monitor.seconds()
        enough = n_searches * least * (N_FOLDS - 1) / N_FOLDS
        return seconds if seconds > enough else 0.0

    if left(N_FOLDS) == 0:
        return
    fold = _folds(rows)
    sizes = np.bincount(fold, minlength=N_FOLDS)
    held_out = np.flatnonzero((sizes > 0) & (sizes < len(fold)))
    k, has_all = 1, False
    while not has_all:
        parts, has_all = [], True
        for place, part in enumerate(held_out):
            if (limit := left(len(held_out) - place)) == 0:
                return
            outcome = search(_part(rows, fold != part), k, limit)
            if outcome.status == "interrupted":
                raise KeyboardInterrupt
            if not is_closed(outcome.status):
                return
            has_all &= outcome.status in ("optimal", "optimal_to_rounding")
            parts.append(_loss(outcome, _part(rows, fold == part)))
        yield k, float(np.mean(parts)) if parts else 0.0
        k *= 2


def _folds(rows: TrainingTable) -> npt.NDArray[np.intp]:
    """Return the fold of each row: even within classes, the same in any row order."""
    keys = [*cells_of(rows.matrix).T[::-1], rows.codes]
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


def _part(rows: TrainingTable, kept: npt.NDArray[np.bool_]) -> TrainingTable:
    given = rows.sample_weights
    return replace(
        rows,
        matrix=rows.matrix[kept],
        codes=rows.codes[kept],
        weights=None if rows.weights is None else rows.weights[kept],
        sample_weights=None if given is None else given[kept],
    )


def _loss(outcome: Outcome, rows: TrainingTable) -> float:
    """Return the weighted mean cost of the tree's predictions."""
    shape = TreeShape(**outcome.tree.shape)
    leaf = shape.leaves_of_rows(rows.matrix, is_checked=True)
    predicted = outcome.tree.label[leaf]
    lost = LabelLoss(rows.costs).of_rows(predicted, rows.codes)
    return float(np.average(lost, weights=rows.weights))
