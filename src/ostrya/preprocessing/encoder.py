"""TableEncoder: encode any table as a matrix, and describe its columns in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import Matrix
from ostrya._condition import Condition
from ostrya.preprocessing.coding import MatrixBuilder
from ostrya.preprocessing.column import Check, Column
from ostrya.preprocessing.features import HALF, MEASURED, Feature
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints
from ostrya.preprocessing.learning import learn_column, learn_feature
from ostrya.preprocessing.table import Table


class TableEncoder:
    """Encode tables as float64 matrices, and describe splits of them in words.

    `ostrya.preprocessing.features` documents how each kind of column is encoded.

    Parameters
    ----------
    data : array-like of shape (n_samples, n_features), or a dataframe
        The training rows, which determine the levels and the largest values.
    names : sequence of str, default=None
        Column names for a table without names. If None, ``x0``, ``x1``, ...
    classes : ClassWeights, default=None
        The class of each row, used to form groups of levels. If None, no groups are
        formed.

    Attributes
    ----------
    features : tuple of Feature
        A description of each input column.
    source : ndarray of intp, shape (n_columns,)
        The input column from which each encoded column is computed.

    Raises
    ------
    TypeError
        If a column mixes several types, or its type is not supported.
    ValueError
        If a column contains infinity.

    Warns
    -----
    TableWarning
        If text was read as numbers, times or durations, or almost was, or if a column
        looks like an identifier.

    Examples
    --------
    >>> from ostrya.preprocessing import TableEncoder
    >>> rows = [[25.0, "red"], [None, "blue"], [31.0, "green"]]
    >>> encoder = TableEncoder(rows, names=["age", "colour"])
    >>> for column in range(encoder.n_columns):
    ...     print(encoder.question(column, 28.0))
    age is missing
    age <= 28
    colour = blue
    colour = green
    colour = red
    >>> encoder.encode(rows)
    array([[ 1., 25.,  1.,  1.,  0.],
           [ 0., 31.,  0.,  1.,  1.],
           [ 1., 31.,  1.,  0.,  1.]])
    """

    def __init__(
        self,
        data: Any,
        names: Iterable[str] | None = None,
        classes: ClassWeights | None = None,
    ) -> None:
        table, hints = Table(data), TableHints()
        if names is not None:
            table.names = [str(name) for name in names]
        self._index(
            learn_feature(table.column(i), classes, hints)
            for i in range(len(table.names))
        )
        hints.warn()

    @classmethod
    def read(
        cls,
        data: Any,
        names: Iterable[str] | None,
        classes: ClassWeights,
        hints: TableHints,
        check: Check = bool,
    ) -> tuple[TableEncoder, Matrix]:
        """Return the encoder of some training rows, and their matrix for a search.

        The matrix is that of `encode`, except that categories are stored as codes.
        Anything about the table that may surprise its owner is added to `hints`.
        `check` is called before each column and regularly while a column is read; it
        may raise to stop.
        """
        table = Table(data)
        if names is not None:
            table.names = [str(name) for name in names]
        features = []
        # Kept from the first pass: levels and texts, which are slow to read.
        read: dict[int, Column] = {}
        for place in range(len(table.names)):
            check()
            column = table.column(place, check)
            is_slow = column.has_levels
            feature, column = learn_column(column, classes, hints, check)
            features.append(feature)
            if is_slow:
                read[place] = column
        encoder = cls.of(features)
        if encoder.keeps_numbers and _is_complete(table.matrix):
            return encoder, table.matrix  # type: ignore[return-value]
        builder = MatrixBuilder(table.n_rows, features)
        for place, feature in enumerate(features):
            check()
            is_read = place in read
            column = read.pop(place) if is_read else table.column(place, check)
            builder.add(feature, column)
        return encoder, builder.matrix()

    @classmethod
    def of(cls, features: Iterable[Feature]) -> TableEncoder:
        """Return the encoder for given descriptions of the input columns."""
        encoder = cls.__new__(cls)
        encoder._index(features)
        return encoder

    def _index(self, features: Iterable[Feature]) -> None:
        self.features: tuple[Feature, ...] = tuple(features)
        counts = [feature.n_columns for feature in self.features]
        self.source: npt.NDArray[np.intp] = np.repeat(np.arange(len(counts)), counts)
        self._start = np.concatenate([[0], np.cumsum(counts, dtype=np.intp)])

    @property
    def n_columns(self) -> int:
        """Number of encoded columns."""
        return len(self.source)

    @property
    def keeps_numbers(self) -> bool:
        """True if a numeric matrix without missing values is its own encoding."""
        return all(f.kind == "number" and not f.has_missing for f in self.features)

    def is_yes_no(self, column: int) -> bool:
        """Return True for a column of 0 (yes) and 1 (no), False for an ordered one."""
        feature, place = self._place(column)
        return feature.is_yes_no(place)

    def is_measured(self, column: int) -> bool:
        """Return True for a column of the table's own numbers, times or durations."""
        feature, place = self._place(column)
        return feature.kind in MEASURED and not feature.is_yes_no(place)

    def largest(self, column: int) -> float:
        """Return a value of the column that is above all thresholds."""
        feature, place = self._place(column)
        return feature.largest_of(place)

    def least(self, column: int) -> float:
        """Return the value of the column below which no threshold separates rows."""
        feature, place = self._place(column)
        return feature.least_of(place)

    def short_between(
        self,
        column: int,
        below: npt.NDArray[np.float64],
        above: npt.NDArray[np.float64],
    ) -> npt.NDArray[np.float64]:
        """Return a short, readable threshold between each pair of values of a column.

        Parameters
        ----------
        column : int
            An encoded column.
        below, above : ndarray of float64
            Pairs of its values, with ``below < above`` in each pair.

        Returns
        -------
        ndarray of float64
            One threshold per pair, at least `below` and less than `above`.
        """
        feature, place = self._place(column)
        return feature.short_between(place, below, above)

    def _place(self, column: int) -> tuple[Feature, int]:
        """Return the feature of an encoded column, and its index in this feature."""
        source = int(self.source[column])
        return self.features[source], int(column - self._start[source])

    def question(self, column: int, threshold: float = HALF) -> str:
        """Return the condition ``column <= threshold`` in terms of the input table.

        Parameters
        ----------
        column : int
            An encoded column.
        threshold : float, default=0.5
            Ignored for columns of 0 and 1.

        Returns
        -------
        str
            For example ``age <= 25.5``, ``colour = red`` or ``income is missing``.
        """
        feature, place = self._place(column)
        return feature.question(place, threshold)

    def denial(self, column: int, threshold: float = HALF) -> str:
        """Return the negation of `question`, in terms of the input table.

        Parameters
        ----------
        column, threshold
            As in `question`.

        Returns
        -------
        str
            For example ``age > 25.5`` or ``colour is not red``; ``(age > 25.5 or
            missing)`` if the column has missing values in the training rows.
        """
        feature, place = self._place(column)
        return feature.denial(place, threshold)

    def condition(self, column: int, threshold: float = HALF) -> Condition:
        """Return the condition of `question` as data, for exported programs.

        Parameters
        ----------
        column, threshold
            As in `question`.

        Returns
        -------
        IsMissing, AtMost or OneOf
            A condition of `ostrya._condition` on a column of the input.
        """
        feature, place = self._place(column)
        return feature.condition(int(self.source[column]), place, threshold)

    def wordings(
        self, column: int, thresholds: Sequence[float]
    ) -> tuple[list[str], list[str]]:
        """Return `question` and `denial` of one column for several thresholds.

        Parameters
        ----------
        column
            As in `question`.
        thresholds : sequence of float
            One per condition.

        Returns
        -------
        questions, denials : list of str
            The conditions and their negations. One call is faster than many calls of
            `question` and `denial`.
        """
        feature, place = self._place(column)
        return feature.wordings(place, thresholds)

    def encode(
        self, data: Any, only: Iterable[int] | None = None
    ) -> npt.NDArray[np.float64]:
        """Return the rows of `data` as a matrix.

        Parameters
        ----------
        data : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training rows, in the same order.
        only : iterable of int, default=None
            The encoded columns to compute. The others may be left 0 and are not
            validated. If None, all are computed.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_columns)
            The rows, in the same order. This may be `data` itself if no encoding is
            needed.

        Raises
        ------
        TypeError
            If a column is of another kind than in the training rows.
        ValueError
            If the number of columns differs.
        """
        table = Table(data)
        if len(table.names) != len(self.features):
            raise ValueError(
                f"X must have {len(self.features)} features, as in fit; got "
                f"{len(table.names)}"
            )
        if self.keeps_numbers and _is_complete(table.matrix):
            return table.matrix  # type: ignore[return-value]
        columns = range(self.n_columns) if only is None else sorted(set(only))
        return self._encoded(table.n_rows, table.column, columns)

    def encode_columns(self, values: Sequence[Column]) -> npt.NDArray[np.float64]:
        """Return the matrix of a table whose columns were read before."""
        n_rows = len(values[0].values)
        return self._encoded(n_rows, values.__getitem__, range(self.n_columns))

    def _encoded(
        self, n_rows: int, read: Callable[[int], Column], columns: Iterable[int]
    ) -> npt.NDArray[np.float64]:
        """Compute some encoded columns; `read` returns an input column by its index."""
        # Pages of zeros to which nothing is written use neither time nor memory.
        matrix = np.zeros((n_rows, self.n_columns), order="F")
        for source, group in groupby(columns, lambda column: int(self.source[column])):
            places = list(group)
            start = int(self._start[source])
            encoded = self.features[source].encode(
                read(source), [place - start for place in places]
            )
            for place, values in zip(places, encoded, strict=True):
                matrix[:, place] = values
        return matrix


def _is_complete(matrix: npt.NDArray[Any] | None) -> bool:
    """Return True for a float64 matrix without NaN."""
    if matrix is None or matrix.dtype != np.float64:
        return False
    # One NaN makes the sum NaN. Infinities can too; the slow path handles them.
    with np.errstate(over="ignore", invalid="ignore"):
        return not np.isnan(matrix.sum())
