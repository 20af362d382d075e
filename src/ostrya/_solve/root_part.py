"""RootPart: the input and result of a search over some splits of the root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import ostrya._core as _core

Costs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class SplitBounds(NamedTuple):
    """Lower bounds of every split of a root, without its base.

    ``rest`` is of the trees with the split that the upper bound does not account for.
    """

    yes: Costs
    no: Costs
    rest: Costs


class SplitTable(NamedTuple):
    """The splits of a root and what is known of them; costs are without the base."""

    feature: npt.NDArray[np.int32]
    cut: npt.NDArray[np.float64]  # values up to this one answer yes
    bounds: SplitBounds
    yes_leaf: Costs  # what each child costs as one leaf
    no_leaf: Costs
    base: int  # what no tree of the root avoids

    @classmethod
    def copied(cls, table: _core.SplitTable) -> SplitTable:
        """Return the table of the engine, in memory of its own."""
        return cls(
            feature=np.array(table.feature),
            cut=np.array(table.cut),
            bounds=SplitBounds(
                np.array(table.yes), np.array(table.no), np.array(table.rest)
            ),
            yes_leaf=np.array(table.yes_leaf),
            no_leaf=np.array(table.no_leaf),
            base=table.base,
        )

    def bounds_alone(self) -> SplitTable:
        """Return the table without what whoever asked for bounds knows."""
        none = np.empty(0, dtype=np.int64)
        return self._replace(
            feature=self.feature[:0], cut=self.cut[:0], yes_leaf=none, no_leaf=none
        )


@dataclass(frozen=True, eq=False)
class RootPart:
    """Some splits of a root, and what is known of all of them by now."""

    is_mine: Flags
    bounds: SplitBounds
    upper: _core.SharedUpper  # only cheaper trees are wanted; it falls meanwhile

    def to_engine(self) -> _core.RootPart:
        """Return it as the engine takes it."""
        return _core.RootPart(self.is_mine, *self.bounds, self.upper)
