"""FitMonitor: one clock and one callback for all searches of a fit."""

from __future__ import annotations

import time
from typing import Any

from ostrya._solve.limits import LEAST_SECONDS
from ostrya._solve.validation import check_callback, check_option
from ostrya.outcome import Progress


class FitMonitor:
    """The time that a fit may take, from its start on, and its callback.

    `on_progress` passes the progress of every search on, by the clock of the fit; once
    the callback asked for the end, `is_stopped` is True and it is not called again.
    """

    def __init__(self, time_limit: Any, on_progress: Any) -> None:
        self._started = time.perf_counter()
        self.time_limit: float | None = check_option("time_limit", time_limit)
        self._callback = check_callback(on_progress)
        self.is_stopped = False
        self.on_progress = None if self._callback is None else self._report

    def seconds(self) -> float:
        """Return the seconds since the start of the fit."""
        return time.perf_counter() - self._started

    def left(self) -> float | None:
        """Return the seconds that a search may take now; None: no limit."""
        if self.time_limit is None:
            return None
        return max(self.time_limit - self.seconds(), LEAST_SECONDS)

    def _report(self, progress: Progress) -> bool:
        """Pass on the progress of a search, by the clock of the fit."""
        assert self._callback is not None
        if self.is_stopped:
            return False  # the tree that a stopped fit comes back with
        try:
            self.is_stopped = bool(
                self._callback(progress._replace(seconds=self.seconds()))
            )
        except KeyboardInterrupt:  # Ctrl-C ends the fit, wherever it comes in
            self.is_stopped = True
        return self.is_stopped
