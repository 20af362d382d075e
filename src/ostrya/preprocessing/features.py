"""Feature: the kind of an input column, and the conditions a tree can test on it.

A feature is encoded as ordered float columns such that every test of a tree,
``column <= threshold``, corresponds to a condition on the input:

- numbers, times and durations keep their values: ``age <= 25.5``, ``signup <=
  2023-09-08``, ``wait <= 1.5 h``; times and durations are in microseconds;
- ordered levels are numbered in their order: ``size <= M``;
- booleans and levels have one column per level, 0 for yes and 1 for no, so that
  ``column <= 0.5`` means ``colour = red``;
- features with four levels or more also have one column for each class for which
  `groups` finds an order of the levels: ``city in {Bonn, Kiel, Ulm}``;
- if the training rows have missing values, one more column means ``age is missing``.

One rule covers missing and unknown values: *a missing value, or a level that the
training rows do not contain, answers "no" to every condition except "is missing"*. In a
numeric column a missing value is stored as the largest training value, which is above
every threshold. So ``age <= 25.5`` holds only for rows with a known age, and only
``age is missing`` separates missing ages from large ones.
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

# Most levels with a column of their own. More would use much memory for little gain.
MOST_LEVELS = 1000
# The threshold between yes (0) and no (1).
HALF = 0.5
# Kinds whose values are ordered, so that a single column represents them.
MEASURED = ("number", "time", "duration")
SCALED = (*MEASURED, "ordered")


@dataclass(frozen=True)
class Feature:
    """The description of one input column, learned from the training rows.

    Attributes
    ----------
    name : str
        The name of the column.
    kind : str
        "number", "time", "duration", "ordered", "boolean", "level", or "empty" if
        every training value is missing.
    has_missing : bool
        True if the training rows have missing values, so that a tree can test for
        "is missing".
    largest : float
        The largest training value: a number, a time or duration in microseconds, or
        the index of an ordered level. It is 0 for other kinds.
    levels : tuple
        The levels with a column of their own, in sorted order. If there are only two
        possible answers, including missing, one column is enough and the other is
        left out. Of more than 1,000 levels only the most frequent have a column. For
        an ordered column, all levels.
    groups : tuple of tuple
        Orders of levels. Each has a column whose thresholds select its first two or
        more levels; see `ostrya.preprocessing.groups`.
    is_zoned : bool
        True for times with a time zone, which are compared and shown in UTC.
    decimal_comma : bool
        True for numbers read from text in which 0,5 is one half.
    mark : str
        The currency or percent sign of numbers read from text; otherwise "".
    date_format : str
        The format of dates read from text, as for `datetime.datetime.strptime`, such
        as ``"%d/%m/%Y"``. It is "" for ISO 8601 and for columns of other kinds.
    period : str
        "month", "quarter" or "year" for pandas periods and for months written as text,
        which are shown as such; "" for other columns.
    typical : object
        The median of the training rows, or their most frequent level. None if it is
        unknown, or if it is a level without a column.

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
        """Return a value of the column that is above all thresholds."""
        if self.is_yes_no(column):
            return 1.0
        group = self._group(column)
        return self.largest if group is None else float(len(group))

    def least_of(self, column: int) -> float:
        """Return the value of the column below which no threshold separates rows."""
        if self.is_yes_no(column) or self.kind == "ordered":
            return 0.0
        return -math.inf if self._group(column) is None else 1.0

    def short_between(
        self,
        column: int,
        below: npt.NDArray[np.float64],
        above: npt.NDArray[np.float64],
    ) -> npt.NDArray[np.float64]:
        """Return a short, readable threshold between each pair of values of a column.

        It is at least `below` and less than `above`.
        """
        if self.kind in ("time", "duration") and not self.is_yes_no(column):
            short = self._short_moment_between
            pairs = zip(below.tolist(), above.tolist(), strict=True)
            return np.array([short(low, high) for low, high in pairs])
        if self.kind == "number" or self.is_yes_no(column):
            return short_between_each(below, above)
        # Halfway between consecutive ranks, even if training rows do not use them all.
        return np.floor(below) + HALF

    def _short_moment_between(self, below: float, above: float) -> float:
        if self.kind == "duration":
            return short_duration_between(below, above)
        if self.period:
            return short_period_between(below, above, self.period)
        return short_time_between(below, above)

    def question(self, column: int, threshold: float = HALF) -> str:
        """Return the condition ``column <= threshold`` in terms of the input.

        Parameters
        ----------
        column : int
            The index of the column in this feature, from 0.
        threshold : float, default=0.5
            Ignored for columns of 0 and 1.
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
        """Return the negation of `question`; the parameters are the same."""
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
        """Return `question` as data; `source` is the column of the input table."""
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
        """Return `question` and `denial` of one column for several thresholds."""
        if self.is_yes_no(column):
            count = len(thresholds)
            return [self.question(column)] * count, [self.denial(column)] * count
        questions = [self.question(column, threshold) for threshold in thresholds]
        return questions, [self.denial(column, threshold) for threshold in thresholds]

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
        """Return the order of levels behind a column, or None if it has none."""
        place = column - self.has_missing - len(self.levels)
        return self.groups[place] if self.groups and place >= 0 else None

    def encode(
        self, values: Column, wanted: Iterable[int]
    ) -> Iterator[npt.NDArray[np.float64]]:
        """Yield the encoded columns with the given indices."""
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
        """Return values converted to the kind of this feature, or raise."""
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
                    f"column {self.name!r} must contain times {have} a time zone, as "
                    f"in fit; got times {lack} one"
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
            f"column {self.name!r} must contain {_PLURALS[self.kind]}, as in fit; got "
            f"{_PLURALS[kind]}, for example {self._example(kind, got)}"
        )

    def _read(self, texts: Iterable[Any]) -> Reading | None:
        """Read texts in the format of the training rows; None if they do not match."""
        return read_texts(
            texts, (self.kind,), self.decimal_comma, self.date_format or ISO
        )

    def require_mark(self, reading: Reading) -> None:
        """Raise if text contains another currency or percent sign than in training."""
        if self.mark and reading.mark and reading.mark != self.mark:
            raise TypeError(
                f"column {self.name!r} must contain numbers with {self.mark!r}, as in "
                f"fit; got {reading.mark!r}, for example {picture(reading.example)}. "
                f"Convert them to {self.mark!r}"
            )

    def _unlike(self, texts: list[Any]) -> str:
        """Return an error message that names a text of an unexpected kind."""
        expected = _PLURALS[self.kind]
        if self.kind == "time":
            expected = f"dates in the format {self.date_format or ISO}"
        fitted = f"column {self.name!r} must contain {expected}, as in fit; got"
        known: dict[str | None, bool] = {None: True}
        for row, text in enumerate(texts):
            if text not in known:
                alone = self._read([text])
                is_like = alone is not None and alone.is_zoned == self.is_zoned
                known[text] = is_like or is_missing_text(text)
            if not known[text]:
                return (
                    f"{fitted} {_PLURALS['level']}, for example {picture(text)} in row "
                    f"{row}. Correct this value, or set it to missing"
                )
        return (
            f"{fitted} text in several formats: currencies, separators or time zones "
            "differ. Use one format in the whole column"
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
    """Return the levels of a group whose rank is at most the threshold, as text."""
    return in_braces(group[: min(max(math.floor(threshold), 0), len(group)) + 1])


def require_finite(values: Column) -> None:
    """Raise if a column contains infinity."""
    if np.isinf(values.values).any():
        raise ValueError(
            f"column {values.name!r} must contain finite numbers; got infinity. "
            "Replace it by a large finite number, or by a missing value"
        )
