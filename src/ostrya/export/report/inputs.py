"""Describe the inputs of the what-if section: columns, levels and slider ranges."""

from __future__ import annotations

import math
from typing import Any

from ostrya._condition import AtMost, Condition, IsMissing, OneOf
from ostrya.export.programs.decisions import Decisions, InputColumn
from ostrya.export.wording import one_line

# With more levels, a menu contains only those that occur in conditions.
MOST_LEVELS = 500
# Minimum number of steps of a slider.
STEPS = 100
# Limit of sliders, so that sums of their values do not overflow.
VAST = 1e300


def plain_condition(condition: Condition) -> dict[str, Any]:
    """Return a condition as JSON data."""
    if isinstance(condition, IsMissing):
        return {"input": condition.source, "asks": "missing"}
    if isinstance(condition, AtMost):
        asked: dict[str, Any] = {"asks": "at most", "threshold": condition.threshold}
    else:
        asked = {"asks": "one of", "levels": list(condition.levels)}
    return {"input": condition.source, **asked}


def inputs_of(model: Any, decisions: Decisions) -> list[dict[str, Any]]:
    """Return a description of the input for each column that the tree uses."""
    encoder = getattr(model, "encoder_", None)
    asked = [decisions.condition(node) for node in decisions.splits]
    inputs = []
    for place, column in decisions.columns.items():
        feature = None if encoder is None else encoder.features[place]
        here = [condition for condition in asked if condition.source == place]
        told = {"place": place, "name": one_line(column.name), "kind": column.kind}
        thresholds = [c.threshold for c in here if isinstance(c, AtMost)]
        is_level = feature is not None and feature.kind in ("level", "ordered")
        if is_level or column.kind == "boolean":
            told["kind"] = "levels"
            levels = _levels(column, feature, here)
            told["levels"] = levels
            told["start"] = _place_of_level(levels, feature)
        else:
            largest = thresholds[-1:] if feature is None else [feature.largest]
            typical = None if feature is None else feature.typical
            marks = [*thresholds, *largest, *([] if typical is None else [typical])]
            told["range"] = _range(marks)
            told["start"] = typical
            told["zoned"] = column.is_zoned
        inputs.append(told)
    return inputs


def _levels(column: InputColumn, feature: Any, asked: list[Condition]) -> list[Any]:
    """Return the levels of a menu, each as value and text."""
    if column.kind == "boolean":
        return [[False, "false"], [True, "true"]]
    known = [*feature.levels, *(x for group in feature.groups for x in group)]
    if feature.kind != "ordered":
        known = sorted(dict.fromkeys(known), key=str)
    if len(known) > MOST_LEVELS:
        named = {x for c in asked if isinstance(c, OneOf) for x in c.levels}
        known = [level for level in known if level in named][:MOST_LEVELS]
    is_text = column.kind == "text"
    return [[x if is_text else float(x), one_line(str(x)) or "(empty)"] for x in known]


def _place_of_level(levels: list[Any], feature: Any) -> int:
    """Return the index of the initial level; -1 for a value that is not in the list."""
    typical = getattr(feature, "typical", None)
    if typical is None:
        # Only the rarer of two levels is in the list if the typical value is unknown.
        return -1 if len(levels) == 1 else 0
    for place, (value, text) in enumerate(levels):
        if typical == value or str(typical) == text:
            return place
    return -1


def _range(marks: list[float]) -> dict[str, float]:
    """Return minimum, maximum and step of a slider, with some room on both sides."""
    marks = [min(max(mark, -VAST), VAST) for mark in marks]
    low, high = min(marks, default=0.0), max(marks, default=0.0)
    room = (high - low) / 2 or abs(high) / 2 or 1.0
    step = 10.0 ** math.floor(math.log10((high - low + 2 * room) / STEPS))
    least = math.floor((low - room) / step) * step
    most = math.ceil((high + room) / step) * step
    if low >= 0 > least:  # without negative values, the slider starts at 0
        least = 0.0
    # Rounded, because sums of decimal fractions have spurious digits.
    return {
        "least": float(f"{least:.12g}"),
        "most": float(f"{most:.12g}"),
        "step": step,
    }
