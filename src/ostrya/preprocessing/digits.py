"""Write numbers with few digits, and choose short thresholds between two values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def in_digits(number: float) -> str:
    """Return a number with the fewest digits that parse to the same number.

    Examples
    --------
    >>> in_digits(25.5), in_digits(3.0), in_digits(1234567.5), in_digits(1e-9)
    ('25.5', '3', '1234567.5', '1e-09')
    """
    text = repr(float(number))
    return text[:-2] if text.endswith(".0") else text


def short_between(below: float, above: float) -> float:
    """Return a number with few digits strictly between two numbers.

    This is their midpoint, rounded to as few significant digits (at least three) as
    keep it strictly between them. If no float lies between them, `below` is returned;
    as a threshold it separates them as well.

    Examples
    --------
    >>> short_between(25, 26), short_between(0.1, 0.5), short_between(10, 1000)
    (25.5, 0.3, 505.0)
    """
    middle = below / 2 + above / 2
    for digits in range(3, 18):
        short = float(f"{middle:.{digits}g}")
        if below < short < above:
            return short
    return below


def short_between_each(
    below: npt.NDArray[np.float64], above: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return `short_between` of each pair of numbers.

    Formatting a number takes about a microsecond. Most of the digit counts tried for a
    pair can be ruled out faster by arithmetic.

    Examples
    --------
    >>> short_between_each(np.array([25.0, 0.1]), np.array([26.0, 0.5]))
    array([25.5,  0.3])
    """
    middle = below / 2 + above / 2
    short: npt.NDArray[np.float64] = below.copy()
    waiting = np.arange(len(below))
    for digits in range(3, 18):
        if len(waiting) == 0:
            break
        low, mid, high = below[waiting], middle[waiting], above[waiting]
        could_do = np.flatnonzero(_could_lie_between(low, mid, high, digits))
        written = [f"{number:.{digits}g}" for number in mid[could_do].tolist()]
        numbers = np.array([float(text) for text in written])
        does = (low[could_do] < numbers) & (numbers < high[could_do])
        short[waiting[could_do[does]]] = numbers[does]
        waiting = np.delete(waiting, could_do[does])
    return short


def _could_lie_between(
    below: npt.NDArray[np.float64],
    middle: npt.NDArray[np.float64],
    above: npt.NDArray[np.float64],
    digits: int,
) -> npt.NDArray[np.bool_]:
    """Return False only if `middle`, rounded to `digits` digits, is not between."""
    with np.errstate(all="ignore"):
        power = np.log10(np.abs(middle))
        unit = 10.0 ** (np.floor(power) - digits + 1)
        steps = middle / unit
        nearest = np.rint(steps)
        rounded = nearest * unit
        # These are floats: a number close to a limit may be on its other side.
        slack = 1e-6 * unit + 1e-14 * np.abs(middle)
        is_inside = (rounded + slack > below) & (rounded - slack < above)
        is_tie = np.abs(steps - nearest) > 0.5 - 1e-6 - 1e-14 * np.abs(steps)
        is_power = np.abs(power - np.rint(power)) < 1e-9
        is_tiny = ~(np.abs(middle) > 1e-290)  # near denormal numbers, with fewer digits
        could: npt.NDArray[np.bool_] = is_inside | is_tie | is_power | is_tiny
        return could | ~np.isfinite(rounded)
