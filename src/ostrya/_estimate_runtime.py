"""What a search is expected to take, from trials of small depths."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ostrya._ctrl_c import CtrlC
from ostrya._frontier import largest_size
from ostrya._solve.engine import search_columns
from ostrya._solve.grid import Grid, to_grid
from ostrya._solve.ladder import DECAY, Trial, forecast
from ostrya._solve.limits import Limits
from ostrya._solve.ranked_splits import rank_splits
from ostrya._solve.search import SearchOptions
from ostrya._solve.settings import Settings
from ostrya._solve.size_search import SizeSearch
from ostrya._solve.training_data import TrainingData
from ostrya.results.outcome import Statistics, is_closed
from ostrya.results.runtime_estimate import RuntimeEstimate
from ostrya.top_k import TopKSplits

#: Seconds for a word looked at, and for a cell read; the middle of the suites.
PER_WORD, PER_CELL = 1e-9, 5e-8
#: What nine of ten estimates were nearer than; see docs/research/estimates.md.
FACTOR = 10.0
#: How fast the factors of further levels fall: with few splits to choose from, hardly.
DECAYS = {"top_k": 0.95}


def estimate_search(
    data: TrainingData, settings: Settings, method: str
) -> RuntimeEstimate:
    """Return what a search is expected to take, for data and settings checked."""
    if method == "guessed_thresholds":
        data = _on_guessed_thresholds(data)
    with CtrlC() as ctrl_c:
        search = _frontier_trial if method == "frontier" else _tree_trial
        trials = _Trials(data, settings, ctrl_c, search)
        depth = settings.limits.max_depth
        found = forecast(trials.search, depth, DECAYS.get(method, DECAY))
    seconds = PER_WORD * found.work + PER_CELL * data.X.size
    return RuntimeEstimate(
        method=method,
        is_counted=found.is_counted,
        subproblems=found.subproblems,
        work=found.work,
        seconds=seconds,
        memory=found.memory,
        factor=FACTOR,
    )


#: Searches for a tree, or for all sizes, and says what is left of a single leaf's cost.
Run = Callable[
    [TrainingData, Grid, Settings, SearchOptions], tuple[bool, int, Statistics]
]


class _Trials:
    """Searches of one table within one depth after another."""

    def __init__(
        self, data: TrainingData, settings: Settings, ctrl_c: CtrlC, run: Run
    ) -> None:
        self._data, self._settings, self._run = data, settings, run
        self._grid, self._ctrl_c = to_grid(data), ctrl_c
        self._most_choices = _most_choices(settings.top_k, data)

    def search(self, max_depth: int | None, max_work: int) -> Trial:
        """Search within a depth for at most so much work; Ctrl-C is raised."""
        given = replace(self._settings.limits, max_depth=max_depth)
        limits = given.remaining(self._data.n_samples, time.perf_counter())
        options = SearchOptions(
            limits=limits,
            bounds=self._settings.bounds,
            max_work=max_work,
            ctrl_c=self._ctrl_c,
        )
        is_done, upper, took = self._run(
            self._data, self._grid, self._settings, options
        )
        if self._ctrl_c.is_pressed():
            raise KeyboardInterrupt
        penalty = self._grid.penalty
        n_samples = self._data.n_samples
        # A limit on leaves makes no search shorter, so it does not count here.
        worth = min(upper / penalty, n_samples) if penalty else n_samples
        return Trial(
            is_done=is_done,
            work=took.work,
            subproblems=took.subproblems,
            memory=took.peak_memory,
            leaves_worth=worth,
            n_columns=took.n_columns,
            n_choices=int(min(took.n_thresholds, self._most_choices)),
        )


def _most_choices(top_k: TopKSplits | None, data: TrainingData) -> float:
    """Return how many splits of a node below the root compete, at most."""
    ranked = None if top_k is None else rank_splits(top_k, data.X)
    if ranked is None:
        return math.inf
    # A feature brings its best threshold and the next one on either side.
    of_each = 3 if ranked.ranks_features else 1
    return of_each * max(ranked.widths[1:] or ranked.widths)


def _tree_trial(
    data: TrainingData, grid: Grid, settings: Settings, options: SearchOptions
) -> tuple[bool, int, Statistics]:
    if settings.top_k is not None:
        data = data.without_weightless_rows()
        options = replace(options, top_k=rank_splits(settings.top_k, data.X))
        grid = to_grid(data)
    found = search_columns(data, grid, options)
    return is_closed(found.status), found.upper, found.statistics


def _frontier_trial(
    data: TrainingData, grid: Grid, settings: Settings, options: SearchOptions
) -> tuple[bool, int, Statistics]:
    largest = largest_size(data.n_samples, options.limits)
    limits: Limits = replace(options.limits, max_leaf_nodes=largest)
    found = SizeSearch(data, grid, limits, replace(options, limits=limits)).run(
        time.perf_counter(), None
    )
    return found.status == "optimal", found.sizes[-1].upper, found.statistics


def _on_guessed_thresholds(data: TrainingData) -> TrainingData:
    """Return the table cut at the thresholds that a reference needs."""
    # Here, because scikit-learn takes a while to import.
    from ostrya._guesses.threshold_guess import ThresholdGuess

    guess = ThresholdGuess().fit(data.X, data.codes, sample_weight=data.weights)
    codes = np.ascontiguousarray(guess.encode(data.X), dtype=np.float64)
    return replace(data, X=codes)
