"""Prices of both kinds of error, under which a caller's loss is bounded by a sum.

With prices ``a`` and ``b`` the priced cost of a tree is ``a FP + b FN`` plus its
penalties. Let the shift be the least of ``loss(fp, fn) - a fp - b fn`` over the counts
at which a tree could be better than the best so far. Such a tree then costs at least its
priced cost plus the shift; so the least priced cost, which a search for sums finds,
bounds the least cost (Lagrange), and the nearer the better the prices are chosen.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import MOST_LOSS

Floats = npt.NDArray[np.float64]
Leaves = npt.NDArray[np.int64]  # negatives and positives of each leaf

# Counts of each kind at which the loss is sampled to choose prices.
SAMPLES = 24
# Blocks of counts that are looked at to bound the shift.
MOST_BLOCKS = 3000


class Prices(NamedTuple):
    """What an error costs, in units of the grid; at least 1 each."""

    false_positive: int
    false_negative: int


@dataclass
class PricedLoss:
    """The caller's loss on the grid, and what prices say of it."""

    loss: Callable[[int, int], int]
    negatives: int
    positives: int
    penalty: int
    _known: dict[tuple[int, int], int] = field(default_factory=dict)

    def at(self, fp: int, fn: int) -> int:
        """Return the loss of so many errors, asked for once."""
        known = self._known.get((fp, fn))
        if known is None:
            known = self._known[fp, fn] = self.loss(fp, fn)
        return known

    def shift(self, prices: Prices, goal: int, enough: int) -> int | None:
        """Return a lower bound of ``loss - prices`` where ``loss`` may beat `goal`.

        None: no tree with a split can. The bound is the least one, unless that would
        take too many questions; the search for it ends when it is `enough`.

        A block of counts has its least loss at its first corner, and its greatest
        priced loss at its last one. The block with the least difference is cut.
        """
        a, b = prices
        limit = goal - 2 * self.penalty
        blocks: list[tuple[int, int, int, int, int]] = []

        def add(fp: int, fp_end: int, fn: int, fn_end: int) -> None:
            loss = self.at(fp, fn)
            if loss < limit:
                bound = loss - a * fp_end - b * fn_end
                heapq.heappush(blocks, (bound, fp, fp_end, fn, fn_end))

        add(0, self.negatives, 0, self.positives)
        for _ in range(MOST_BLOCKS):
            if not blocks or blocks[0][0] >= enough:
                break
            bound, fp, fp_end, fn, fn_end = blocks[0]
            if fp == fp_end and fn == fn_end:
                break
            heapq.heappop(blocks)
            if a * (fp_end - fp) >= b * (fn_end - fn):
                middle = (fp + fp_end) // 2
                add(fp, middle, fn, fn_end)
                add(middle + 1, fp_end, fn, fn_end)
            else:
                middle = (fn + fn_end) // 2
                add(fp, fp_end, fn, middle)
                add(fp, fp_end, middle + 1, fn_end)
        return blocks[0][0] if blocks else None

    def choose(
        self, trees: Sequence[Leaves], goal: int, near: Sequence[Prices]
    ) -> tuple[Prices, float]:
        """Return the prices that may bound best, and the bound that they may give.

        The least priced cost is estimated by the `trees` known, the shift by samples
        of the loss; so no prices give a greater bound than these are said to, but
        those not looked at. Looked at are prices near those given, and a wide grid.
        """
        tried = np.array(list(self._candidates(near)))
        corners = [(fp, fn) for fp in self._steps(0) for fn in self._steps(1)]
        samples = np.array([(*c, self.at(*c)) for c in corners], dtype=np.float64)
        samples = samples[samples[:, 2] < goal - 2 * self.penalty]
        if not len(samples):
            return Prices(*map(int, tried[0])), math.inf
        bound = (samples[:, 2] - tried @ samples[:, :2].T).min(axis=1)
        priced = [
            np.minimum(
                tried[:, :1] * leaves[:, 0].astype(float),
                tried[:, 1:] * leaves[:, 1].astype(float),
            ).sum(axis=1)
            + self.penalty * len(leaves)
            for leaves in trees
        ]
        bound += np.min(priced, axis=0)
        best = int(bound.argmax())
        return Prices(*(int(price) for price in tried[best])), float(bound[best])

    def slopes(self, fp: int, fn: int) -> Iterator[Prices]:
        """Yield what an error more and one less change, seen from near and far."""
        for part in (1, 8, 64):
            step = max(1, self.negatives // part), max(1, self.positives // part)
            low = max(fp - step[0], 0), max(fn - step[1], 0)
            high = min(fp + step[0], self.negatives), min(fn + step[1], self.positives)
            across = self.at(high[0], fn) - self.at(low[0], fn)
            up = self.at(fp, high[1]) - self.at(fp, low[1])
            yield Prices(across // (high[0] - low[0]), up // (high[1] - low[1]))

    def _steps(self, kind: int) -> list[int]:
        most = (self.negatives, self.positives)[kind]
        return sorted({most * step // SAMPLES for step in range(SAMPLES + 1)})

    def _candidates(self, near: Sequence[Prices]) -> Iterator[tuple[float, float]]:
        """Yield prices to look at, whole numbers in floats."""
        most = MOST_LOSS // (4 * (self.negatives + self.positives))

        def whole(price: float) -> float:
            return float(min(max(math.floor(price), 1), most))

        for prices in near:
            yield whole(prices[0]), whole(prices[1])
        worst = self.at(self.negatives, self.positives)
        centre = worst / self.negatives, worst / self.positives
        wide = [2.0**power for power in np.linspace(-10, 8, 37)]
        for one in (0.0, *wide):
            for other in (0.0, *wide):
                yield whole(centre[0] * one), whole(centre[1] * other)
        close = [2.0**power for power in np.linspace(-0.5, 0.5, 11)]
        for prices in near:
            for one in close:
                for other in close:
                    yield whole(prices[0] * one), whole(prices[1] * other)
