"""Good trees of every number of leaves, found before anything is proved.

A search for every size proves small sizes first, and may spend all its time on one of
them. So a few searches with a penalty come first: large penalties find small trees,
small ones find large trees, and the best prunings of each tree fill the sizes in
between. They take a fixed amount of counted work. The trees that they find therefore
depend on the table alone, and those of similar tables, such as folds, are comparable.

The searches are made in three passes, the fastest first: one greedy tree and its
prunings, Top-k trees, and searches over all splits. If time is short, folds are
compared after fewer passes, the same number in each.

The widths and budgets were chosen by the training loss at 2 to 24 leaves on four tables
(breast cancer, segment, digits, moons): Top-k trees are better for many leaves, and
searches over all splits for few. A sweep takes about one second there, and its first
pass 10 to 30 milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ostrya._solve.engine import search_columns
from ostrya._solve.grid import MOST_COST, Grid
from ostrya._solve.limits import Limits
from ostrya._solve.ranked_splits import rank_splits
from ostrya._solve.search import Report, SearchOptions, SearchPoint, SearchResult
from ostrya._solve.settings import AUTO_EFFORT
from ostrya._solve.size_brackets import SizeBrackets
from ostrya._solve.size_search import stop_of
from ostrya._solve.training_data import TrainingData
from ostrya.results.outcome import FrontierStatus, Statistics
from ostrya.top_k import TopKSplits

#: The penalties, as shares of the loss of a single leaf. With the last one, a leaf must
#: correct one in 256 of the rows that a single leaf misclassifies.
SHARES = (1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256)
#: Which of them are searched over all splits, too.
EXACT_SHARES = SHARES[1::2]
#: The number of passes of a sweep.
N_PASSES = 3
#: The first pass. One tree has prunings of all sizes.
GREEDY = TopKSplits(k=1)
#: Splits that compete at the root, at its children, and so on.
TOP_K = TopKSplits(k=[4, 4, 4, 2, 2, 1])
TOP_K_DEPTH = 12
#: Counted effort of a search over all splits; the work is a second limit, which holds
#: inside the first scans as well.
EFFORT = AUTO_EFFORT // 32
MOST_WORK = 2**28


class PenaltySweep:
    """Offers trees of one problem, on a grid without a penalty."""

    def __init__(
        self, data: TrainingData, grid: Grid, given: Limits, options: SearchOptions
    ) -> None:
        assert grid.penalty == 0
        self._data, self._grid = data, grid
        # Larger trees are welcome: they are pruned.
        self._given, self._options = replace(given, max_leaf_nodes=None), options
        self.took: list[Statistics] = []  # of each search
        self.pass_ends: list[float] = []  # seconds from the start of the call

    def run(
        self,
        known: SizeBrackets,
        started: float,
        report: Report | None,
        n_passes: int = N_PASSES,
    ) -> FrontierStatus | None:
        """Offer all trees; return what stopped the sweep before its end, if anything.

        The call `started` at that time, by `time.perf_counter`: limits count from then.
        """
        passes = [
            self._top_k_searches(GREEDY, SHARES[-1:], started),
            self._top_k_searches(TOP_K, SHARES, started),
            self._exact_searches(started),
        ]
        for searches in passes[:n_passes]:
            for grid, options in searches:
                result = search_columns(
                    self._data, grid, options, _in_losses(report, grid)
                )
                self.took.append(result.statistics)
                known.offer(result.shape)
                stop = stop_of(result.status)
                if stop is not None and stop != "work_limit":
                    return stop
            self.pass_ends.append(time.perf_counter() - started)
        return None

    def _top_k_searches(
        self, top_k: TopKSplits, shares: Sequence[float], started: float
    ) -> Iterator[tuple[Grid, SearchOptions]]:
        given, n_samples = self._given, self._data.n_samples
        depth = TOP_K_DEPTH
        if given.max_depth is not None:
            depth = min(depth, given.max_depth)
        ranked = rank_splits(top_k, self._data.X)
        for share in shares:
            limits = replace(given, max_depth=depth).remaining(n_samples, started)
            yield (
                self._with_penalty(share),
                replace(self._options, limits=limits, top_k=ranked),
            )

    def _exact_searches(self, started: float) -> Iterator[tuple[Grid, SearchOptions]]:
        given, n_samples = self._given, self._data.n_samples
        for share in EXACT_SHARES:
            yield (
                self._with_penalty(share),
                replace(
                    self._options,
                    limits=given.remaining(n_samples, started),
                    effort=EFFORT,
                    max_work=MOST_WORK,
                ),
            )

    def _with_penalty(self, share: float) -> Grid:
        data, grid = self._data, self._grid
        masses = np.bincount(data.codes, grid.weights, minlength=data.n_classes)
        return with_rate(
            grid, share * float((masses @ grid.costs).min()), data.n_samples
        )


def search_penalty(
    data: TrainingData,
    grid: Grid,
    rate: float,
    options: SearchOptions,
    report: Report | None,
) -> tuple[SearchResult, Grid]:
    """Search all trees under a penalty of `rate` units of the loss.

    Returns the result, and the grid on which its costs are.
    """
    penalised = with_rate(grid, rate, data.n_samples)
    found = search_columns(data, penalised, options, _in_losses(report, penalised))
    return found, penalised


def with_rate(grid: Grid, rate: float, n_samples: int) -> Grid:
    """Return the grid with a penalty, in units of the loss, to a sixteenth of one."""
    rate = min(rate, MOST_COST / 64 / n_samples)
    return replace(grid, scale=16 * grid.scale, penalty=max(round(16 * rate), 1))


def _in_losses(report: Report | None, grid: Grid) -> Report | None:
    """Return the callback as such a search calls it; it says nothing of bounds."""
    if report is None:
        return None

    def in_loss_units(point: SearchPoint) -> bool:
        if point.n_leaves > 0:
            loss = (point.upper - grid.penalty * point.n_leaves) // grid.scale
            point = point._replace(upper=loss, lower=0, proved_depth=0)
        return report(point)

    return in_loss_units
