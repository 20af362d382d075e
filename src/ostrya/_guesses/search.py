"""A search under guessed bounds, and what it says of the true problem (B9).

A problem that can be searched through in about a second needs no guess: it is solved
for the true costs. Others are searched with the bounds of a dearer problem, and the
tree found is polished. A bound on the objective cuts off no tree of the dearer
problem, whose costs it does not speak of; a tree at hand does, for where nothing in the
dearer problem beats it, it satisfies Theorem 4.3 itself.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrya._guesses.guarantee import lower_bounds
from ostrya._guesses.polish import affordable_depth, polish
from ostrya._guesses.subtrees import SubsetSearch
from ostrya._solve.conclusion import require_proof
from ostrya._solve.engine import Report, engine_limits, search
from ostrya._solve.grid import Grid
from ostrya._solve.recount import Recount, recount
from ostrya._solve.training_data import Problem
from ostrya._tree_shape import SHAPE

Found = dict[str, Any]
# What ends a search of the dearer problem, and of the true one.
CLOSED = ("optimal", "guessed", "upper_bound")
SUMS = ("subproblems", "memo_entries", "memo_hits", "first_scans", "pair_rows")


@dataclass(frozen=True)
class GuessedSearch:
    """A search with reference labels.

    Attributes
    ----------
    problem, grid : Problem, Grid
        The training rows, and the same in integers.
    options : dict
        What the engine is told, reference labels included.
    limits : dict
        The limits as the caller gave them.
    started : float
        When the call began, by `time.perf_counter`.
    report : callable or None
        Told of progress, as the engines do.
    start : Recount or None
        A tree at hand.
    """

    problem: Problem
    grid: Grid
    options: dict[str, Any]
    limits: dict[str, Any]
    started: float
    report: Report | None
    start: Recount | None

    def run(self) -> Found:
        """Return what was found and proved, in terms of the true costs."""
        depth = self.limits["max_depth"]
        if depth is None or depth > affordable_depth(self.problem, depth):
            return self._guess(None)
        found = self._search_all()
        if found["status"] == "optimal":
            return found | {"status": "guessed"}
        if found["status"] in ("upper_bound", "interrupted"):
            return found
        return self._guess(found)

    def _search_all(self) -> Found:
        """Search for the true costs; of a time limit, for half of what is left."""
        left = self._left()
        if left["time_limit"] is not None:
            left["time_limit"] /= 2
        uppers = [
            self.options["upper"],
            None if self.start is None else self.start.cost,
        ]
        asked = {
            "reference": None,
            "upper": min((u for u in uppers if u is not None), default=None),
        }
        options = self.options | left | asked
        return search(self.problem, self.grid, "columns", options, self.report)

    def _guess(self, before: Found | None) -> Found:
        """Close the dearer problem, and polish the best tree there is.

        What a search of the true problem found `before` its limit is kept where it is
        better.
        """
        hand = Hand(before, self.start)
        found = hand.translated(self._search_dearer(hand))
        if found["status"] == "guessed" and self.limits["max_leaves"] is None:
            found = self._polished(found)
        upper = self.options["upper"]
        if upper is not None and found["lower"] >= upper:
            found["status"] = "upper_bound"
        return found

    def _search_dearer(self, hand: Hand) -> Found:
        """Return what the dearer problem has, with bounds of the true one."""
        of_true = lower_bounds(self.options["reference"], self.problem, self.grid)
        since = time.perf_counter() - self.started if hand.before else 0.0

        def tell(seconds: float, lower: int, upper: int, *counts: int) -> bool:
            assert self.report is not None
            lower = max(of_true(lower), hand.lower)
            *others, n_leaves = counts
            if hand.cost is not None and hand.cost <= upper:
                upper, n_leaves = hand.cost, hand.n_leaves
            return self.report(since + seconds, lower, upper, *others, n_leaves)

        options = self.options | self._left() | {"upper": hand.cost}
        report = None if self.report is None else tell
        found = search(self.problem, self.grid, "columns", options, report)
        cost = recount(found, self.problem, self.grid).cost
        if cost > found["upper"]:
            require_proof(found, cost)
        trace = [
            (since + seconds, of_true(lower), upper, *counts)
            for seconds, lower, upper, *counts in found["trace"]
        ]
        lower = min(of_true(found["lower"]), cost)
        return found | {"lower": lower, "upper": cost, "trace": trace}

    def _polished(self, found: Found) -> Found:
        """Return what was found with better subtrees, and what stopped that."""
        subsets = SubsetSearch(
            *(self.problem, self.grid, self.options, self.limits, self.started),
            *(self.report, found),
        )
        better: Found = {}
        try:
            depth = self.limits["max_depth"]
            better = polish(found, self.problem, self.grid, depth, subsets)
        except KeyboardInterrupt:  # Ctrl-C between two searches
            subsets.stop = "interrupted"
        polished = found | better
        cost = recount(polished, self.problem, self.grid).cost
        _, _, _, *counts = found["trace"][-1]
        seconds = max(time.perf_counter() - self.started, found["trace"][-1][0])
        lower = min(found["lower"], cost)
        return polished | {
            "lower": lower,
            "upper": cost,
            "status": subsets.stop or found["status"],
            "trace": [*found["trace"], (seconds, lower, cost, *counts)],
            "statistics": added(found["statistics"], *subsets.statistics),
        }

    def _left(self) -> dict[str, Any]:
        return engine_limits(self.limits, self.problem.n_samples, self.started)


@dataclass(frozen=True)
class Hand:
    """The trees at hand before the dearer problem is searched."""

    before: Found | None
    start: Recount | None

    @property
    def cost(self) -> int | None:
        """The true cost of the best of them; None when there is none."""
        costs = [] if self.before is None else [self.before["upper"]]
        costs += [] if self.start is None else [self.start.cost]
        return min(costs, default=None)

    @property
    def lower(self) -> int:
        """What no tree costs less than, as far as is known."""
        return 0 if self.before is None else int(self.before["lower"])

    @property
    def shape(self) -> Any:
        """The arrays of the best."""
        if self.start is not None and self.start.cost == self.cost:
            return self.start.tree.shape
        return {} if self.before is None else self.before

    @property
    def n_leaves(self) -> int:
        """The leaves of the best."""
        return int(np.count_nonzero(np.asarray(self.shape["feature"]) < 0))

    def translated(self, found: Found) -> Found:
        """Return what the dearer problem gave, or a better tree at hand."""
        before = self.before or {"trace": [], "statistics": None}
        lower = max(found["lower"], self.lower)
        kept = dict(found)
        if self.cost is not None and self.cost < found["upper"]:
            kept |= {name: self.shape[name] for name in SHAPE}
            kept["upper"] = self.cost
        # The bounds of the trace never part again.
        trace, low, high = [], 0, None
        for seconds, point, upper, *counts in [*before["trace"], *found["trace"]]:
            low, high = max(low, point), upper if high is None else min(high, upper)
            trace.append((seconds, low, high, *counts))
        is_closed = found["status"] in CLOSED
        kept |= {
            "lower": min(lower, kept["upper"]),
            "status": "guessed" if is_closed else found["status"],
            "trace": trace,
        }
        if before["statistics"] is not None:
            kept["statistics"] = added(found["statistics"], before["statistics"])
        return kept


def added(statistics: dict[str, Any], *others: dict[str, Any]) -> dict[str, Any]:
    """Return what several searches took, sizes being those of the first."""
    every = (statistics, *others)
    return {
        **statistics,
        **{name: sum(each[name] for each in every) for name in (*SUMS, "seconds")},
        "peak_memory": max(each["peak_memory"] for each in every),
    }
