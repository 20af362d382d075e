"""Exit codes, and error messages on one line.

====  ==================================================================
code  meaning
====  ==================================================================
0     success; for ``fit``, a tree was found, proved optimal or not
2     invalid input: an option, a file, a column or a cell
3     ``fit --require-proof`` ended without a proof; the model is kept
130   Ctrl-C before there was a result
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
from ostrya.cli.flags import in_flags
from ostrya.exceptions import OptimalityWarning

BAD_INPUT = 2
NO_PROOF = 3

# Most characters of a value, and of a message.
MOST_OF_A_VALUE = 60
MOST_OF_A_SENTENCE = 1000
# Longer names are not compared with each other, which would take minutes.
MOST_OF_A_NAME = 100

Command = TypeVar("Command", bound=Callable[..., Any])


class RefusalError(Exception):
    """Invalid input; the message states what is wrong and the remedy."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Raise, so that the command ends normally; rich would end with code 1."""
        raise BrokenPipeError


#: The exceptions that invalid input raises in Ostrya, Python and pyarrow.
REFUSED = (
    *(RefusalError, ValueError, TypeError, OSError, MemoryError, OverflowError),
    pa.ArrowException,
)


def stderr() -> Console:
    """Return the console for everything that is not a result."""
    return _console(stderr=True)


def stdout() -> Console:
    """Return the console for results."""
    return _console(stderr=False)


def _console(*, stderr: bool) -> Console:
    console = _Console(stderr=stderr, highlight=False, soft_wrap=True)
    if console.width < 1:  # for COLUMNS=0, with which rich would print nothing
        console.width = 80
    return console


def refusing(command: Command) -> Command:
    """Return a command that ends with one message and code 2 for invalid input."""

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        try:
            command(*args, **options)
            _flush()
        except BrokenPipeError:
            # The reader of the output closed it.
            _drop_output()
            raise typer.Exit from None
        except REFUSED as error:
            text = one_sentence(error)
            if not isinstance(error, RefusalError):  # those name options already
                text = in_flags(text)
            stderr().print(f"ostrya: {text}", markup=False)
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            stderr().print("ostrya: interrupted; nothing was written")
            raise typer.Exit(INTERRUPTED) from None

    return run  # type: ignore[return-value]


def _flush() -> None:
    """Write buffered output now, so that errors can still be reported."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_output()
        raise RefusalError(f"standard output: {one_sentence(error)}") from None


def _drop_output() -> None:
    """Discard the rest of the output, which Python would flush again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def warned_plainly(*, about_proofs: bool = False) -> Iterator[None]:
    """Print warnings for users on one line each.

    Those about the proof of a search are left out by default, because the report states
    in full what is not proved. Warnings for developers, such as deprecations, are
    issued as usual.
    """
    with warnings.catch_warnings(record=True) as caught:
        # Warnings of this package, and those of scikit-learn about labels.
        warnings.simplefilter("always", UserWarning)
        if not about_proofs:
            warnings.simplefilter("ignore", OptimalityWarning)
        yield
    for warning in caught:
        if issubclass(warning.category, UserWarning):
            said = _cut(printable(in_flags(str(warning.message))), MOST_OF_A_SENTENCE)
            stderr().print(f"ostrya: warning: {said}", markup=False)
        else:
            place = (warning.filename, warning.lineno)
            warnings.warn_explicit(str(warning.message), warning.category, *place)


@contextlib.contextmanager
def writing_to(path: object) -> Iterator[None]:
    """Add the file to errors that occur while it is written."""
    try:
        yield
    except OSError as error:
        text = one_sentence(error)
        raise RefusalError(text if error.filename else f"{path}: {text}") from None


def one_sentence(error: BaseException) -> str:
    """Return the message of an error on one line of limited length."""
    if isinstance(error, OSError) and error.strerror:
        place = "" if error.filename is None else f"{error.filename}: "
        text = f"{place}{error.strerror.lower()}"
    elif isinstance(error, MemoryError):
        text = "out of memory. Use fewer rows or columns"
    else:
        text = str(error) or type(error).__name__
    return _cut(printable(text), MOST_OF_A_SENTENCE)


def printable(text: str) -> str:
    r"""Return a text on one line, without control characters.

    Examples
    --------
    >>> printable("two\nlines \x1b[31m")
    'two lines ?[31m'
    """
    joined = " ".join(text.split())
    return "".join(char if char.isprintable() else "?" for char in joined)


def shown(value: Any) -> str:
    """Return the representation of a value for a message, shortened.

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
    """Return the first values of a list for a message.

    Examples
    --------
    >>> listed("abc", most=2)
    "'a', 'b', ... (3 in all)"
    """
    values = list(values)
    text = ", ".join(shown(value) for value in values[:most])
    return text if len(values) <= most else f"{text}, ... ({len(values):,} in all)"


def missing_column(name: str, names: Iterable[str], file: object) -> RefusalError:
    """Return the error for an unknown column, with similar names."""
    names = list(names)
    by_lower = {o.lower(): o for o in names if len(o) <= MOST_OF_A_NAME}
    close = []
    if len(name) <= MOST_OF_A_NAME:
        close = difflib.get_close_matches(name.lower(), by_lower, n=3)
    if close:
        hint = f"Did you mean {' or '.join(shown(by_lower[c]) for c in close)}?"
    else:
        hint = f"Its columns are {listed(names)}"
    return RefusalError(f"{file} has no column {shown(name)}. {hint}")


def _cut(text: str, most: int) -> str:
    """Return a text, without its middle if it is too long."""
    if len(text) <= most:
        return text
    tail = most // 4
    return f"{text[: most - tail - 5]} ... {text[-tail:]}"
