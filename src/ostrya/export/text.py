"""Export a tree as text: as a drawing or as rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ostrya.export.caption import caption_lines
from ostrya.export.wording import Grown, WordedTree, Wording, worded
from ostrya.tree import Tree

# Deeper subtrees are drawn below the rest. Otherwise the size of a drawing would grow
# with the square of the depth.
MOST_LEVELS = 40
# The notes of rules are aligned up to this column. Otherwise one rule with a thousand
# conditions would pad every other line to the same length.
MOST_LETTERS = 200


def export_text(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
    caption: bool | str = False,
) -> str:
    """Return a drawing of `tree`, one line per node.

    Subtrees more than 40 levels deep are drawn below the rest, with a number.

    Parameters
    ----------
    tree : Tree, a fitted classifier, or an Outcome
        The tree to draw.
    feature_names : sequence of str, default=None
        One name per feature. If None, the names stored in the tree, or ``x0``, ``x1``,
        ... A column of 0 and 1 that is named after its condition, such as those of
        `ostrya.preprocessing.ThresholdBinarizer`, is shown as that condition.
    class_names : sequence, default=None
        One name per class code. If None, the names stored in the tree, or ``class 0``,
        ...
    wording : Wording, default=None
        Names and conditions together, instead of `feature_names` and `class_names`.
    caption : bool or str, default=False
        Text below the drawing. True shows the training accuracy, the objective and the
        proof of a classifier or an outcome.

    Returns
    -------
    str
        The drawing. Leaves show their label, their number of training rows, and the
        share of their weight with this label. If a feature has missing values in the
        training rows, the branch that these rows follow is labelled
        ``no or missing``.

    Raises
    ------
    ValueError
        If a sequence of names has the wrong length, or `caption` is True for a `Tree`,
        which has no objective or proof.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_text
    >>> X, y = [[20, 0], [30, 1], [40, 0], [50, 1], [60, 1]], [0, 1, 0, 1, 1]
    >>> tree = ostrya.solve(X, y, leaf_penalty=0.01).tree
    >>> print(export_text(tree, ["age", "owner"], ["no", "yes"]))
    owner <= 0.5?
    ├─ yes: no    2 rows, 100% correct
    └─ no:  yes   3 rows, 100% correct
    """
    words = worded(tree, feature_names, class_names, wording)
    lines = [stem + body + note for _, stem, body, note in drawn_lines(words)]
    return _with_caption(lines, caption_lines(tree, caption))


def drawn_lines(words: WordedTree) -> list[tuple[int, str, str, str]]:
    """Return the lines of the drawing: node, branches, text, and a note for leaves."""
    stems = _stems(words)
    leaves = [(node, stem) for node, stem, more in stems if _is_end(words, node, more)]
    width = max(len(stem + words.label(node)) for node, stem in leaves)
    digits = max(len(f"{words.tree.n_samples[node]:,}") for node, _ in leaves)
    lines = []
    for node, stem, more in stems:
        if more:
            lines.append((node, stem, more, ""))
        elif not words.is_leaf(node):
            lines.append((node, stem, f"{words.question(node)}?", ""))
        else:
            count, _, rest = words.note(node).partition(" ")
            note = f"   {count:>{digits}} {rest}"
            lines.append((node, stem, f"{words.label(node):{width - len(stem)}}", note))
    return lines


def export_rules(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
    caption: bool | str = False,
) -> str:
    """Return `tree` as rules, one line per leaf.

    Exactly one rule applies to each row, so their order does not matter. A condition is
    omitted if a later one on the same feature implies it, so a rule has at most two
    conditions per feature.

    Parameters
    ----------
    tree, feature_names, class_names, wording, caption
        As in `export_text`.

    Returns
    -------
    str
        Lines such as ``if age <= 30 and debt > 5 then good   (9 rows, 89% correct)``.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_rules
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 1, 0, 0]
    >>> tree = ostrya.solve(X, y, leaf_penalty=0.01).tree
    >>> print(export_rules(tree, ["dose"], ["sick", "well"]))
    if dose <= 2.5 then sick                  (2 rows, 100% correct)
    if dose > 2.5 and dose <= 4.5 then well   (2 rows, 100% correct)
    if dose > 4.5 then sick                   (2 rows, 100% correct)
    """
    words = worded(tree, feature_names, class_names, wording)
    heads, notes = [], []
    for leaf, rule in leaf_rules(words):
        heads.append(rule)
        notes.append(words.note(leaf))
    width = min(max(map(len, heads)), MOST_LETTERS)
    pairs = zip(heads, notes, strict=True)
    lines = [f"{head:{width}}   ({note})" for head, note in pairs]
    return _with_caption(lines, caption_lines(tree, caption))


def leaf_rules(words: WordedTree) -> Iterator[tuple[int, str]]:
    """Yield each leaf and its rule, ``if ... then label``."""
    path = _Path(words)
    for node, depth, answer in words.walk():
        path.go_to(depth, answer)
        if not words.is_leaf(node):
            path.splits.append(node)
            continue
        conditions = " and ".join(path.conditions())
        head = f"if {conditions} then" if conditions else "always"
        yield node, f"{head} {words.label(node)}"


def _with_caption(lines: list[str], caption: list[str]) -> str:
    return "\n".join([*lines, *([""] if caption else []), *caption])


def _is_end(words: WordedTree, node: int, more: str) -> bool:
    return not more and words.is_leaf(node)


def _stems(words: WordedTree) -> list[tuple[int, str, str]]:
    """Return each node with the branches drawn in front of its text.

    The root of a subtree that is drawn below occurs twice: in its place, with a
    reference to the subtree, and at the top of the subtree.
    """
    stems: list[tuple[int, str, str]] = []
    parts = [0]
    for number, root in enumerate(parts):  # the loop itself appends to this list
        stem = f"[{number}] " if number else ""
        waiting = [(root, 0, stem, "")]
        while waiting:
            node, depth, stem, margin = waiting.pop()
            if depth == MOST_LEVELS and not words.is_leaf(node):
                stems.append((node, stem, f"[{len(parts)}] below"))
                parts.append(node)
                continue
            stems.append((node, stem, ""))
            if not words.is_leaf(node):
                yes, no = words.children(node)
                _, if_no = words.answers(node)
                for child, branch, space in (
                    (no, f"└─ {if_no}: ".ljust(8), "   "),
                    (yes, "├─ yes: ", "│  "),
                ):
                    part = (child, depth + 1, margin + branch, margin + space)
                    waiting.append(part)
    return stems


class _Path:
    """The conditions from the root to a node, without redundant ones.

    Steps are undone one by one, because rebuilding the path for every leaf would take
    time proportional to the square of the depth.
    """

    def __init__(self, words: WordedTree) -> None:
        self.splits: list[int] = []  # the splits above the node, from the root
        self._words = words
        self._texts: dict[tuple[int, bool], tuple[float, str]] = {}
        self._steps: list[tuple[tuple[int, bool], tuple[float, str] | None]] = []

    def conditions(self) -> list[str]:
        """Return the conditions that hold, in the order of the splits."""
        return [text for _, text in self._texts.values()]

    def go_to(self, depth: int, answer: str) -> None:
        """Move to a node: up to the split above it, then down by its answer."""
        while len(self._steps) >= max(depth, 1):
            self._take_back()
        del self.splits[depth:]
        if depth:
            self._take(self.splits[-1], answer == "yes")

    def _take(self, node: int, holds: bool) -> None:
        words = self._words
        # Independently of the wording, x <= 2 implies x <= 3.
        is_at_most = holds != words.is_flipped(node)
        key = (int(words.tree.feature[node]), is_at_most)
        tightness = float(words.tree.threshold[node]) * (-1 if is_at_most else 1)
        known = self._texts.get(key)
        self._steps.append((key, known))
        if known is None or known[0] < tightness:
            say = words.whole_question if holds else words.whole_denial
            text = say(node)
            self._texts[key] = (tightness, text)

    def _take_back(self) -> None:
        key, known = self._steps.pop()
        if known is None:
            del self._texts[key]
        else:
            self._texts[key] = known
