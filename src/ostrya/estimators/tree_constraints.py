"""Read `monotonic_cst` and `interaction_cst`, as scikit-learn defines them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import show
from ostrya._solve.constrained_search import TreeConstraints
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.features import SCALED

_DIRECTIONS = "1 (increase), 0 (no constraint) or -1 (decrease)"
_GROUPS = 'None, "pairwise", "no_interactions", or a list of groups of columns'


def read_constraints(
    monotonic_cst: Any,
    interaction_cst: Any,
    encoder: TableEncoder,
    names: Iterable[str] | None,
    n_classes: int,
) -> TreeConstraints | None:
    """Return the constraints in columns of the encoder; None: there are none.

    Parameters
    ----------
    monotonic_cst, interaction_cst : object
        As of `OptimalTreeClassifier`.
    encoder : TableEncoder
        It knows the columns of the table.
    names : iterable of str, or None
        Their names, if they have names.
    n_classes : int
        The number of classes.

    Raises
    ------
    TypeError, ValueError
        If they are of the wrong kind, or do not fit the table.
    """
    if monotonic_cst is None and interaction_cst is None:
        return None
    columns = _Columns(len(encoder.features), None if names is None else list(names))
    directions = _directions(monotonic_cst, columns, encoder, n_classes)
    groups = tuple(
        tuple(np.flatnonzero(np.isin(encoder.source, sorted(group))).tolist())
        for group in _groups(interaction_cst, columns)
    )
    return TreeConstraints(directions, groups) if groups or directions.any() else None


class _Columns:
    """The columns of a table, by position or name."""

    def __init__(self, n_columns: int, names: list[str] | None) -> None:
        self.n, self._names = n_columns, names

    def place(self, argument: str, column: Any) -> int:
        """Return the position of a column, or raise."""
        if isinstance(column, str):
            if self._names is None or column not in self._names:
                known = "positions" if self._names is None else show(self._names)
                raise ValueError(
                    f"{argument} must name columns of X ({known}); got {column!r}"
                )
            return self._names.index(column)
        is_int = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
        if not is_int or not 0 <= column < self.n:
            raise ValueError(
                f"{argument} must contain columns of X by name, or by a position from "
                f"0 to {self.n - 1}; got {show(column)}"
            )
        return int(column)


def _directions(
    given: Any, columns: _Columns, encoder: TableEncoder, n_classes: int
) -> npt.NDArray[np.int8]:
    """Return the direction of each column of the encoder."""
    out = np.zeros(encoder.n_columns, dtype=np.int8)
    if given is None:
        return out
    if isinstance(given, Mapping):
        pairs = [(columns.place("monotonic_cst", c), d) for c, d in given.items()]
    elif isinstance(given, str) or np.ndim(given) != 1 or len(given) != columns.n:
        raise ValueError(
            f"monotonic_cst must be None, a dict of columns to directions, or one "
            f"direction for each of the {columns.n} columns of X; got {show(given)}"
        )
    else:
        pairs = list(enumerate(given))
    for place, direction in pairs:
        if direction not in (-1, 0, 1):
            raise ValueError(
                f"monotonic_cst must contain only {_DIRECTIONS}; got {show(direction)}"
            )
        if direction == 0:
            continue
        feature = encoder.features[place]
        if feature.has_missing or feature.kind not in (*SCALED, "boolean"):
            raise ValueError(
                "monotonic_cst must be 0 for columns of categories or with missing "
                f"values; got {int(direction)} for column {feature.name!r}"
            )
        # Yes is encoded as 0 and no as 1.
        is_turned = feature.kind == "boolean" and True in feature.levels
        out[encoder.source == place] = -direction if is_turned else direction
    if out.any() and n_classes > 2:
        raise ValueError(
            f"monotonic_cst must be None unless y has two classes; got {n_classes}"
        )
    return out


def _groups(given: Any, columns: _Columns) -> list[set[int]]:
    """Return groups of columns that may interact; none: all may."""
    if given is None:
        return []
    everything = range(columns.n)
    if isinstance(given, str):
        if given == "no_interactions":
            return [{column} for column in everything]
        if given == "pairwise":
            pairs = combinations(everything, 2)
            return [set(pair) for pair in pairs] or [set(everything)]
        raise ValueError(f"interaction_cst must be {_GROUPS}; got {given!r}")
    if not isinstance(given, Iterable):
        raise TypeError(f"interaction_cst must be {_GROUPS}; got {show(given)}")
    groups = []
    for group in given:
        if isinstance(group, str) or not isinstance(group, Iterable):
            raise TypeError(
                f"interaction_cst must be {_GROUPS}; got a group {show(group)}"
            )
        groups.append({columns.place("interaction_cst", column) for column in group})
    # As in scikit-learn, columns that are in no group are one more group.
    rest = set(everything).difference(*groups)
    return [*groups, rest] if rest else groups
