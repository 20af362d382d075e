"""Column: the values of one column of a table, and of what kind they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Kind = Literal["number", "boolean", "level", "ordered", "time", "duration", "empty"]


@dataclass(frozen=True)
class Column:
    """The values of one column, as floats or as places in a list of levels.

    ``values`` holds, for levels, ordered or not, the place of each row's level in
    ``levels`` as int32, and -1 where it is missing; so a level is stored once, however
    many rows have it. For all other kinds it holds float64 with NaN where missing:
    True is 1, times are microseconds since the beginning of 1970, of UTC where they
    are zoned, and durations microseconds.
    """

    name: str
    kind: Kind
    values: npt.NDArray[Any]
    levels: tuple[Any, ...] = ()  # that rows have; maybe more, if they are declared
    order: tuple[Any, ...] = ()  # all levels that an ordered column may have
    is_text: bool = False  # levels that are strings, and not declared categories
    is_zoned: bool = False  # times with a time zone
    period: str = ""  # "month", "quarter" or "year" of times that stand for these
    is_merged: bool = False  # different whole numbers that are the same float
    mixture: str = ""  # words for texts that stood beside numbers; "": none did

    @property
    def has_levels(self) -> bool:
        """True for levels, ordered or not."""
        return self.kind in ("level", "ordered")

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """True where there is no value."""
        if self.has_levels:
            return self.values < 0
        return np.isnan(self.values.astype(np.float64, copy=False))

    def objects(self) -> list[Any]:
        """Return the value of each row; None where a level is missing."""
        if not self.has_levels:
            return list(self.values.tolist())
        by_place = (*self.levels, None)
        return [by_place[place] for place in self.values.tolist()]

    def mapped(
        self, answers: Mapping[Any, float], otherwise: float
    ) -> npt.NDArray[np.float64]:
        """Return the answer for each row's value, `otherwise` where there is none."""
        if not self.has_levels:
            values = self.values.tolist()
            return np.array([answers.get(value, otherwise) for value in values])
        return self.taken(
            [answers.get(level, otherwise) for level in self.levels], otherwise
        )

    def taken(
        self, of_level: Sequence[float], missing: float
    ) -> npt.NDArray[np.float64]:
        """Return the number of each row's level, given those of all ``levels``."""
        return np.array([*of_level, missing], dtype=np.float64).take(self.values)

    def places_among(self, levels: Iterable[Any]) -> npt.NDArray[np.intp]:
        """Return the place of each row's value among some levels, -1 for none."""
        by_level = {level: float(place) for place, level in enumerate(levels)}
        return self.mapped(by_level, -1.0).astype(np.intp)


def number_levels(
    values: Iterable[Any],
) -> tuple[npt.NDArray[np.int32], tuple[Any, ...]]:
    """Return the place of each value among the different ones, and these.

    They are in the order in which they are met. None has the place -1.
    """
    places: dict[Any, int] = {}
    codes = [
        -1 if value is None else places.setdefault(value, len(places))
        for value in values
    ]
    return np.array(codes, dtype=np.int32), tuple(places)


def unreadable(name: str, got: str) -> str:
    """Return what is wrong with a column of no kind, or of several."""
    return (
        f"column {name!r}: argument must be a string, a boolean, a number, a date or a "
        f"duration throughout, or missing; got {got}. Convert the column, or drop it"
    )
