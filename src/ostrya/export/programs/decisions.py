"""What a program that predicts has to do: columns, questions, and an order of steps.

Every language says these in its own words; none needs to know how tables are encoded.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ostrya._arguments import column_names
from ostrya._condition import AtMost, Condition, OneOf
from ostrya.export.wording import Fitted, Solved, bare
from ostrya.tree import Tree

#: A fitted classifier, an outcome of `ostrya.solve`, or a tree.
Model: TypeAlias = Fitted | Solved | Tree
ColumnKind = Literal["number", "time", "duration", "boolean", "text"]

# A program nests at most so deep; Python stops at 100.
MOST_NESTED = 40


@dataclass(frozen=True)
class InputColumn:
    """A column of the table that a program reads."""

    place: int
    name: str
    kind: ColumnKind
    is_zoned: bool = False
    date_format: str = ""  # of dates that were texts, where it is not ISO 8601


class Step(NamedTuple):
    """One line of a program.

    A leaf (`holds` is None) ends the block of its level. A split opens a block, one
    level further in, for rows of which its condition holds, or does not; after it the
    program goes on with all others.
    """

    level: int
    node: int
    holds: bool | None


class _Feature(Protocol):
    name: str
    kind: str
    levels: tuple[Any, ...]
    groups: tuple[tuple[Any, ...], ...]
    is_zoned: bool
    date_format: str


class Decisions:
    """A tree over the columns of a table, each question as a condition.

    Parameters
    ----------
    model : Model
        What to write as a program.
    feature_names : sequence of str, default=None
        For a tree or an outcome: the names of its columns.
    classes : sequence, default=None
        For a tree or an outcome: the label of each class code.

    Attributes
    ----------
    columns : dict of InputColumn
        The columns asked about, by their place in the table.
    labels : list
        The label of each class code: texts, numbers or booleans.
    is_named : bool
        False where the columns of the table have no names, but places.
    names : set of str
        The names of all columns of the table, asked about or not.
    """

    def __init__(
        self,
        model: Model,
        feature_names: Sequence[str] | None = None,
        classes: Sequence[Any] | npt.NDArray[Any] | None = None,
    ) -> None:
        self.tree = bare(model)
        encoder = getattr(model, "encoder_", None)
        if encoder is None:
            names = _checked_names(self.tree, feature_names)
            self.is_named, self.labels = names is not None, _labels(self.tree, classes)
            make: Callable[[int, float], Condition] = AtMost
        elif feature_names is not None or classes is not None:
            raise ValueError(
                "a classifier knows its columns and labels; leave out feature_names "
                "and classes"
            )
        else:
            self.is_named = hasattr(model, "feature_names_in_")
            self.labels = _labels(self.tree, model.classes_)  # type: ignore[union-attr]
            make = encoder.condition
        self._conditions = {
            node: make(int(self.tree.feature[node]), float(self.tree.threshold[node]))
            for node in self.splits
        }
        if encoder is not None:
            self.names = {feature.name for feature in encoder.features}
        else:
            places = range(self.tree.n_features)
            self.names = set(names or (f"x{place}" for place in places))
        self.columns: dict[int, InputColumn] = {}
        for place in sorted({asked.source for asked in self._conditions.values()}):
            if encoder is not None:
                self.columns[place] = _column(place, encoder.features[place])
            else:
                name = f"x{place}" if names is None else names[place]
                self.columns[place] = InputColumn(place, name, "number")

    def condition(self, node: int) -> Condition:
        """Return what a split asks; levels are plain texts, numbers or booleans."""
        asked = self._conditions[node]
        if not isinstance(asked, OneOf):
            return asked
        column = self.columns[asked.source]
        levels = tuple(_plain_level(column, level) for level in asked.levels)
        return OneOf(asked.source, levels)

    def label(self, node: int) -> Any:
        """Return the label that a leaf predicts."""
        return self.labels[int(self.tree.label[node])]

    @property
    def splits(self) -> list[int]:
        """The nodes that ask something, in preorder."""
        found: list[int] = np.flatnonzero(self.tree.feature >= 0).tolist()
        return found

    @property
    def leaves(self) -> list[int]:
        """The leaves, in preorder."""
        found: list[int] = np.flatnonzero(self.tree.feature < 0).tolist()
        return found

    def steps(self) -> Iterator[Step]:
        """Yield the program line by line; see `Step`.

        Blocks are for rows that answer yes. In trees so deep that these would nest too
        far, the child that nests less is inside: that is at most the logarithm of the
        number of leaves.
        """
        tree = self.tree
        nesting = _nesting(tree) if tree.depth > MOST_NESTED else None
        waiting = [(0, 0)]
        while waiting:
            node, level = waiting.pop()
            if tree.feature[node] < 0:
                yield Step(level, node, None)
                continue
            inside, after = int(tree.yes[node]), int(tree.no[node])
            holds = nesting is None or nesting[inside] <= nesting[after]
            if not holds:
                inside, after = after, inside
            yield Step(level, node, holds)
            waiting += [(after, level), (inside, level + 1)]


def whole_or_float(number: float) -> str:
    """Return a number in digits that every language reads back exactly."""
    is_whole = number == int(number) and abs(number) < 2**53
    return str(int(number)) if is_whole else repr(number)


def _nesting(tree: Tree) -> npt.NDArray[np.intp]:
    """Return how deep the blocks of each subtree nest, its smaller side inside."""
    nesting = np.zeros(tree.n_nodes, dtype=np.intp)
    for node in reversed(range(tree.n_nodes)):  # children come after their parent
        if tree.feature[node] >= 0:
            low, high = sorted((nesting[tree.yes[node]], nesting[tree.no[node]]))
            nesting[node] = max(low + 1, high)
    return nesting


def _checked_names(tree: Tree, names: Sequence[str] | None) -> list[str] | None:
    if names is None:
        return None
    names = column_names(names)
    if len(names) != tree.n_features:
        raise ValueError(
            f"feature_names has {len(names)} names; this tree wants {tree.n_features}"
        )
    if len(set(names)) != len(names):
        raise ValueError("feature_names holds the same name twice")
    return names


def _labels(tree: Tree, classes: Sequence[Any] | npt.NDArray[Any] | None) -> list[Any]:
    labels = list(range(tree.n_classes)) if classes is None else list(classes)
    labels = [getattr(label, "item", lambda label=label: label)() for label in labels]
    if len(labels) != tree.n_classes:
        raise ValueError(
            f"classes has {len(labels)} labels; this tree wants {tree.n_classes}"
        )
    if len(set(labels)) != len(labels):
        raise ValueError("classes holds the same label twice")
    if len({_kind_of(label) for label in labels}) > 1:
        raise TypeError(
            "labels must be all texts, all numbers or all booleans to be written into "
            "a program; make strings of them"
        )
    for label in labels:
        if _kind_of(label) == "":
            raise TypeError(
                f"labels of type {type(label).__name__} cannot be written into a "
                "program; make strings of them before fit"
            )
        if isinstance(label, float) and not math.isfinite(label):
            raise ValueError(f"the label {label} is not finite; use another")
    return labels


def _column(place: int, feature: _Feature) -> InputColumn:
    kind: Any = feature.kind
    if kind in ("level", "ordered"):
        levels = [*feature.levels, *(x for group in feature.groups for x in group)]
        kinds = {_kind_of(level) for level in levels} or {"text"}
        if len(kinds) > 1 or kinds == {""}:
            odd = ", ".join(sorted({type(level).__name__ for level in levels}))
            raise TypeError(
                f"column {feature.name!r} has levels of type {odd}, which cannot be "
                "written into a program; make strings of them before fit"
            )
        kind = kinds.pop()
    return InputColumn(place, feature.name, kind, feature.is_zoned, feature.date_format)


def _kind_of(value: Any) -> str:
    if isinstance(value, str):
        return "text"
    if isinstance(value, (bool, np.bool_)):
        return "boolean"
    return "number" if isinstance(value, numbers.Real) else ""


def _plain_level(column: InputColumn, level: Any) -> Any:
    if column.kind != "number":
        return str(level) if column.kind == "text" else bool(level)
    number = float(level)
    if number != level:
        raise ValueError(
            f"column {column.name!r} has the level {level!r}, which a float cannot "
            "hold; make strings of the levels before fit"
        )
    return number
