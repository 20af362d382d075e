"""What a column of the input means, and the yes/no questions it can be asked.

A feature is encoded into ordered float columns such that every question a tree can
ask, ``column <= threshold``, reads as a positive claim about the input:

- numbers keep their values: ``age <= 25.5``;
- booleans and levels get one column per level, 0 for yes and 1 for no, so that
  ``column <= 0.5`` claims ``colour = red``;
- where the training rows miss values, one more such column claims ``age is missing``.

One rule covers what is not there: *a missing or never seen value answers no to every
question except "is missing"*. In a column of numbers it stands at the largest training
value, above every threshold; so ``age <= 25.5`` holds of rows with a known age alone,
and `age is missing` is the question that tells missing ages apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.table import Column

# One column per level: more of them would be rows' names rather than categories.
MOST_LEVELS = 1000
# The threshold between yes (0) and no (1).
HALF = 0.5


@dataclass(frozen=True)
class Feature:
    """One column of the input, as it was in the training rows.

    Attributes
    ----------
    name : str
        Its name.
    kind : str
        "number", "boolean", "level", or "empty" when every value was missing.
    has_missing : bool
        True when training rows missed values, so that "is missing" can be asked.
    largest : float
        Largest training number; 0 unless `kind` is "number".
    levels : tuple
        Training levels that have a column, in sorted order. With two answers in
        all, missing included, one column tells them apart and the other is left out.
    """

    name: str
    kind: str
    has_missing: bool
    largest: float = 0.0
    levels: tuple[Any, ...] = ()

    @property
    def n_columns(self) -> int:
        """Number of encoded columns."""
        return self.has_missing + (1 if self.kind == "number" else len(self.levels))

    def claim(self, column: int, threshold: float = HALF) -> str:
        """Return what ``column <= threshold`` says of the input.

        Parameters
        ----------
        column : int
            Which of this feature's columns, from 0.
        threshold : float, default=0.5
            Matters for numbers alone.
        """
        if self.has_missing and column == 0:
            return f"{self.name} is missing"
        if self.kind == "number":
            return self._at_most(in_digits(threshold))
        level = self.levels[column - self.has_missing]
        if self.kind == "boolean":
            level = "true" if level else "false"
        return f"{self.name} = {level}"

    def denial(self, column: int, threshold: float = HALF) -> str:
        """Return what holds where `claim` does not; parameters as there."""
        if self.has_missing and column == 0:
            return f"{self.name} is not missing"
        if self.kind == "number":
            return self._above(in_digits(threshold))
        return self.claim(column).replace(f"{self.name} = ", f"{self.name} is not ", 1)

    def wordings(
        self, column: int, thresholds: Sequence[float]
    ) -> tuple[list[str], list[str]]:
        """Return `claim` and `denial` of one column at each of some thresholds."""
        if self.kind == "number" and not (self.has_missing and column == 0):
            digits = [in_digits(threshold) for threshold in thresholds]
            return [*map(self._at_most, digits)], [*map(self._above, digits)]
        count = len(thresholds)
        return [self.claim(column)] * count, [self.denial(column)] * count

    def _at_most(self, digits: str) -> str:
        return f"{self.name} <= {digits}"

    def _above(self, digits: str) -> str:
        above = f"{self.name} > {digits}"
        return f"({above} or missing)" if self.has_missing else above

    def encode(
        self, values: Column, wanted: Iterable[int]
    ) -> Iterator[npt.NDArray[np.float64]]:
        """Yield the wanted columns, each by its place from 0, of these values."""
        self._require_kind(values)
        for column in wanted:
            if self.has_missing and column == 0:
                yield (~values.missing).astype(np.float64)
            elif self.kind == "number":
                _require_finite(values)
                yield np.where(values.missing, self.largest, values.values)
            else:
                level = self.levels[column - self.has_missing]
                yield (values.values.astype(object) != level).astype(np.float64)

    def _require_kind(self, values: Column) -> None:
        """Raise unless values of this kind can answer the feature's questions."""
        if "empty" in (values.kind, self.kind) or values.kind == self.kind:
            return
        got = values.values[~values.missing]
        if self.kind == "number" and values.kind == "boolean":
            return
        if self.kind == "boolean" and values.kind == "number":
            if np.isin(got, (0.0, 1.0)).all():
                return
        elif self.kind == "level" and not all(isinstance(v, str) for v in self.levels):
            return
        raise TypeError(
            f"column {self.name!r} held {_PLURALS[self.kind]} when fitted; got "
            f"{_PLURALS[values.kind]}, for example {got.tolist()[0]!r}"
        )


_PLURALS = {"number": "numbers", "boolean": "booleans", "level": "strings or levels"}


def learn_feature(values: Column) -> Feature:
    """Return the feature that these training values make."""
    missing = values.missing
    known = values.values[~missing]
    has_missing = bool(missing.any())
    if len(known) == 0:
        return Feature(values.name, "empty", has_missing=False)
    if values.kind == "number":
        _require_finite(values)
        return Feature(values.name, "number", has_missing, largest=float(known.max()))
    levels = _sorted_levels(values.kind, known)
    if len(levels) > MOST_LEVELS:
        raise ValueError(
            f"column {values.name!r} has {len(levels):,} levels; at most "
            f"{MOST_LEVELS:,} are allowed. Drop it if it names rows, or group rare "
            "levels"
        )
    if len(levels) + has_missing <= 2:
        levels = levels[: 1 - has_missing]
    return Feature(values.name, values.kind, has_missing, levels=levels)


def _require_finite(values: Column) -> None:
    if np.isinf(values.values).any():
        raise ValueError(
            f"column {values.name!r} contains infinity; use a large finite number, or "
            "a missing value"
        )


def _sorted_levels(kind: str, known: npt.NDArray[Any]) -> tuple[Any, ...]:
    distinct = set(known.tolist())
    if kind == "boolean":
        return tuple(sorted(distinct, reverse=True))  # true before false
    try:
        return tuple(sorted(distinct))
    except TypeError:  # levels of several types, which have no order
        return tuple(sorted(distinct, key=lambda v: (type(v).__name__, str(v))))


def in_digits(number: float) -> str:
    """Return a number in the fewest digits that read back as the same number.

    Examples
    --------
    >>> in_digits(25.5), in_digits(3.0), in_digits(1234567.5), in_digits(1e-9)
    ('25.5', '3', '1234567.5', '1e-09')
    """
    text = repr(float(number))
    return text[:-2] if text.endswith(".0") else text


def short_between(below: float, above: float) -> float:
    """Return a number with few digits strictly between two numbers.

    It is their midpoint rounded to as few significant digits as keep it between
    them, though to no fewer than three. Numbers with nothing between them give
    `below`, which splits them too.

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
    """Return what `short_between` says of each pair of numbers.

    Writing a number out takes a microsecond, and all but a few of the numbers of
    digits that are tried for each pair can be ruled out by arithmetic.

    Examples
    --------
    >>> short_between_each(np.array([25.0, 0.1]), np.array([26.0, 0.5]))
    array([25.5,  0.3])
    """
    middle = below / 2 + above / 2
    short: npt.NDArray[np.float64] = below.copy()
    waiting = np.arange(len(below))
    for digits in range(3, 18):
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
    """Return False only where `middle`, rounded to so many digits, lies outside."""
    with np.errstate(all="ignore"):
        power = np.log10(np.abs(middle))
        unit = 10.0 ** (np.floor(power) - digits + 1)
        steps = middle / unit
        nearest = np.rint(steps)
        rounded = nearest * unit
        # All of this is in floats: what lies close by may lie on the other side.
        slack = 1e-6 * unit + 1e-14 * np.abs(middle)
        is_inside = (rounded + slack > below) & (rounded - slack < above)
        is_tie = np.abs(steps - nearest) > 0.5 - 1e-6 - 1e-14 * np.abs(steps)
        is_power = np.abs(power - np.rint(power)) < 1e-9
        is_tiny = ~(np.abs(middle) > 1e-290)  # digits of these are not all there
        could: npt.NDArray[np.bool_] = is_inside | is_tie | is_power | is_tiny
        return could | ~np.isfinite(rounded)


def thresholds_between(values: Sequence[float] | npt.NDArray[Any]) -> list[float]:
    """Return a short threshold between each two neighbours of sorted values."""
    numbers = np.asarray(values, dtype=np.float64)
    between: list[float] = short_between_each(numbers[:-1], numbers[1:]).tolist()
    return between
