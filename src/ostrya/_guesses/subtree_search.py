"""Search some of the rows, within the remaining time of a call."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from ostrya._guesses.polish import Rows
from ostrya._solve.engine import search_columns
from ostrya._solve.grid import Grid
from ostrya._solve.limits import TEN_YEARS, Limits
from ostrya._solve.search import Report, SearchOptions, SearchPoint, SearchResult
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape
from ostrya.results.outcome import Statistics, Status, is_settled

# Seconds between two calls of the callback, as in the engines.
PAUSE = 0.1


@dataclass
class SubtreeSearch:
    """Search some of the rows for a better subtree of the tree found so far."""

    data: TrainingData  # this and the next five are as in `GuessedSearch`
    grid: Grid
    options: SearchOptions
    limits: Limits
    started: float
    report: Report | None
    found: SearchResult  # the result on all rows
    stop: Status | None = None  # the status if the searches were stopped
    statistics: list[Statistics] = field(default_factory=list)  # one per search

    def __post_init__(self) -> None:
        """Store the cost and leaves of the whole tree, and the last report's time."""
        self._cost = self.found.upper
        self._n_leaves = self.found.shape.n_leaves
        self._reported = time.perf_counter()

    def __call__(
        self, rows: Rows, max_depth: int, upper: int, n_leaves: int
    ) -> TreeShape | None:
        """Return the best tree of the rows if it costs less than `upper`.

        `n_leaves` is the number of leaves of the subtree that it would replace.
        """
        self._check_for_stop()
        if self.stop is not None:
            return None
        grid = replace(self.grid, weights=self.grid.weights[rows])
        left = self.limits.remaining(self.data.n_samples, self.started)
        limits = replace(left, max_depth=max_depth)
        options = replace(self.options, limits=limits, upper=upper, reference=None)
        report = None if self.report is None else self._report
        found = search_columns(self.data.part(rows), grid, options, report)
        self.statistics.append(found.statistics)
        if not is_settled(found.status):
            self.stop = found.status
        if found.upper >= upper:
            return None
        self._cost -= upper - found.upper
        self._n_leaves += found.shape.n_leaves - n_leaves
        return found.shape

    def _check_for_stop(self) -> None:
        """Stop if time is up, or if the callback requests it."""
        now = time.perf_counter()
        if self.stop is not None:
            return
        if now - self.started >= (self.limits.time_limit or TEN_YEARS):
            self.stop = "time_limit"
        elif (
            self.report is not None
            and now - self._reported >= PAUSE
            and self._report(SearchPoint(0.0, 0, 0, 0, 0, 0))
        ):
            self.stop = "interrupted"

    def _report(self, point: SearchPoint) -> bool:
        """Report the progress of the whole tree."""
        assert self.report is not None
        self._reported = time.perf_counter()
        subproblems = point.subproblems + self.found.statistics.subproblems
        subproblems += sum(each.subproblems for each in self.statistics)
        return self.report(
            SearchPoint(
                *(self._reported - self.started, self.found.lower, self._cost),
                *(subproblems, point.memory, self._n_leaves),
            )
        )
