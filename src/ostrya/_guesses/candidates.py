"""Candidates: the thresholds of a reference model, between training values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ostrya._guesses.ensembles import Splits
from ostrya._guesses.intervals import Intervals
from ostrya.preprocessing.encoder import TableEncoder

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Thresholds in ascending order, column by column.

    Each threshold has few digits and lies in the same gap between training values as
    that of the reference, so that no training row changes sides.
    """

    column: Integers  # the encoded column of each threshold
    threshold: Floats
    n_columns: int  # the number of encoded columns

    def intervals(self, kept: npt.NDArray[np.bool_]) -> Intervals:
        """Return the intervals between the thresholds that are kept."""
        return Intervals(
            self.threshold[kept & (self.column == column)]
            for column in range(self.n_columns)
        )


def find_candidates(
    splits: Splits, matrix: Floats, encoder: TableEncoder, *, reads_table: bool
) -> Candidates:
    """Return the thresholds of `splits` that separate training rows.

    If `reads_table`, the reference was fitted on the table itself, so that its features
    are those of the table; otherwise it was fitted on the encoded `matrix`.
    """
    columns = [
        _cuts(splits, matrix, encoder, column, reads_table)
        for column in range(encoder.n_columns)
    ]
    return Candidates(
        np.repeat(np.arange(len(columns)), [len(cuts) for cuts in columns]),
        np.concatenate([np.empty(0), *columns]),
        len(columns),
    )


def _cuts(
    splits: Splits,
    matrix: Floats,
    encoder: TableEncoder,
    column: int,
    reads_table: bool,
) -> Floats:
    """Return the thresholds of one encoded column."""
    feature = int(encoder.source[column]) if reads_table else column
    chosen = splits.feature == feature
    if not chosen.any():
        return np.empty(0)
    values = np.unique(matrix[:, column])
    if len(values) < 2:
        return np.empty(0)
    if reads_table and not encoder.is_measured(column):
        # The reference may have its own encoding of levels and missing values.
        return encoder.short_between(column, values[:-1], values[1:])
    n_yes = np.unique(splits.n_yes(values, chosen & ~np.isnan(splits.threshold)))
    inner = n_yes[(n_yes > 0) & (n_yes < len(values))]
    return encoder.short_between(column, values[inner - 1], values[inner])
