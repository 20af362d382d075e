"""Draw a tree as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ostrya.tree import Tree


def draw(
    tree: Tree,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
) -> str:
    """Return a drawing of `tree`, one line a node.

    Parameters
    ----------
    tree : Tree
        What to draw.
    feature_names : sequence of str, default=None
        One name a feature; by default the tree's own questions are shown, or
        ``x0``, ``x1``, ... where it has none.
    class_names : sequence of str, default=None
        One name a class code; by default the tree's own names, or ``class 0``,
        ``class 1``, ... where it has none.

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
    >>> from ostrya.text import draw
    >>> X, y = [[20, 0], [30, 1], [40, 0], [50, 1], [60, 1]], [0, 1, 0, 1, 1]
    >>> print(draw(ostrya.solve(X, y).tree, ["age", "owner"], ["no", "yes"]))
    owner <= 0.5?
    ├─ yes: no    2 rows, 100% right
    └─ no:  yes   3 rows, 100% right
    """
    questions = _questions(tree, feature_names)
    class_names = tree.class_names if class_names is None else class_names
    classes = _names("class_names", class_names, tree.n_classes, "class {}")
    notes = _leaf_notes(tree)
    heads = []
    for node, stem in enumerate(_stems(tree)):
        if node in notes:
            heads.append(stem + classes[tree.label[node]])
        else:
            heads.append(f"{stem}{questions[node]}?")
    width = max(len(head) for node, head in enumerate(heads) if node in notes)
    return "\n".join(
        f"{head:{width}}   {notes[node]}" if node in notes else head
        for node, head in enumerate(heads)
    )


def _questions(tree: Tree, feature_names: Sequence[str] | None) -> Sequence[str]:
    """Return what each split asks; the entries of leaves mean nothing."""
    if feature_names is None and tree.questions is not None:
        return tree.questions
    features = _names("feature_names", feature_names, tree.n_features, "x{}")
    return [
        f"{features[feature]} <= {threshold:.6g}" if feature >= 0 else ""
        for feature, threshold in zip(tree.feature, tree.threshold, strict=True)
    ]


def _names(
    argument: str, names: Sequence[str] | None, count: int, default: str
) -> list[str]:
    if names is None:
        return [default.format(i) for i in range(count)]
    if len(names) != count:
        raise ValueError(f"{argument} has {len(names)} names; this tree wants {count}")
    return [str(name) for name in names]


def _stems(tree: Tree) -> list[str]:
    """Return the branches drawn before each node's own words."""
    stems = [""] * tree.n_nodes
    margins = [""] * tree.n_nodes  # what stands before the node's children
    for node in range(tree.n_nodes):
        if tree.feature[node] >= 0:
            yes, no = tree.yes[node], tree.no[node]
            stems[yes] = margins[node] + "├─ yes: "
            stems[no] = margins[node] + "└─ no:  "
            margins[yes] = margins[node] + "│  "
            margins[no] = margins[node] + "   "
    return stems


def _leaf_notes(tree: Tree) -> dict[int, str]:
    """Return what is told of each leaf, keyed by node, in aligned columns."""
    leaves = [node for node in range(tree.n_nodes) if tree.feature[node] < 0]
    digits = max(len(f"{tree.n_samples[leaf]:,}") for leaf in leaves)
    notes = {}
    for leaf in leaves:
        rows = tree.n_samples[leaf]
        total = tree.value[leaf].sum()
        note = f"{rows:{digits},} {'row' if rows == 1 else 'rows'}"
        if total > 0:
            note += f", {tree.value[leaf, tree.label[leaf]] / total:.0%} right"
        notes[leaf] = note
    return notes
