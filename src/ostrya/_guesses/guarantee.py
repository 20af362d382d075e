"""Derive a bound for the true problem from a search under guessed bounds (B9).

The search solved a surrogate problem, in which a row that the reference misclassifies
has at least the loss of the reference. Let ``loss[u][k]`` be the cost of label k for
the rows u that no split separates, ``raised[u][k]`` its cost in the surrogate, ``D``
the proved optimum of the surrogate, and ``P`` the penalty. For every share s in 0..1, a
tree with H leaves that assigns the label k(u) to u costs

    sum loss[u][k(u)] + P H
        = s (sum raised[u][k(u)] + P H) + (1 - s) P H
          - sum (s raised[u][k(u)] - loss[u][k(u)])
        >= s D + (1 - s) P - sum over u of max over k of (s raised[u][k] - loss[u][k]).

At s = 1 this is Theorem 4.3 of the guesses paper (2022): the optimum is at least D
minus the loss of the reference. At s = 0 it is the equivalent-points bound. Values in
between can be better than both. The bound is concave in s; the best of several shares
is used.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import Grid
from ostrya._solve.training_data import TrainingData

# Shares are multiples of 1 / SHARES; sums of losses are below 2**52, so that their
# products with it fit into 64 bits.
SHARES = 64


def lower_bounds(
    reference: npt.NDArray[np.int32],
    data: TrainingData,
    grid: Grid,
    seconds: float | None = None,
) -> Callable[[int], int]:
    """Return a function from bounds of the surrogate to bounds of the true problem.

    Computing it takes at most about `seconds`; with fewer shares the bounds are weaker.
    Bounds are costs on the integer grid, and no tree of the problem costs less. The
    function is monotone.
    """
    began = time.perf_counter()
    loss = grid.weights[:, None] * grid.costs[data.codes]
    of_reference = loss[np.arange(data.n_samples), reference]
    is_wrong = reference != data.codes
    raised = np.where(is_wrong[:, None], np.maximum(loss, of_reference[:, None]), loss)
    order, starts = data.sorted_rows()
    # Labels are the first axis, which makes the maximum over labels fast.
    loss, raised = (
        np.ascontiguousarray(np.add.reduceat(each[order], starts, axis=0).T)
        for each in (loss, raised)
    )
    apart: dict[int, int] = {}  # the constant term of the bound for each share
    for share in (SHARES, *range(SHARES)):
        slack = int((share * raised - SHARES * loss).max(axis=0).sum())
        apart[share] = (SHARES - share) * grid.penalty - grid.scale * slack
        if seconds is not None and time.perf_counter() > began + seconds:
            break

    def of(guessed: int) -> int:
        best = max(share * guessed + rest for share, rest in apart.items())
        return max(-(-best // SHARES), 0)  # costs are whole: round up

    return of
