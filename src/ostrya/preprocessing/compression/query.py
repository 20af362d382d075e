"""Query: group rows and sum over each group, for a whole table or its partitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw

# How the answers of several partitions are merged.
_MERGED = {"len": "sum", "count": "sum", "sum": "sum", "min": "min", "max": "max"}


@dataclass(frozen=True, eq=False)
class Query:
    """A query about all rows of a table.

    `merge` combines the answers for the partitions of a table to the answer for the
    whole table.

    Attributes
    ----------
    reads : sequence of str
        The columns of the table that the query reads.
    columns : dict
        The values computed for each row, as narwhals expressions by name.
    cells : dict
        Further values, computed from `columns`. They are a separate step because not
        every engine recognises an expression that occurs several times.
    keep : narwhals.Expr or None
        A condition on `columns` and `cells` that selects rows; None selects all.
    more : dict
        Further values of the selected rows, computed from `columns` and `cells`.
    keys : sequence of str
        The columns by which rows are grouped. If empty, all rows are one group.
    sums : dict
        The values returned for each group, by name: "len", or one of "count", "sum",
        "min" and "max" of a column.
    most : int or None
        Maximum number of groups to return, an arbitrary selection; None returns all.
    """

    reads: Sequence[str]
    columns: Mapping[str, Any]
    cells: Mapping[str, Any] = field(default_factory=dict)
    keep: Any = None
    more: Mapping[str, Any] = field(default_factory=dict)
    keys: Sequence[str] = ()
    sums: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    most: int | None = None

    def of(self, rows: Any) -> Any:
        """Return the answer for a narwhals frame; lazy if the frame is lazy."""
        rows = rows.select(*self.reads).select(**self.columns)
        if self.cells:
            rows = rows.with_columns(**self.cells)
        if self.keep is not None:
            rows = rows.filter(self.keep)
        if self.more:
            rows = rows.with_columns(**self.more)
        return self._grouped(rows, self.sums)

    def merge(self, answers: Any) -> Any:
        """Return the answer for all partitions, given their concatenated answers."""
        sums = {name: (_MERGED[how], name) for name, (how, _) in self.sums.items()}
        return self._grouped(answers, sums)

    def _grouped(self, rows: Any, sums: Mapping[str, tuple[str, str]]) -> Any:
        asked = {name: _sum(how, column) for name, (how, column) in sums.items()}
        if not self.keys:
            groups = rows.select(**asked)
        elif asked:
            groups = rows.group_by(*self.keys).agg(**asked)
        else:
            groups = rows.select(*self.keys).unique()
        return groups if self.most is None else groups.head(self.most)


def _sum(how: str, column: str) -> Any:
    return nw.len() if how == "len" else getattr(nw.col(column), how)()
