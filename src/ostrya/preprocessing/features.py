"""What a column of the input means, and the yes/no questions it can be asked.

A feature is encoded into ordered float columns such that every question a tree can
ask, ``column <= threshold``, reads as a positive claim about the input:

- numbers, times and durations keep their values: ``age <= 25.5``, ``signup <=
  2023-09-08``, ``wait <= 1.5 h``; times and durations are in microseconds;
- ordered levels are numbered in their order: ``size <= M``;
- booleans and levels get one column per level, 0 for yes and 1 for no, so that
  ``column <= 0.5`` claims ``colour = red``;
- four levels or more also get a column for each class in which `groups` finds an order
  of them: ``city in {Bonn, Kiel, Ulm}``;
- where the training rows miss values, one more such column claims ``age is missing``.

One rule covers what is not there: *a missing or never seen value answers no to every
question except "is missing"*. In a column of numbers it stands at the largest training
value, above every threshold; so ``age <= 25.5`` holds of rows with a known age alone,
and `age is missing` is the question that tells missing ages apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import picture
from ostrya._condition import AtMost, Condition, IsMissing, OneOf, or_missing
from ostrya.preprocessing.column import Column, Kind, unreadable
from ostrya.preprocessing.date_formats import ISO
from ostrya.preprocessing.digits import in_digits, short_between_each
from ostrya.preprocessing.groups import in_braces, places_in_order
from ostrya.preprocessing.times import (
    duration_in_words,
    period_in_words,
    short_duration_between,
    short_period_between,
    short_time_between,
    time_in_words,
)
from ostrya.preprocessing.written import (
    Reading,
    is_missing_text,
    read_levels,
    read_texts,
)

# One column per level: more of them take much memory, and say little each.
MOST_LEVELS = 1000
# The threshold between yes (0) and no (1).
HALF = 0.5
# Kinds whose values are on a scale of their own, which one column has.
MEASURED = ("number", "time", "duration")
SCALED = (*MEASURED, "ordered")


@dataclass(frozen=True)
class Feature:
    """One column of the input, as it was in the training rows.

    Attributes
    ----------
    name : str
        Its name.
    kind : str
        "number", "time", "duration", "ordered", "boolean", "level", or "empty" when
        every value was missing.
    has_missing : bool
        True when training rows missed values, so that "is missing" can be asked.
    largest : float
        Largest training number, time or duration in microseconds, or place of an
        ordered level; 0 for other kinds.
    levels : tuple
        Levels that have a column, in sorted order. With two answers in all, missing
        included, one column tells them apart and the other is left out; of more than
        a thousand the most frequent have one. For an ordered column, all its levels.
    groups : tuple of tuple
        Orders of levels. Each has a column, whose questions are about its first
        levels, two or more; see `ostrya.preprocessing.groups`.
    is_zoned : bool
        True for times with a time zone, which are compared and worded in UTC.
    decimal_comma : bool
        True for numbers that were texts in which 0,5 is one half.
    mark : str
        The currency or percent sign of numbers that were texts with one; "" elsewhere.
    date_format : str
        The format of dates that were texts, as `datetime.datetime.strptime` names it,
        such as ``"%d/%m/%Y"``; "" for ISO 8601, and for columns of other kinds.
    period : str
        "month", "quarter" or "year" for periods of pandas, which are named as such;
        "" for other columns.
    typical : object
        Median of the training rows, or their most frequent level. None if it is not
        known, or if it is the one of two levels that has no encoded column.

    Examples
    --------
    >>> from ostrya.preprocessing import TableEncoder
    >>> encoder = TableEncoder([[20, "red"], [35, "blue"], [None, "red"]])
    >>> for feature in encoder.features:
    ...     print(feature.name, feature.kind, feature.has_missing)
    x0 number True
    x1 level False
    """

    name: str
    kind: Kind
    has_missing: bool
    largest: float = 0.0
    levels: tuple[Any, ...] = ()
    groups: tuple[tuple[Any, ...], ...] = ()
    is_zoned: bool = False
    decimal_comma: bool = False
    mark: str = ""
    date_format: str = ""
    period: str = ""
    typical: Any = None

    @property
    def n_columns(self) -> int:
        """Number of encoded columns."""
        values = 1 if self.kind in SCALED else len(self.levels) + len(self.groups)
        return self.has_missing + values

    def is_yes_no(self, column: int) -> bool:
        """Return True for a column of 0 (yes) and 1 (no)."""
        if self.has_missing and column == 0:
            return True
        return self.kind not in SCALED and self._group(column) is None

    def largest_of(self, column: int) -> float:
        """Return the value of a column that is above all its thresholds."""
        if self.is_yes_no(column):
            return 1.0
        group = self._group(column)
        return self.largest if group is None else float(len(group))

    def least_of(self, column: int) -> float:
        """Return the value of a column below which no threshold parts anything."""
        if self.is_yes_no(column) or self.kind == "ordered":
            return 0.0
        return -math.inf if self._group(column) is None else 1.0

    def short_between(
        self,
        column: int,
        below: npt.NDArray[np.float64],
        above: npt.NDArray[np.float64],
    ) -> npt.NDArray[np.float64]:
        """Return a threshold that reads well between each two values of a column.

        It is at least the first and less than the second.
        """
        if self.kind in ("time", "duration") and not self.is_yes_no(column):
            short = self._short_moment_between
            pairs = zip(below.tolist(), above.tolist(), strict=True)
            return np.array([short(low, high) for low, high in pairs])
        if self.kind == "number" or self.is_yes_no(column):
            return short_between_each(below, above)
        # Between neighbouring places, whatever places the training rows left out.
        return np.floor(below) + HALF

    def _short_moment_between(self, below: float, above: float) -> float:
        if self.kind == "duration":
            return short_duration_between(below, above)
        if self.period:
            return short_period_between(below, above, self.period)
        return short_time_between(below, above)

    def claim(self, column: int, threshold: float = HALF) -> str:
        """Return what ``column <= threshold`` says of the input.

        Parameters
        ----------
        column : int
            Which of this feature's columns, from 0.
        threshold : float, default=0.5
            Matters for columns that are not of 0 and 1.
        """
        if self.has_missing and column == 0:
            return f"{self.name} is missing"
        if self.kind in SCALED:
            return f"{self.name} <= {self._in_words(threshold)}"
        group = self._group(column)
        if group is not None:
            return f"{self.name} in {_first_of(group, threshold)}"
        return f"{self.name} = {self._level(column)}"

    def denial(self, column: int, threshold: float = HALF) -> str:
        """Return what holds where `claim` does not; parameters as there."""
        if self.has_missing and column == 0:
            return f"{self.name} is not missing"
        group = self._group(column)
        if self.kind in SCALED:
            denial = f"{self.name} > {self._in_words(threshold)}"
        elif group is not None:
            denial = f"{self.name} not in {_first_of(group, threshold)}"
        else:
            denial = f"{self.name} is not {self._level(column)}"
        return or_missing(denial) if self.has_missing else denial

    def condition(self, source: int, column: int, threshold: float) -> Condition:
        """Return what `claim` says as data; `source` is the place in the table."""
        if self.has_missing and column == 0:
            return IsMissing(source)
        if self.kind in MEASURED:
            return AtMost(source, threshold)
        group = self.levels if self.kind == "ordered" else self._group(column)
        if group is not None:
            return OneOf(source, group[: math.floor(threshold) + 1])
        return OneOf(source, (self.levels[column - self.has_missing],))

    def wordings(
        self, column: int, thresholds: Sequence[float]
    ) -> tuple[list[str], list[str]]:
        """Return `claim` and `denial` of one column at each of some thresholds."""
        if self.is_yes_no(column):
            count = len(thresholds)
            return [self.claim(column)] * count, [self.denial(column)] * count
        claims = [self.claim(column, threshold) for threshold in thresholds]
        return claims, [self.denial(column, threshold) for threshold in thresholds]

    def _in_words(self, threshold: float) -> str:
        if self.period:
            return period_in_words(threshold, self.period)
        if self.kind == "time":
            return time_in_words(threshold, self.is_zoned)
        if self.kind == "duration":
            return duration_in_words(threshold)
        if self.kind == "ordered":
            place = min(max(math.floor(threshold), 0), len(self.levels) - 1)
            return str(self.levels[place])
        return in_digits(threshold)

    def _level(self, column: int) -> str:
        level = self.levels[column - self.has_missing]
        if self.kind == "boolean":
            return "true" if level else "false"
        return str(level)

    def _group(self, column: int) -> tuple[Any, ...] | None:
        """Return the order of levels that a column is about, if it is about one."""
        place = column - self.has_missing - len(self.levels)
        return self.groups[place] if self.groups and place >= 0 else None

    def encode(
        self, values: Column, wanted: Iterable[int]
    ) -> Iterator[npt.NDArray[np.float64]]:
        """Yield the wanted columns, each by its place from 0, of these values."""
        values = self.as_fitted(values)
        missing = values.missing
        codes = None
        for column in wanted:
            group = self._group(column)
            if self.has_missing and column == 0:
                yield (~missing).astype(np.float64)
            elif self.kind in MEASURED:
                require_finite(values)
                yield np.where(missing, self.largest, values.values)
            elif self.kind == "ordered":
                places = values.places_among(self.levels)
                yield np.where(places < 0, self.largest, places).astype(np.float64)
            elif group is not None:
                yield values.mapped(places_in_order(group), float(len(group)))
            else:
                if codes is None:  # once for all levels
                    codes = values.places_among(self.levels)
                yield (codes != column - self.has_missing).astype(np.float64)

    def as_fitted(self, values: Column) -> Column:
        """Return values that can answer the feature's questions, or raise."""
        kind = values.kind
        got = values.levels if values.has_levels else values.values[~values.missing]
        if self.kind in MEASURED and values.is_text:
            how = ((self.kind,), self.decimal_comma, self.date_format or ISO)
            reading = read_levels(values, *how)
            if reading is not None and reading.is_zoned == self.is_zoned:
                self.require_mark(reading)
                return replace(
                    values, kind=self.kind, values=reading.values, is_text=False
                )
            if all(map(is_missing_text, got)):
                nothing = np.full(len(values.values), np.nan)
                return replace(values, kind="empty", values=nothing, is_text=False)
            raise TypeError(self._unlike(values.objects()))
        if values.mixture:
            raise TypeError(unreadable(self.name, values.mixture))
        if "empty" in (kind, self.kind):
            return values
        if kind == self.kind:
            if kind == "time" and values.is_zoned != self.is_zoned:
                have, lack = ("with", "without")[:: 1 if self.is_zoned else -1]
                raise TypeError(
                    f"column {self.name!r} held times {have} a time zone when fitted; "
                    f"got times {lack} one"
                )
            return values
        if self.kind == "number" and kind == "boolean":
            return values
        if self.kind == "boolean" and kind == "number":
            if np.isin(got, (0.0, 1.0)).all():
                return values
        elif self.kind in ("level", "ordered"):
            of_text = all(isinstance(level, str) for level in self.levels)
            if kind in ("level", "ordered") or not of_text:
                return values
        raise TypeError(
            f"column {self.name!r} held {_PLURALS[self.kind]} when fitted; got "
            f"{_PLURALS[kind]}, for example {self._example(kind, got)}"
        )

    def _read(self, texts: Iterable[Any]) -> Reading | None:
        """Return what texts say if they are written as those of training were."""
        return read_texts(
            texts, (self.kind,), self.decimal_comma, self.date_format or ISO
        )

    def require_mark(self, reading: Reading) -> None:
        """Raise where texts are numbers in another unit than those that were fitted."""
        if self.mark and reading.mark and reading.mark != self.mark:
            raise TypeError(
                f"column {self.name!r} held numbers with {self.mark!r} when fitted; "
                f"got {reading.mark!r}, for example {picture(reading.example)}; "
                f"convert them to {self.mark!r}"
            )

    def _unlike(self, texts: list[Any]) -> str:
        """Return which of some texts is not of the kind that was fitted."""
        fitted = f"column {self.name!r} held {_PLURALS[self.kind]} when fitted; got"
        if self.kind == "time":
            shape = self.date_format or ISO
            fitted = f"column {self.name!r} held dates like {shape} when fitted; got"
        known: dict[str | None, bool] = {None: True}
        for row, text in enumerate(texts):
            if text not in known:
                alone = self._read([text])
                is_like = alone is not None and alone.is_zoned == self.is_zoned
                known[text] = is_like or is_missing_text(text)
            if not known[text]:
                return (
                    f"{fitted} {_PLURALS['level']}, for example {picture(text)} in row "
                    f"{row}; mend it, or leave it missing"
                )
        return (
            f"{fitted} texts of several forms, with several currencies, separators or "
            "time zones; write them alike"
        )

    @staticmethod
    def _example(kind: str, got: Any) -> str:
        if len(got) == 0:
            return "None"
        if kind == "time":
            return time_in_words(float(got[0]))
        if kind == "duration":
            return duration_in_words(float(got[0]))
        return repr(got[0] if kind in ("level", "ordered") else float(got[0]))


_PLURALS = {
    "number": "numbers",
    "boolean": "booleans",
    "level": "strings or levels",
    "ordered": "ordered levels",
    "time": "times",
    "duration": "durations",
}


def _first_of(group: tuple[Any, ...], threshold: float) -> str:
    """Return the levels of a group whose place is at most the threshold."""
    return in_braces(group[: min(max(math.floor(threshold), 0), len(group)) + 1])


def require_finite(values: Column) -> None:
    """Raise if a column holds infinity."""
    if np.isinf(values.values).any():
        raise ValueError(
            f"column {values.name!r} contains infinity; use a large finite number, or "
            "a missing value"
        )
