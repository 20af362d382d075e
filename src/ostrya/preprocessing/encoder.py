"""TableEncoder: any table to a matrix of ordered columns, and back to words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import Matrix
from ostrya._condition import Condition
from ostrya.preprocessing.coding import MatrixBuilder
from ostrya.preprocessing.column import Column
from ostrya.preprocessing.features import HALF, MEASURED, Feature
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints
from ostrya.preprocessing.learning import learn_feature
from ostrya.preprocessing.table import Table


class TableEncoder:
    """Turn tables of one layout into float64 matrices, and columns into questions.

    `ostrya.preprocessing.features` states how each kind of column is encoded.

    Parameters
    ----------
    data : array-like of shape (n_samples, n_features), or a dataframe
        The training rows, from which levels and largest values are learnt.
    names : sequence of str, default=None
        Names of the columns, where the table has none. Default: ``x0``, ``x1``, ...
    classes : ClassWeights, default=None
        The class of each row, by which levels are grouped. None: no questions about
        groups.

    Attributes
    ----------
    features : tuple of Feature
        What was learnt of each input column.
    source : ndarray of intp, shape (n_columns,)
        The input column each encoded column comes from.

    Raises
    ------
    TypeError
        When a column is of no kind or of several.
    ValueError
        When a column holds infinity.

    Warns
    -----
    TableWarning
        When texts were taken as numbers, times or durations, or nearly so, and when
        they name rows rather than categories.

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
        check: Callable[[], object] = bool,
    ) -> tuple[TableEncoder, Matrix]:
        """Return the encoder of some training rows, and the rows for a search.

        The rows are what `encode` returns, except that categories are coded. What the
        owner of the table may not expect is noted in `hints`. `check` is called
        before each column; it ends the reading by raising an exception.
        """
        table = Table(data)
        if names is not None:
            table.names = [str(name) for name in names]
        features = []
        levels: dict[int, Column] = {}  # few bytes each, and they take long to read
        for place in range(len(table.names)):
            check()
            column = table.column(place)
            features.append(learn_feature(column, classes, hints))
            if column.has_levels:
                levels[place] = column
        encoder = cls.of(features)
        if encoder.keeps_numbers and _is_complete(table.matrix):
            return encoder, table.matrix  # type: ignore[return-value]
        builder = MatrixBuilder(table.n_rows, features)
        for place, feature in enumerate(features):
            check()
            is_kept = place in levels
            column = levels.pop(place) if is_kept else table.column(place)
            builder.add(feature, column)
        return encoder, builder.matrix()

    @classmethod
    def of(cls, features: Iterable[Feature]) -> TableEncoder:
        """Return the encoder of input columns that are known already."""
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
        """True when a matrix of numbers without missing values encodes to itself."""
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
        """Return the value of a column that is above all its thresholds."""
        feature, place = self._place(column)
        return feature.largest_of(place)

    def least(self, column: int) -> float:
        """Return the value of a column below which no threshold parts anything."""
        feature, place = self._place(column)
        return feature.least_of(place)

    def short_between(
        self,
        column: int,
        below: npt.NDArray[np.float64],
        above: npt.NDArray[np.float64],
    ) -> npt.NDArray[np.float64]:
        """Return a threshold that reads well between each two values of a column.

        Parameters
        ----------
        column : int
            An encoded column.
        below, above : ndarray of float64
            Values of it, each of the first below its counterpart.

        Returns
        -------
        ndarray of float64
            At least `below`, and less than `above`.
        """
        feature, place = self._place(column)
        return feature.short_between(place, below, above)

    def _place(self, column: int) -> tuple[Feature, int]:
        """Return the feature of an encoded column, and which of its columns it is."""
        source = int(self.source[column])
        return self.features[source], int(column - self._start[source])

    def question(self, column: int, threshold: float = HALF) -> str:
        """Return what ``column <= threshold`` claims, in words of the input.

        Parameters
        ----------
        column : int
            An encoded column.
        threshold : float, default=0.5
            Matters for columns that are not of 0 and 1.

        Returns
        -------
        str
            Such as ``age <= 25.5``, ``colour = red`` or ``income is missing``.
        """
        feature, place = self._place(column)
        return feature.claim(place, threshold)

    def denial(self, column: int, threshold: float = HALF) -> str:
        """Return what holds where `question` does not, in words of the input.

        Parameters
        ----------
        column, threshold
            As in `question`.

        Returns
        -------
        str
            Such as ``age > 25.5`` or ``colour is not red``; ``(age > 25.5 or
            missing)`` where training rows missed ages.
        """
        feature, place = self._place(column)
        return feature.denial(place, threshold)

    def condition(self, column: int, threshold: float = HALF) -> Condition:
        """Return what `question` says as data, for programs that ask it themselves.

        Parameters
        ----------
        column, threshold
            As in `question`.

        Returns
        -------
        IsMissing, AtMost or OneOf
            Of `ostrya._condition`, about a column of the input.
        """
        feature, place = self._place(column)
        return feature.condition(int(self.source[column]), place, threshold)

    def wordings(
        self, column: int, thresholds: Sequence[float]
    ) -> tuple[list[str], list[str]]:
        """Return the questions about one column at some thresholds, and the denials.

        Parameters
        ----------
        column
            As in `question`.
        thresholds : sequence of float
            One per question.

        Returns
        -------
        questions, denials : list of str
            What `question` and `denial` say; many at once take less time.
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
            The encoded columns wanted; the others may be left 0, and unchecked.
            Default: all.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_columns)
            Rows in their order. It may be `data` itself, when nothing is to do.

        Raises
        ------
        TypeError
            When a column is of another kind than in training.
        ValueError
            When the number of columns differs.
        """
        table = Table(data)
        if len(table.names) != len(self.features):
            raise ValueError(
                f"X has {len(table.names)} features; {len(self.features)} were fitted"
            )
        if self.keeps_numbers and _is_complete(table.matrix):
            return table.matrix  # type: ignore[return-value]
        columns = range(self.n_columns) if only is None else sorted(set(only))
        return self._encoded(table.n_rows, table.column, columns)

    def encode_columns(self, values: Sequence[Column]) -> npt.NDArray[np.float64]:
        """Return the matrix of a table whose columns are read already."""
        n_rows = len(values[0].values)
        return self._encoded(n_rows, values.__getitem__, range(self.n_columns))

    def _encoded(
        self, n_rows: int, read: Callable[[int], Column], columns: Iterable[int]
    ) -> npt.NDArray[np.float64]:
        """Return the wanted encoded columns; `read` gives an input column by place."""
        # Pages of zeros that nothing is written to take neither time nor memory.
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
    # One NaN makes the sum NaN. Infinities can too; then the slow way is taken.
    with np.errstate(over="ignore", invalid="ignore"):
        return not np.isnan(matrix.sum())
