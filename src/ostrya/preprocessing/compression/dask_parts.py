"""A query to a Dask dataframe: answered part by part, the answers merged as a tree.

To Dask every comparison is an expression of its own, and a query has hundreds. Here a
part is answered by one task, some rows at a time, so that what it takes beside the part
is bounded.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw

from ostrya.preprocessing.compression.plain_rows import PlainRows
from ostrya.preprocessing.compression.query import Query

# Rows of a part that are looked at together: a few copies of them are held at a time.
SLICE = 500_000
# Answers that are merged into one.
FAN_IN = 8


def answer(query: Query, table: Any, plain: PlainRows) -> Any:
    """Return the answer of a dataframe of Dask as a frame of narwhals in memory."""
    import dask

    untyped: Any = dask
    # No other columns than these are read. Were they renamed before, all would be.
    table = table[plain.sources_of(query.reads)]
    # What the parts become is no table to Dask, so that nothing is said of it.
    answers = table.map_partitions(
        _answer_part, query, plain, meta=table._meta, enforce_metadata=False
    ).to_delayed()
    merge = untyped.delayed(_merge, pure=False)
    while len(answers) > 1:
        starts = range(0, len(answers), FAN_IN)
        answers = [merge(query, answers[at : at + FAN_IN]) for at in starts]
    (found,) = untyped.compute(*answers)
    return nw.from_native(found, eager_only=True)


def first_rows(table: Any, n_rows: int) -> Any:
    """Return the first rows of a dataframe of Dask, from no more parts than need be.

    Dask's own ``head`` looks at the first part, or at all of them.
    """
    n_parts = 1
    while n_parts < table.npartitions and len(table.partitions[:n_parts]) < n_rows:
        n_parts *= 4
    return table.partitions[:n_parts].head(n_rows, npartitions=-1, compute=False)


def _answer_part(part: Any, query: Query, plain: PlainRows) -> Any:
    rows = nw.from_native(part, eager_only=True)
    # An empty part too has an answer.
    starts = range(0, max(len(rows), 1), SLICE)
    slices = (plain.of(rows[at : at + SLICE], query.reads) for at in starts)
    return _merge(query, [query.of(each).to_native() for each in slices])


def _merge(query: Query, answers: list[Any]) -> Any:
    from dask.dataframe import dispatch

    if len(answers) == 1:
        return answers[0]
    untyped: Any = dispatch
    together = untyped.concat(answers, ignore_index=True)
    return query.merge(nw.from_native(together, eager_only=True)).to_native()
