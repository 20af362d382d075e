"""Programs of nested blocks: each split an ``if``, each leaf a ``return``."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable

import numpy as np

from ostrya._condition import AtMost, Condition
from ostrya.export.programs.decisions import Decisions, InputColumn

INDENT = "    "
# Times that every calendar of Python's has: years 1 to 9999.
_FIRST, _LAST = -62135596800000000, 253402300799999999


def nested(
    decisions: Decisions,
    ask: Callable[[Condition, bool], str],
    give: Callable[[int], str],
    end: str = "",
) -> list[str]:
    """Return the lines of a function that finds the leaf of a row.

    Parameters
    ----------
    decisions : Decisions
        The tree.
    ask : callable
        Gives the line that opens a block where a condition holds, or does not.
    give : callable
        Gives the line that returns what a leaf has.
    end : str, default=""
        The line that ends a block, where the language has one.
    """
    lines = []
    for level, node, holds in decisions.steps():
        margin = INDENT * (level + 1)
        if holds is None:
            lines.append(margin + give(node))
            if end and level:
                lines.append(margin[len(INDENT) :] + end)
        else:
            lines.append(margin + ask(decisions.condition(node), holds))
    return lines


def moment_in_words(condition: Condition, column: InputColumn) -> str:
    """Return the time or duration that a condition compares with; else nothing.

    It holds no word of the user's, so that it can stand in a comment.
    """
    if not isinstance(condition, AtMost):
        return ""
    if column.kind == "time":
        return iso_time(condition.threshold)
    if column.kind == "duration" and abs(condition.threshold) < _LAST:
        return str(datetime.timedelta(microseconds=math.floor(condition.threshold)))
    return ""


def iso_time(threshold: float) -> str:
    """Return microseconds since 1970 as a time, or nothing where years end."""
    if not _FIRST <= threshold <= _LAST:
        return ""
    return str(np.datetime64(math.floor(threshold), "us")).replace("T", " ")
