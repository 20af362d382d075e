"""FitMonitor: one clock, one callback and one Ctrl-C for all parts of a call."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from ostrya._ctrl_c import CtrlC
from ostrya._solve.limits import LEAST_SECONDS
from ostrya._solve.validation import check_callback, check_option
from ostrya.results.outcome import Phase, Progress

# Seconds between two calls of the callback, as the engines have it.
PAUSE = 0.1


class FitMonitor:
    """The time limit of a call, and its progress callback.

    `report` calls the callback before there is a search. `on_progress` passes on the
    progress of every search, with the time since the start of the call. After the
    callback requested to stop, `is_stopped` is True, it is not called again, and every
    search stops.
    """

    def __init__(
        self,
        time_limit: Any,
        on_progress: Any,
        ctrl_c: CtrlC | None = None,
        show: Callable[[Progress], None] | None = None,
    ) -> None:
        self._started = time.perf_counter()
        self._reported = self._started - PAUSE
        self.time_limit: float | None = check_option("time_limit", time_limit)
        self.ctrl_c = CtrlC() if ctrl_c is None else ctrl_c
        self._callback = check_callback(on_progress)
        self._show = show  # displays the progress; cannot stop the search
        self._is_mute = False
        self.is_stopped = False
        self._has_ears = self._callback is not None or show is not None
        self.on_progress = self._pass_on if self._has_ears else None

    def seconds(self) -> float:
        """Return the seconds since the start of the call."""
        return time.perf_counter() - self._started

    def left(self) -> float | None:
        """Return the seconds left for a search; None means no limit."""
        if self.time_limit is None:
            return None
        return max(self.time_limit - self.seconds(), LEAST_SECONDS)

    def overtime(self) -> float:
        """Return the seconds since the time limit expired; negative until then."""
        limit = math.inf if self.time_limit is None else self.time_limit
        return self.seconds() - limit

    def report(self, phase: Phase) -> bool:
        """Call the callback, unless it was just called; return whether to stop."""
        if self._has_ears and not self.is_stopped:
            now = time.perf_counter()
            if now - self._reported >= PAUSE:
                self._reported = now
                self._call(Progress.before_search(self.seconds(), phase))
        return self.is_stopped or self.ctrl_c.is_pressed()

    def mute(self) -> None:
        """Let a stopped call finish the search for the tree that it returns."""
        self._is_mute = True

    def _pass_on(self, progress: Progress) -> bool:
        """Pass on the progress of a search, by the clock of the call."""
        if self._is_mute:
            return False
        if not self.is_stopped:
            try:
                self._call(progress._replace(seconds=self.seconds()))
            except KeyboardInterrupt:  # Ctrl-C inside the callback ends the search
                self.is_stopped = True
        return self.is_stopped

    def _call(self, progress: Progress) -> None:
        if self._show is not None:
            self._show(progress)
        if self._callback is not None:
            self.is_stopped = bool(self._callback(progress))
