"""Score the frontier of some rows on others, size by size."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._cart import cart_shapes
from ostrya._frontier import FrontierSearch
from ostrya._solve.engine import rank_rows
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.grid import to_grid
from ostrya._solve.limits import LEAST_SECONDS, Limits
from ostrya._solve.penalty_sweep import N_PASSES
from ostrya._solve.ranking import Ranking
from ostrya._solve.recount import recount
from ostrya._solve.settings import Settings, check_settings
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import check_rows
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.estimators.reading import OutOfTimeError
from ostrya.estimators.words import in_words, with_short_thresholds
from ostrya.preprocessing.hints import TableHints
from ostrya.preprocessing.table import take_rows
from ostrya.preprocessing.training_table import TrainingTable, without_weightless_rows
from ostrya.results.frontier import Frontier, FrontierPoint
from ostrya.results.outcome import Outcome, Phase, Progress, Status, is_settled
from ostrya.tree import Tree

Rows = npt.NDArray[np.intp]
Score = Callable[..., float]

#: Counted work for proofs, in each fold and on all rows: less than a second. Folds need
#: no proofs to be compared, since good trees of all sizes come first.
FRONTIER_WORK = 2**28
#: Share of the time of a fold, after it is read, for its search. The rest is for
#: scores, and for a machine that is busier than it was when all rows were searched.
SEARCH_SHARE = 0.7


@dataclass(frozen=True, eq=False)
class AllRows:
    """What is parted into folds: a checked table, with what its scorer wants."""

    X: Any
    labels: npt.NDArray[Any]
    weights: npt.NDArray[np.float64] | None
    score: Score
    score_params: Mapping[str, Any]  # one entry per row, where there is more than one

    def weighing(self, rows: Rows | None = None) -> Rows:
        """Return those of the rows, or of all, that weigh anything."""
        rows = np.arange(len(self.labels)) if rows is None else rows
        return rows if self.weights is None else rows[self.weights[rows] > 0]

    def part(self, rows: Rows) -> AllRows:
        """Return some of the rows."""
        return AllRows(
            take_rows(self.X, rows),
            self.labels[rows],
            None if self.weights is None else self.weights[rows],
            self.score,
            {
                name: _part(value, rows, len(self.labels))
                for name, value in self.score_params.items()
            },
        )

    def score_of(self, model: Any) -> float:
        """Return the score of a model on these rows."""
        try:
            return float(self.score(model, self.X, self.labels, **self.score_params))
        except ValueError as error:
            n_rows, n_classes = len(self.labels), len(np.unique(self.labels))
            raise ValueError(
                "scoring must be defined on every fold; got an error on a fold whose "
                f"{n_rows} rows have {n_classes} "
                f"class{'' if n_classes == 1 else 'es'}, where the training rows have "
                f"{len(model.classes_)}: {str(error).rstrip('.')}. Use another scorer, "
                "or set other folds with cv"
            ) from error


@dataclass(frozen=True)
class FoldScores:
    """Scores by size, from one leaf on, and how the search of the fold ended."""

    held_out: tuple[float, ...]
    training: tuple[float, ...]  # empty where not asked for
    cart: tuple[float, ...]  # of CART's trees on the held-out rows; likewise
    status: str

    @classmethod
    def left_out(cls, status: str) -> FoldScores:
        """Return those of a fold that was not scored, for this reason."""
        return cls((), (), (), status)

    def by_size(self, kind: str, n_sizes: int) -> list[float]:
        """Return the scores of so many sizes: beyond the last one nothing changes."""
        scores: tuple[float, ...] = getattr(self, kind)
        more = [scores[-1] if scores else math.nan] * (n_sizes - len(scores))
        return [*scores, *more][:n_sizes]


class WantedScores(NamedTuple):
    """Which scores are wanted besides those on the held-out rows."""

    training: bool
    cart: bool


class Listener:
    """Passes progress on, one search at a time, and tells all of them to stop.

    Searches in other threads than the main one do not hear of Ctrl-C by themselves.
    """

    def __init__(self, monitor: FitMonitor) -> None:
        self._monitor, self._lock = monitor, threading.Lock()
        self.is_stopped = False

    def __call__(self, progress: Progress) -> bool:
        """Return whether the search is to stop."""
        told = self._monitor.on_progress
        with self._lock:
            if told is not None and told(progress):
                self.is_stopped = True
        return self.is_stopped or self._monitor.ctrl_c.is_pressed()

    def report(self, phase: Phase) -> bool:
        """Tell of work before a search; return whether to stop."""
        with self._lock:
            self.is_stopped |= self._monitor.report(phase)
        return self.is_stopped


class FoldClock:
    """How long the next search may take, when a fold is not over with its search.

    Scores, and those of CART's trees, take time too. What they took in the slowest
    fold so far is kept for each fold to come, so that the last one is over in time.
    Once the time is up no fold begins. One that is being scored may take as long again
    as the table took to read, `reading` seconds.
    """

    def __init__(self, monitor: FitMonitor, reading: float = 0.0) -> None:
        self._monitor = monitor
        self._reading = reading
        self._after = 0.0

    def is_over(self) -> bool:
        """Say whether the time is up."""
        return self._monitor.overtime() >= 0

    def is_long_over(self) -> bool:
        """Say whether scores would take longer than a last fold may."""
        return self._monitor.overtime() > self._reading

    def share(self, n_searches: int) -> float | None:
        """Return the seconds of the next of so many searches; None: no limit."""
        left = self._monitor.left()
        if left is None:
            return None
        return max(left / n_searches - self._after, LEAST_SECONDS / n_searches)

    def for_search(self, n_searches: int) -> float | None:
        """Return the seconds in which the search of each fold should be complete.

        Before the first fold is scored, nobody knows how long that takes.
        """
        share = self.share(n_searches)
        return None if share is None else SEARCH_SHARE * (share - self._reading)

    def note(self, seconds: float) -> None:
        """Know what a fold took after its search."""
        self._after = max(self._after, seconds)


class SharedRanking:
    """The rows of a table that weigh anything, ranked once for all folds of them.

    What a fold is searched for are ranks of its own rows: values that it does not have
    are left out, so its thresholds lie between values that it has. Only tables of
    numbers without missing ones can share: columns of other tables are made for each
    fold from its own rows and labels.
    """

    def __init__(
        self,
        table: TrainingTable,
        rows: AllRows,
        monitor: FitMonitor,
        memory_limit: int | None,
    ) -> None:
        self._rows = rows
        self._ranking: Ranking | None = None
        if table.encoder.keeps_numbers and table.whole is None:
            limits = Limits(time_limit=monitor.left(), memory_limit=memory_limit)
            now = limits.remaining(len(table.codes), time.perf_counter())
            matrix = check_rows(table.matrix)
            self._ranking = rank_rows(matrix, now, monitor.ctrl_c)

    def of_all(self) -> Ranking | None:
        """Return the ranking of all rows, if there is one."""
        return self._ranking

    def of_fold(self, table: TrainingTable, rows: Rows) -> Ranking | None:
        """Return that of some rows, whose table this is; None: there is none."""
        if self._ranking is None or not table.encoder.keeps_numbers:
            return None
        ranked = self._rows.weighing()
        return self._ranking.of_rows(np.searchsorted(ranked, self._rows.weighing(rows)))


def within(fold: tuple[Rows, Rows], read: Rows) -> tuple[Rows, Rows]:
    """Return a fold of the rows that were read, if not all of them were.

    A part of the fold without any such row is kept as it is.
    """
    train, test = (part[np.isin(part, read)] for part in fold)
    return (
        train if len(train) else fold[0],
        test if len(test) else fold[1],
    )


def search_frontier(
    model: OptimalTreeClassifier,
    table: TrainingTable,
    ranking: Ranking | None,
    time_limit: float | None,
    on_progress: Callable[[Progress], bool | None],
    n_passes: int = N_PASSES,
) -> FrontierSearch:
    """Return the frontier of a table, after the same counted work for every table."""
    started = time.perf_counter()
    data = model._training_data(table)
    settings = frontier_settings(model, data, time_limit, on_progress)
    search = FrontierSearch(data, settings, ranking)
    search.run(started, FRONTIER_WORK, n_passes)
    return search


def frontier_settings(
    model: OptimalTreeClassifier,
    data: TrainingData,
    time_limit: float | None,
    on_progress: Callable[[Progress], bool | None] | None,
) -> Settings:
    """Return the parameters of `model`, checked, as searches take them."""
    return check_settings(
        data,
        max_depth=model.max_depth,
        max_leaf_nodes=model.max_leaf_nodes,
        min_samples_leaf=model.min_samples_leaf,
        time_limit=time_limit,
        memory_limit=model.memory_limit,
        on_progress=on_progress,
    )


def take_point(
    model: OptimalTreeClassifier,
    point: FrontierPoint,
    frontier: Frontier,
    table: TrainingTable,
    proved_depth: int = 0,
) -> None:
    """Make `model` the classifier that a search for so many leaves alone gives."""
    # What a search without a depth limit proves after counted work, `solve` calls so.
    status: Status
    status = "optimal_to_depth" if point.status == "work_limit" else point.status
    outcome = Outcome(
        tree=point.tree,
        objective=point.loss,
        loss=point.loss,
        n_leaves=point.n_leaves,
        lower_bound=point.lower_bound,
        gap=point.gap,
        status=status,
        leaf_penalty=0.0,
        trace=(),
        statistics=frontier.statistics,
        proved_depth=None if is_settled(status) else proved_depth,
    )
    model._take(outcome, table)
    model.guess_ = None


def in_words_of(table: TrainingTable, frontier: Frontier) -> Frontier:
    """Return the frontier of the encoded rows with trees in words of the table."""
    worded: dict[int, Tree] = {}

    def words(tree: Tree) -> Tree:
        if id(tree) not in worded:
            short = with_short_thresholds(
                tree, table.matrix, table.matrix, table.encoder, table.least
            )
            worded[id(tree)] = in_words(short, table.encoder, table.classes)
        return worded[id(tree)]

    return replace(
        frontier,
        points=tuple(replace(each, tree=words(each.tree)) for each in frontier.points),
        hull=tuple(replace(each, tree=words(each.tree)) for each in frontier.hull),
        classes=table.classes,
        encoder=table.encoder,
    )


def score_fold(
    model: OptimalTreeClassifier,
    rows: AllRows,
    fold: tuple[Rows, Rows],
    search: Callable[[OptimalTreeClassifier, TrainingTable], FrontierSearch],
    listener: Listener,
    clock: FoldClock,
    wanted: WantedScores,
) -> FoldScores:
    """Return the scores of all sizes on a fold; none where the fit is to end.

    A fold whose time is up before it has good trees of all sizes is left out: it would
    be compared with folds that have them.

    `model` is unfitted but for the layout of the table. The rows searched are encoded
    by themselves: groups of levels are made by labels, and may know none held out.
    """
    if listener.report("preparing"):
        return FoldScores.left_out("interrupted")
    if clock.is_over():
        return FoldScores.left_out("time_limit")
    train, test = fold
    weights = None if rows.weights is None else rows.weights[train]
    parts = take_rows(rows.X, train), rows.labels[train], weights

    def check() -> None:
        if listener.report("preparing") or clock.is_over():
            raise OutOfTimeError

    try:
        table = model._encode(
            *without_weightless_rows(*parts), listener.report, TableHints(), check
        )
    except OutOfTimeError:
        return FoldScores.left_out(
            "interrupted" if listener.is_stopped else "time_limit"
        )
    if clock.is_over():
        return FoldScores.left_out("time_limit")
    searched = search(model, table)
    frontier = searched.conclude()
    if frontier.status == "interrupted":
        listener.is_stopped = True
        return FoldScores.left_out("interrupted")
    if frontier.status == "time_limit" and not searched.has_good_trees:
        return FoldScores.left_out("time_limit")
    found_at = time.perf_counter()
    held_out: list[float] = []
    training: list[float] = []
    tree = None
    scored = rows.part(test)
    fitted = rows.part(train) if wanted.training else None
    for point in frontier.points:
        if point.tree is tree:  # a size that adds nothing
            held_out.append(held_out[-1])
            training += training[-1:]
            continue
        if clock.is_long_over():
            return FoldScores.left_out("time_limit")
        tree = point.tree
        take_point(model, point, frontier, table)
        held_out.append(scored.score_of(model))
        if fitted is not None:
            training.append(fitted.score_of(model))
    cart: list[float] = []
    if wanted.cart and not clock.is_long_over():
        for greedy in _cart_trees(model, table, frontier.max_leaf_nodes):
            if clock.is_long_over():
                cart.clear()  # those of some sizes say nothing of larger ones
                break
            model._take_tree(greedy, table)
            cart.append(scored.score_of(model))
    clock.note(time.perf_counter() - found_at)
    return FoldScores(tuple(held_out), tuple(training), tuple(cart), frontier.status)


def _cart_trees(
    model: OptimalTreeClassifier, table: TrainingTable, max_leaf_nodes: int
) -> Iterator[Tree]:
    """Yield CART's trees of one leaf and more, labelled as our own would be."""
    data = model._training_data(table)
    grid = to_grid(data)
    for shape in cart_shapes(
        table.plain_matrix,
        data.codes,
        data.weights,
        max_leaf_nodes=max_leaf_nodes,
        max_depth=None if model.max_depth == "auto" else model.max_depth,
        min_samples_leaf=model.min_samples_leaf,
    ):
        yield recount(shape, data, grid).tree


def _part(value: Any, rows: Rows, n_rows: int) -> Any:
    """Return the entries of some rows; what has not one per row is left as it is."""
    is_by_row = np.ndim(value) > 0 and len(value) == n_rows
    return np.asarray(value)[rows] if is_by_row else value
