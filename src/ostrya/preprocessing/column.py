"""Column: the values of one column of a table, and their kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

Kind = Literal["number", "boolean", "level", "ordered", "time", "duration", "empty"]

#: Called while a column is read; it may raise to stop.
Check = Callable[[], object]
#: Values between two calls of a check: up to a tenth of a second for texts.
STRIDE = 4096
Item = TypeVar("Item")


def watched(items: Iterable[Item], check: Check) -> Iterator[Item]:
    """Yield the items, and call `check` regularly."""
    for place, item in enumerate(items, start=1):
        if place % STRIDE == 0:
            check()
        yield item


@dataclass(frozen=True)
class Column:
    """The values of one column, as floats or as indices into a list of levels.

    For levels, ordered or not, ``values`` contains an int32 index into ``levels`` per
    row, and -1 for missing values, so that each level is stored only once. For all
    other kinds it contains float64 values, NaN if missing: True is 1, times are
    microseconds since 1970 (in UTC if they have a time zone), and durations are
    microseconds.
    """

    name: str
    kind: Kind
    values: npt.NDArray[Any]
    levels: tuple[Any, ...] = ()  # all levels of the rows; declared ones may be unused
    order: tuple[Any, ...] = ()  # all levels of an ordered column, in their order
    is_text: bool = False  # the levels are strings, not declared categories
    is_zoned: bool = False  # the times have a time zone
    period: str = ""  # "month", "quarter" or "year" if the times represent periods
    is_merged: bool = False  # different whole numbers were rounded to the same float
    mixture: str = ""  # describes strings mixed with numbers; "" if there are none

    @property
    def has_levels(self) -> bool:
        """True for levels, ordered or not."""
        return self.kind in ("level", "ordered")

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """True for rows with a missing value."""
        if self.has_levels:
            return self.values < 0
        return np.isnan(self.values.astype(np.float64, copy=False))

    def objects(self) -> list[Any]:
        """Return the value of each row; None for a missing level."""
        if not self.has_levels:
            return list(self.values.tolist())
        by_place = (*self.levels, None)
        return [by_place[place] for place in self.values.tolist()]

    def mapped(
        self, answers: Mapping[Any, float], otherwise: float
    ) -> npt.NDArray[np.float64]:
        """Return the answer for each row's value, or `otherwise` if it has none."""
        if not self.has_levels:
            values = self.values.tolist()
            return np.array([answers.get(value, otherwise) for value in values])
        return self.taken(
            [answers.get(level, otherwise) for level in self.levels], otherwise
        )

    def taken(
        self, of_level: Sequence[float], missing: float
    ) -> npt.NDArray[np.float64]:
        """Return a number per row, given one for each of ``levels``."""
        return np.array([*of_level, missing], dtype=np.float64).take(self.values)

    def places_among(self, levels: Iterable[Any]) -> npt.NDArray[np.intp]:
        """Return the index of each row's value in `levels`, or -1 if it has none."""
        by_level = {level: float(place) for place, level in enumerate(levels)}
        return self.mapped(by_level, -1.0).astype(np.intp)


def number_levels(
    values: Iterable[Any], check: Check = bool
) -> tuple[npt.NDArray[np.int32], tuple[Any, ...]]:
    """Return the index of each value among the distinct values, and these values.

    Distinct values are in order of first appearance. None has the index -1.
    """
    places: dict[Any, int] = {}
    codes = [
        -1 if value is None else places.setdefault(value, len(places))
        for value in watched(values, check)
    ]
    return np.array(codes, dtype=np.int32), tuple(places)


def unreadable(name: str, got: str) -> str:
    """Return the error message for a column of mixed or unsupported types."""
    return (
        f"column {name!r}: each argument must be a string, a boolean, a number, a date "
        "or a duration, with one type for the whole column (missing values are "
        f"allowed); got {got}. Convert the column, or drop it"
    )
