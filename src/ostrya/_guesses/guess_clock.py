"""GuessClock: limit the time for guesses, and record what was cut short."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from ostrya._solve.fit_monitor import FitMonitor

# The share of the time left after reading the table; the search gets the other half.
SHARE = 0.5

#: The steps that can be cut short; `GuessReport.cut_short` explains each of them.
Part = Literal["rows", "choice", "trees", "elimination", "check"]


class OutOfTimeError(Exception):
    """A step that is useless unless it is finished ran out of time."""


class GuessClock:
    """The clock for all guesses of a fit; it also calls the progress callback.

    Time is also up if the fit was asked to stop. Steps that can be omitted or ended
    early then end, and `cut_short` contains their names.
    """

    def __init__(self, monitor: FitMonitor | None = None) -> None:
        self._monitor = FitMonitor(None, None) if monitor is None else monitor
        self._started = time.perf_counter()
        self._left = self._monitor.left()
        self.cut_short: list[Part] = []

    @property
    def seconds(self) -> float | None:
        """The seconds for all guesses; None means no limit."""
        return None if self._left is None else SHARE * self._left

    def left(self, share: float = 1.0) -> float | None:
        """Return the seconds left of a share of the time; None means no limit."""
        if self.seconds is None:
            return None
        return share * self.seconds - (time.perf_counter() - self._started)

    def is_up(self, share: float = 1.0) -> bool:
        """Call the progress callback, and return True if guesses must end."""
        left = self.left(share)
        return self._monitor.report("guessing") or (left is not None and left <= 0)

    def watch(self, share: float) -> Callable[..., bool]:
        """Return a monitor that gradient boosting calls after each round of trees."""
        return lambda *state: self.is_up(share)

    def require(self, seconds: float = 0.0, share: float = 1.0) -> None:
        """Raise `OutOfTimeError` unless there are more than `seconds` left."""
        left = self.left(share)
        if self.is_up(share) or (left is not None and left <= seconds):
            raise OutOfTimeError

    def cut(self, part: Part) -> None:
        """Record a step that was cut short."""
        if part not in self.cut_short:
            self.cut_short.append(part)
