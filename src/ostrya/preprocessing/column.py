"""Column: the values of one column of a table, and of what kind they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Kind = Literal["number", "boolean", "level", "ordered", "time", "duration", "empty"]


@dataclass(frozen=True)
class Column:
    """The values of one column, as floats or as Python objects.

    ``values`` holds objects with None where missing for levels, ordered or not, and
    float64 with NaN where missing for all else: True is 1, times are microseconds
    since the beginning of 1970, of UTC where they are zoned, and durations
    microseconds.
    """

    name: str
    kind: Kind
    values: npt.NDArray[Any]
    order: tuple[Any, ...] = ()  # all levels that an ordered column may have
    is_text: bool = False  # levels that are strings, and not declared categories
    is_zoned: bool = False  # times with a time zone
    period: str = ""  # "month", "quarter" or "year" of times that stand for these
    is_merged: bool = False  # different whole numbers that are the same float
    mixture: str = ""  # words for texts that stood beside numbers; "": none did

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """True where there is no value."""
        if self.kind in ("level", "ordered"):
            return np.array([value is None for value in self.values], dtype=bool)
        return np.isnan(self.values.astype(np.float64, copy=False))


def unreadable(name: str, got: str) -> str:
    """Return what is wrong with a column of no kind, or of several."""
    return (
        f"column {name!r}: argument must be a string, a boolean, a number, a date or a "
        f"duration throughout, or missing; got {got}. Convert the column, or drop it"
    )
