"""Convert thresholds of other comparisons to thresholds for `<=` of doubles."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# Doubles round to the largest single as if this were the next larger single.
AFTER_LARGEST = 2.0**128


def last_below(threshold: npt.ArrayLike) -> Floats:
    """Return the largest double below each threshold.

    Examples
    --------
    >>> bool(last_below(3.0) < 3.0), float(last_below(np.inf)) < np.inf
    (True, True)
    """
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(
            np.nextafter(np.asarray(threshold, dtype=np.float64), -np.inf)
        )


def last_single_at_most(threshold: npt.ArrayLike) -> Floats:
    """Return the largest double that is <= each threshold in single precision.

    This is the comparison of trees with values in single and thresholds in double
    precision.

    Examples
    --------
    >>> last = last_single_at_most(1.0)
    >>> bool(last > 1.0), bool(np.float32(last) <= 1.0)
    (True, True)
    >>> bool(np.float32(np.nextafter(last, np.inf)) <= 1.0)
    False
    """
    limit = np.asarray(threshold, dtype=np.float64)
    with np.errstate(over="ignore"):
        low = limit.astype(np.float32)
    low = np.where(low > limit, _step(low, -np.inf), low)
    # A double halfway between two singles rounds to the one with an even last bit.
    middle = _double(low) / 2 + _double(_step(low, np.inf)) / 2
    is_even = low.view(np.uint32) % 2 == 0
    last = np.where(is_even, middle, last_below(middle))
    return np.where(limit == np.inf, np.inf, last)


def last_single_below(threshold: npt.ArrayLike) -> Floats:
    """Return the largest double below each threshold, both in single precision."""
    with np.errstate(over="ignore"):
        limit = np.asarray(threshold, dtype=np.float64).astype(np.float32)
    last = last_single_at_most(_step(limit, -np.inf))
    return np.where(limit == -np.inf, -np.inf, last)


def _step(single: npt.NDArray[np.float32], towards: float) -> npt.NDArray[np.float32]:
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.nextafter(single, np.float32(towards)))


def _double(single: npt.NDArray[np.float32]) -> Floats:
    return np.clip(single.astype(np.float64), -AFTER_LARGEST, AFTER_LARGEST)
