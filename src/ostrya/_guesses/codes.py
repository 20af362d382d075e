"""IntervalCodes: rows as intervals between candidates, stable as these get fewer.

Code c stands for the values between threshold c - 1 and threshold c of *all* candidates
of its column; where thresholds are not kept, the codes they separate become the largest
of them. So the trees of a model that never ask about a threshold read the same codes
without it.
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
    """The codes of some candidates, over the columns that have candidates."""

    candidates: Candidates
    kept: Mask

    def encode(self, matrix: Floats) -> Floats:
        """Return the rows of an encoded matrix in codes."""
        return merged(all_codes(self.candidates, matrix), self.candidates, self.kept)


def all_codes(candidates: Candidates, matrix: Floats) -> Integers:
    """Return the codes of rows when every candidate is kept."""
    every = np.ones(len(candidates.column), dtype=bool)
    asked = np.unique(candidates.column)
    return candidates.intervals(every).encode(matrix)[:, asked].astype(np.intp)


def places(candidates: Candidates) -> tuple[Integers, Integers]:
    """Return each threshold's column, counting those with any, and its rank there."""
    _, start, column = np.unique(
        candidates.column, return_index=True, return_inverse=True
    )
    return column, np.arange(len(column)) - start[column]


def merged(codes: Integers, candidates: Candidates, kept: Mask) -> Floats:
    """Return codes with those merged that no threshold kept tells apart."""
    column, rank = places(candidates)
    out = np.empty(codes.shape, order="F")
    for place in range(codes.shape[1]):
        there = column == place
        ends = np.append(rank[there & kept], there.sum())
        out[:, place] = ends[np.searchsorted(ends, codes[:, place])]
    return out
