"""The live line of a search, and Ctrl-C that keeps the best tree."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ostrya.cli.messages import stderr
from ostrya.outcome import Progress


class Watch:
    """Watch a search: show a line on a terminal, and stop at Ctrl-C.

    Use as a context around the search, with the object itself as `on_progress`. The
    first Ctrl-C stops the search, which keeps its best tree; the second ends the
    program.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._wants_stop = False
        self._console = stderr() if console is None else console
        self._live: Live | None = None
        self._before: Any = None

    def __enter__(self) -> Watch:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        if self._console.is_terminal:
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def __call__(self, progress: Progress) -> bool:
        """Show where the search is, and say whether it shall stop."""
        if self._live is not None:
            self._live.update(line(progress), refresh=True)
        return self._wants_stop

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._wants_stop:
            raise KeyboardInterrupt
        self._wants_stop = True


def line(progress: Progress) -> Text:
    """Return the state of a search on one line.

    Examples
    --------
    >>> print(line(Progress(12.3, 0.21, 0.25, 1000, 2**20, 7)))
    12.3 s   best 0.2500   bound 0.2100   gap 0.0400   7 leaves   Ctrl-C keeps the tree
    """
    gap = progress.objective - progress.lower_bound
    leaves = "leaf" if progress.n_leaves == 1 else "leaves"
    return Text.assemble(
        (f"{progress.seconds:.1f} s", "bold"),
        f"   best {progress.objective:.4f}   bound {progress.lower_bound:.4f}   ",
        (f"gap {gap:.4f}", "yellow" if gap > 0 else "green"),
        f"   {progress.n_leaves} {leaves}   ",
        ("Ctrl-C keeps the tree", "dim"),
        overflow="ellipsis",
        no_wrap=True,
    )
