"""Exit codes, and the one sentence that bad input gets.

====  ==================================================================
code  meaning
====  ==================================================================
0     done; for ``fit``, a tree was found, proved optimal or not
2     bad input: an option, a file, a column or a cell
3     ``fit --require-proof`` stopped before the proof; the model is kept
130   Ctrl-C before there was anything to keep
====  ==================================================================
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import typer
from rich.console import Console

from ostrya.cli import INTERRUPTED
from ostrya.exceptions import OptimalityWarning, ReferenceWarning

BAD_INPUT = 2
NO_PROOF = 3

Command = TypeVar("Command", bound=Callable[..., Any])


class RefusalError(Exception):
    """Input that cannot be used; the message is one sentence with the remedy."""


def stderr() -> Console:
    """Return the console for what is not a result."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def stdout() -> Console:
    """Return the console for results."""
    return Console(highlight=False, soft_wrap=True)


def refusing(command: Command) -> Command:
    """Return a command that answers bad input with one sentence and code 2."""

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        try:
            return command(*args, **options)
        except BrokenPipeError:
            # Whoever read our output has enough; Python must not flush the rest.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit from None
        except (RefusalError, ValueError, TypeError, OSError, MemoryError) as error:
            stderr().print(f"ostrya: {one_sentence(error)}", markup=False)
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            stderr().print("ostrya: interrupted; nothing was written")
            raise typer.Exit(INTERRUPTED) from None

    return run  # type: ignore[return-value]


@contextlib.contextmanager
def warned_plainly() -> Iterator[None]:
    """Say warnings about references in one line each, and of the proof nothing.

    The report says in full what is not proved. Other warnings go their way.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore", OptimalityWarning)
        warnings.simplefilter("always", ReferenceWarning)
        yield
    for warning in caught:
        if issubclass(warning.category, ReferenceWarning):
            said = " ".join(str(warning.message).split())
            stderr().print(f"ostrya: warning: {said}", markup=False)
        else:
            place = (warning.filename, warning.lineno)
            warnings.warn_explicit(str(warning.message), warning.category, *place)


def one_sentence(error: BaseException) -> str:
    """Return what an error says, on one line."""
    if isinstance(error, OSError) and error.strerror:
        place = "" if error.filename is None else f"{error.filename}: "
        return f"{place}{error.strerror.lower()}"
    if isinstance(error, MemoryError):
        return "out of memory; use fewer rows or columns"
    return " ".join(str(error).split()) or type(error).__name__


def missing_column(name: str, names: Iterable[str], file: object) -> RefusalError:
    """Return the refusal of a column that is not there, with names close to it."""
    names = list(names)
    by_lower = {other.lower(): other for other in names}
    close = difflib.get_close_matches(name.lower(), by_lower, n=3)
    if close:
        hint = f"did you mean {' or '.join(repr(by_lower[c]) for c in close)}?"
    else:
        shown = ", ".join(repr(other) for other in names[:8])
        hint = f"it has {shown}{', ...' if len(names) > 8 else ''}"
    return RefusalError(f"{file} has no column {name!r}; {hint}")
