"""Choose the thresholds of a lazy table: given ones, a transformer's, or quantiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ostrya._arguments import INTEGERS, check_count, picture, show
from ostrya.preprocessing.compression.lazy_table import LazyTable
from ostrya.preprocessing.compression.sample import sample_rows
from ostrya.preprocessing.compression.survey import Survey
from ostrya.preprocessing.compression.value_counts import (
    ValueCounts,
    count_all,
    count_cells,
    count_values,
)
from ostrya.preprocessing.objects import object_column
from ostrya.preprocessing.questions import QuestionTransformer

#: The numbers of thresholds that "auto" tries, in this order.
AUTO = (1, 3, 7, 15, 31, 63, 127, 255)
ALLOWED = (
    'thresholds must be "auto", "all", an integer >= 1, a ThresholdGuess, a '
    'ThresholdBinarizer, or a dict from column names to "auto", "all", integers or '
    "lists of thresholds"
)


@dataclass(frozen=True)
class WantedThresholds:
    """The requested thresholds, by the index of a measured feature.

    Each is "auto", "all", a maximum number, or a list of thresholds.
    """

    by_place: Mapping[int, Any] = field(default_factory=dict)
    transformer: Any = None

    @property
    def has_auto(self) -> bool:
        """Whether the number of thresholds of some column is "auto"."""
        return any(
            isinstance(each, str) and each == "auto" for each in self.by_place.values()
        )

    def most(self, place: int, auto: int) -> int:
        """Return the most thresholds of a feature, with `auto` in place of "auto"."""
        wanted = self.by_place[place]
        if isinstance(wanted, str):
            return auto if wanted == "auto" else np.iinfo(np.int64).max - 1
        return wanted if isinstance(wanted, int) else len(wanted)

    def resolved(self, table: LazyTable, n_rows: int) -> WantedThresholds:
        """Return the same thresholds, with a transformer replaced by its lists."""
        transformer = self.transformer
        if transformer is None:
            return self
        try:
            check_is_fitted(transformer)
        except NotFittedError:
            X, y, weights = sample_rows(table, n_rows)
            transformer = clone(transformer)
            if weights is not None and hasattr(transformer, "reference"):
                transformer.fit(X, y, weights)
            else:
                transformer.fit(X, y)
        return WantedThresholds(_of_transformer(transformer, table))


def check_thresholds(thresholds: Any, table: LazyTable) -> WantedThresholds:
    """Return the requested thresholds of each measured feature, or raise."""
    if isinstance(thresholds, QuestionTransformer):
        return WantedThresholds(transformer=thresholds)
    if not isinstance(thresholds, Mapping):
        each = _check_one("thresholds", thresholds)
        return WantedThresholds(dict.fromkeys(table.measured, each))
    measured = {table.names[place]: place for place in table.measured}
    wanted: dict[int, Any] = dict.fromkeys(table.measured, "auto")
    for name, each in thresholds.items():
        if name not in measured:
            raise ValueError(
                "thresholds must name columns of numbers, dates or durations, which "
                f"are {picture(list(measured))}; got {name!r}"
            )
        wanted[measured[name]] = _check_one(f"thresholds[{name!r}]", each, name)
    return WantedThresholds(wanted)


def count_columns(
    table: LazyTable, found: Survey, wanted: WantedThresholds, max_groups: int
) -> dict[int, ValueCounts]:
    """Return the values of each measured feature in sufficiently fine buckets."""
    counts = {}
    for place in table.measured:
        span = found.spans[place]
        each = wanted.by_place[place]
        if span.n_known == 0 or span.least == span.largest:
            ends = np.array([span.least])
            counts[place] = ValueCounts(ends, ends, np.array([span.n_known]))
        elif isinstance(each, list):
            counts[place] = count_cells(table, place, each)
        elif found.n_rows <= max_groups or (isinstance(each, str) and each == "all"):
            counts[place] = count_all(table, place)
        else:
            most = AUTO[-1] if isinstance(each, str) else each
            counts[place] = count_values(table, place, span.least, span.largest, most)
    return counts


def _check_one(name: str, value: Any, column: str | None = None) -> Any:
    """Return the validated request for one feature, or raise."""
    if isinstance(value, str) and value in ("auto", "all"):
        return value
    if isinstance(value, INTEGERS) and not isinstance(value, bool):
        return check_count(name, value)
    if column is not None and isinstance(value, (list, tuple, np.ndarray)):
        given = object_column(column, list(value)).values.tolist()
        if not all(isinstance(v, float) and np.isfinite(v) for v in given):
            raise ValueError(
                f"{name} must contain finite numbers, dates or durations; got "
                f"{picture(value)}"
            )
        return sorted(set(given))
    error = ValueError if isinstance(value, str) else TypeError
    raise error(f"{ALLOWED}; got {show(value)}")


def _of_transformer(transformer: Any, table: LazyTable) -> dict[int, Any]:
    """Return the thresholds of a fitted transformer, by feature."""
    encoder = transformer.encoder_
    names = [feature.name for feature in encoder.features]
    if names != table.names:
        raise ValueError(
            "thresholds must be fitted on the columns of X, "
            f"{picture(table.names)}; got a transformer fitted on {picture(names)}"
        )
    asked: dict[int, list[float]] = {place: [] for place in table.measured}
    for column, threshold in transformer.questions_:
        place = int(encoder.source[column])
        if encoder.is_measured(column) and place in asked:
            asked[place].append(threshold)
    return {place: sorted(kept) for place, kept in asked.items()}
