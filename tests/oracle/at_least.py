"""The least cost of trees that are not small: at least so many leaves, or so deep."""

from __future__ import annotations

from oracle.optimum import Oracle

IMPOSSIBLE = float("inf")


class AtLeast:
    """Answers questions about the larger trees of one problem, without upper limits."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self._leaves: dict[tuple, float] = {}
        self._depth: dict[tuple, float] = {}

    def leaves(self, rows, fewest):
        """The least cost of any tree with at least `fewest` leaves."""
        if fewest <= 1:
            return self.oracle.best(rows).cost
        key = rows, fewest
        if key not in self._leaves:
            self._leaves[key] = min(
                (
                    self.leaves(yes, share) + self.leaves(no, fewest - share)
                    for _, _, yes, no in self.oracle.splits(rows)
                    for share in range(1, fewest)
                ),
                default=IMPOSSIBLE,
            )
        return self._leaves[key]

    def depth(self, rows, least):
        """The least cost of any tree of at least this depth."""
        if least <= 0:
            return self.oracle.best(rows).cost
        key = rows, least
        if key not in self._depth:
            self._depth[key] = min(
                (
                    self.split_depth(yes, no, least)
                    for _, _, yes, no in self.oracle.splits(rows)
                ),
                default=IMPOSSIBLE,
            )
        return self._depth[key]

    def split_depth(self, yes, no, least):
        """The same with a given first split: one side is deep, the other is free."""
        return min(
            self.depth(yes, least - 1) + self.oracle.best(no).cost,
            self.oracle.best(yes).cost + self.depth(no, least - 1),
        )
