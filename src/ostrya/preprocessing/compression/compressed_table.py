"""CompressedTable: groups of rows that no tree over some thresholds distinguishes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.column import Column
from ostrya.preprocessing.compression.arrow_column import arrow_column
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints
from ostrya.preprocessing.learning import learn_feature

Floats = npt.NDArray[np.float64]
# Most columns that a message names.
MOST_NAMES = 4


@dataclass(frozen=True)
class CompressionSummary:
    """How a table was reduced before the search.

    Attributes
    ----------
    n_rows : int
        Number of rows of the table.
    n_groups : int
        Number of groups of equal rows that were searched.
    n_thresholds : dict
        For each column of which not all thresholds were searched, the number of
        thresholds that were.

    Examples
    --------
    >>> import polars as pl
    >>> from ostrya.preprocessing import compress
    >>> table = pl.LazyFrame({"x": [0, 0, 1, 1], "y": ["a", "a", "b", "b"]})
    >>> compress(table, "y").summary
    CompressionSummary(n_rows=4, n_groups=2, n_thresholds={})
    """

    n_rows: int
    n_groups: int
    n_thresholds: Mapping[str, int] = field(default_factory=dict)

    @property
    def are_all(self) -> bool:
        """Whether all thresholds of all columns were searched."""
        return not self.n_thresholds

    @property
    def thresholds_in_words(self) -> str:
        """A phrase that names the thresholds that were searched."""
        if self.are_all:
            return "all thresholds"
        named = [f"{n:,} of {name}" for name, n in self.n_thresholds.items()]
        more = len(named) - MOST_NAMES
        listed = ", ".join(named[:MOST_NAMES])
        if more > 0:
            listed += f" and a selection of {more} more columns"
        return f"the selected thresholds ({listed}; all of other columns)"

    @property
    def record(self) -> dict[str, Any]:
        """All attributes, as written to JSON files."""
        return {
            "n_rows": self.n_rows,
            "n_groups": self.n_groups,
            "n_thresholds": dict(self.n_thresholds),
        }


@dataclass(frozen=True, eq=False)
class CompressedTable:
    """Groups of rows that no tree can distinguish and that have the same label.

    `ostrya.preprocessing.compress` creates it. Pass it to `OptimalTreeClassifier.fit`
    in place of a table and its labels.

    Attributes
    ----------
    names : list of str
        The names of the features.
    labels : ndarray of shape (n_groups,)
        The label of each group.
    counts : ndarray of int64, shape (n_groups,)
        The number of rows in each group.
    weights : ndarray of float64, shape (n_groups,), or None
        The total weight of each group. None if all rows have weight 1.
    thresholds : dict
        The thresholds between groups, ascending, by column name, for columns of
        numbers, dates (microseconds since 1970) and durations (microseconds).
    summary : CompressionSummary
        The number of rows, and the columns of which not all thresholds were kept.

    Examples
    --------
    >>> import ostrya, pandas
    >>> frame = pandas.DataFrame({"age": [20, 31, 20, 45], "ill": [0, 1, 0, 1]})
    >>> groups = ostrya.preprocessing.compress(frame, "ill")
    >>> sorted(groups.counts.tolist()), groups.names
    ([1, 1, 2], ['age'])
    """

    names: list[str]
    labels: npt.NDArray[Any]
    counts: npt.NDArray[np.int64]
    weights: Floats | None
    thresholds: Mapping[str, Floats]
    summary: CompressionSummary
    # The largest and the smallest value of each feature in each group.
    largest: list[Column] = field(repr=False)
    least: list[Column] = field(repr=False)

    @property
    def n_rows(self) -> int:
        """The number of rows of the table."""
        return self.summary.n_rows

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return len(self.counts)

    def to_encoder(self, classes: ClassWeights, hints: TableHints) -> TableEncoder:
        """Return the encoder that would be fitted on all rows of the table."""
        classes = replace(classes, counts=self.counts)
        return TableEncoder.of(learn_feature(c, classes, hints) for c in self.largest)

    def to_table(self) -> Any:
        """Return the largest values of each group as a ``pyarrow.Table``.

        Fitting it with `labels` and with `counts` as weights gives the same objective.
        """
        import pyarrow as pa  # slow to import

        return pa.table([arrow_column(c) for c in self.largest], names=self.names)
