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


Condition: TypeAlias = IsMissing | AtMost | OneOf
