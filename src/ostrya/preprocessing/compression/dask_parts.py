"""Answer a query on a Dask dataframe partition by partition, and merge the answers.

Dask would create a task per comparison, and a query has hundreds of comparisons. Here
one task answers the query for a whole partition, a slice of rows at a time, so that the
additional memory is bounded. Answers are merged along a tree.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw

from ostrya.preprocessing.compression.plain_rows import PlainRows
from ostrya.preprocessing.compression.query import Query

# Rows processed together; a few copies of them are in memory at a time.
SLICE = 500_000
# Number of answers that are merged at once.
FAN_IN = 8


def answer(query: Query, table: Any, plain: PlainRows) -> Any:
    """Return the answer to a query on a Dask dataframe as a narwhals frame."""
    import dask

    untyped: Any = dask
    # Selected before columns are renamed, so that Dask reads only these columns.
    table = table[plain.sources_of(query.reads)]
    # The answers are not a table with the schema of the input, hence no enforcement.
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
    """Return the first rows of a Dask dataframe, reading few partitions.

    Dask's own ``head`` reads either only the first partition or all of them.
    """
    n_parts = 1
    while n_parts < table.npartitions and len(table.partitions[:n_parts]) < n_rows:
        n_parts *= 4
    return table.partitions[:n_parts].head(n_rows, npartitions=-1, compute=False)


def _answer_part(part: Any, query: Query, plain: PlainRows) -> Any:
    rows = nw.from_native(part, eager_only=True)
    # An empty partition has an answer too, so there is at least one slice.
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
