"""PlainRows: columns of a table under plain names, of all of it or of one part.

Engines differ in which names they can take; so columns are renamed to plain ones, c0,
c1, ..., before anything else is asked of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw

TARGET, WEIGHT = "label", "weight"


@dataclass(frozen=True, eq=False)
class PlainRows:
    """How the rows of a table are read.

    Attributes
    ----------
    columns : dict
        Expressions of narwhals by plain name.
    sources : dict
        The column of the table that each of them takes.
    are_weighed : bool
        Whether rows of weight 0 are left out.
    """

    columns: Mapping[str, Any]
    sources: Mapping[str, str]
    are_weighed: bool = False

    def of(self, frame: Any, names: Sequence[str] | None = None) -> Any:
        """Return some columns of a frame, or all, lazy where that is lazy."""
        taken = self._taken(list(self.columns) if names is None else names)
        rows = frame.select(**{name: self.columns[name] for name in taken})
        return rows.filter(nw.col(WEIGHT) > 0) if self.are_weighed else rows

    def sources_of(self, names: Sequence[str]) -> list[str]:
        """Return the columns of the table that some columns take."""
        return list(dict.fromkeys(self.sources[name] for name in self._taken(names)))

    def _taken(self, names: Sequence[str]) -> list[str]:
        return list(dict.fromkeys([*names, *([WEIGHT] if self.are_weighed else [])]))
