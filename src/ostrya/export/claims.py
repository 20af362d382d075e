"""Columns of yes (1) and no (0) that are named after the question they answer.

`ostrya.ThresholdBinarizer` and `ThresholdGuess` make such columns: ``age <= 25.5``,
``colour = red``, ``city in {Bonn, Ulm}``, ``income is missing``. A tree over them asks
``age <= 25.5 <= 0.5``, and those who answer yes to that answer no to the question in
the name.
"""

from __future__ import annotations

import re

_CLAIM = re.compile(r".+ (<=|=) .+|.+ in \{.+\}|.+ is missing")
# What a tree asks about a column of 0 and 1.
_HALF = " <= 0.5"


def claim_of(question: str, denial: str | None) -> str | None:
    """Return the question after which a yes/no column is named, or None.

    Parameters
    ----------
    question : str
        What the tree asks about the column.
    denial : str or None
        What a no means, where that was given.

    Examples
    --------
    >>> claim_of("age <= 25.5 <= 0.5", None), claim_of("age <= 25.5", "age > 25.5")
    ('age <= 25.5', None)
    """
    name = question.removesuffix(_HALF)
    if name == question or not _CLAIM.fullmatch(name):
        return None
    # Where values of the column itself are missing, a no is no yes to the name.
    return name if denial in (None, f"{name} > 0.5", f"not ({question})") else None
