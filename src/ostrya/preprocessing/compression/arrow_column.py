"""Convert columns to pyarrow arrays that are read as the same columns again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ostrya.preprocessing.column import Column


def arrow_column(column: Column) -> Any:
    """Return the values of a column as a pyarrow array."""
    import pyarrow as pa  # slow to import

    values, missing = column.values, column.missing
    if column.kind == "level":
        array = pa.array(column.objects(), pa.string() if column.is_text else None)
        return array if column.is_text else array.dictionary_encode()
    if column.kind == "ordered":
        places = pa.array(column.places_among(column.order), mask=missing)
        order = pa.array(list(column.order))
        return pa.DictionaryArray.from_arrays(places, order, ordered=True)
    if column.kind == "boolean":
        return pa.array(values == 1, mask=missing)
    if column.kind in ("time", "duration"):
        zone = "UTC" if column.is_zoned else None
        is_time = column.kind == "time"
        kind = pa.timestamp("us", zone) if is_time else pa.duration("us")
        whole = np.where(missing, 0, values).astype(np.int64)
        return pa.array(whole, mask=missing).cast(kind)
    return pa.array(values.astype(np.float64), mask=missing)
