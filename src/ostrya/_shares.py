"""Compute class shares of nodes, smoothed and with confidence intervals."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def as_shares(value: Floats) -> Floats:
    """Normalise class weights along the last axis to sum 1; all 0 stay 0."""
    with np.errstate(over="ignore"):
        total = value.sum(axis=-1, keepdims=True)
    if np.isinf(total).any():  # scale the weights to at most 1, so the sum is finite
        largest = value.max(axis=-1, keepdims=True)
        value = np.where(np.isinf(total), value / np.where(largest, largest, 1), value)
        total = value.sum(axis=-1, keepdims=True)
    share: Floats = value / np.where(total == 0, 1.0, total)
    return share


def smoothed(share: Floats, rows: Floats, smoothing: float) -> Floats:
    """Return class shares after adding `smoothing` rows of each class to each node.

    Examples
    --------
    >>> smoothed(np.array([[0.0, 1.0]]), np.array([8.0]), 1.0)
    array([[0.1, 0.9]])
    """
    counted = rows[:, np.newaxis] * share + smoothing
    shares: Floats = counted / (rows[:, np.newaxis] + smoothing * share.shape[1])
    return shares


def wilson_intervals(share: Floats, rows: Floats, confidence: float) -> Floats:
    """Return the Wilson confidence interval of each share.

    The interval contains the probabilities p with |share - p| <= z sqrt(p (1 - p) /
    rows), where z is the normal quantile of the confidence. Wilson 1927 (JASA 22).
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    n = rows[:, np.newaxis]
    middle = n * share + z**2 / 2
    margin = z * np.sqrt(n * share * (1 - share) + z**2 / 4)
    ends = np.stack([middle - margin, middle + margin], axis=-1)
    return np.clip(ends / (n + z**2)[:, :, np.newaxis], 0.0, 1.0)
