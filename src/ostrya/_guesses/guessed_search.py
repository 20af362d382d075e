"""Search under guessed bounds, and derive a bound of the true problem (B9).

A problem that can be searched completely in about a second needs no guess and is solved
for the true costs. Otherwise a surrogate problem is searched, in which rows that the
reference misclassifies cost more, and the tree found is polished. An upper bound of the
caller must not prune the surrogate, because it limits true costs. An incumbent may: if
no tree is better in the surrogate, the incumbent itself satisfies Theorem 4.3.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

from ostrya._guesses.guarantee import lower_bounds
from ostrya._guesses.polish import affordable_depth, polish
from ostrya._guesses.subtree_search import SubtreeSearch
from ostrya._solve.conclusion import require_proof
from ostrya._solve.engine import search_columns
from ostrya._solve.grid import Grid
from ostrya._solve.limits import Limits
from ostrya._solve.recount import Recount, recount
from ostrya._solve.search import Report, SearchOptions, SearchPoint, SearchResult
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape
from ostrya.results.outcome import is_settled

# The bounds of the reference may take one part in this many of the time left.
SHARE_OF_TIME = 4


@dataclass(frozen=True)
class GuessedSearch:
    """A search with reference labels."""

    data: TrainingData
    grid: Grid
    options: SearchOptions  # including the reference labels
    limits: Limits  # of the caller
    started: float  # the start of the call, by `time.perf_counter`
    report: Report | None
    start: Recount | None  # the warm start

    def run(self) -> SearchResult:
        """Return the result in terms of the true costs."""
        depth = self.limits.max_depth
        if depth is None or depth > affordable_depth(self.data, depth):
            return self._guess(None)
        found = self._search_true()
        if found.status == "optimal":
            return replace(found, status="guessed_bounds")
        if found.status in ("upper_bound", "interrupted"):
            return found
        return self._guess(found)

    def run_as_published(self) -> SearchResult:
        """Search the surrogate problem only, as in the paper, to compare with it."""
        return self._guess(None, polishes=False)

    def _search_true(self) -> SearchResult:
        """Search with the true costs, for at most half of the time that is left."""
        limits = self._remaining()
        if limits.time_limit is not None:
            limits = replace(limits, time_limit=limits.time_limit / 2)
        start = None if self.start is None else self.start.cost
        uppers = [cost for cost in (self.options.upper, start) if cost is not None]
        upper = min(uppers, default=None)
        options = replace(self.options, limits=limits, upper=upper, reference=None)
        return search_columns(self.data, self.grid, options, self.report)

    def _guess(
        self, before: SearchResult | None, *, polishes: bool = True
    ) -> SearchResult:
        """Solve the surrogate problem, and polish the best tree if wanted.

        A better tree or bound that a search of the true problem found `before` is kept.
        """
        incumbent = Incumbent(before, self.start)
        found = incumbent.combined(self._search_surrogate(incumbent))
        can_polish = self.limits.max_leaf_nodes is None
        if polishes and can_polish and found.status == "guessed_bounds":
            found = self._polished(found)
        upper = self.options.upper
        if upper is not None and found.lower >= upper:
            found = replace(found, status="upper_bound")
        return found

    def _search_surrogate(self, incumbent: Incumbent) -> SearchResult:
        """Return the best tree of the surrogate, with bounds of the true problem."""
        assert self.options.reference is not None
        left = self._remaining().time_limit
        part = None if left is None else left / SHARE_OF_TIME
        of_true = lower_bounds(self.options.reference, self.data, self.grid, part)
        since = time.perf_counter() - self.started if incumbent.before else 0.0

        def of_true_problem(point: SearchPoint) -> SearchPoint:
            # A depth proved in the surrogate proves nothing for the true problem.
            return point._replace(
                seconds=since + point.seconds,
                lower=of_true(point.lower),
                proved_depth=0,
                next_depth_lower=0,
            )

        def report(point: SearchPoint) -> bool:
            assert self.report is not None
            point = of_true_problem(point)
            point = point._replace(lower=max(point.lower, incumbent.lower))
            if incumbent.cost is not None and incumbent.cost <= point.upper:
                n_leaves = incumbent.shape.n_leaves
                point = point._replace(upper=incumbent.cost, n_leaves=n_leaves)
            return self.report(point)

        found = search_columns(
            self.data,
            self.grid,
            replace(self.options, limits=self._remaining(), upper=incumbent.cost),
            None if self.report is None else report,
        )
        cost = recount(found.shape, self.data, self.grid).cost
        if cost > found.upper:
            require_proof(found, cost)
        return replace(
            found,
            lower=min(of_true(found.lower), cost),
            upper=cost,
            trace=tuple(map(of_true_problem, found.trace)),
        )

    def _polished(self, found: SearchResult) -> SearchResult:
        """Return the result with better subtrees, and the status if it was stopped."""
        subtrees = SubtreeSearch(
            *(self.data, self.grid, self.options, self.limits, self.started),
            *(self.report, found),
        )
        shape = found.shape
        try:
            shape = polish(shape, self.data, self.grid, self.limits.max_depth, subtrees)
        except KeyboardInterrupt:  # Ctrl-C between two searches
            self.options.ctrl_c.raise_again()
            subtrees.stop = "interrupted"
        cost = recount(shape, self.data, self.grid).cost
        lower = min(found.lower, cost)
        last = found.trace[-1]
        seconds = max(time.perf_counter() - self.started, last.seconds)
        end = last._replace(seconds=seconds, lower=lower, upper=cost)
        return SearchResult(
            shape=shape,
            lower=lower,
            upper=cost,
            status=subtrees.stop or found.status,
            trace=(*found.trace, end),
            statistics=reduce(add, subtrees.statistics, found.statistics),
        )

    def _remaining(self) -> Limits:
        return self.limits.remaining(self.data.n_samples, self.started)


@dataclass(frozen=True)
class Incumbent:
    """The best tree before the search of the surrogate problem.

    It is the result of a search of the true problem, or the warm start.
    """

    before: SearchResult | None
    start: Recount | None

    @property
    def cost(self) -> int | None:
        """The true cost of the incumbent; None if there is none."""
        costs = [] if self.before is None else [self.before.upper]
        costs += [] if self.start is None else [self.start.cost]
        return min(costs, default=None)

    @property
    def lower(self) -> int:
        """The best known lower bound of the true cost."""
        return 0 if self.before is None else self.before.lower

    @property
    def shape(self) -> TreeShape:
        """The tree of the incumbent."""
        if self.start is not None and self.start.cost == self.cost:
            return TreeShape(**self.start.tree.shape)
        assert self.before is not None
        return self.before.shape

    def combined(self, found: SearchResult) -> SearchResult:
        """Return the result of the surrogate problem, or the incumbent if better."""
        shape, upper = found.shape, found.upper
        if self.cost is not None and self.cost < upper:
            shape, upper = self.shape, self.cost
        before = () if self.before is None else self.before.trace
        trace: list[SearchPoint] = []
        for point in (*before, *found.trace):  # bounds only ever improve
            last = trace[-1] if trace else SearchPoint(0.0, 0, point.upper, 0, 0, 0)
            depth = max(last.proved_depth, point.proved_depth)
            trace.append(
                point._replace(
                    lower=max(last.lower, point.lower),
                    upper=min(last.upper, point.upper),
                    proved_depth=depth,
                    next_depth_lower=max(
                        each.next_depth_lower
                        for each in (last, point)
                        if each.proved_depth == depth
                    ),
                )
            )
        statistics = found.statistics
        if self.before is not None:
            statistics = statistics + self.before.statistics
        return SearchResult(
            shape=shape,
            lower=min(max(found.lower, self.lower), upper),
            upper=upper,
            status="guessed_bounds" if is_settled(found.status) else found.status,
            trace=tuple(trace),
            statistics=statistics,
        )
