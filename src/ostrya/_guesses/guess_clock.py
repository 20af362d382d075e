"""GuessClock: the time that guesses may take, and what it did not suffice for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from ostrya._solve.fit_monitor import FitMonitor

# The search gets the other half of what reading the table has left.
SHARE = 0.5

#: What guesses can do without; `GuessReport.cut_short` explains each.
Part = Literal["rows", "choice", "trees", "elimination", "check"]


class OutOfTimeError(Exception):
    """Something that is of no use unless it is finished was not."""


class GuessClock:
    """The clock of all guesses of a fit, which tells its callback of them.

    It is also up when the fit was told to stop. Steps that need not be finished, or can
    be left out, end then, and `cut_short` has their names.
    """

    def __init__(self, monitor: FitMonitor | None = None) -> None:
        self._monitor = FitMonitor(None, None) if monitor is None else monitor
        self._started = time.perf_counter()
        self._left = self._monitor.left()
        self.cut_short: list[Part] = []

    @property
    def seconds(self) -> float | None:
        """What all guesses may take; None: no limit."""
        return None if self._left is None else SHARE * self._left

    def left(self, share: float = 1.0) -> float | None:
        """Return the seconds left of the first `share` of the time; None: no limit."""
        if self.seconds is None:
            return None
        return share * self.seconds - (time.perf_counter() - self._started)

    def is_up(self, share: float = 1.0) -> bool:
        """Tell the callback of the guesses; return True where they must end."""
        left = self.left(share)
        return self._monitor.report("guessing") or (left is not None and left <= 0)

    def watch(self, share: float) -> Callable[..., bool]:
        """Return what gradient boosting asks after each round of trees."""
        return lambda *state: self.is_up(share)

    def require(self, seconds: float = 0.0, share: float = 1.0) -> None:
        """Raise unless there is time for something that takes so long."""
        left = self.left(share)
        if self.is_up(share) or (left is not None and left <= seconds):
            raise OutOfTimeError

    def cut(self, part: Part) -> None:
        """Note what there was no time for."""
        if part not in self.cut_short:
            self.cut_short.append(part)
