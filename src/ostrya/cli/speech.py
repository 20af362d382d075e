"""How much a command says: ``--verbose``, ``--quiet``, or neither."""

from __future__ import annotations

import io
import math
from typing import Annotated, Any, Optional

import typer
from rich.console import Console

from ostrya.cli.messages import stderr
from ostrya.outcome import Progress

#: What commands that can say more or less are given.
Loudness = Annotated[
    Optional[bool],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        "--verbose/--quiet",
        "-v/-q",
        show_default=False,
        help="Say more of what is done, or only what goes wrong.",
    ),
]
#: For commands that have no more to say.
Quietness = Annotated[
    bool, typer.Option("--quiet", "-q", help="Say only what goes wrong.")
]
# Lines in a log are read later; a search may take hours.
_SECONDS_BETWEEN_LINES = 5.0


class Speech:
    """What is said on stderr, besides warnings and what went wrong.

    Parameters
    ----------
    loudness : bool or None
        True: all. False: nothing. None: what was done, in a line or two.
    """

    def __init__(self, loudness: bool | None) -> None:
        self.is_quiet = loudness is False
        self.is_verbose = loudness is True

    def say(self, text: str) -> None:
        """Say what was done."""
        if not self.is_quiet:
            stderr().print(text, markup=False)

    def explain(self, text: str) -> None:
        """Say what only those want to know who asked for more."""
        if self.is_verbose:
            stderr().print(text, markup=False)

    def accompany(self, text: str) -> None:
        """Say what is of interest to those who wait, at a terminal."""
        if self.is_verbose or (stderr().is_terminal and not self.is_quiet):
            stderr().print(text, markup=False)

    def live_console(self) -> Console:
        """Return the console for a line that changes; in vain when all is quiet."""
        return Console(file=io.StringIO()) if self.is_quiet else stderr()

    def logged(self, on_progress: Any) -> Any:
        """Return a watcher that also writes lines, where no line can change."""
        if not self.is_verbose or stderr().is_terminal:
            return on_progress
        return _Log(on_progress)


class _Log:
    """Writes a line of progress every few seconds."""

    def __init__(self, on_progress: Any) -> None:
        self._on_progress = on_progress
        self._next = 0.0

    def __call__(self, progress: Progress) -> Any:
        # A search that begins anew, as of a fold, counts its time anew.
        self._next = min(self._next, progress.seconds + _SECONDS_BETWEEN_LINES)
        if progress.seconds >= self._next and math.isfinite(progress.objective):
            self._next = progress.seconds + _SECONDS_BETWEEN_LINES
            stderr().print(
                f"{progress.seconds:.1f} s: best {progress.objective:.4f}, bound "
                f"{progress.lower_bound:.4f}, leaves {progress.n_leaves}",
                markup=False,
            )
        return self._on_progress(progress)
