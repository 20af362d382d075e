"""CodedMatrix: a matrix in which a categorical column is stored once, as codes.

A search asks about each level of a categorical column by a column of its own, which
holds 0 in the rows of the level and 1 elsewhere. A table with thousands of levels would
take thousands of such columns. Here all columns of one categorical feature are computed
from one stored column of codes; the engine does the same (cpp/data/matrix.hpp).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CodedMatrix:
    """Rows whose columns are computed from stored ones.

    It can be indexed as an array can where that is cheap: by rows, which gives a matrix
    again, or by rows and one column, which gives the values of that column.

    Codes are numbered in the order of what they stand for, column by column. So rows
    sort alike by their cells and by their columns, and rows with equal columns have
    equal cells.
    """

    cells: Floats  # (n_samples, n_stored): numbers as they are, categories as codes
    stored: npt.NDArray[np.int32]  # of each column, the one of `cells` it is read from
    level: npt.NDArray[np.int32]  # the code for which a column is 0, not 1; -1: none
    lookup: npt.NDArray[np.int32]  # where its values by code start in `lookups`; or -1
    lookups: Floats

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows, and of columns that are seen."""
        return len(self.cells), len(self.stored)

    @property
    def size(self) -> int:
        """Number of values that are stored."""
        return self.cells.size

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, tuple):
            return replace(self, cells=np.asarray(self.cells[index], order="F"))
        rows, column = index
        return self._values(self.cells[rows, self.stored[column]], column)

    def _values(self, cells: Floats, column: int) -> Floats:
        level, lookup = int(self.level[column]), int(self.lookup[column])
        values: Floats = cells
        if level >= 0:
            values = (cells != level).astype(np.float64)
        elif lookup >= 0:
            values = self.lookups.take(lookup + cells.astype(np.intp))
        return values

    def columns(self, wanted: npt.NDArray[Any], rows: slice = slice(None)) -> Floats:
        """Return some columns, of some rows, as a matrix of their own."""
        cells = self.cells[rows]
        out = np.empty((len(cells), len(wanted)), order="F")
        for place, column in enumerate(wanted.tolist()):
            out[:, place] = self._values(cells[:, self.stored[column]], column)
        return out

    def different_rows(
        self, wanted: npt.NDArray[Any], counts: npt.NDArray[np.int64] | None
    ) -> tuple[Floats, npt.NDArray[np.int64] | None]:
        """Return the columns of one feature, and how many rows each row stands for.

        Categories have one row for each code, whatever the number of rows.
        """
        stored = int(self.stored[wanted[0]])
        if self.level[wanted].max() < 0:
            return self.columns(wanted), counts
        codes = self.cells[:, stored].astype(np.intp)
        n_rows = np.bincount(codes, counts).astype(np.int64)
        values = np.arange(len(n_rows), dtype=np.float64)
        of_codes = [self._values(values, column) for column in wanted.tolist()]
        return np.stack(of_codes, axis=1), n_rows

    def __array__(
        self, dtype: Any = None, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        """Return all columns, which may take much more memory."""
        every = self.columns(np.arange(len(self.stored)))
        return every if dtype is None else every.astype(dtype, copy=False)

    def n_values(self) -> npt.NDArray[np.intp]:
        """Return how many different values each column has."""
        distinct = [np.unique(column) for column in self.cells.T]
        return np.array(
            [
                len(np.unique(self._values(distinct[stored], column)))
                for column, stored in enumerate(self.stored.tolist())
            ],
            dtype=np.intp,
        )


#: What a search reads: plain columns, or some that are coded.
Matrix = Floats | CodedMatrix


def cells_of(matrix: Matrix) -> Floats:
    """Return the numbers that are stored; they differ wherever the columns do."""
    return matrix.cells if isinstance(matrix, CodedMatrix) else matrix


def count_values(matrix: Matrix) -> npt.NDArray[np.intp]:
    """Return how many different values each column of a matrix has."""
    if isinstance(matrix, CodedMatrix):
        return matrix.n_values()
    return np.array([len(np.unique(column)) for column in matrix.T], dtype=np.intp)
