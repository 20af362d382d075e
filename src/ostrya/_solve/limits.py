"""Limits: how large a tree may be, and what the search for it may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from ostrya._memory import memory_size
from ostrya._solve.options import OPTIONS

# A search always gets some time, or a tree could not be promised.
LEAST_SECONDS = 0.001
TEN_YEARS = 3.2e8
MOST_MEMORY = 2**62


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of a search, as `ostrya.solve` takes them; None: no limit."""

    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    time_limit: float | None = None
    memory_limit: int | None = None

    def ends(self, started: float) -> float | None:
        """Return when time is over, by `time.perf_counter`; None: never."""
        seconds = self.time_limit
        return None if seconds is None else started + min(seconds, TEN_YEARS)

    def remaining(self, n_samples: int, started: float) -> Limits:
        """Return what is left of them now, cut where they cannot bind.

        The process is held to half of the machine's memory where no limit is given.

        The call `started` at that time, by `time.perf_counter`.
        """
        memory, seconds = self.memory_limit, self.time_limit
        if memory is None and (size := memory_size()) is not None:
            memory = max(size // 2, OPTIONS["memory_limit"].least or 0)
        if seconds is not None:
            spent = time.perf_counter() - started
            seconds = max(min(seconds, TEN_YEARS) - spent, LEAST_SECONDS)
        return replace(
            self,
            max_depth=_at_most(self.max_depth, n_samples),
            max_leaf_nodes=_at_most(self.max_leaf_nodes, n_samples),
            min_samples_leaf=min(self.min_samples_leaf, n_samples),
            time_limit=seconds,
            memory_limit=_at_most(memory, MOST_MEMORY),
        )


def _at_most(limit: int | None, most: int) -> int | None:
    return None if limit is None else min(limit, most)
