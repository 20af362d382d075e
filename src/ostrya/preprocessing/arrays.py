"""Read columns of NumPy arrays according to their dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._whole_numbers import are_merged
from ostrya.preprocessing.column import Check, Column, number_levels, unreadable
from ostrya.preprocessing.objects import object_column
from ostrya.preprocessing.times import microseconds


def array_column(name: str, values: npt.NDArray[Any], check: Check = bool) -> Column:
    """Return a column of a NumPy array; `check` is called regularly."""
    kind = values.dtype.kind
    if kind in "iufb":
        numbers = np.ascontiguousarray(values, dtype=np.float64)
        merged = are_merged(values)
        return Column(
            name, "boolean" if kind == "b" else "number", numbers, is_merged=merged
        )
    if kind == "U" or kind == "T":
        return Column(
            name, "level", *number_levels(values.tolist(), check), is_text=True
        )
    if kind in "Mm":
        try:
            moments = microseconds(values)
        except ValueError as error:
            raise ValueError(f"column {name!r}: {error}") from None
        return Column(name, "time" if kind == "M" else "duration", moments)
    if kind != "O":
        raise TypeError(unreadable(name, f"dtype {values.dtype}"))
    return object_column(name, values.tolist(), check)
