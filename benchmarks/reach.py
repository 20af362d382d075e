"""Which sizes of tables each method is done with in a second, a minute and an hour.

Tables are drawn by the rule of `benchmarks.growth`. One size doubles until a search
takes longer than the longest that is run; the sizes of longer times are extrapolated
from the growth over the last doublings, and marked so. Seconds are of the processor.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import ostrya
from benchmarks.growth import Data, draw

GOALS = {"a second": 1.0, "a minute": 60.0, "an hour": 3600.0}


@dataclass(frozen=True)
class Axis:
    """One size that doubles, from the least on, and the table of each size."""

    name: str
    least: int
    most: int
    table: Callable[[int], Data]


AXES = (
    Axis("rows of 20 yes/no columns", 1000, 2_048_000, lambda n: draw(n, 20)),
    Axis("yes/no columns, 2,000 rows", 20, 5120, lambda p: draw(2000, p)),
    Axis(
        "thresholds of each of 8 columns, 4,000 rows",
        *(8, 2048),
        lambda t: draw(4000, 8, t + 1),
    ),
)
#: A search is stopped at so many times the longest.
PATIENCE = 3
#: Nothing is said of sizes that many times beyond what was run.
FURTHEST = 8
#: Called while a search runs; True stops it.
Stop = Callable[[ostrya.Progress], bool]
Search = Callable[[Data, Stop], Any]
#: Depth of the trees, by which all but the frontier's sizes are bounded.
DEPTH = 4


def searches() -> dict[str, Search]:
    """Return how each method is run."""
    limits: dict[str, Any] = {"max_depth": DEPTH, "leaf_penalty": 0.005}

    def exact(data: Data, stop: Stop) -> Any:
        return ostrya.solve(*data, on_progress=stop, **limits)

    def guessed(data: Data, stop: Stop) -> Any:
        model = ostrya.OptimalTreeClassifier(
            **limits, guess="thresholds", time_limit=None, on_progress=stop
        )
        return model.fit(*data)

    def top_k(data: Data, stop: Stop) -> Any:
        return ostrya.solve(*data, on_progress=stop, top_k=ostrya.TopK(k=8), **limits)

    def frontier(data: Data, stop: Stop) -> Any:
        return ostrya.frontier(*data, max_depth=DEPTH, on_progress=stop)

    return {"exact": exact, "guessed": guessed, "top_k": top_k, "frontier": frontier}


def seconds_by_size(axis: Axis, search: Search, longest: float) -> dict[int, float]:
    """Return the seconds of each size, up to the first that takes too long."""
    took: dict[int, float] = {}
    size = axis.least
    while size <= axis.most:
        data = axis.table(size)
        start = time.process_time()
        end = start + PATIENCE * longest
        found = search(data, lambda progress, end=end: time.process_time() > end)
        seconds = time.process_time() - start
        status = getattr(found, "status", None) or found.status_
        if status not in ("optimal", "optimal_in_top_k", "guessed"):
            break
        took[size] = seconds
        if seconds > longest:
            break
        size *= 2
    return took


def reached(took: dict[int, float], seconds: float, most: int) -> str:
    """Return the largest size that is over within some seconds, in words.

    Examples
    --------
    >>> reached({10: 0.1, 20: 0.4, 40: 1.6}, 1.0, 40), reached({10: 0.1}, 1.0, 10)
    ('32', '10 or more')
    """
    sizes, times = np.array(list(took)), np.array(list(took.values()))
    if not len(sizes):
        return "none"
    if times[0] > seconds:
        return f"under {sizes[0]:,}"
    if times[-1] <= seconds and sizes[-1] >= most:
        return f"{sizes[-1]:,} or more"
    if len(sizes) < 2:
        return f"{sizes[0]:,} at least"
    above = np.flatnonzero(times > seconds)
    place = int(above[0]) if len(above) else len(sizes) - 1
    place = max(place, 1)
    slope = math.log(times[place] / times[place - 1]) / math.log(2)
    if not len(above):  # beyond what was run: by the last three sizes
        first = max(len(sizes) - 3, 0)
        x, y = np.log(sizes[first:]), np.log(times[first:])
        slope = float(np.polyfit(x, y, 1)[0])
    if slope <= 0.05:
        return f"{sizes[-1]:,} or more"
    size = sizes[place] * (seconds / times[place]) ** (1 / slope)
    if size > FURTHEST * sizes[-1]:
        return f"(over {FURTHEST * sizes[-1]:,})"
    digits = max(int(math.log10(max(size, 1))) - 1, 0)
    told = f"{round(size / 10**digits) * 10**digits:,}"
    return told if len(above) else f"({told})"


def report(longest: float) -> Iterator[str]:
    """Yield a Markdown table; what is in brackets was extrapolated."""
    yield f"| what grows | method | {' | '.join(GOALS)} |"
    yield "|---|---|" + "---:|" * len(GOALS)
    for axis in AXES:
        for method, search in searches().items():
            search(
                draw(50, 6), lambda progress: False
            )  # what the first call loads is not timed
            took = seconds_by_size(axis, search, longest)
            cells = [reached(took, goal, axis.most) for goal in GOALS.values()]
            yield f"| {axis.name} | {method} | {' | '.join(cells)} |"
