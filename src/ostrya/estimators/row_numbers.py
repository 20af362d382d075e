"""A hint for trees that split on row numbers or identifiers.

Such a column separates the classes of a table that is sorted by class, and says nothing
about new rows. Numbers are suspected if they count the rows from 0 or 1 in their order,
or if they are different whole numbers in a column with the name of an identifier.
Years, times and measurements are neither.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._warn_caller import warn_caller
from ostrya.preprocessing.hints import FEWEST_ROWS
from ostrya.preprocessing.training_table import TrainingTable

# Names such as "Unnamed: 0", "rownames", "id", "customer_id", "PassengerId", "row".
_IDENTIFIER = re.compile(
    r"unnamed: ?[0-9]+|index|(?:.*[^a-zA-Z])?(?:id|uuid|guid|key|row|row ?names?"
    r"|row[ _.]?(?:id|index|number|num|no|nr))",
    re.IGNORECASE,
)
_CAPITAL_ID = re.compile(r".*[a-z](?:ID|Id)")  # customerID, but not paid


def hint_at_row_numbers(estimator: Any, table: TrainingTable) -> None:
    """Warn if the tree splits on columns that number or identify the rows."""
    encoder, tree = table.encoder, estimator.tree_
    # Alone in its table, a column cannot be dropped; without names, tables are made by
    # programs, which seldom number their rows.
    if len(encoder.features) < 2 or table.names is None:
        return
    found = []
    for column in np.unique(tree.feature[tree.feature >= 0]).tolist():
        feature = encoder.features[encoder.source[column]]
        is_number = feature.kind == "number" and not feature.mark  # $5 is a price
        if is_number and not encoder.is_yes_no(column):
            values = table.matrix[:, column]
            why = _suspicion(feature.name, values, table.counts)
            if why is not None:
                found.append((feature.name, why))
    for name, why in found[:1]:
        more = f", and {len(found) - 1} more columns do" if len(found) > 1 else ""
        warn_caller(
            f"The tree splits on column {name!r}, which looks like a row number or an "
            f"identifier{more}: {why}. Such splits say nothing about new rows. Drop "
            "the column before fit, unless its values carry meaning"
        )


def _suspicion(
    name: str, values: npt.NDArray[np.float64], counts: npt.NDArray[np.int64] | None
) -> str | None:
    """Return why the values of a column look like row numbers, if they do."""
    n_rows = len(values) if counts is None else int(counts.sum())
    if n_rows < FEWEST_ROWS or (values != np.floor(values)).any():
        return None
    # Groups of rows are in no order that would say anything.
    if counts is None and values[0] in (0.0, 1.0) and (np.diff(values) == 1).all():
        first, last = (int(values[place]) for place in (0, -1))
        return f"it counts the {n_rows:,} rows in their order, from {first} to {last:,}"
    is_named_so = _IDENTIFIER.fullmatch(name) or _CAPITAL_ID.fullmatch(name)
    if is_named_so and len(np.unique(values)) == n_rows:
        return f"its {n_rows:,} values are different whole numbers"
    return None
