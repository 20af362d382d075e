"""Query: rows in groups and sums over each, asked of a whole table or part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw

# How the answers of several parts become one.
_MERGED = {"len": "sum", "count": "sum", "sum": "sum", "min": "min", "max": "max"}


@dataclass(frozen=True, eq=False)
class Query:
    """What is asked about all rows of a table.

    The answers for the parts of a table, one below the other, give the answer for all
    of it: see `merge`.

    Attributes
    ----------
    reads : sequence of str
        The columns of the table that it takes.
    columns : dict
        What is made of each row, as expressions of narwhals by name.
    cells : dict
        What is made of `columns`, beside them. Not every engine sees that an expression
        is there several times: what several others take is made in a step before them.
    keep : narwhals.Expr or None
        Which rows are counted, said of `columns` and `cells`; None: all.
    more : dict
        What is made of both, of the rows that are kept.
    keys : sequence of str
        The columns that tell groups apart. None of them: all rows are one group.
    sums : dict
        What is told of each group, by name: "len", or one of "count", "sum", "min" and
        "max" of a column.
    most : int or None
        No more groups than this are wanted, whichever they are; None: all.
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
        """Return the answer for a frame of narwhals, lazy where that is lazy."""
        rows = rows.select(*self.reads).select(**self.columns)
        if self.cells:
            rows = rows.with_columns(**self.cells)
        if self.keep is not None:
            rows = rows.filter(self.keep)
        if self.more:
            rows = rows.with_columns(**self.more)
        return self._grouped(rows, self.sums)

    def merge(self, answers: Any) -> Any:
        """Return the answer for all parts, given theirs one below the other."""
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
