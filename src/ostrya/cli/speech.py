"""Control how much a command prints: ``--verbose``, ``--quiet``, or neither."""

from __future__ import annotations

import io
import math
from typing import Annotated, Any, Optional

import typer
from rich.console import Console

from ostrya.cli.messages import stderr
from ostrya.results.outcome import Progress

#: The option of commands that support both.
Loudness = Annotated[
    Optional[bool],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        "--verbose/--quiet",
        "-v/-q",
        show_default=False,
        help="Print more details, or only errors and warnings.",
    ),
]
#: The option of commands that have no further details.
Quietness = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print only errors and warnings.")
]
# The interval between lines of a log; a search may take hours.
_SECONDS_BETWEEN_LINES = 5.0


class Speech:
    """Print messages on stderr, except warnings and errors.

    Parameters
    ----------
    loudness : bool or None
        True prints everything, False nothing, and None only one or two lines about the
        result.
    """

    def __init__(self, loudness: bool | None) -> None:
        self.is_quiet = loudness is False
        self.is_verbose = loudness is True

    def say(self, text: str) -> None:
        """Print what was done, unless --quiet."""
        if not self.is_quiet:
            stderr().print(text, markup=False)

    def explain(self, text: str) -> None:
        """Print a detail, with --verbose."""
        if self.is_verbose:
            stderr().print(text, markup=False)

    def accompany(self, text: str) -> None:
        """Print an intermediate result, on a terminal or with --verbose."""
        if self.is_verbose or (stderr().is_terminal and not self.is_quiet):
            stderr().print(text, markup=False)

    def live_console(self) -> Console:
        """Return the console for the live line; with --quiet, one without output."""
        return Console(file=io.StringIO()) if self.is_quiet else stderr()

    def logged(self, on_progress: Any) -> Any:
        """Return an `on_progress` that also prints lines, if there is no live line."""
        if not self.is_verbose or stderr().is_terminal:
            return on_progress
        return _Log(on_progress)


class _Log:
    """Print a line of progress every few seconds."""

    def __init__(self, on_progress: Any) -> None:
        self._on_progress = on_progress
        self._next = 0.0

    def __call__(self, progress: Progress) -> Any:
        # The time starts at 0 again with the next search, such as that of a fold.
        self._next = min(self._next, progress.seconds + _SECONDS_BETWEEN_LINES)
        if progress.seconds >= self._next and math.isfinite(progress.objective):
            self._next = progress.seconds + _SECONDS_BETWEEN_LINES
            stderr().print(
                f"{progress.seconds:.1f} s: best {progress.objective:.4f}, bound "
                f"{progress.lower_bound:.4f}, leaves {progress.n_leaves}",
                markup=False,
            )
        return self._on_progress(progress)
