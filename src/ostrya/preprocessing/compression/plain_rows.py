"""PlainRows: the columns of a table, or of one partition of it, under internal names.

Engines differ in the column names that they support. So columns are renamed to c0, c1,
... before anything else is done with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw

TARGET, WEIGHT = "label", "weight"


@dataclass(frozen=True, eq=False)
class PlainRows:
    """How to read the rows of a table.

    Attributes
    ----------
    columns : dict
        A narwhals expression for each internal name.
    sources : dict
        The column of the table that each expression reads.
    are_weighed : bool
        Whether rows with weight 0 are excluded.
    """

    columns: Mapping[str, Any]
    sources: Mapping[str, str]
    are_weighed: bool = False

    def of(self, frame: Any, names: Sequence[str] | None = None) -> Any:
        """Return some or all columns of a frame; lazy if the frame is lazy."""
        taken = self._taken(list(self.columns) if names is None else names)
        rows = frame.select(**{name: self.columns[name] for name in taken})
        return rows.filter(nw.col(WEIGHT) > 0) if self.are_weighed else rows

    def sources_of(self, names: Sequence[str]) -> list[str]:
        """Return the columns of the table from which some columns are computed."""
        return list(dict.fromkeys(self.sources[name] for name in self._taken(names)))

    def _taken(self, names: Sequence[str]) -> list[str]:
        return list(dict.fromkeys([*names, *([WEIGHT] if self.are_weighed else [])]))
