"""CompressedTable: groups of rows that no tree over some thresholds tells apart."""

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
# Columns that words name.
MOST_NAMES = 4


@dataclass(frozen=True)
class Cuts:
    """What a table was reduced to before the search.

    Attributes
    ----------
    n_rows, n_groups : int
        Rows of the table, and groups of them that were searched.
    n_thresholds : dict
        How many thresholds were searched, by the name of the column, for the columns of
        which not all were.
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
        """Which thresholds were searched."""
        if self.are_all:
            return "all thresholds"
        named = [f"{n:,} of {name}" for name, n in self.n_thresholds.items()]
        more = len(named) - MOST_NAMES
        listed = ", ".join(named[:MOST_NAMES])
        if more > 0:
            listed += f" and those chosen of {more} more columns"
        return f"the thresholds searched ({listed}; all of other columns)"

    @property
    def record(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        return {
            "n_rows": self.n_rows,
            "n_groups": self.n_groups,
            "n_thresholds": dict(self.n_thresholds),
        }


@dataclass(frozen=True, eq=False)
class CompressedTable:
    """A table as groups of rows with the same answers and the same label.

    `ostrya.compress` makes them, and `OptimalTreeClassifier.fit` takes them in place of
    a table and its labels.

    Attributes
    ----------
    names : list of str
        The features.
    labels : ndarray of shape (n_groups,)
        The label of each group.
    counts : ndarray of int64, shape (n_groups,)
        How many rows each group has.
    weights : ndarray of float64, shape (n_groups,), or None
        What the rows of each group weigh together; None: as many as they are.
    thresholds : dict
        The thresholds that tell groups apart, by name, ascending, of the columns of
        numbers, dates (microseconds since 1970) and durations (microseconds).
    cuts : Cuts
        How many rows there were, and of which columns not all thresholds are here.

    Examples
    --------
    >>> import ostrya, pandas
    >>> frame = pandas.DataFrame({"age": [20, 31, 20, 45], "ill": [0, 1, 0, 1]})
    >>> groups = ostrya.compress(frame, "ill")
    >>> sorted(groups.counts.tolist()), groups.names
    ([1, 1, 2], ['age'])
    """

    names: list[str]
    labels: npt.NDArray[Any]
    counts: npt.NDArray[np.int64]
    weights: Floats | None
    thresholds: Mapping[str, Floats]
    cuts: Cuts
    largest: list[Column] = field(repr=False)  # values of each feature, by group
    least: list[Column] = field(repr=False)  # not those where a cell has several

    @property
    def n_rows(self) -> int:
        """The number of rows of the table."""
        return self.cuts.n_rows

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return len(self.counts)

    def to_encoder(self, classes: ClassWeights, hints: TableHints) -> TableEncoder:
        """Return the encoder that all rows of the table would make."""
        classes = replace(classes, counts=self.counts)
        return TableEncoder.of(learn_feature(c, classes, hints) for c in self.largest)

    def to_table(self) -> Any:
        """Return the groups as a ``pyarrow.Table``, of the largest values in each.

        Fitting it with `labels` and `counts` as weights finds the same objective.
        """
        import pyarrow as pa  # takes a while to import

        return pa.table([arrow_column(c) for c in self.largest], names=self.names)
