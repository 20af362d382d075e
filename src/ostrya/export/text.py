"""A tree as text: a drawing, or rules."""

from __future__ import annotations

from collections.abc import Sequence

from ostrya.export.wording import Grown, WordedTree, Wording, worded
from ostrya.tree import Tree


def export_text(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
) -> str:
    """Return a drawing of `tree`, one line per node.

    Parameters
    ----------
    tree : Tree, or a fitted classifier
        What to draw.
    feature_names : sequence of str, default=None
        One name a feature. By default the tree's own words, or ``x0``, ``x1``, ...
    class_names : sequence, default=None
        One name per class code. By default the tree's own, or ``class 0``, ...
    wording : Wording, default=None
        All words at once, in place of the names.

    Returns
    -------
    str
        Leaves show their label, their training rows, and the share of their
        weight that has the label.

    Raises
    ------
    ValueError
        When a sequence of names has the wrong length.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_text
    >>> X, y = [[20, 0], [30, 1], [40, 0], [50, 1], [60, 1]], [0, 1, 0, 1, 1]
    >>> print(export_text(ostrya.solve(X, y).tree, ["age", "owner"], ["no", "yes"]))
    owner <= 0.5?
    ├─ yes: no    2 rows, 100% right
    └─ no:  yes   3 rows, 100% right
    """
    words = worded(tree, feature_names, class_names, wording)
    return "\n".join(stem + body + note for _, stem, body, note in drawn_lines(words))


def drawn_lines(words: WordedTree) -> list[tuple[int, str, str, str]]:
    """Return the drawing line by line: node, branches, words, and a note at leaves."""
    stems = _stems(words)
    leaves = {node: stem for node, stem in stems if words.is_leaf(node)}
    width = max(len(stem + words.label(node)) for node, stem in leaves.items())
    digits = max(len(f"{words.tree.n_samples[node]:,}") for node in leaves)
    lines = []
    for node, stem in stems:
        if node not in leaves:
            lines.append((node, stem, f"{words.question(node)}?", ""))
            continue
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
) -> str:
    """Return `tree` as rules, one line per leaf.

    Exactly one rule holds for a row, so their order does not matter. A condition that
    a later one on the same feature implies is left out.

    Parameters
    ----------
    tree, feature_names, class_names, wording
        As in `export_text`.

    Returns
    -------
    str
        Lines such as ``if age <= 30 and debt > 5 then good   (9 rows, 89% right)``.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_rules
    >>> tree = ostrya.solve([[1], [2], [3], [4], [5], [6]], [0, 0, 1, 1, 0, 0]).tree
    >>> print(export_rules(tree, ["dose"], ["sick", "well"]))
    if dose <= 2.5 then sick                  (2 rows, 100% right)
    if dose > 2.5 and dose <= 4.5 then well   (2 rows, 100% right)
    if dose > 4.5 then sick                   (2 rows, 100% right)
    """
    words = worded(tree, feature_names, class_names, wording)
    heads, notes = [], []
    path: list[tuple[int, bool]] = []  # splits above the node, and the answers there
    for node, depth, answer in words.walk():
        if depth:
            del path[depth:]
            path[depth - 1] = (path[depth - 1][0], answer == "yes")
        if not words.is_leaf(node):
            path.append((node, True))
            continue
        conditions = " and ".join(_conditions(words, path[:depth]))
        head = f"if {conditions} then" if conditions else "always"
        heads.append(f"{head} {words.label(node)}")
        notes.append(words.note(node))
    width = max(map(len, heads))
    return "\n".join(
        f"{head:{width}}   ({note})" for head, note in zip(heads, notes, strict=True)
    )


def _stems(words: WordedTree) -> list[tuple[int, str]]:
    """Return each node with the branches drawn before its own words."""
    stems = []
    margins = [""]  # what stands before the children of the node at each depth
    for node, depth, answer in words.walk():
        del margins[depth + 1 :]
        if not depth:
            stem, margin = "", ""
        elif answer == "yes":
            stem, margin = margins[depth - 1] + "├─ yes: ", margins[depth - 1] + "│  "
        else:
            stem, margin = margins[depth - 1] + "└─ no:  ", margins[depth - 1] + "   "
        margins[depth:] = [margin]
        stems.append((node, stem))
    return stems


def _conditions(words: WordedTree, path: list[tuple[int, bool]]) -> list[str]:
    """Return what holds along `path`, without what the rest of it implies."""
    texts: dict[tuple[int, bool], tuple[float, str]] = {}
    for node, holds in path:
        text = words.question(node) if holds else words.denial(node)
        # Whatever the words, rows with x <= 2 are among those with x <= 3.
        is_at_most = holds != words.is_flipped(node)
        key = (int(words.tree.feature[node]), is_at_most)
        tightness = float(words.tree.threshold[node]) * (-1 if is_at_most else 1)
        if key not in texts or texts[key][0] < tightness:
            texts[key] = (tightness, text)
    return [text for _, text in texts.values()]
