"""The words for everything in a tree, the same in every export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ostrya._arguments import column_names
from ostrya._condition import is_or_missing
from ostrya._shares import as_shares
from ostrya.export.claims import claim_of
from ostrya.tree import Tree

# Levels of a set that drawings name; rules and files have them all.
MOST_OF_A_SET = 6
_SET = re.compile(r" in \{(.*)\}")
_LEVEL = re.compile(r'"[^"]*"+|[^,\s"][^,]*')  # quoted where there are commas


@dataclass(frozen=True)
class Wording:
    """How to word a tree.

    Parameters
    ----------
    feature_names : sequence of str, default=None
        One name per feature; ``x0``, ``x1``, ... by default. A yes/no column named
        after its question, as ``age <= 25.5``, is worded as that question.
    class_names : sequence, default=None
        One name per class code; ``class 0``, ``class 1``, ... by default. Anything
        that is not text is written as text.
    questions : sequence of str or None, default=None
        One text per node, such as ``"colour = red"``. None, for a node or for all of
        them, gives ``name <= threshold``; what stands at leaves is not read.
    denials : sequence of str or None, default=None
        What holds when the answer is no, such as ``"colour is not red"``, one text per
        node as above. By default ``name > threshold``, and ``not (question)`` where
        the question was given.
    flipped : sequence of bool, default=None
        One flag per node: True where the tree's ``no`` child is the one for which the
        question holds. By default False everywhere.

    Examples
    --------
    An encoded column of zeros and ones is 1 where the colour is red, so the rows that
    answer yes to ``x0 <= 0.5`` are those that are not red.

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
    ├─ yes: sweet   2 rows, 100% right
    └─ no:  sour    2 rows, 100% right
    """

    feature_names: Sequence[str] | None = None
    class_names: Sequence[object] | None = None
    questions: Sequence[str | None] | None = None
    denials: Sequence[str | None] | None = None
    flipped: Sequence[bool] | None = None

    def __post_init__(self) -> None:
        """Keep plain tuples, which compare, hash and pickle."""
        for field in fields(self):
            items = getattr(self, field.name)
            if items is None:
                continue
            if isinstance(items, str):
                raise TypeError(f"{field.name} is one text, {items!r}; want a sequence")
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
        """Return `tree` with these words.

        Raises
        ------
        ValueError
            When a sequence has the wrong length for this tree.
        """
        wanted = {
            "feature_names": (tree.n_features, "names", ""),
            "class_names": (tree.n_classes, "names", ""),
            "questions": (tree.n_nodes, "texts", ", one per node"),
            "denials": (tree.n_nodes, "texts", ", one per node"),
            "flipped": (tree.n_nodes, "flags", ", one per node"),
        }
        for name, (count, things, rule) in wanted.items():
            items = getattr(self, name)
            if items is not None and len(items) != count:
                raise ValueError(
                    f"{name} has {len(items)} {things}; this tree wants {count}{rule}"
                )
        return WordedTree(tree, self)


class Fitted(Protocol):
    """A fitted classifier of ours."""

    tree_: Tree


class Solved(Protocol):
    """What `ostrya.solve` returns."""

    @property
    def tree(self) -> Tree:
        """The tree found."""


# What has a tree.
Grown: TypeAlias = Fitted | Solved


def worded(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None,
    class_names: Sequence[object] | None,
    wording: Wording | None,
) -> WordedTree:
    """Return `tree` with the words an exporter was given in either form."""
    tree = bare(tree)
    if wording is None:
        # A tree's own words serve where no others are given.
        questions = denials = None
        if feature_names is None:
            questions, denials = _or_none(tree.questions), _or_none(tree.denials)
        names = tree.class_names if class_names is None else class_names
        wording = Wording(feature_names, names, questions, denials)
    elif feature_names is not None or class_names is not None:
        raise ValueError("give feature_names and class_names, or wording, not both")
    return wording.of(tree)


def bare(tree: Tree | Grown) -> Tree:
    """Return a tree, or the one of a fitted classifier or of an outcome."""
    found = getattr(tree, "tree_", getattr(tree, "tree", tree))
    if not isinstance(found, Tree):
        raise TypeError(
            f"tree is a {type(tree).__name__}; want an ostrya.Tree, an Outcome, or a "
            "fitted classifier of ostrya"
        )
    return found


def _or_none(texts: Sequence[str] | None) -> list[str | None] | None:
    return None if texts is None else [text or None for text in texts]


class WordedTree:
    """A tree with words for everything in it; what the exporters read.

    The yes child of a node is here the one for which the question holds, flipped or
    not. Names are on one line, without control characters. A yes/no column that is
    named after its question asks that question: not ``age <= 25.5 <= 0.5``, of which a
    yes means no.
    """

    def __init__(self, tree: Tree, wording: Wording) -> None:
        self.tree = tree
        self.wording = wording
        self.classes = _names(wording.class_names, tree.n_classes, "class {}")
        self._numbers = _numbers(tree)
        self._claims = self._read_claims()

    def is_leaf(self, node: int) -> bool:
        """Say whether nothing is asked at `node`."""
        return bool(self.tree.feature[node] < 0)

    def is_flipped(self, node: int) -> bool:
        """Say whether the question holds for the tree's no child."""
        if node in self._claims:
            return True
        return self.wording.flipped is not None and self.wording.flipped[node]

    def is_plain(self, node: int) -> bool:
        """Say whether the question is the tree's own ``name <= threshold``."""
        given = self.wording.questions
        return node not in self._claims and (given is None or given[node] is None)

    def children(self, node: int) -> tuple[int, int]:
        """Return the child for which the question holds, and the other."""
        yes, no = int(self.tree.yes[node]), int(self.tree.no[node])
        return (no, yes) if self.is_flipped(node) else (yes, no)

    def walk(self) -> Iterator[tuple[int, int, str]]:
        """Yield ``(node, depth, answer)`` in preorder, yes before no.

        The answer is the one that leads to the node; it is empty at the root.
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
        """Return what is asked at a split, without a question mark; sets shortened."""
        return with_short_sets(self.whole_question(node))

    def denial(self, node: int) -> str:
        """Return what holds when the answer is no; sets shortened."""
        return with_short_sets(self.whole_denial(node))

    def whole_question(self, node: int) -> str:
        """Return what is asked at a split, with every level of a set."""
        if node in self._claims:
            return self._claims[node]
        return self._text(self.wording.questions, node) or self._plain(node, "<=", ">")

    def whole_denial(self, node: int) -> str:
        """Return what holds when the answer is no, with every level of a set."""
        given = self._text(self.wording.denials, node)
        if given is not None and node not in self._claims:
            return given
        if self.is_plain(node):
            return self._plain(node, ">", "<=")
        return f"not ({self.whole_question(node)})"

    def answers(self, node: int) -> tuple[str, str]:
        """Return what stands at the branches of a split, to its yes and no child.

        Rows without a value follow the no branch; it says so if training rows did.
        """
        given = self._text(self.wording.denials, node) or ""
        is_told = is_or_missing(given) and node not in self._claims
        return "yes", "no or missing" if is_told else "no"

    def label(self, node: int) -> str:
        """Return the name of the class that `node` predicts."""
        return self.classes[int(self.tree.label[node])]

    def rows(self, node: int) -> str:
        """Return the number of training rows, as text."""
        count = int(self.tree.n_samples[node])
        return f"{count:,} {'row' if count == 1 else 'rows'}"

    def right(self, node: int) -> float | None:
        """Return the share of the node's weight that has its label, if it has any."""
        shares = self.shares(node)
        return float(shares[self.tree.label[node]]) if shares.any() else None

    def shares(self, node: int) -> npt.NDArray[np.float64]:
        """Return each class's share of the node's weight; zeros if it has none."""
        return as_shares(self.tree.value[node])

    def note(self, node: int) -> str:
        """Return the rows of a leaf, and how many of them are right."""
        right = self.right(node)
        return self.rows(node) + ("" if right is None else f", {percent(right)} right")

    def _read_claims(self) -> dict[int, str]:
        """Return the question after which the column of a split is named, if it is."""
        self._claims = {}  # the words are asked for as they were given
        asked: dict[int, set[float]] = {}
        splits = np.flatnonzero(self.tree.feature >= 0).tolist()
        for node in splits:
            known = asked.setdefault(int(self.tree.feature[node]), set())
            known.add(float(self.tree.threshold[node]))
        claims = {}
        for node in splits:
            # Where another threshold is asked about too, it is no yes/no column.
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
        # A file may say that there are billions of features: no list of their names.
        name = f"x{feature}" if names is None else one_line(names[feature])
        sign = flipped_sign if self.is_flipped(node) else sign
        return f"{name} {sign} {self._numbers[node]}"


def with_short_sets(text: str) -> str:
    """Return a text with a long set of levels, ``in {...}``, shortened.

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
    """Return `text` on one line, without characters that no file may hold."""
    return "".join(
        char if char.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for char in " ".join(text.split())
    )


def percent(share: float) -> str:
    """Return a share in percent; 0% and 100% are said only of none and all."""
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
    """Return each threshold as text: short, yet unlike others of the same feature."""
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
    # Six digits would turn 1234567.5 into 1.23457e+06, which nobody asks for.
    if 1e5 <= abs(value) < 1e15:
        digits = max(digits, len(f"{abs(value):.0f}") + 1)
    return f"{value + 0.0:.{digits}g}"
