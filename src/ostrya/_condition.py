"""The condition of a split, on a column of the input table, as data.

There are three kinds of conditions. For a missing value, or a level that the training
rows do not contain, every condition except `IsMissing` is false.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class IsMissing:
    """True if the value in the input column `source` is missing."""

    source: int


@dataclass(frozen=True)
class AtMost:
    """True if a number, or a time or duration in microseconds, is <= `threshold`."""

    source: int
    threshold: float


@dataclass(frozen=True)
class OneOf:
    """True if the value is one of `levels`."""

    source: int
    levels: tuple[Any, ...]


def or_missing(denial: str) -> str:
    """Return a negated condition extended to missing values."""
    return f"({denial} or missing)"


def is_or_missing(denial: str) -> bool:
    """Return True if a text is a result of `or_missing`."""
    return denial.startswith("(") and denial.endswith(" or missing)")


def if_known(denial: str) -> str:
    """Return the argument of `or_missing`, given its result."""
    return denial[1 : -len(" or missing)")]


Condition: TypeAlias = IsMissing | AtMost | OneOf
