"""Find typical values of columns: the median, or the most frequent level.

They are the initial values of the what-if section of the interactive report.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import CodedMatrix, Matrix
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.features import HALF, SCALED, Feature


def with_typical_values(
    encoder: TableEncoder,
    columns: Iterable[int],
    matrix: Matrix,
    counts: npt.NDArray[np.int64] | None = None,
) -> TableEncoder:
    """Return an encoder with typical values for some of its features.

    Parameters
    ----------
    encoder : TableEncoder
        The encoder of the training rows.
    columns : iterable of int
        Encoded columns, whose features get a typical value.
    matrix : ndarray or CodedMatrix of shape (n_rows, n_columns)
        The encoded training rows.
    counts : ndarray of shape (n_rows,), default=None
        The number of training rows that each row of the matrix represents. If None,
        each represents one.

    Examples
    --------
    >>> rows = [[20, "red"], [35, "blue"], [90, "red"]]
    >>> encoder = TableEncoder(rows)
    >>> encoder = with_typical_values(encoder, [0, 1], encoder.encode(rows))
    >>> [feature.typical for feature in encoder.features]
    [35.0, None]
    """
    features = list(encoder.features)
    for place in np.unique(encoder.source[list(columns)]).tolist():
        own = np.flatnonzero(encoder.source == place)
        if isinstance(matrix, CodedMatrix):
            typical = _typical(features[place], *matrix.different_rows(own, counts))
        else:
            columns_of = matrix[:, own[0] : own[-1] + 1]
            typical = _typical(features[place], columns_of, counts)
        features[place] = replace(features[place], typical=typical)
    return TableEncoder.of(features)


def _typical(
    feature: Feature,
    columns: npt.NDArray[np.float64],
    counts: npt.NDArray[np.int64] | None,
) -> Any:
    weights = np.ones(len(columns), np.int64) if counts is None else counts
    is_known = weights > 0
    if feature.has_missing:
        is_known &= columns[:, 0] > HALF
        columns = columns[:, 1:]
    if not is_known.any():
        return None
    if feature.kind in SCALED:
        median = _median(columns[is_known, 0], weights[is_known])
        return feature.levels[int(median)] if feature.kind == "ordered" else median
    # One column at a time: a copy of all of them could be large.
    of_levels = columns.T[: len(feature.levels)]
    totals = [int(weights[column <= HALF].sum()) for column in of_levels]
    if not totals:
        return None
    typical = feature.levels[int(np.argmax(totals))]
    # If there are only two levels, a single column, of either level, encodes both.
    is_rare = len(totals) == 1 and weights[is_known].sum() > 2 * totals[0]
    if feature.kind == "boolean":
        return bool(typical) != is_rare
    return None if is_rare else typical


def _median(values: npt.NDArray[np.float64], weights: npt.NDArray[np.int64]) -> float:
    """Return the lower weighted median, which is always one of the values."""
    order = np.argsort(values)
    until = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(until, until[-1] / 2)]])
