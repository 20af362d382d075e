"""The wording of trees: names, conditions and notes, the same in every export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ostrya._arguments import column_names, picture
from ostrya._condition import is_or_missing
from ostrya._shares import as_shares
from ostrya.export.claims import claim_of
from ostrya.tree import Tree

# Most levels of a set shown in drawings; rules and files contain all of them.
MOST_OF_A_SET = 6
_SET = re.compile(r" in \{(.*)\}")
_LEVEL = re.compile(r'"[^"]*"+|[^,\s"][^,]*')  # quoted where there are commas


@dataclass(frozen=True)
class Wording:
    """Names and conditions to use when a tree is exported.

    Parameters
    ----------
    feature_names : sequence of str, default=None
        One name per feature; by default ``x0``, ``x1``, ... A column of 0 and 1 that is
        named after its condition, such as ``age <= 25.5``, is shown as that condition.
    class_names : sequence, default=None
        One name per class code; by default ``class 0``, ``class 1``, ... Names are
        converted to strings.
    questions : sequence of str or None, default=None
        The condition of each node, such as ``"colour = red"``. If None, for a node or
        for all nodes, the condition is ``name <= threshold``. Entries of leaves are
        ignored.
    denials : sequence of str or None, default=None
        The negated condition of each node, such as ``"colour is not red"``. By default
        ``name > threshold``, or ``not (question)`` if `questions` has an entry.
    flipped : sequence of bool, default=None
        One flag per node. True means that the condition holds for the ``no`` child of
        the node. By default, all are False.

    Examples
    --------
    Suppose an encoded column is 1 for red and 0 otherwise, so that rows with
    ``x0 <= 0.5`` are those that are not red.

    >>> import ostrya
    >>> from ostrya.export import Wording, export_text
    >>> tree = ostrya.solve([[0], [0], [1], [1]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> words = Wording(
    ...     class_names=["sour", "sweet"],
    ...     questions=["colour = red", None, None],
    ...     flipped=[True, False, False],
    ... )
    >>> print(export_text(tree, wording=words))
    colour = red?
    ├─ yes: sweet   2 rows, 100% correct
    └─ no:  sour    2 rows, 100% correct
    """

    feature_names: Sequence[str] | None = None
    class_names: Sequence[object] | None = None
    questions: Sequence[str | None] | None = None
    denials: Sequence[str | None] | None = None
    flipped: Sequence[bool] | None = None

    def __post_init__(self) -> None:
        """Store tuples of strings, which can be compared, hashed and pickled."""
        for field in fields(self):
            items = getattr(self, field.name)
            if items is None:
                continue
            if isinstance(items, str):
                raise TypeError(
                    f"{field.name} must be a sequence of strings; got the string "
                    f"{picture(items)}"
                )
            if field.name == "feature_names":
                items = column_names(items)
            kept = tuple(
                bool(item)
                if field.name == "flipped"
                else None
                if item is None and field.name in ("questions", "denials")
                else str(item)
                for item in items
            )
            object.__setattr__(self, field.name, kept)

    def of(self, tree: Tree) -> WordedTree:
        """Return `tree` with this wording.

        Raises
        ------
        ValueError
            If a sequence has the wrong length for this tree.
        """
        expected = {
            "feature_names": (tree.n_features, "name per feature"),
            "class_names": (tree.n_classes, "name per class"),
            "questions": (tree.n_nodes, "text per node"),
            "denials": (tree.n_nodes, "text per node"),
            "flipped": (tree.n_nodes, "flag per node"),
        }
        for name, (count, thing) in expected.items():
            items = getattr(self, name)
            if items is not None and len(items) != count:
                raise ValueError(
                    f"{name} must have one {thing} ({count}); got {len(items)}"
                )
        return WordedTree(tree, self)


class Fitted(Protocol):
    """A fitted classifier of this package."""

    tree_: Tree


class Solved(Protocol):
    """The result of `ostrya.solve`."""

    @property
    def tree(self) -> Tree:
        """The best tree found."""


# An object that contains a tree.
Grown: TypeAlias = Fitted | Solved


def worded(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None,
    class_names: Sequence[object] | None,
    wording: Wording | None,
) -> WordedTree:
    """Return `tree` with the names or the wording passed to an exporter."""
    tree = bare(tree)
    if wording is None:
        # Use the texts stored in the tree unless others are given.
        questions = denials = None
        if feature_names is None:
            questions, denials = _or_none(tree.questions), _or_none(tree.denials)
        names = tree.class_names if class_names is None else class_names
        wording = Wording(feature_names, names, questions, denials)
    elif feature_names is not None or class_names is not None:
        raise ValueError(
            "wording must not be combined with feature_names or class_names. Put the "
            "names into the Wording"
        )
    return wording.of(tree)


def bare(tree: Tree | Grown) -> Tree:
    """Return a tree, or the tree of a fitted classifier or an outcome."""
    found = getattr(tree, "tree_", getattr(tree, "tree", tree))
    if not isinstance(found, Tree):
        raise TypeError(
            "tree must be an ostrya.Tree, an Outcome, or a fitted classifier of "
            f"Ostrya; got {type(tree).__name__}"
        )
    return found


def _or_none(texts: Sequence[str] | None) -> list[str | None] | None:
    return None if texts is None else [text or None for text in texts]


class WordedTree:
    """A tree together with its wording; the input of all exporters.

    Here the "yes" child of a node is always the one for which the condition holds,
    flipped or not. Names are on one line, without control characters. A column of 0 and
    1 that is named after its condition is shown as that condition, and not as
    ``age <= 25.5 <= 0.5``, whose answers are reversed.
    """

    def __init__(self, tree: Tree, wording: Wording) -> None:
        self.tree = tree
        self.wording = wording
        self.classes = _names(wording.class_names, tree.n_classes, "class {}")
        self._numbers = _numbers(tree)
        self._claims = self._read_claims()

    def is_leaf(self, node: int) -> bool:
        """Return True if `node` is a leaf."""
        return bool(self.tree.feature[node] < 0)

    def is_flipped(self, node: int) -> bool:
        """Return True if the condition holds for the "no" child in the tree."""
        if node in self._claims:
            return True
        return self.wording.flipped is not None and self.wording.flipped[node]

    def is_plain(self, node: int) -> bool:
        """Return True if the condition is the default ``name <= threshold``."""
        given = self.wording.questions
        return node not in self._claims and (given is None or given[node] is None)

    def children(self, node: int) -> tuple[int, int]:
        """Return the child for which the condition holds, and the other child."""
        yes, no = int(self.tree.yes[node]), int(self.tree.no[node])
        return (no, yes) if self.is_flipped(node) else (yes, no)

    def walk(self) -> Iterator[tuple[int, int, str]]:
        """Yield ``(node, depth, answer)`` in preorder, yes before no.

        The answer is the one that leads to the node; it is empty for the root.
        """
        waiting = [(0, 0, "")]
        while waiting:
            node, depth, answer = waiting.pop()
            yield node, depth, answer
            if not self.is_leaf(node):
                yes, no = self.children(node)
                waiting.append((no, depth + 1, "no"))
                waiting.append((yes, depth + 1, "yes"))

    def question(self, node: int) -> str:
        """Return the condition of a split, with long sets shortened."""
        return with_short_sets(self.whole_question(node))

    def denial(self, node: int) -> str:
        """Return the negated condition of a split, with long sets shortened."""
        return with_short_sets(self.whole_denial(node))

    def whole_question(self, node: int) -> str:
        """Return the condition of a split, with all levels of a set."""
        if node in self._claims:
            return self._claims[node]
        return self._text(self.wording.questions, node) or self._plain(node, "<=", ">")

    def whole_denial(self, node: int) -> str:
        """Return the negated condition of a split, with all levels of a set."""
        given = self._text(self.wording.denials, node)
        if given is not None and node not in self._claims:
            return given
        if self.is_plain(node):
            return self._plain(node, ">", "<=")
        return f"not ({self.whole_question(node)})"

    def answers(self, node: int) -> tuple[str, str]:
        """Return the texts at the "yes" and the "no" branch of a split.

        Missing values follow the "no" branch; its text mentions them if the training
        rows have any.
        """
        given = self._text(self.wording.denials, node) or ""
        is_told = is_or_missing(given) and node not in self._claims
        return "yes", "no or missing" if is_told else "no"

    def label(self, node: int) -> str:
        """Return the name of the class that `node` predicts."""
        return self.classes[int(self.tree.label[node])]

    def rows(self, node: int) -> str:
        """Return the number of training rows as text."""
        count = int(self.tree.n_samples[node])
        return f"{count:,} {'row' if count == 1 else 'rows'}"

    def right(self, node: int) -> float | None:
        """Return the share of the node's weight with its label.

        None without weight, and for trees with costs, whose rows have no labels.
        """
        if self.tree.costs is not None:
            return None
        shares = self.shares(node)
        return float(shares[self.tree.label[node]]) if shares.any() else None

    def shares(self, node: int) -> npt.NDArray[np.float64]:
        """Return the share of each class in the node's weight; zeros without weight."""
        if self.tree.costs is not None:
            shares: npt.NDArray[np.float64] = self.tree.shares()[node]
            return shares
        return as_shares(self.tree.value[node])

    def shares_ever(self, label: int) -> bool:
        """Return whether a label occurs in the strips of a drawing."""
        if self.tree.costs is not None:
            return bool((self.tree.label == label).any())
        return bool(self.tree.value[:, label].any())

    def outcome(self, node: int, label: int | None = None) -> str:
        """Return the mean cost or reward of a label, by default that of the node."""
        assert self.tree.costs is not None
        label = int(self.tree.label[node]) if label is None else label
        cost = float(self.tree.costs[node, label])
        return in_outcomes(cost, self.tree)

    def note(self, node: int) -> str:
        """Return the number of rows of a leaf, and how good its label is for them."""
        if self.tree.costs is not None:
            return f"{self.rows(node)}, {self.outcome(node)}"
        right = self.right(node)
        return self.rows(node) + (
            "" if right is None else f", {percent(right)} correct"
        )

    def _read_claims(self) -> dict[int, str]:
        """Return, by split, the condition after which its column is named."""
        self._claims = {}  # empty, so that the methods below use the original wording
        asked: dict[int, set[float]] = {}
        splits = np.flatnonzero(self.tree.feature >= 0).tolist()
        for node in splits:
            known = asked.setdefault(int(self.tree.feature[node]), set())
            known.add(float(self.tree.threshold[node]))
        claims = {}
        for node in splits:
            # A column with several thresholds is not a column of 0 and 1.
            if len(asked[int(self.tree.feature[node])]) == 1:
                denial = None if self.is_plain(node) else self.denial(node)
                claim = claim_of(self.question(node), denial)
                if claim is not None:
                    claims[node] = claim
        return claims

    def _text(self, given: Sequence[str | None] | None, node: int) -> str | None:
        text = None if given is None else given[node]
        return None if text is None else one_line(text)

    def _plain(self, node: int, sign: str, flipped_sign: str) -> str:
        feature, names = int(self.tree.feature[node]), self.wording.feature_names
        # No list of default names: a file may state billions of features.
        name = f"x{feature}" if names is None else one_line(names[feature])
        sign = flipped_sign if self.is_flipped(node) else sign
        return f"{name} {sign} {self._numbers[node]}"


def with_short_sets(text: str) -> str:
    """Shorten a long set of levels, ``in {...}``, in a text.

    Examples
    --------
    >>> with_short_sets("city in {Aachen, Bonn, Cottbus, Daun, Essen, Fulda, Gera}")
    'city in {Aachen, Bonn, Cottbus, Daun, ... 3 more}'
    """
    found = _SET.search(text)
    if found is None:
        return text
    levels = _LEVEL.findall(found[1])
    if len(levels) <= MOST_OF_A_SET:
        return text
    shown = ", ".join(levels[: MOST_OF_A_SET - 2])
    more = len(levels) - MOST_OF_A_SET + 2
    return f"{text[: found.start(1)]}{shown}, ... {more} more{text[found.end(1) :]}"


def one_line(text: str) -> str:
    """Return `text` on one line, with unprintable characters replaced."""
    return "".join(
        char if char.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for char in " ".join(text.split())
    )


def in_outcomes(cost: float, tree: Tree) -> str:
    """Return a mean cost in the words of a tree: as a cost, or as a reward."""
    if tree.shows_rewards:
        return f"mean reward {0.0 - cost:.4g}"
    return f"mean cost {cost:.4g}"


def percent(share: float) -> str:
    """Return a share in percent; 0% and 100% appear only if they are exact."""
    if 0 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{share:.0%}"


def _names(names: Sequence[object] | None, count: int, default: str) -> list[str]:
    if names is None:
        return [default.format(i) for i in range(count)]
    return [one_line(str(name)) for name in names]


def _numbers(tree: Tree) -> dict[int, str]:
    """Return each threshold as short text, distinct within each feature."""
    by_feature: dict[int, set[float]] = {}
    splits = np.flatnonzero(tree.feature >= 0).tolist()
    for node in splits:
        known = by_feature.setdefault(int(tree.feature[node]), set())
        known.add(float(tree.threshold[node]))
    digits = {
        feature: next(
            digits
            for digits in range(6, 18)
            if len({_number(threshold, digits) for threshold in known}) == len(known)
        )
        for feature, known in by_feature.items()
    }
    return {
        node: _number(float(tree.threshold[node]), digits[int(tree.feature[node])])
        for node in splits
    }


def _number(value: float, digits: int) -> str:
    # With six digits, 1234567.5 would become 1.23457e+06, which is hard to read.
    if 1e5 <= abs(value) < 1e15:
        digits = max(digits, len(f"{abs(value):.0f}") + 1)
    return f"{value + 0.0:.{digits}g}"
