"""Export a tree as Graphviz source."""

from __future__ import annotations

from collections.abc import Sequence

from ostrya.export.caption import caption_lines
from ostrya.export.colours import INK, LINE, SPLIT_FILL, palette, strength, tint
from ostrya.export.shortening import LONGEST_LINE, wrapped
from ostrya.export.wording import Grown, Wording, worded
from ostrya.tree import Tree


def export_graphviz(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
    caption: bool | str = False,
) -> str:
    r"""Return `tree` in the DOT language, for the ``dot`` program.

    Parameters
    ----------
    tree, feature_names, class_names, wording, caption
        As in `export_text`.

    Returns
    -------
    str
        A digraph whose nodes have the same numbers as in the tree.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_graphviz
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> print(export_graphviz(tree, ["age"], ["young", "old"]))
    digraph tree {
      graph [ordering="out"];
      node [shape="box", style="filled,rounded", fontname="Helvetica",
            fontcolor="#1f2430", color="#9aa1ad", fillcolor="#f5f6f8"];
      edge [fontname="Helvetica", fontsize="10", color="#9aa1ad"];
      0 [label="age <= 1.5?\n4 rows"];
      1 [label="young\n2 rows, 100% correct", color="#0072b2", fillcolor="#99c7e0"];
      0 -> 1 [label="yes"];
      2 [label="old\n2 rows, 100% correct", color="#e69f00", fillcolor="#f5d999"];
      0 -> 2 [label="no"];
    }
    """
    words = worded(tree, feature_names, class_names, wording)
    captions = caption_lines(tree, caption)
    tree = words.tree
    colours = palette(tree.n_classes)
    lines = [
        "digraph tree {",
        '  graph [ordering="out"];',
        '  node [shape="box", style="filled,rounded", fontname="Helvetica",',
        f'        fontcolor="{INK}", color="{LINE}", fillcolor="{SPLIT_FILL}"];',
        f'  edge [fontname="Helvetica", fontsize="10", color="{LINE}"];',
    ]
    parents: list[int] = []  # the split at each depth above the node
    for node, depth, answer in words.walk():
        del parents[depth:]
        if words.is_leaf(node):
            colour = colours[int(tree.label[node])]
            fill = tint(colour, strength(words.right(node)))
            label = _quote(*_lines(words.label(node)), words.note(node))
            paint = f', color="{colour}", fillcolor="{fill}"'
        else:
            label = _quote(*_lines(f"{words.question(node)}?"), words.rows(node))
            paint = ""
        lines.append(f"  {node} [label={label}{paint}];")
        if depth:
            told = words.answers(parents[-1])[answer == "no"]
            lines.append(f'  {parents[-1]} -> {node} [label="{told}"];')
        parents.append(node)
    if captions:
        # The escape at the end of each line aligns it to the left.
        label = "".join(_quote(line)[1:-1] + "\\l" for line in captions)
        lines += [
            f'  graph [label="{label}", labelloc="b", labeljust="l",',
            f'         fontname="Helvetica", fontsize="10", fontcolor="{INK}"];',
        ]
    return "\n".join([*lines, "}"])


def _lines(text: str) -> tuple[str, ...]:
    return wrapped(text, LONGEST_LINE)


def _quote(*lines: str) -> str:
    r"""Return lines as a DOT string, in which ``\`` and ``&`` must be escaped."""
    escaped = (
        line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
        for line in lines
    )
    return '"' + "\\n".join(escaped) + '"'
