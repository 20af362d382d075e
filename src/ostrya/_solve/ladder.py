"""What a search will take, by searches of smaller depth that are soon over.

Each further level multiplies the work of a search, by less than the level before did.
So depths 2, 3, ... are searched as long as that takes a moment, and the work of the
rest is extrapolated: the logarithm of the factor falls by the same share from level to
level. Without a limit on depth, levels end where the leaves that can be worth their
penalty end. All is counted and nothing timed, so an estimate is the same on every
machine. The constants were fitted to the benchmark suites (`python -m benchmarks
estimate`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

#: Work after which a trial ends: less than a tenth of a second.
MOST_WORK = 2**26
#: Depths beyond this are not tried one by one.
DEEPEST = 8
#: By what the logarithm of a level's factor is multiplied from level to level.
DECAY = 0.7
#: The levels that matter without a limit: so many, and so many for twice the leaves.
LEVELS, LEVELS_PER_DOUBLING = 3.0, 0.5
#: The first factor where it is not known: splits that compete, or columns times this
#: (log2).
COLUMN_SHARE = 3.0
#: Where not even depth 2 is over: what it takes (log2).
LONG_SCAN = 26.5
#: Subproblems grow by this power of the work.
SUBPROBLEM_POWER = 1.19
BYTES_PER_SUBPROBLEM = 90


class Trial(NamedTuple):
    """A search within some depth: whether it was over, and what it took."""

    is_done: bool
    work: int
    subproblems: int
    memory: int
    leaves_worth: float  # leaves that may pay for themselves, at most
    n_columns: int
    n_choices: int  # splits that compete at a node


class Forecast(NamedTuple):
    """What a search is expected to take."""

    is_counted: bool  # it was over within the trials
    work: float
    subproblems: float
    memory: float


#: Searches within a depth, for at most so much work.
Search = Callable[[int | None, int], Trial]


def forecast(search: Search, max_depth: int | None, decay: float = DECAY) -> Forecast:
    """Return what a search within `max_depth` is expected to take."""
    done: list[Trial] = []  # of depths 2, 3, ...
    deepest = DEEPEST if max_depth is None else min(max_depth - 1, DEEPEST)
    for depth in range(2, deepest + 1):
        trial = search(depth, MOST_WORK)
        if not trial.is_done:
            break
        done.append(trial)
    # A larger depth may be over sooner, since a better tree is soon found.
    whole = search(max_depth, MOST_WORK)
    if whole.is_done:
        return Forecast(True, whole.work, whole.subproblems, whole.memory)
    return _extrapolated(done, whole, max_depth, decay)


def _extrapolated(
    done: list[Trial], whole: Trial, max_depth: int | None, decay: float
) -> Forecast:
    depth = max(len(done) + 1, 2)
    last = done[-1] if done else whole
    start = (
        math.log2(max(last.work, 1)) if done else max(LONG_SCAN, math.log2(last.work))
    )
    if len(done) > 1:
        factor = max(start - math.log2(max(done[-2].work, 1)), 0.0)
    else:
        splits = math.log2(whole.n_choices + 1)
        factor = min(splits, COLUMN_SHARE + math.log2(whole.n_columns + 1)) / decay
    levels = LEVELS + LEVELS_PER_DOUBLING * math.log2(max(whole.leaves_worth, 2))
    if max_depth is not None:
        levels = min(levels, max_depth)
    more = 0.0
    # What was not over has one level more at least.
    left = max(levels - depth, 1.0 if max_depth is None or max_depth > depth else 0.0)
    while left > 0:
        factor *= decay
        more += factor * min(left, 1.0)
        left -= 1.0
    work = max(2.0 ** min(start + more, 1000.0), float(whole.work))
    growth = work / max(last.work, 1)
    subproblems = max(last.subproblems * growth**SUBPROBLEM_POWER, whole.subproblems)
    memory = whole.memory + BYTES_PER_SUBPROBLEM * (subproblems - whole.subproblems)
    return Forecast(False, work, subproblems, max(memory, float(whole.memory)))
