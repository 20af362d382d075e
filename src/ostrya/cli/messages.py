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

import pyarrow as pa
import typer
from rich.console import Console

from ostrya.cli import INTERRUPTED
from ostrya.exceptions import OptimalityWarning

BAD_INPUT = 2
NO_PROOF = 3

# Letters of a value, and of a whole sentence, that people still read.
MOST_OF_A_VALUE = 60
MOST_OF_A_SENTENCE = 1000
# Names with more letters than this are not compared: that would take minutes.
MOST_OF_A_NAME = 100

Command = TypeVar("Command", bound=Callable[..., Any])


class RefusalError(Exception):
    """Input that cannot be used; the message is one sentence with the remedy."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command, which ends well: rich would end with code 1."""
        raise BrokenPipeError


#: What input out of order raises: ours, Python's own, and pyarrow's.
REFUSED = (
    *(RefusalError, ValueError, TypeError, OSError, MemoryError, OverflowError),
    pa.ArrowException,
)


def stderr() -> Console:
    """Return the console for what is not a result."""
    return _console(stderr=True)


def stdout() -> Console:
    """Return the console for results."""
    return _console(stderr=False)


def _console(*, stderr: bool) -> Console:
    console = _Console(stderr=stderr, highlight=False, soft_wrap=True)
    if console.width < 1:  # as COLUMNS=0 says; rich would print nothing at all
        console.width = 80
    return console


def refusing(command: Command) -> Command:
    """Return a command that answers bad input with one sentence and code 2."""

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        try:
            command(*args, **options)
            _flush()
        except BrokenPipeError:
            # Whoever read our output has enough.
            _drop_output()
            raise typer.Exit from None
        except REFUSED as error:
            stderr().print(f"ostrya: {one_sentence(error)}", markup=False)
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            stderr().print("ostrya: interrupted; nothing was written")
            raise typer.Exit(INTERRUPTED) from None

    return run  # type: ignore[return-value]


def _flush() -> None:
    """Write what is still to be written, while it can be said what went wrong."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_output()
        raise RefusalError(f"standard output: {one_sentence(error)}") from None


def _drop_output() -> None:
    """Send the rest of the output nowhere: Python would flush it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def warned_plainly() -> Iterator[None]:
    """Print warnings for users in one line each, except those about the proof.

    The report says in full what is not proved. Warnings for developers, such as
    deprecations, are left as they are.
    """
    with warnings.catch_warnings(record=True) as caught:
        # Ours, and those of scikit-learn about labels.
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", OptimalityWarning)
        yield
    for warning in caught:
        if issubclass(warning.category, UserWarning):
            said = _cut(printable(str(warning.message)), MOST_OF_A_SENTENCE)
            stderr().print(f"ostrya: warning: {said}", markup=False)
        else:
            place = (warning.filename, warning.lineno)
            warnings.warn_explicit(str(warning.message), warning.category, *place)


@contextlib.contextmanager
def writing_to(path: object) -> Iterator[None]:
    """Name the file in what goes wrong while it is written."""
    try:
        yield
    except OSError as error:
        text = one_sentence(error)
        raise RefusalError(text if error.filename else f"{path}: {text}") from None


def one_sentence(error: BaseException) -> str:
    """Return what an error says, on one line that people can read to its end."""
    if isinstance(error, OSError) and error.strerror:
        place = "" if error.filename is None else f"{error.filename}: "
        text = f"{place}{error.strerror.lower()}"
    elif isinstance(error, MemoryError):
        text = "out of memory; use fewer rows or columns"
    else:
        text = str(error) or type(error).__name__
    return _cut(printable(text), MOST_OF_A_SENTENCE)


def printable(text: str) -> str:
    r"""Return a text on one line, without what would steer a terminal.

    Examples
    --------
    >>> printable("two\nlines \x1b[31m")
    'two lines ?[31m'
    """
    joined = " ".join(text.split())
    return "".join(char if char.isprintable() else "?" for char in joined)


def shown(value: Any) -> str:
    """Return a value for a message: as Python writes it, and shortened.

    Examples
    --------
    >>> shown("red"), shown("x" * 100)
    ("'red'", "'xxxxxxxxxxxxxxxxxxxx...' (100 characters)")
    """
    if isinstance(value, str) and len(value) > MOST_OF_A_VALUE:
        head = value[: MOST_OF_A_VALUE // 3]
        return f"{head + '...'!r} ({len(value):,} characters)"
    return _cut(repr(value), MOST_OF_A_VALUE)


def listed(values: Iterable[Any], most: int = 8) -> str:
    """Return the first of some values for a message.

    Examples
    --------
    >>> listed("abc", most=2)
    "'a', 'b', ... (3 in all)"
    """
    values = list(values)
    text = ", ".join(shown(value) for value in values[:most])
    return text if len(values) <= most else f"{text}, ... ({len(values):,} in all)"


def missing_column(name: str, names: Iterable[str], file: object) -> RefusalError:
    """Return the refusal of a column that is not there, with names close to it."""
    names = list(names)
    by_lower = {o.lower(): o for o in names if len(o) <= MOST_OF_A_NAME}
    close = []
    if len(name) <= MOST_OF_A_NAME:
        close = difflib.get_close_matches(name.lower(), by_lower, n=3)
    if close:
        hint = f"did you mean {' or '.join(shown(by_lower[c]) for c in close)}?"
    else:
        hint = f"it has {listed(names)}"
    return RefusalError(f"{file} has no column {shown(name)}; {hint}")


def _cut(text: str, most: int) -> str:
    """Return a text, its middle left out when it is long."""
    if len(text) <= most:
        return text
    tail = most // 4
    return f"{text[: most - tail - 5]} ... {text[-tail:]}"
