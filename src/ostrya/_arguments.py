"""Validate arguments: numbers, words and arrays.

A message states the name of the argument, what is allowed, the value received, and a
remedy if it is not obvious. Wrong types raise TypeError, wrong values ValueError.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

INTEGERS = (int, np.integer)
NUMBERS = (*INTEGERS, float, np.floating)
# Most characters of a value that a message quotes.
MOST_LETTERS = 60


def picture(value: Any) -> str:
    """Return a short text for a value.

    Examples
    --------
    >>> picture(list(range(100)))
    '[0, 1, 2, 3, 4, 5, ...]'
    """
    short = reprlib.Repr()
    short.maxstring = short.maxlong = short.maxother = MOST_LETTERS
    try:
        text = short.repr(value)
    except ValueError:  # Python refuses to format integers with thousands of digits
        text = "a number too long to write"
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 3]}..."


def show(value: Any) -> str:
    """Return a short text for a value of the wrong type, with its type."""
    return f"{picture(value)} ({type(value).__name__})"


def column_names(names: Iterable[Any]) -> list[str]:
    """Return column names that are readable in conditions.

    Integers that merely number the columns are replaced by the names used for arrays.
    Other integers get the prefix "column", because ``2020 <= 5`` would look like
    arithmetic.

    Examples
    --------
    >>> column_names([0, 1]), column_names([2019, 2020]), column_names(["age", "x"])
    (['x0', 'x1'], ['column 2019', 'column 2020'], ['age', 'x'])
    """
    names = list(names)
    if all(map(is_number, names)):
        word = "x" if names == list(range(len(names))) else "column "
        return [f"{word}{name}" for name in names]
    return [str(name) for name in names]


def is_number(value: Any) -> bool:
    """Return True for a real number; booleans are not numbers here."""
    return isinstance(value, NUMBERS) and not isinstance(value, bool)


def to_float(number: Any) -> float:
    """Return a number as a float; infinity if it is out of range.

    Examples
    --------
    >>> to_float(-(10**400))
    -inf
    """
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def check_number(
    name: str, value: Any, allowed: str, is_allowed: Callable[[float], bool]
) -> float:
    """Return a number as a float, or raise; `allowed` describes the valid numbers."""
    if not is_number(value):
        raise TypeError(f"{name} must be {allowed}; got {show(value)}")
    number = to_float(value)
    if not is_allowed(number):
        raise ValueError(f"{name} must be {allowed}; got {picture(value)}")
    return number


def check_count(name: str, value: Any, others: str = "") -> int:
    """Return an integer >= 1, or raise; `others` describes further allowed values."""
    allowed = f"an integer >= 1{others}"
    if not isinstance(value, INTEGERS) or isinstance(value, bool):
        raise TypeError(f"{name} must be {allowed}; got {show(value)}")
    if value < 1:
        raise ValueError(f"{name} must be {allowed}; got {picture(value)}")
    return int(value)


def check_word(name: str, value: Any, words: Sequence[str], others: str = "") -> None:
    """Raise unless a value is one of `words`; `others` describes further values."""
    if isinstance(value, str) and value in words:
        return
    error = ValueError if isinstance(value, str) else TypeError
    allowed = ", ".join(repr(word) for word in words)
    raise error(f"{name} must be one of {allowed}{others}; got {picture(value)}")


def refuse_masked(name: str, value: Any, remedy: str) -> None:
    """Raise if a masked array, or a list of them, has masked entries."""
    parts = value if isinstance(value, (list, tuple)) else (value,)
    masked = sum(
        np.count_nonzero(part.mask)
        for part in parts
        if isinstance(part, np.ma.MaskedArray)
    )
    if masked:
        raise ValueError(f"{name} must have no masked entries; got {masked}. {remedy}")


def as_array(name: str, value: Any, remedy: str | None = None) -> npt.NDArray[Any]:
    """Return a dense array without masked entries, or raise.

    An array is not copied. `remedy` ends the message about masked entries; if None, it
    suggests to fill them or to drop their rows.
    """
    fill = f"Fill them, for example with {name}.filled(0), or drop their rows"
    refuse_masked(name, value, remedy or fill)
    if hasattr(value, "toarray"):  # the sparse matrices of scipy
        raise TypeError(
            f"{name} must be a dense array; got {type(value).__name__}. Use "
            f"{name}.toarray()"
        )
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{name} must be an array whose rows have equal lengths; got {show(value)}"
        ) from None


def require_ndim(name: str, array: npt.NDArray[Any], ndim: int, hint: str = "") -> None:
    """Raise unless an array has `ndim` dimensions."""
    if array.ndim != ndim:
        raise ValueError(
            f"{name} must have {ndim} dimension{'s'[: ndim - 1]}; got shape "
            f"{array.shape}{hint}"
        )


def require_finite(name: str, array: npt.NDArray[np.float64]) -> None:
    """Raise unless all numbers are finite; the message gives the position."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum()):  # then all entries are, and this needs no memory
            return
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise ValueError(
            f"{name} must contain finite numbers; got {array[place]} at "
            f"{name}[{', '.join(map(str, place))}]"
        )


def require_nonnegative(name: str, array: npt.NDArray[np.float64]) -> None:
    """Raise unless all numbers are finite and at least 0."""
    require_finite(name, array)
    if array.size and array.min() < 0:
        raise ValueError(f"{name} must contain numbers >= 0; got {array.min()}")


def as_numbers(name: str, value: Any) -> npt.NDArray[Any]:
    """Return an array of real numbers, without a copy if `value` is one already."""
    array = as_array(name, value)
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} must contain real numbers; got {type(value).__name__} with dtype "
            f"{array.dtype}. Convert it, for example with numpy.asarray(..., float)"
        )
    return array
