"""Recognise columns of 1 (yes) and 0 (no) that are named after their condition.

`ThresholdBinarizer` and `ThresholdGuess` create such columns: ``age <= 25.5``,
``colour = red``, ``city in {Bonn, Ulm}``, ``income is missing``. A tree over them tests
``age <= 25.5 <= 0.5``, and rows for which this holds do not satisfy the condition in
the name.
"""

from __future__ import annotations

import re

_CLAIM = re.compile(r".+ (<=|=) .+|.+ in \{.+\}|.+ is missing")
# How a tree tests a column of 0 and 1.
_HALF = " <= 0.5"


def claim_of(question: str, denial: str | None) -> str | None:
    """Return the condition after which a column of 0 and 1 is named, or None.

    Parameters
    ----------
    question : str
        The condition that the tree tests on the column.
    denial : str or None
        The negation of the condition, if it was given.

    Examples
    --------
    >>> claim_of("age <= 25.5 <= 0.5", None), claim_of("age <= 25.5", "age > 25.5")
    ('age <= 25.5', None)
    """
    name = question.removesuffix(_HALF)
    if name == question or not _CLAIM.fullmatch(name):
        return None
    # If the column itself has missing values, "no" does not imply the condition.
    return name if denial in (None, f"{name} > 0.5", f"not ({question})") else None
