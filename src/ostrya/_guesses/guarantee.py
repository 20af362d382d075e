"""What a guessed search proves of the true problem (B9).

The search closed a surrogate problem, in which a row that the reference gets wrong
loses at least what the reference loses on it. Write ``loss[u][k]`` for what label k
costs the rows u that no split tells apart, ``raised[u][k]`` for what it costs them in
the surrogate, ``D`` for the proved optimum of the surrogate and ``P`` for the penalty.
A tree of H leaves that gives u the label k(u) costs, for every share s in 0..1,

    sum loss[u][k(u)] + P H
        = s (sum raised[u][k(u)] + P H) + (1 - s) P H
          - sum (s raised[u][k(u)] - loss[u][k(u)])
        >= s D + (1 - s) P - sum over u of max over k of (s raised[u][k] - loss[u][k]).

At s = 1 this is Theorem 4.3 of the guesses paper (2022): the optimum is at least D less
the loss of the reference. At s = 0 it is the bound of equivalent points. In between it
can beat both; it is concave in s, and the best of a few shares is taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import Grid
from ostrya._solve.training_data import TrainingData

# Shares are multiples of 1 / SHARES; loss sums below 2**52 times this fit 64 bits.
SHARES = 64


def lower_bounds(
    reference: npt.NDArray[np.int32],
    data: TrainingData,
    grid: Grid,
    seconds: float | None = None,
) -> Callable[[int], int]:
    """Return what turns a bound of the surrogate into one of the true problem.

    It is worth so many seconds: with fewer shares the bounds are looser.

    Bounds are costs on the integer grid: none of the trees of its problem is below it.
    It never falls when the bound of the surrogate grows.
    """
    began = time.perf_counter()
    loss = grid.weights[:, None] * grid.costs[data.codes]
    of_reference = loss[np.arange(data.n_samples), reference]
    is_wrong = reference != data.codes
    raised = np.where(is_wrong[:, None], np.maximum(loss, of_reference[:, None]), loss)
    order, starts = data.sorted_rows()
    # Labels before rows: the largest of each row's few numbers is found quickly then.
    loss, raised = (
        np.ascontiguousarray(np.add.reduceat(each[order], starts, axis=0).T)
        for each in (loss, raised)
    )
    apart: dict[int, int] = {}  # what each share adds to its part of the guessed bound
    for share in (SHARES, *range(SHARES)):
        slack = int((share * raised - SHARES * loss).max(axis=0).sum())
        apart[share] = (SHARES - share) * grid.penalty - grid.scale * slack
        if seconds is not None and time.perf_counter() > began + seconds:
            break

    def of(guessed: int) -> int:
        best = max(share * guessed + rest for share, rest in apart.items())
        return max(-(-best // SHARES), 0)  # costs are whole: round up

    return of
