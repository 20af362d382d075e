"""Show the live line of `ostrya fit`, and stop at Ctrl-C with the best tree."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from rich.console import Console

from ostrya._live import LiveLine
from ostrya.cli.messages import stderr
from ostrya.results.outcome import Progress


class Watch:
    """Show the progress of a search on a terminal, and stop it at Ctrl-C.

    Use it as a context around the search and as its `on_progress`. The first Ctrl-C
    stops the search and keeps its best tree; the second ends the program.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._wants_stop = False
        self._line = LiveLine(stderr() if console is None else console)
        self._before: Any = None

    def __enter__(self) -> Watch:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        self._line.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._line.__exit__(kind, error, trace)
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def __call__(self, progress: Progress) -> bool:
        """Show the progress, and return True if the search shall stop."""
        self._line(progress)
        return self._wants_stop

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._wants_stop:
            raise KeyboardInterrupt
        self._wants_stop = True
