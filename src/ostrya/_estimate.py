"""Say what a search will take before it is begun."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._arguments import check_word
from ostrya._ctrl_c import CtrlC
from ostrya._frontier import largest_size
from ostrya._solve.engine import search_columns
from ostrya._solve.grid import Grid, to_grid
from ostrya._solve.ladder import DECAY, Trial, forecast
from ostrya._solve.limits import Limits
from ostrya._solve.ranked_splits import rank_splits
from ostrya._solve.search import SearchOptions
from ostrya._solve.settings import Settings, check_settings
from ostrya._solve.size_search import SizeSearch
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import check_data, refuse_auto
from ostrya.estimated import Estimate
from ostrya.outcome import Statistics, is_closed
from ostrya.top_k import TopK

Method = Literal["exact", "guessed", "top_k", "frontier"]
METHODS = ("exact", "guessed", "top_k", "frontier")
#: Seconds for a word looked at, and for a cell read; the middle of the suites.
PER_WORD, PER_CELL = 1e-9, 5e-8
#: What nine of ten estimates were nearer than; see docs/research/estimates.md.
FACTOR = 10.0
#: How fast the factors of further levels fall: with few splits to choose from, hardly.
DECAYS = {"top_k": 0.95}
#: Splits of a node that compete where none are named.
USUAL_TOP_K = TopK(k=8)


def estimate(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    method: Method = "exact",
    leaf_penalty: float | Literal["auto"] = "auto",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_leaf: int = 1,
    sample_weight: npt.ArrayLike | None = None,
    class_weight: Any = None,
    cost_matrix: npt.ArrayLike | None = None,
    top_k: TopK | None = None,
) -> Estimate:
    """Say what a search is expected to take before it is begun.

    Trees of small depth are searched for less than a second in all, and what the rest
    takes is extrapolated from how their work grows. Equal input gives equal estimates
    on every machine.

    Parameters
    ----------
    X, y, sample_weight, class_weight, cost_matrix
        The training rows, as in `ostrya.solve`.
    method : {"exact", "guessed", "top_k", "frontier"}, default="exact"
        "exact": `ostrya.solve`. "guessed": the same over the thresholds that a boosted
        ensemble needs, which is fitted for it (`ThresholdGuess`); that takes a few
        seconds. "top_k": `ostrya.solve` with `top_k`. "frontier": `ostrya.frontier`,
        which takes no `leaf_penalty`.
    leaf_penalty, max_depth, max_leaves, min_samples_leaf
        As in `ostrya.solve`; `max_leaves` of a frontier is 16 where it is None.
    top_k : TopK, default=None
        Which splits compete, with the method "top_k". None: the 8 best.

    Returns
    -------
    Estimate
        Subproblems, seconds on one core and memory, and by what factor they may be off.

    Raises
    ------
    TypeError, ValueError
        When an argument is of the wrong kind or outside its range.

    See Also
    --------
    ostrya.solve : The search.

    Examples
    --------
    >>> import ostrya
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> ostrya.estimate(X, y, max_depth=2).is_counted
    True
    >>> deep = ostrya.estimate(X, y, max_depth=6, leaf_penalty=0.001)
    >>> deep.is_counted, deep.most_seconds > 60
    (False, True)
    """
    check_word("method", method, METHODS)
    penalty = 0.0 if method == "frontier" else leaf_penalty
    data = check_data(X, y, sample_weight, class_weight, cost_matrix, penalty)
    refuse_auto(max_depth)
    if top_k is not None and method != "top_k":
        raise ValueError(f'top_k must be None unless method="top_k"; got {top_k!r}')
    if method == "frontier" and max_leaves is None:
        max_leaves = 16
    settings = check_settings(
        data,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_leaf=min_samples_leaf,
        time_limit=None,
        memory_limit=None,
        on_progress=None,
        top_k=(top_k or USUAL_TOP_K) if method == "top_k" else None,
    )
    if method == "guessed":
        data = _on_guessed_thresholds(data)
    with CtrlC() as ctrl_c:
        search = _frontier_trial if method == "frontier" else _tree_trial
        trials = _Trials(data, settings, ctrl_c, search)
        depth = settings.limits.max_depth
        found = forecast(trials.search, depth, DECAYS.get(method, DECAY))
    seconds = PER_WORD * found.work + PER_CELL * data.X.size
    return Estimate(
        method=method,
        is_counted=found.is_counted,
        subproblems=found.subproblems,
        work=found.work,
        seconds=seconds,
        memory=found.memory,
        factor=FACTOR,
    )


#: Searches for a tree, or for all sizes, and says what is left of a lone leaf's cost.
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


def _most_choices(top_k: TopK | None, data: TrainingData) -> float:
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
    limits: Limits = replace(options.limits, max_leaves=largest)
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
