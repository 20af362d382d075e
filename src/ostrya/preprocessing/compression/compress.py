"""compress: group the equal rows of a table with the engine that stores it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from ostrya._arguments import check_count, show
from ostrya._weights import MOST_CLASSES, require_few_classes
from ostrya.preprocessing.column import Column
from ostrya.preprocessing.compression.cells import Keys
from ostrya.preprocessing.compression.compressed_table import (
    CompressedTable,
    CompressionSummary,
)
from ostrya.preprocessing.compression.lazy_table import LazyTable, as_lazy
from ostrya.preprocessing.compression.plain_rows import TARGET, WEIGHT
from ostrya.preprocessing.compression.query import Query
from ostrya.preprocessing.compression.survey import Survey, survey
from ostrya.preprocessing.compression.thresholds import (
    AUTO,
    WantedThresholds,
    check_thresholds,
    count_columns,
)
from ostrya.preprocessing.compression.value_counts import ValueCounts
from ostrya.preprocessing.features import Feature
from ostrya.preprocessing.labels import check_labels
from ostrya.preprocessing.table import as_frame

MOST_GROUPS = 1_000_000
# Groups are counted unless there are few even with this many classes.
MOST_LABELS = 8
# If there may be many groups, about one in this many is counted.
PARTS = 997


def is_lazy(X: Any) -> bool:
    """Return True if `X` is a lazy table or a `CompressedTable`."""
    return isinstance(X, CompressedTable) or as_lazy(X) is not None


def compress(
    table: Any,
    y: str,
    sample_weight: str | None = None,
    *,
    thresholds: Any = "auto",
    max_groups: int = MOST_GROUPS,
) -> CompressedTable:
    """Group the rows of a table that no tree can distinguish, and count them.

    A search needs only the distinct rows and their counts. The engine that stores the
    table does the counting, so that only the groups are loaded into memory, not the
    rows.

    Parameters
    ----------
    table : lazy table or dataframe
        A polars ``LazyFrame``, a DuckDB relation, a Dask dataframe, an Ibis table, a
        PySpark dataframe, or any dataframe that `OptimalTreeClassifier` accepts.
    y : str
        The name of the label column.
    sample_weight : str, default=None
        The name of the column of weights, which must be numbers >= 0. If None, every
        row has weight 1.
    thresholds : "auto", "all", int, dict or transformer, default="auto"
        The thresholds of numbers, dates and durations to keep for the search.

        - An integer k: all thresholds of a column that has at most k, and k quantiles
          of any other column.
        - "auto": the largest k of 1, 3, 7, ..., 255 that gives at most `max_groups`
          groups.
        - "all": every threshold.
        - A dict from column names to any of these, or to a list of thresholds. "auto"
          is used for columns that are not in the dict.
        - A `ThresholdGuess` or a `ThresholdBinarizer`: the thresholds it keeps. If it
          is not fitted, it is fitted on a sample of the rows.
    max_groups : int, default=1_000_000
        Maximum number of groups.

    Returns
    -------
    CompressedTable
        The groups; pass them to `OptimalTreeClassifier.fit`.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid, a column cannot be read, a query fails, or there are
        too many groups.

    Examples
    --------
    >>> import ostrya, pandas
    >>> frame = pandas.DataFrame({"age": [20, 31, 20, 45] * 1000, "ill": [0, 1] * 2000})
    >>> compressed = ostrya.preprocessing.compress(frame, "ill")
    >>> compressed.n_rows, compressed.n_groups, compressed.thresholds
    (4000, 3, {'age': array([25.5, 38. ])})
    >>> ostrya.OptimalTreeClassifier().fit(compressed).objective_
    0.02
    """
    return compress_within(
        lambda: False, table, y, sample_weight, thresholds, max_groups
    )


def compress_within(
    is_late: Callable[[], bool],
    table: Any,
    y: Any,
    sample_weight: Any = None,
    thresholds: Any = "auto",
    max_groups: Any = MOST_GROUPS,
) -> CompressedTable:
    """Do the same as `compress`; once `is_late()`, "auto" tries no more thresholds."""
    max_groups = check_count("max_groups", max_groups)
    frame = as_lazy(table)
    if frame is None:
        eager = as_frame(table)
        if eager is None:
            raise TypeError(
                "table must be a lazy table or a dataframe with named columns; got "
                f"{show(table)}"
            )
        frame = eager.lazy()
    lazy = LazyTable(frame, y, sample_weight)
    wanted = check_thresholds(thresholds, lazy)
    found = survey(lazy)
    labels = _read_labels(lazy)
    is_late()
    wanted = wanted.resolved(lazy, found.n_rows)
    counts = count_columns(lazy, found, wanted, max_groups)
    is_late()
    keys, cells = _choose(lazy, counts, wanted, found, max_groups, is_late)
    return _group(lazy, keys, cells, labels, found, max_groups)


def _read_labels(lazy: LazyTable) -> tuple[list[Any], npt.NDArray[Any]]:
    """Return the distinct labels, as the engine returns them and validated."""
    label = {TARGET: nw.col(TARGET)}
    query = Query([TARGET], label, keys=[TARGET], most=MOST_CLASSES + 1)
    found = lazy.ask("read the labels", query)[TARGET]
    labels = check_labels(found.to_native(), len(found))
    require_few_classes("y", len(found))
    return found.to_list(), labels


def _choose(
    lazy: LazyTable,
    counts: dict[int, ValueCounts],
    wanted: WantedThresholds,
    found: Survey,
    max_groups: int,
    is_late: Callable[[], bool],
) -> tuple[Keys, dict[int, ValueCounts]]:
    """Return the keys with the most thresholds that give at most `max_groups`."""
    if found.n_rows <= max_groups:
        every = {
            p: each.cut(wanted.most(p, len(each.rows))) for p, each in counts.items()
        }
        return Keys(lazy, every), every
    best: tuple[Keys, dict[int, ValueCounts]] | None = None
    for most in AUTO if wanted.has_auto else AUTO[:1]:
        cells = {p: each.cut(wanted.most(p, most)) for p, each in counts.items()}
        if best is not None and _sizes(cells) == _sizes(best[1]):
            break  # all thresholds are in use
        keys = Keys(lazy, cells)
        n_groups = _estimate(lazy, keys, max_groups)
        if n_groups > max_groups:
            if best is None:
                raise _too_many(lazy, cells, f"about {n_groups:,}", max_groups)
            break
        best = keys, cells
        if is_late():
            break
    assert best is not None
    return best


def _sizes(cells: dict[int, ValueCounts]) -> list[int]:
    return [len(each.rows) for each in cells.values()]


def _estimate(lazy: LazyTable, keys: Keys, max_groups: int) -> int:
    """Estimate the number of groups; return 0 if they are certainly few."""
    if keys.names == ["code0"] and MOST_LABELS * keys.n_codes <= max_groups:
        return 0
    query, parts = _by_keys(lazy, keys), 1
    if keys.names[0] == "code0" and keys.n_codes > 64 * PARTS:
        parts = keys.spreading_prime(PARTS)
        query = replace(query, keep=keys.has_multiple_of(parts))
    return parts * lazy.count("count its groups", query)


def _by_keys(lazy: LazyTable, keys: Keys) -> Query:
    """Return a query for the keys of all groups, without any sums."""
    return Query(
        [*lazy.columns, TARGET],
        {**keys.values, TARGET: nw.col(TARGET)},
        cells=keys.cells,
        more=keys.codes,
        keys=[*keys.names, TARGET],
    )


def _group(
    lazy: LazyTable,
    keys: Keys,
    cells: dict[int, ValueCounts],
    known: tuple[list[Any], npt.NDArray[Any]],
    found: Survey,
    max_groups: int,
) -> CompressedTable:
    query = replace(_by_keys(lazy, keys), sums={"n": ("len", "")})
    if lazy.is_weighted:
        query = replace(
            query,
            reads=[*query.reads, WEIGHT],
            columns={**query.columns, WEIGHT: nw.col(WEIGHT)},
            sums={**query.sums, "total": ("sum", WEIGHT)},
        )
    groups = lazy.ask("group its rows", query)
    if len(groups) > max_groups:
        raise _too_many(lazy, cells, f"{len(groups):,}", max_groups)
    values, labels = known
    places = {value: place for place, value in enumerate(values)}
    labels = labels[[places[value] for value in groups[TARGET].to_list()]]
    largest, least = keys.columns(groups)
    order = _order(largest, labels)
    weights = None
    if lazy.is_weighted:
        weights = groups["total"].to_numpy().astype(np.float64)[order]
    return CompressedTable(
        names=lazy.names,
        labels=labels[order],
        counts=groups["n"].to_numpy().astype(np.int64)[order],
        weights=weights,
        thresholds={
            lazy.names[place]: _thresholds(largest[place], each)
            for place, each in cells.items()
        },
        summary=CompressionSummary(
            found.n_rows,
            len(groups),
            {
                lazy.names[place]: len(each.rows) - 1
                for place, each in cells.items()
                if not each.are_exact
            },
        ),
        largest=[
            replace(_taken(column, order), is_merged=place in found.merged)
            for place, column in enumerate(largest)
        ],
        least=[_taken(column, order) for column in least],
    )


def _thresholds(column: Column, cells: ValueCounts) -> npt.NDArray[np.float64]:
    """Return short thresholds between the cells of a column."""
    feature = Feature(column.name, column.kind, has_missing=False)
    return feature.short_between(0, cells.high[:-1], cells.low[1:])


def _order(columns: list[Column], labels: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Sort the groups, because engines return them in an arbitrary order."""
    keys = [np.unique(labels, return_inverse=True)[1]]
    for column in columns:
        values = column.values
        if column.has_levels:
            objects = column.objects()
            values = np.array([("" if v is None else f"={v}") for v in objects])
        keys.append(np.unique(values, return_inverse=True)[1])
    return np.lexsort(keys[::-1])


def _taken(column: Column, order: npt.NDArray[np.intp]) -> Column:
    return replace(column, values=column.values[order])


def _too_many(
    lazy: LazyTable, cells: dict[int, ValueCounts], count: str, most: int
) -> ValueError:
    """Return the error for a table with too many groups."""
    finest = sorted(cells.items(), key=lambda item: -len(item[1].rows))[:5]
    named = ", ".join(
        f"{len(each.rows) - 1:,} of {lazy.names[place]!r}" for place, each in finest
    )
    searched = f" with the requested thresholds ({named})" if finest else ""
    return ValueError(
        f"X must have at most max_groups={most:,} groups of equal rows; got {count}"
        f"{searched}. Request fewer thresholds, for example with "
        "ostrya.preprocessing.compress(..., thresholds=3), drop columns, merge levels, "
        "or increase max_groups if there is enough memory"
    )
