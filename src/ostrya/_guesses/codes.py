"""IntervalCodes: encode values as intervals between candidate thresholds.

Code c represents the values between threshold c - 1 and threshold c of *all* candidates
of its column. If thresholds are removed, the codes that they separate are replaced by
the largest of these codes. So removing a threshold that a model does not use does not
change the predictions of its trees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ostrya._guesses.candidates import Candidates

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class IntervalCodes:
    """The codes for kept candidates, over the columns that have candidates."""

    candidates: Candidates
    kept: Mask

    def encode(self, matrix: Floats) -> Floats:
        """Return the codes of the rows of an encoded matrix."""
        return merged(all_codes(self.candidates, matrix), self.candidates, self.kept)


def all_codes(candidates: Candidates, matrix: Floats) -> Integers:
    """Return the codes of rows with all candidates."""
    every = np.ones(len(candidates.column), dtype=bool)
    asked = np.unique(candidates.column)
    return candidates.intervals(every).encode(matrix)[:, asked].astype(np.intp)


def places(candidates: Candidates) -> tuple[Integers, Integers]:
    """Return the column of each threshold, among those with any, and its rank in it."""
    _, start, column = np.unique(
        candidates.column, return_index=True, return_inverse=True
    )
    return column, np.arange(len(column)) - start[column]


def merged(codes: Integers, candidates: Candidates, kept: Mask) -> Floats:
    """Merge codes that no kept threshold separates."""
    column, rank = places(candidates)
    out = np.empty(codes.shape, order="F")
    for place in range(codes.shape[1]):
        there = column == place
        ends = np.append(rank[there & kept], there.sum())
        out[:, place] = ends[np.searchsorted(ends, codes[:, place])]
    return out
