"""Show the progress of a call as a live line in terminals and notebooks."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ostrya.results.outcome import Progress

#: The text shown before there is a tree.
PHASES = {
    "preparing": "preparing the table",
    "guessing": "fitting the reference model",
}
HINT = "Ctrl-C keeps it"


class LiveLine:
    """A context that shows the progress of a call while it runs.

    In a terminal one line is updated, in a notebook one output (without widgets). Other
    outputs cannot be updated, so they only receive the final line of `end`.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = _PlainConsole() if console is None else console
        self._live: Live | None = None
        self._output = _NotebookOutput() if is_notebook() else None

    def __enter__(self) -> LiveLine:
        if self._output is None and self._console.is_terminal:
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
            self._live = None

    def __call__(self, progress: Progress) -> None:
        """Show the current progress."""
        if self._output is not None:
            self._output.show(str(line(progress)))
        elif self._live is not None:
            self._live.update(line(progress), refresh=True)

    def end(self, progress: Progress, status: str) -> None:
        """Show the final line, which stays visible."""
        self.__exit__(None, None, None)
        last = line(progress, status)
        if self._output is not None:
            self._output.show(str(last))
        else:
            self._console.print(last)


def line(progress: Progress, note: str = HINT) -> Text:
    """Return the state of a search on one line.

    Examples
    --------
    >>> print(line(Progress(12.3, 0.21, 0.25, 1000, 2**20, 7)))
    12.3 s   best 0.2500   bound 0.2100   gap 0.0400   7 leaves   Ctrl-C keeps it
    >>> print(line(Progress.before_search(0.4, "preparing")))
    0.4 s   preparing the table
    """
    text = Text(overflow="ellipsis", no_wrap=True)
    text.append(f"{progress.seconds:.1f} s", "bold")
    if progress.n_leaves == 0:
        return text.append(f"   {PHASES[progress.phase]}")
    gap = progress.objective - progress.lower_bound
    leaves = "leaf" if progress.n_leaves == 1 else "leaves"
    text.append(f"   best {progress.objective:.4f}   ")
    text.append(f"bound {progress.lower_bound:.4f}   ")
    text.append(f"gap {gap:.4f}", "yellow" if gap > 0 else "green")
    text.append(f"   {progress.n_leaves} {leaves}   ")
    return text.append(note, "dim")


def is_notebook() -> bool:
    """Return True in a notebook, that is, in an IPython with a kernel."""
    # If IPython was not imported this is not a notebook, and importing it is slow.
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


class _NotebookOutput:
    """One output of a notebook cell, whose text can be replaced."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str) -> None:
        if self._handle is None:
            # IPython was imported, because this is a notebook.
            display = sys.modules["IPython"].display.display
            self._handle = display(_Words(text), display_id=True)
        else:
            self._handle.update(_Words(text))


class _Words:
    """Text that a notebook shows without quotes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


class _PlainConsole(Console):
    """A console on standard error that ignores a closed stream."""

    def __init__(self) -> None:
        super().__init__(stderr=True, highlight=False)

    def on_broken_pipe(self) -> None:
        """Stop printing; by default, rich would end the process."""
        self.quiet = True
