"""What a split of a tree asks of the table it was fitted on, as data.

Whatever the column, a question is one of three. A missing value, or a level that was
never seen in training, answers no to all but `IsMissing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class IsMissing:
    """Whether there is no value in the input column `source`."""

    source: int


@dataclass(frozen=True)
class AtMost:
    """Whether a number, or a time or duration in microseconds, is at most this."""

    source: int
    threshold: float


@dataclass(frozen=True)
class OneOf:
    """Whether the value is one of some levels."""

    source: int
    levels: tuple[Any, ...]


def or_missing(denial: str) -> str:
    """Return what holds where a question is denied, or its column has no value."""
    return f"({denial} or missing)"


def is_or_missing(denial: str) -> bool:
    """Return whether `or_missing` made a text."""
    return denial.startswith("(") and denial.endswith(" or missing)")


def if_known(denial: str) -> str:
    """Return what `or_missing` was given."""
    return denial[1 : -len(" or missing)")]


Condition: TypeAlias = IsMissing | AtMost | OneOf
