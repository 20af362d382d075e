"""Describe a tree for program exports: columns, conditions, and an order of steps.

Each language writes these in its own syntax, without knowledge of how tables are
encoded.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ostrya._arguments import column_names, picture, show
from ostrya._condition import AtMost, Condition, OneOf
from ostrya.export.wording import Fitted, Solved, bare
from ostrya.tree import Tree

#: A fitted classifier, an outcome of `ostrya.solve`, or a tree.
Model: TypeAlias = Fitted | Solved | Tree
ColumnKind = Literal["number", "time", "duration", "boolean", "text"]

# The deepest nesting of blocks in a program; Python supports 100.
MOST_NESTED = 40


@dataclass(frozen=True)
class InputColumn:
    """A column of the table that a program reads."""

    place: int
    name: str
    kind: ColumnKind
    is_zoned: bool = False
    date_format: str = ""  # of dates read from text, unless it is ISO 8601


class Step(NamedTuple):
    """One line of a program.

    A leaf (`holds` is None) ends the block of its level. A split opens a nested block
    for the rows for which its condition holds, or does not hold, according to `holds`.
    After this block the program continues with all other rows.
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
    """A tree whose splits are conditions on the columns of the input table.

    Parameters
    ----------
    model : Model
        The model to export.
    feature_names : sequence of str, default=None
        For a tree or an outcome, the names of its columns.
    classes : sequence, default=None
        For a tree or an outcome, the label of each class code.

    Attributes
    ----------
    columns : dict of InputColumn
        The columns that the tree uses, by their index in the table.
    labels : list
        The label of each class code: strings, numbers or booleans.
    is_named : bool
        False if the columns of the table have no names.
    names : set of str
        The names of all columns of the table, whether the tree uses them or not.
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
                "feature_names and classes must be None for a fitted classifier, which "
                "contains them; omit both arguments"
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
        """Return the condition of a split; levels are strings, numbers or booleans."""
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
        """The splits, in preorder."""
        found: list[int] = np.flatnonzero(self.tree.feature >= 0).tolist()
        return found

    @property
    def leaves(self) -> list[int]:
        """The leaves, in preorder."""
        found: list[int] = np.flatnonzero(self.tree.feature < 0).tolist()
        return found

    def steps(self) -> Iterator[Step]:
        """Yield the program line by line; see `Step`.

        Blocks contain the "yes" children. In trees for which these would be nested too
        deeply, a block contains the child with the lower nesting, so that the nesting
        is at most the logarithm of the number of leaves.
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
    """Return a number as text that every language parses to the same float."""
    is_whole = number == int(number) and abs(number) < 2**53
    return str(int(number)) if is_whole else repr(number)


def _nesting(tree: Tree) -> npt.NDArray[np.intp]:
    """Return the nesting of each subtree, with the smaller child inside the block."""
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
            f"feature_names must have one name per feature ({tree.n_features}); got "
            f"{len(names)}"
        )
    if len(set(names)) != len(names):
        raise ValueError(f"feature_names must be distinct; got {picture(names)}")
    return names


def _labels(tree: Tree, classes: Sequence[Any] | npt.NDArray[Any] | None) -> list[Any]:
    labels = list(range(tree.n_classes)) if classes is None else list(classes)
    labels = [getattr(label, "item", lambda label=label: label)() for label in labels]
    if len(labels) != tree.n_classes:
        raise ValueError(
            f"classes must have one label per class ({tree.n_classes}); got "
            f"{len(labels)}"
        )
    if len(set(labels)) != len(labels):
        raise ValueError(f"classes must be distinct; got {picture(labels)}")
    if len({_kind_of(label) for label in labels}) > 1:
        raise TypeError(
            "labels must be all strings, all numbers or all booleans to be exported; "
            f"got {picture(labels)}. Convert them to strings before fit"
        )
    for label in labels:
        if _kind_of(label) == "":
            raise TypeError(
                "labels must be strings, numbers or booleans to be exported; got "
                f"{show(label)}. Convert them to strings before fit"
            )
        if isinstance(label, float) and not math.isfinite(label):
            raise ValueError(f"labels must be finite to be exported; got {label}")
    return labels


def _column(place: int, feature: _Feature) -> InputColumn:
    kind: Any = feature.kind
    if kind in ("level", "ordered"):
        levels = [*feature.levels, *(x for group in feature.groups for x in group)]
        kinds = {_kind_of(level) for level in levels} or {"text"}
        if len(kinds) > 1 or kinds == {""}:
            odd = ", ".join(sorted({type(level).__name__ for level in levels}))
            raise TypeError(
                f"levels of column {feature.name!r} must be all strings, all numbers "
                f"or all booleans to be exported; got {odd}. Convert them to strings "
                "before fit"
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
            f"levels of column {column.name!r} must be exact as floats to be exported; "
            f"got {level!r}. Convert the levels to strings before fit"
        )
    return number
