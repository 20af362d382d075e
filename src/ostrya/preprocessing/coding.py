"""Store a category as one column of codes, and compute its level columns from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import CodedMatrix, Matrix
from ostrya.preprocessing.column import Column
from ostrya.preprocessing.features import SCALED, Feature
from ostrya.preprocessing.groups import places_in_order

#: The values of all columns of a feature for one level: whether it is known, the index
#: of its own column (after all others if it has none), and its rank in each group.
#: Sorting rows by these tuples gives the same order as sorting them by the columns.
Answers = tuple[bool, int, tuple[float, ...]]


def is_coded(feature: Feature) -> bool:
    """Return True if all columns of a feature are computed from one column of codes."""
    return feature.kind not in SCALED and feature.n_columns > 1


class LevelCoding:
    """The distinct combinations of values in the columns of a feature, numbered."""

    def __init__(self, feature: Feature) -> None:
        self._feature = feature
        places = {level: at for at, level in enumerate(feature.levels)}
        groups = [(places_in_order(g), float(len(g))) for g in feature.groups]
        nowhere = len(places), tuple(above for _, above in groups)
        self._of_level: dict[Any, Answers] = {}
        for level in dict.fromkeys([*places, *(x for g in feature.groups for x in g)]):
            in_groups = tuple(group.get(level, above) for group, above in groups)
            self._of_level[level] = True, places.get(level, nowhere[0]), in_groups
        self._unknown: Answers = (True, *nowhere)
        self._missing: Answers = (not feature.has_missing, *nowhere)
        self._by_code = sorted({*self._of_level.values(), self._unknown, self._missing})
        self._code = {each: code for code, each in enumerate(self._by_code)}

    def encode(self, values: Column) -> npt.NDArray[np.float64]:
        """Return the code of each row."""
        codes = {level: float(self._code[of]) for level, of in self._of_level.items()}
        out = values.mapped(codes, float(self._code[self._unknown]))
        if self._feature.has_missing:
            out[values.missing] = self._code[self._missing]
        return out

    def levels(self) -> list[int]:
        """Return the code for which each column is 0; -1 for level groups."""
        own = {place: code for code, (_, place, _) in enumerate(self._by_code)}
        missing = [self._code[self._missing]] if self._feature.has_missing else []
        singles = [own[place] for place in range(len(self._feature.levels))]
        return [*missing, *singles, *(-1 for _ in self._feature.groups)]

    def group_values(self, group: int) -> list[float]:
        """Return the value of the column of a level group for each code."""
        return [in_groups[group] for _, _, in_groups in self._by_code]


class MatrixBuilder:
    """Build the matrix of a table, one feature after another."""

    def __init__(self, n_rows: int, features: Sequence[Feature]) -> None:
        n_stored = sum(1 if is_coded(f) else f.n_columns for f in features)
        self._cells = np.zeros((n_rows, n_stored), order="F")
        self._n_stored = 0
        self._stored: list[int] = []
        self._level: list[int] = []
        self._lookup: list[int] = []
        self._lookups: list[float] = []

    def add(self, feature: Feature, values: Column) -> None:
        """Add the columns of a feature; a category is stored as a single column."""
        values = feature.as_fitted(values)
        if not is_coded(feature):
            for column in feature.encode(values, range(feature.n_columns)):
                self._add(column, [-1], [-1])
            return
        coding = LevelCoding(feature)
        levels, starts = coding.levels(), []
        for group in range(len(feature.groups)):
            starts.append(len(self._lookups))
            self._lookups += coding.group_values(group)
        lookup = [-1] * (len(levels) - len(starts)) + starts
        self._add(coding.encode(values), levels, lookup)

    def _add(
        self, cells: npt.NDArray[np.float64], level: list[int], lookup: list[int]
    ) -> None:
        self._cells[:, self._n_stored] = cells
        self._stored += [self._n_stored] * len(level)
        self._level += level
        self._lookup += lookup
        self._n_stored += 1

    def matrix(self) -> Matrix:
        """Return the matrix of all features that were added."""
        if len(self._stored) == self._n_stored:  # there is no coded category
            return self._cells
        return CodedMatrix(
            self._cells,
            np.array(self._stored, dtype=np.int32),
            np.array(self._level, dtype=np.int32),
            np.array(self._lookup, dtype=np.int32),
            np.array(self._lookups, dtype=np.float64),
        )
