"""Write programs with nested blocks: an ``if`` per split, a ``return`` per leaf."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable

import numpy as np

from ostrya._condition import AtMost, Condition
from ostrya.export.programs.decisions import Decisions, InputColumn

INDENT = "    "
# The range of Python's datetime: years 1 to 9999.
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
        Returns the line that opens a block for a condition that holds, or does not.
    give : callable
        Returns the line that returns the results of a leaf.
    end : str, default=""
        The line that ends a block, if the language has one.
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
    """Return the time or duration that a condition compares with; otherwise "".

    The text contains no names of the user, so it is safe in a comment.
    """
    if not isinstance(condition, AtMost):
        return ""
    if column.kind == "time":
        return iso_time(condition.threshold)
    if column.kind == "duration" and abs(condition.threshold) < _LAST:
        return str(datetime.timedelta(microseconds=math.floor(condition.threshold)))
    return ""


def iso_time(threshold: float) -> str:
    """Return microseconds since 1970 as a time, or "" outside the years 1 to 9999."""
    if not _FIRST <= threshold <= _LAST:
        return ""
    return str(np.datetime64(math.floor(threshold), "us")).replace("T", " ")
