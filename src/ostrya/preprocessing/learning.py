"""Derive the description of a column from training rows: kind, levels and groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from ostrya.preprocessing.column import Check, Column, unreadable, watched
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
    """Return the description of a column with these training values.

    Without classes no groups of levels are formed. Anything that may surprise the owner
    of the table is added to `hints`.
    """
    return learn_column(values, classes, hints)[0]


def learn_column(
    values: Column,
    classes: ClassWeights | None,
    hints: TableHints,
    check: Check = bool,
) -> tuple[Feature, Column]:
    """Return what `learn_feature` does, and the values as the feature reads them.

    `check` is called regularly.
    """
    reading = None
    if values.is_text:
        values, reading = _read(values, classes, hints, check)
    return _feature(values, reading, classes, hints, check), values


def _feature(
    values: Column,
    reading: Reading | None,
    classes: ClassWeights | None,
    hints: TableHints,
    check: Check,
) -> Feature:
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
    return _learn_levels(plain, values, classes, hints, check)


def _read(
    values: Column, classes: ClassWeights | None, hints: TableHints, check: Check
) -> tuple[Column, Reading | None]:
    """Read text as numbers, times or durations if every value allows it."""
    reading = read_levels(values, check=check)
    if reading is not None:
        hints.note_written(values.name, reading)
        read = Column(
            values.name,
            reading.kind,
            reading.values,
            is_zoned=reading.is_zoned,
            period=reading.period,
            is_merged=values.is_merged or reading.is_merged,
        )
        return read, reading
    if values.mixture:
        raise TypeError(unreadable(values.name, values.mixture))
    counts = _rows_of_each(values, classes, check)
    _note_near_misses(values.name, counts, hints, check)
    return values, None


def _note_near_misses(
    name: str, counts: Counter[str], hints: TableHints, check: Check
) -> None:
    """Note why text that looks like dates or numbers is treated as categories."""
    doubt = dates_in_doubt(counts, check)
    if doubt is not None:
        hints.note_doubtful_dates(name, doubt)
        return
    code = next(filter(has_leading_zeros, sorted(counts)), None)
    if code is not None and read_texts(counts, JUST_NUMBERS, check=check) is not None:
        hints.note_leading_zeros(name, code)
    odd = first_odd(counts, check=check)
    if odd is not None:
        hints.note_odd(name, odd)


def _learn_levels(
    plain: Feature,
    values: Column,
    classes: ClassWeights | None,
    hints: TableHints,
    check: Check,
) -> Feature:
    counts = _rows_of_each(values, classes, check)
    levels = _sorted_levels(plain.kind, counts)
    groups: tuple[tuple[Any, ...], ...] = ()
    if plain.kind == "level":
        hints.note_levels(plain.name, len(levels), counts.total())
        if classes is not None:
            places = values.places_among(levels)
            groups = learn_groups(levels, places, classes)
    if len(levels) > MOST_LEVELS:
        # A level with a single row gets no column; ties are broken by the sorted order.
        often = sorted(levels, key=lambda level: -counts[level])[:MOST_LEVELS]
        kept = {level for level in often if counts[level] > 1}
        levels = tuple(level for level in levels if level in kept)
    elif len(levels) + plain.has_missing <= 2:
        levels = levels[: 1 - plain.has_missing]
    return replace(plain, levels=levels, groups=groups)


def _rows_of_each(
    values: Column, classes: ClassWeights | None, check: Check
) -> Counter[Any]:
    """Return the number of rows with each value that occurs."""
    present = ~values.missing
    levels, places = values.levels, values.values[present]
    if not values.has_levels:
        distinct, places = np.unique(places, return_inverse=True)
        levels = tuple(distinct.tolist())
    n_rows = classes.counts if classes is not None else None
    n_rows = None if n_rows is None else n_rows[present]
    found = np.bincount(places, n_rows, minlength=len(levels)).astype(np.int64)
    counts: Counter[Any] = Counter()
    pairs = zip(levels, found.tolist(), strict=True)
    for level, count in watched(pairs, check):
        if count:  # declared categories may have no rows
            counts[level] += count
    return counts


def _sorted_levels(kind: str, distinct: Counter[Any]) -> tuple[Any, ...]:
    if kind == "boolean":
        return tuple(sorted(distinct, reverse=True))  # true before false
    try:
        return tuple(sorted(distinct))
    except TypeError:  # levels of several types cannot be compared
        return tuple(sorted(distinct, key=lambda v: (type(v).__name__, str(v))))
