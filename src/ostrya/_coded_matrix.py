"""CodedMatrix: a matrix in which a categorical column is stored once, as codes.

For each level of a categorical column a search uses a column of its own, which is 0 in
the rows with this level and 1 elsewhere. A table with thousands of levels would need
thousands of such columns. Here all columns of one categorical feature are computed from
one stored column of codes; the engine does the same (cpp/data/matrix.hpp).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CodedMatrix:
    """A matrix whose columns are computed from fewer stored columns.

    It supports the array indexing that is cheap: by rows, which gives a matrix again,
    or by rows and one column, which gives the values of that column.

    Codes are numbered in the lexicographic order of the columns that they represent. So
    sorting rows by cells or by columns gives the same order, and rows are equal in one
    if and only if they are equal in the other.
    """

    cells: Floats  # (n_samples, n_stored): plain numbers, and codes of categories
    stored: npt.NDArray[np.int32]  # for each column, the column of `cells` it reads
    level: npt.NDArray[np.int32]  # the code for which the column is 0; -1 for none
    lookup: npt.NDArray[np.int32]  # where its values start in `lookups`; -1 for none
    lookups: Floats  # values of columns of level groups, by code

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of computed columns."""
        return len(self.cells), len(self.stored)

    @property
    def size(self) -> int:
        """Number of stored values."""
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

    def is_coded(self, columns: npt.NDArray[Any]) -> bool:
        """Return whether the columns of a feature are computed from codes."""
        first = columns[0]
        return len(columns) > 1 or bool(
            self.level[first] >= 0 or self.lookup[first] >= 0
        )

    def of_codes(self, columns: npt.NDArray[Any], n_codes: int) -> Floats:
        """Return the columns of a categorical feature for each of its codes."""
        codes = np.arange(n_codes, dtype=np.float64)
        of_each = [self._values(codes, column) for column in columns.tolist()]
        return np.stack(of_each, axis=1)

    def columns(self, wanted: npt.NDArray[Any], rows: slice = slice(None)) -> Floats:
        """Return some columns of some rows as an array."""
        cells = self.cells[rows]
        out = np.empty((len(cells), len(wanted)), order="F")
        for place, column in enumerate(wanted.tolist()):
            out[:, place] = self._values(cells[:, self.stored[column]], column)
        return out

    def different_rows(
        self, wanted: npt.NDArray[Any], counts: npt.NDArray[np.int64] | None
    ) -> tuple[Floats, npt.NDArray[np.int64] | None]:
        """Return the columns of one feature, and the training rows per row of them.

        For a category, the result has one row per code.
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
        """Return all columns, which may need much more memory."""
        every = self.columns(np.arange(len(self.stored)))
        return every if dtype is None else every.astype(dtype, copy=False)

    def n_values(self) -> npt.NDArray[np.intp]:
        """Return the number of distinct values of each column."""
        distinct = [np.unique(column) for column in self.cells.T]
        return np.array(
            [
                len(np.unique(self._values(distinct[stored], column)))
                for column, stored in enumerate(self.stored.tolist())
            ],
            dtype=np.intp,
        )


#: The input of a search: an array, or a matrix with coded columns.
Matrix = Floats | CodedMatrix


def cells_of(matrix: Matrix) -> Floats:
    """Return the stored numbers; rows are equal in them if their columns are equal."""
    return matrix.cells if isinstance(matrix, CodedMatrix) else matrix


def count_values(matrix: Matrix) -> npt.NDArray[np.intp]:
    """Return the number of distinct values of each column of a matrix."""
    if isinstance(matrix, CodedMatrix):
        return matrix.n_values()
    return np.array([len(np.unique(column)) for column in matrix.T], dtype=np.intp)
