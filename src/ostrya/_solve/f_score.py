"""The tree of best F-score, by searches for losses that add up.

With b = beta squared the loss of a tree is a ratio f / g of sums over rows,

    f = FP + b FN,    g = (1 + b) P - FN + FP,

and a tree with h leaves beats the objective U exactly if ``f - (U - penalty h) g < 0``
(Dinkelbach 1967). Let t = U - penalty q at some number of leaves q, the pivot. The left
side is ``f - t g + penalty g (h - q)``, at least

    f - t g + charge (h - q)

for trees of q leaves if charge is anything; of q or more if it is at most penalty times
the least g, of q or fewer if it is at least penalty times the greatest g, over trees
with f < u g. These are (1 + b) P b / (b + u) and (1 + b) P / (1 - u). A tree of least
``f - t g`` with a charge a leaf is an additive search; labels are free in it as well.
If none is below 0 the whole range of leaves is ruled out. Else the tree found is better
than the best so far, or shows which charges cannot serve; when none is left the range
is cut in two. A lone number of leaves is settled by a search with that many at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import MOST_COST
from ostrya._solve.measure_grid import MeasureGrid
from ostrya._solve.measures import FScore, Leaf
from ostrya._solve.training_data import Problem

# Losses of the additive searches stay below this. Limits that do not fit are rounded
# up; a tree asked for exactly that is then no better ties with the best to within that
# rounding, some 2**-50 times the number of rows.
MOST_LOSS = 2**52
STOPPED = ("time_limit", "memory_limit", "interrupted")


class Question(NamedTuple):
    """An additive search: is there a tree of cost below `upper`, or none."""

    costs: npt.NDArray[np.int64]
    penalty: int
    upper: int
    max_leaves: int | None


class Limit(NamedTuple):
    """What a tree of so many leaves must stay below, f < limit g, in integers."""

    pivot: int  # leaves
    ratio: Fraction
    unit: int  # makes the costs whole

    def of(self, value: Fraction) -> int:
        """Return a multiple of the unit."""
        return math.floor(value * self.unit)


Ask = Callable[[Question], dict[str, Any]]
# Counts a found tree from the rows: its exact loss, its leaves.
Count = Callable[[Mapping[str, Any]], tuple[Fraction, int]]


@dataclass
class FScoreSearch:
    """One search; `run` returns what an engine returns."""

    problem: Problem
    grid: MeasureGrid
    ask: Ask
    count: Count
    max_leaves: int | None
    upper: int | None  # only trees cheaper than this are wanted
    best: dict[str, Any] = field(init=False)
    trace: list[tuple[float, int, int, int, int]] = field(default_factory=list)
    statistics: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert isinstance(self.grid.measure, FScore)
        self.square = self.grid.measure.square
        self.penalty = self.grid.penalty * self.grid.unit
        positive = self.problem.codes == 1
        self.positives = int(self.grid.weights[positive].sum())
        self.total = int(self.grid.weights.sum())
        self.least_loss = self.grid.measure.loss(equal_rows(self.problem, self.grid))
        self.best = lone_leaf()
        loss, n_leaves = self.count(self.best)
        self.objective = loss + self.penalty * n_leaves
        self.cost = self.grid.cost_of(loss, n_leaves)
        self._waiting = 1  # fewest leaves not yet ruled out

    def run(self) -> dict[str, Any]:
        """Rule out ranges of leaves until none is left, or a search is stopped."""
        ranges = [(1, self._most_leaves())]
        status = "optimal"
        while ranges:
            low, high = ranges.pop()
            high = min(high, self._most_leaves())
            if low > high and self.statistics:
                continue
            high = max(low, high)  # at least one question says what the data are
            self._waiting = min([low, *(start for start, _ in ranges)])
            answer = self._settle(low, high)
            if answer in STOPPED:
                ranges.append((low, high))
                status = answer
                break
            if answer == "better":
                ranges.append((low, high))
            elif answer == "open":
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)]
        lower = self.cost
        if ranges:
            lower = min(self.cost, self._lower(min(low for low, _ in ranges)))
        if self.upper is not None and self.cost >= self.upper and not ranges:
            lower = min(self.upper, self.cost)
            status = "optimal" if lower == self.cost else "upper_bound"
        self._trace(lower)
        told = {"lower": lower, "upper": self.cost, "status": status}
        return self.best | told | {"trace": self.trace, "statistics": self.statistics}

    def progress(
        self, seconds: float, subproblems: int, memory: int, n_leaves: int
    ) -> tuple[float, int, int, int, int, int]:
        """Return what to tell while a search is `seconds` old."""
        lower = self.trace[-1][1] if self.trace else self._lower(1)
        return (
            seconds + self.statistics.get("seconds", 0.0),
            min(lower, self.cost),
            self.cost,
            subproblems + self.statistics.get("subproblems", 0),
            memory,
            (len(self.best["feature"]) + 1) // 2,
        )

    def _goal(self) -> Fraction:
        """Return the objective to beat."""
        if self.upper is None:
            return self.objective
        return min(self.objective, self.upper * self.grid.unit)

    def _most_leaves(self) -> int:
        """Return the most leaves with which a tree could still be better."""
        most = self.problem.n_samples
        if self.max_leaves is not None:
            most = min(most, self.max_leaves)
        if self.penalty > 0:
            room = (self._goal() - self.least_loss) / self.penalty
            most = min(most, math.ceil(room) - 1)
        return most

    def _lower(self, low: int) -> int:
        """Return the least cost of a tree of `low` leaves or more."""
        return self.grid.cost_of(self.least_loss, low)

    def _settle(self, low: int, high: int) -> str:
        """Look for a better tree of `low` to `high` leaves.

        Returns "none", "better" (there is one, and it was kept), "open", or why the
        search stopped.
        """
        if self.penalty == 0:
            return self._dual(self._limit(low), 0, 0, high)
        ratio = self._limit(low).ratio
        weight = (1 + self.square) * self.positives
        least = self.penalty * weight * self.square / (self.square + ratio)
        below, above = self._limit(low), self._limit(high)
        if low == high:
            answer = self._dual(below, 0, MOST_COST)
            return self._dual(below, 0, 0, low) if answer == "open" else answer
        answer = self._dual(below, 0, below.of(least))
        if answer == "open" and ratio < 1:
            most = self.penalty * weight / (1 - ratio)
            answer = self._dual(above, above.of(most) + 1, MOST_COST)
        return answer

    def _limit(self, pivot: int) -> Limit:
        # Trees of loss 1 find no positive row and are no better than a lone leaf.
        ratio = self._goal() - self.penalty * pivot
        ratio = min(max(ratio, Fraction(0)), Fraction(1))
        b = self.square
        fine = MOST_LOSS // (4 * self.total * (math.ceil(b) + 1)) // b.denominator
        if ratio.denominator > fine:  # a higher limit asks for more trees, none fewer
            ratio = Fraction(math.ceil(ratio * fine), fine)
        return Limit(pivot, ratio, ratio.denominator * b.denominator)

    def _dual(
        self, limit: Limit, least: int, most: int, max_leaves: int | None = None
    ) -> str:
        """Look for a charge from `least` to `most` under which no tree is below 0."""
        weight = (1 + self.square) * self.positives
        goal = limit.of(limit.ratio * weight)
        b, unit = self.square, limit.unit
        costs = [[0, (1 - limit.ratio) * unit], [(b + limit.ratio) * unit, 0]]
        matrix = np.array(costs, dtype=np.int64)
        charge = min(most, max(least, limit.of(self.penalty * weight)))
        while True:
            upper = min(goal + charge * limit.pivot, MOST_COST - 1)
            allowed = self.max_leaves if max_leaves is None else max_leaves
            found = self.ask(Question(matrix, charge, upper, allowed))
            self._add(found)
            if found["status"] in STOPPED:
                return str(found["status"])
            if found["upper"] >= upper:
                return "none"
            if self._keep(found):
                return "better"
            more = (len(found["feature"]) + 1) // 2 - limit.pivot
            value = found["upper"] - charge * (more + limit.pivot) - goal
            if more > 0:
                least = max(least, -(value // more))
            elif more < 0:
                most = min(most, value // -more)
            if least > most or more == 0:
                return "open" if max_leaves is None else "none"
            charge = (least + min(most, 2 * max(least, charge))) // 2

    def _keep(self, found: dict[str, Any]) -> bool:
        """Keep a tree if it is better than the best so far; tell if it is."""
        loss, n_leaves = self.count(found)
        objective = loss + self.penalty * n_leaves
        if objective >= self._goal():
            return False
        self.best = {
            name: found[name] for name in ("feature", "threshold", "yes", "no")
        }
        self.objective = objective
        self.cost = self.grid.cost_of(loss, n_leaves)
        return True

    def _add(self, found: dict[str, Any]) -> None:
        """Add up what a search took."""
        took = found["statistics"]
        for name in ("subproblems", "memo_hits", "first_scans", "pair_rows", "seconds"):
            took[name] += self.statistics.get(name, 0)
        for name in ("memo_entries", "peak_memory"):
            took[name] = max(took[name], self.statistics.get(name, 0))
        self.statistics = took
        self._trace(self._lower(self._waiting))

    def _trace(self, lower: int) -> None:
        """Note the bounds, which only ever come closer."""
        if self.trace:
            lower = max(lower, self.trace[-1][1])
        point = (
            self.statistics["seconds"],
            min(lower, self.cost),
            self.cost,
            self.statistics["subproblems"],
            self.statistics["peak_memory"],
        )
        if not self.trace or self.trace[-1][1:3] != point[1:3]:
            self.trace.append(point)


def lone_leaf() -> dict[str, Any]:
    """Return the shape of a tree that asks nothing."""
    return {
        "feature": np.array([-1], dtype=np.int32),
        "threshold": np.array([np.nan]),
        "yes": np.array([-1], dtype=np.int32),
        "no": np.array([-1], dtype=np.int32),
    }


def equal_rows(problem: Problem, grid: MeasureGrid) -> list[Leaf]:
    """Return rows with equal features as leaves: no tree tells more apart."""
    group = np.unique(problem.X, axis=0, return_inverse=True)[1].reshape(-1)
    size = int(group.max()) + 1
    masses = [
        np.bincount(group[own], grid.weights[own], minlength=size).astype(np.int64)
        for own in (problem.codes == code for code in (0, 1))
    ]
    pairs = np.column_stack(masses)
    return [(int(n), int(p)) for n, p in pairs if n + p > 0]
