"""The tree of best F-score, by searches for losses that add up.

With b = beta squared the loss of a tree is a ratio f / g of sums over rows,

    f = FP + b FN,    g = (1 + b) P - FN + FP,

and a tree with h leaves beats the objective U exactly if ``f - (U - penalty h) g < 0``.
For fixed h this is a search for an additive loss, in which labels are free as well: the
least ``f - t g`` over trees of at most h leaves, t = U - penalty h (Dinkelbach 1967).
For a range of h that starts at `low`,

    f - (U - penalty h) g  >=  f - t g + penalty * least_g * (h - low),  t at `low`,

where ``least_g = (1 + b) P b / (b + t)`` is the least g of any tree with f < t g. One
search of the engine, with a leaf penalty, rules out the range or returns a tree. The
tree is better than the best so far, or else the range is cut in two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ostrya.grid import MOST_COST
from ostrya.measure_grid import MeasureGrid
from ostrya.measures import FScore, Leaf
from ostrya.problem import Problem

# Losses of the additive searches stay below this. Limits that do not fit are rounded
# up; a tree asked for exactly that is then no better ties with the best to within that
# rounding, some 2**-50 times the number of rows.
MOST_LOSS = 2**52
STOPPED = ("time_limit", "memory_limit", "interrupted")


class Question(NamedTuple):
    """An additive search: is there a tree of cost below `upper`?"""

    costs: Any
    penalty: int
    upper: int
    max_leaves: int


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

    def run(self) -> dict[str, Any]:
        """Rule out ranges of leaves until none is left, or a search is stopped."""
        ranges = [(1, self._most_leaves())]
        status = "optimal"
        while ranges:
            low, high = ranges.pop()
            high = min(high, self._most_leaves())
            if low > high:
                continue
            found, is_exact = self._search(low, high)
            self._add(found, ranges, low)
            if found["status"] in STOPPED:
                ranges.append((low, high))
                status = found["status"]
                break
            if found["status"] == "upper_bound":
                continue
            if self._keep(found):
                ranges.append((low, high))
            elif not is_exact:
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

    def _search(self, low: int, high: int) -> tuple[dict[str, Any], bool]:
        """Ask for a tree of `low` to `high` leaves that is better; say if exactly."""
        is_exact = low == high or self.penalty == 0
        # Trees of loss 1 find no positive row and are no better than a lone leaf.
        limit = min(self._goal() - self.penalty * low, Fraction(1))
        b, weight = self.square, (1 + self.square) * self.positives
        fine = MOST_LOSS // (4 * self.total * (math.ceil(b) + 1)) // b.denominator
        if limit.denominator > fine:  # a higher limit asks for more trees, none fewer
            limit = Fraction(math.ceil(limit * fine), fine)
        unit = limit.denominator * b.denominator
        costs = [[0, (1 - limit) * unit], [(b + limit) * unit, 0]]
        charge = 0
        if not is_exact:
            least = weight * b / (b + limit)
            charge = math.floor(self.penalty * least * unit)
        upper = math.ceil(limit * weight * unit) + charge * low
        question = Question(
            costs=np.array(costs, dtype=np.int64),
            penalty=charge,
            upper=min(upper, MOST_COST - 1),
            max_leaves=high,
        )
        return self.ask(question), is_exact

    def _keep(self, found: dict[str, Any]) -> bool:
        """Keep a tree if it is better than the best so far; tell if it is."""
        loss, n_leaves = self.count(found)
        objective = loss + self.penalty * n_leaves
        if objective >= self._goal():
            return False
        self.best = {name: found[name] for name in ("feature", "threshold", "yes", "no")}
        self.objective = objective
        self.cost = self.grid.cost_of(loss, n_leaves)
        return True

    def _add(
        self, found: dict[str, Any], ranges: Sequence[tuple[int, int]], low: int
    ) -> None:
        """Add up what a search took."""
        took = found["statistics"]
        for name in ("subproblems", "memo_hits", "first_scans", "pair_rows", "seconds"):
            took[name] += self.statistics.get(name, 0)
        for name in ("memo_entries", "peak_memory"):
            took[name] = max(took[name], self.statistics.get(name, 0))
        self.statistics = took
        self._trace(self._lower(min([low, *(start for start, _ in ranges)])))

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
