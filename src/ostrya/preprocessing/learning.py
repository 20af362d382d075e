"""What the training rows teach of a column: its kind, its levels, their groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from ostrya.preprocessing.column import Column, unreadable
from ostrya.preprocessing.features import (
    MEASURED,
    MOST_LEVELS,
    Feature,
    require_finite,
)
from ostrya.preprocessing.groups import ClassWeights, learn_groups
from ostrya.preprocessing.hints import TableHints
from ostrya.preprocessing.written import (
    JUST_NUMBERS,
    Reading,
    dates_in_doubt,
    first_odd,
    has_leading_zeros,
    read_levels,
    read_texts,
)


def learn_feature(
    values: Column, classes: ClassWeights | None, hints: TableHints
) -> Feature:
    """Return the feature that these training values make.

    Without classes there are no groups of levels. What the owner of the table may not
    expect is noted in `hints`.
    """
    reading = None
    if values.is_text:
        values, reading = _read(values, classes, hints)
    missing = values.missing
    has_missing = bool(missing.any())
    if missing.all():
        return Feature(values.name, "empty", has_missing=False)
    plain = Feature(values.name, values.kind, has_missing)
    if values.kind in MEASURED:
        require_finite(values)
        if values.is_merged:
            hints.note_merged(values.name)
        return replace(
            plain,
            largest=float(np.nanmax(values.values)),
            is_zoned=values.is_zoned,
            period=values.period,
            decimal_comma=reading is not None and reading.decimal_comma,
            mark="" if reading is None else reading.mark,
            date_format="" if reading is None else reading.date_format,
        )
    if values.kind == "ordered":
        places = values.places_among(values.order)
        return replace(plain, largest=float(places.max()), levels=values.order)
    return _learn_levels(plain, values, classes, hints)


def _read(
    values: Column, classes: ClassWeights | None, hints: TableHints
) -> tuple[Column, Reading | None]:
    """Return texts as the numbers, times or durations that they all say, if they do."""
    reading = read_levels(values)
    if reading is not None:
        hints.note_written(values.name, reading)
        read = Column(
            values.name,
            reading.kind,
            reading.values,
            is_zoned=reading.is_zoned,
            is_merged=values.is_merged or reading.is_merged,
        )
        return read, reading
    if values.mixture:
        raise TypeError(unreadable(values.name, values.mixture))
    _note_near_misses(values.name, _rows_of_each(values, classes), hints)
    return values, None


def _note_near_misses(name: str, counts: Counter[str], hints: TableHints) -> None:
    """Note why texts that look like dates or numbers are taken as categories."""
    doubt = dates_in_doubt(counts)
    if doubt is not None:
        hints.note_doubtful_dates(name, doubt)
        return
    code = next(filter(has_leading_zeros, sorted(counts)), None)
    if code is not None and read_texts(counts, JUST_NUMBERS) is not None:
        hints.note_leading_zeros(name, code)
    odd = first_odd(counts)
    if odd is not None:
        hints.note_odd(name, odd)


def _learn_levels(
    plain: Feature,
    values: Column,
    classes: ClassWeights | None,
    hints: TableHints,
) -> Feature:
    counts = _rows_of_each(values, classes)
    levels = _sorted_levels(plain.kind, counts)
    groups: tuple[tuple[Any, ...], ...] = ()
    if plain.kind == "level":
        hints.note_levels(plain.name, len(levels), counts.total())
        if classes is not None:
            places = values.places_among(levels)
            groups = learn_groups(levels, places, classes)
    if len(levels) > MOST_LEVELS:
        # One row alone is a name rather than a level; ties go by the sorted order.
        often = sorted(levels, key=lambda level: -counts[level])[:MOST_LEVELS]
        kept = {level for level in often if counts[level] > 1}
        levels = tuple(level for level in levels if level in kept)
    elif len(levels) + plain.has_missing <= 2:
        levels = levels[: 1 - plain.has_missing]
    return replace(plain, levels=levels, groups=groups)


def _rows_of_each(values: Column, classes: ClassWeights | None) -> Counter[Any]:
    """Return how many rows have each value that is there."""
    present = ~values.missing
    levels, places = values.levels, values.values[present]
    if not values.has_levels:
        distinct, places = np.unique(places, return_inverse=True)
        levels = tuple(distinct.tolist())
    n_rows = classes.counts if classes is not None else None
    n_rows = None if n_rows is None else n_rows[present]
    found = np.bincount(places, n_rows, minlength=len(levels)).astype(np.int64)
    counts: Counter[Any] = Counter()
    for level, count in zip(levels, found.tolist(), strict=True):
        if count:  # categories may be declared and not be there
            counts[level] += count
    return counts


def _sorted_levels(kind: str, distinct: Counter[Any]) -> tuple[Any, ...]:
    if kind == "boolean":
        return tuple(sorted(distinct, reverse=True))  # true before false
    try:
        return tuple(sorted(distinct))
    except TypeError:  # levels of several types, which have no order
        return tuple(sorted(distinct, key=lambda v: (type(v).__name__, str(v))))
