"""The columns of the table in a model file."""

from __future__ import annotations

from typing import Any

import numpy as np

from ostrya.estimators.model_format import FLAGS, MOST_GROUPED, NOTES, is_level
from ostrya.export.json_checks import (
    FlawError,
    check_keys,
    check_list,
    is_bool,
    is_number,
    is_text,
)
from ostrya.preprocessing import Feature
from ostrya.preprocessing.date_formats import FORMATS
from ostrya.preprocessing.features import MEASURED, MOST_LEVELS
from ostrya.preprocessing.times import PERIODS

_KEYS = {"name", "kind", "has_missing", "largest", "levels"}
# The kinds of columns, and how many levels they may have.
_KINDS = {
    "number": 0,
    "time": 0,
    "duration": 0,
    "ordered": MOST_GROUPED,
    "boolean": 2,
    "level": MOST_LEVELS,
    "empty": 0,
}


def read_features(content: Any) -> list[Feature]:
    """Return the columns of a table that a model was fitted on.

    Raises
    ------
    FlawError
        When `content` is no list of such columns; says what is wrong.
    """
    check_list("columns", content, lambda c: isinstance(c, dict), "objects")
    if not content:
        raise FlawError("columns must contain at least one column")
    return [_read(f"columns[{place}].", column) for place, column in enumerate(content)]


def _read(where: str, column: dict[str, Any]) -> Feature:
    check_keys(where, column, _KEYS, {"groups", "typical", *NOTES, *FLAGS})
    kind, levels, largest = column["kind"], column["levels"], column["largest"]
    if not is_text(column["name"]):
        raise FlawError(f"{where}name must be a string")
    if not is_text(kind) or kind not in _KINDS:
        raise FlawError(f"{where}kind must be one of {', '.join(_KINDS)}")
    for name in ("has_missing", *(flag for flag in FLAGS if flag in column)):
        if not is_bool(column[name]):
            raise FlawError(f"{where}{name} must be true or false")
    for name in NOTES:
        if not is_text(column.get(name, "")):
            raise FlawError(f"{where}{name} must be a string")
    date_format = column.get("date_format", "")
    if date_format and (kind != "time" or date_format not in FORMATS):
        raise FlawError(
            f"{where}date_format must be that of a time, one of {', '.join(FORMATS)}"
        )
    if column.get("period") and (kind != "time" or column["period"] not in PERIODS):
        raise FlawError(
            f"{where}period must be that of a time, one of {', '.join(PERIODS)}"
        )
    if not is_number(largest) or not np.isfinite(largest):
        raise FlawError(f"{where}largest must be a finite number")
    is_right = is_bool if kind == "boolean" else is_level
    check_list(f"{where}levels", levels, is_right, "texts, numbers or booleans")
    most = _KINDS[kind]
    if len(set(levels)) != len(levels) or len(levels) > most:
        raise FlawError(f"{where}levels must be distinct, and at most {most}")
    if kind == "ordered" and not 0 <= largest < len(levels):
        raise FlawError(f"{where}largest must be the index of a level")
    if kind == "empty" and column["has_missing"]:
        raise FlawError(f"{where}has_missing must be false for an empty column")
    if "typical" in column:
        _check_typical(where, column)
    groups = _read_groups(where, column.get("groups", []), kind)
    return Feature(**{**column, "levels": tuple(levels), "groups": groups})


def _check_typical(where: str, column: dict[str, Any]) -> None:
    kind, typical = column["kind"], column["typical"]
    if kind in MEASURED:
        if not is_number(typical) or not np.isfinite(typical):
            raise FlawError(f"{where}typical must be a finite number")
    elif kind == "boolean":
        if not is_bool(typical):
            raise FlawError(f"{where}typical must be true or false")
    elif not is_level(typical) or typical not in column["levels"]:
        raise FlawError(f"{where}typical must be one of the levels")


def _read_groups(where: str, groups: Any, kind: str) -> tuple[tuple[Any, ...], ...]:
    check_list(f"{where}groups", groups, lambda g: isinstance(g, list), "lists")
    if groups and kind != "level":
        raise FlawError(f"{where}groups must only be set for columns with levels")
    for place, group in enumerate(groups):
        name = f"{where}groups[{place}]"
        check_list(name, group, is_level, "texts, numbers or booleans")
        if len(set(group)) != len(group) or not 2 <= len(group) <= MOST_GROUPED:
            raise FlawError(
                f"{name} must contain distinct levels, from 2 to {MOST_GROUPED}"
            )
    return tuple(map(tuple, groups))
