"""Prices of both kinds of error, under which a caller's loss is bounded by a sum.

With prices ``a`` and ``b`` the priced cost of a tree is ``a FP + b FN`` plus its
penalties. Let the shift be the least of ``loss(fp, fn) - a fp - b fn`` over the counts
at which a tree could be better than the best so far. Such a tree then costs at least
its priced cost plus the shift. So the least priced cost, which a search for sums finds,
bounds the least cost: the closer, the better the prices are chosen (P1 in
``docs/explanation/bounds.md``).
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import MOST_SUM

Floats = npt.NDArray[np.float64]
Leaves = npt.NDArray[np.int64]  # negatives and positives of each leaf

# Counts of each kind at which the loss is sampled to choose prices.
SAMPLES = 24
# Blocks of counts that are cut to bound the shift, while prices are chosen and when
# they are.
FEW_BLOCKS = 400
MANY_BLOCKS = 6000


class NoTimeToAskError(Exception):
    """There is no time left to ask for a loss."""


class Prices(NamedTuple):
    """What an error costs, in units of the grid; at least 1 each."""

    false_positive: int
    false_negative: int


@dataclass
class PricedLoss:
    """The caller's loss on the grid, and the bounds derived from prices."""

    loss: Callable[[int, int], int]
    negatives: int
    positives: int
    penalty: int
    most_leaves: int  # that any tree has
    ends: float | None  # by `time.perf_counter`; None: no limit
    _known: dict[tuple[int, int], int] = field(default_factory=dict)
    _proved: dict[Prices, int] = field(default_factory=dict)  # least priced costs

    def prove(self, prices: Prices, least: int) -> None:
        """Note that no tree has a priced cost below `least`."""
        self._proved[prices] = max(least, self.least(prices))

    def least(self, prices: Prices) -> int:
        """Return what no tree has a lower priced cost than."""
        return self._proved.get(prices, 0)

    def at(self, fp: int, fn: int) -> int:
        """Return the loss of so many errors, asked for once.

        Raises
        ------
        NoTimeToAskError
            When there is no time left to ask: the caller's function may be slow.
        """
        known = self._known.get((fp, fn))
        if known is None:
            if self.ends is not None and time.perf_counter() > self.ends:
                raise NoTimeToAskError
            known = self._known[fp, fn] = self.loss(fp, fn)
        return known

    def shift(self, prices: Prices, goal: int, n_blocks: int) -> int | None:
        """Return a lower bound of ``loss - prices`` where a tree may beat `goal`.

        None: no tree with a split can. The bound is the least one, unless that would
        take cutting more than `n_blocks` blocks.

        A block of counts has its least loss at its first corner, and its greatest
        priced loss at its last one. The block with the least difference is cut. Blocks
        are left out that the least loss or what was proved at other prices rules out.
        """
        a, b = prices
        limit = goal - 2 * self.penalty
        most_penalty = self.penalty * self.most_leaves
        proved = [(*other, least) for other, least in self._proved.items()]
        blocks: list[tuple[int, int, int, int, int]] = []

        def add(fp: int, fp_end: int, fn: int, fn_end: int) -> None:
            loss = self.at(fp, fn)
            if loss >= limit:
                return
            room = min(goal - loss, most_penalty)  # for the penalties of its trees
            if all(x * fp_end + y * fn_end + room >= least for x, y, least in proved):
                bound = loss - a * fp_end - b * fn_end
                heapq.heappush(blocks, (bound, fp, fp_end, fn, fn_end))

        add(0, self.negatives, 0, self.positives)
        enough = goal - self.least(prices)  # no tree is better then
        for _ in range(n_blocks):
            if not blocks or blocks[0][0] >= enough:
                break
            _, fp, fp_end, fn, fn_end = blocks[0]
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
        """Return the prices that may bound best, and what may be won by them.

        That is a part of the gap that the first of the prices given leave.

        The least priced cost is estimated by the `trees` known, the shift by samples
        of the loss; so no prices win more than these are said to, but those
        not looked at. Looked at are prices near those given, and a wide grid.
        """
        tried = self._candidates(near)
        corners = [(fp, fn) for fp in self._steps(0) for fn in self._steps(1)]
        samples = np.array([(*c, self.at(*c)) for c in corners], dtype=np.float64)
        samples = samples[samples[:, 2] < goal - 2 * self.penalty]
        if not len(samples):
            return near[0], 0.0
        bound = (samples[:, 2] - tried @ samples[:, :2].T).min(axis=1)
        priced = [
            np.minimum(
                tried[:, :1] * leaves[:, 0].astype(float),
                tried[:, 1:] * leaves[:, 1].astype(float),
            ).sum(axis=1)
            + self.penalty * len(leaves)
            for leaves in trees
        ]
        # More than the goal serves no better; of equals the first is taken.
        bound = np.minimum(bound + np.min(priced, axis=0), goal)
        best = int(bound.argmax())
        won = float(bound[best] - bound[0]) / max(float(goal - bound[0]), 1.0)
        return Prices(*(int(price) for price in tried[best])), won

    def mean(self) -> Prices:
        """Return what an error of each kind costs if there is no other, on average."""
        tried = [
            (
                self.at(self.negatives, 0) / self.negatives,
                self.at(0, self.positives) / self.positives,
            )
        ]
        return Prices(*map(int, self._within_range(np.array(tried))[0]))

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

    def _candidates(self, near: Sequence[Prices]) -> Floats:
        """Return prices to look at, whole numbers in floats; those given come first."""
        worst = self.at(self.negatives, self.positives)
        centre = (worst / self.negatives, worst / self.positives)
        wide = np.array([0.0, *(2.0 ** np.linspace(-10, 8, 37))])
        close = 2.0 ** np.linspace(-0.5, 0.5, 11)
        around = [_products(prices, close) for prices in near]
        tried = np.concatenate(
            [np.array(near, float).reshape(-1, 2), *around, _products(centre, wide)]
        )
        return self._within_range(tried)

    def _within_range(self, prices: Floats) -> Floats:
        """Return whole prices at which the cost of all errors stays within limits."""
        most = MOST_SUM // (self.negatives + self.positives)  # at least 2**6
        return np.clip(np.floor(prices), 1, most)


def _products(prices: tuple[float, float], factors: Floats) -> Floats:
    """Return both prices, each times every factor, in all combinations."""
    one, other = np.meshgrid(prices[0] * factors, prices[1] * factors)
    return np.column_stack([one.ravel(), other.ravel()])
