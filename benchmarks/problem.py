"""A problem: a data set, its encoding, the penalty per leaf and the depth limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product


class Group(str, Enum):
    """What makes a problem hard; geometric means are taken within a group."""

    ANY_DEPTH = "no depth limit"
    BINARY = "yes/no columns, depth limit"
    THRESHOLDS = "many thresholds, depth limit"
    CONTINUOUS = "continuous columns, depth limit"


@dataclass(frozen=True)
class Problem:
    """Minimise error + penalty * leaves over the trees within the depth limit.

    Parameters
    ----------
    data : str
        File below the data folder, without its suffix; the label is its last column.
    group : Group
        The group the problem is counted in.
    penalty : float
        Cost of a leaf, in units of the error rate.
    depth : int or None
        Largest depth of a leaf (a lone leaf has depth 0); None sets no limit.
    encoding : str, default "numeric"
        How the file becomes columns: a key of `benchmarks.data.ENCODINGS`.
    target : float or None, default None
        Seconds within which ostrya should prove the optimum, one thread.
    rows, columns : int or None, default None
        How many of the rows and encoded columns to take; None takes all.
    tags : tuple of str, default ()
        Words that `--only` can choose a part of a suite by.
    """

    data: str
    group: Group
    penalty: float
    depth: int | None
    encoding: str = "numeric"
    target: float | None = None
    rows: int | None = None
    columns: int | None = None
    tags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The words that identify the problem in results and tables."""
        shape = "" if self.encoding == "numeric" else f" {self.encoding}"
        depth = "any depth" if self.depth is None else f"depth {self.depth}"
        part = "".join(
            f", {number} {word}"
            for word, number in (("rows", self.rows), ("columns", self.columns))
            if number is not None
        )
        return f"{self.data}{shape}, {self.penalty:g}, {depth}{part}"


def grid(
    data: str,
    group: Group,
    penalties: Iterable[float],
    depths: Iterable[int | None] = (None,),
    encoding: str = "numeric",
    targets: Mapping[tuple[float, int | None], float] | None = None,
    tags: tuple[str, ...] = (),
) -> tuple[Problem, ...]:
    """Return the problems of every penalty and depth on one data set."""
    return tuple(
        Problem(data, group, *case, encoding, (targets or {}).get(case), tags=tags)
        for case in product(penalties, depths)
    )
