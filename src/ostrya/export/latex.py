"""A tree as LaTeX source for the forest package."""

from __future__ import annotations

from collections.abc import Sequence

from ostrya.export.colours import palette
from ostrya.export.wording import Grown, WordedTree, Wording, worded
from ostrya.tree import Tree

_ESCAPES = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    # A dash or a quote beside its like would be drawn as one sign with it.
    "-": "{-}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
}

# Further to the right nobody reads; the source of a deep tree would be mostly space.
_MOST_INDENT = 40


def export_latex(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
) -> str:
    r"""Return `tree` as a ``forest`` environment.

    The preamble needs ``\usepackage[T1]{fontenc}``, ``\usepackage{textcomp}`` and
    ``\usepackage{forest}``; the first line of the source says so too.

    Parameters
    ----------
    tree, feature_names, class_names, wording
        As in `export_text`; characters with a meaning in LaTeX are escaped.

    Returns
    -------
    str
        LaTeX source.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_latex
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1]).tree
    >>> source = export_latex(tree, ["net_worth"], ["&", "C"])
    >>> print("\n".join(source.splitlines()[-5:]))
      [{net\_worth $\leq 1.5$?\\\footnotesize 4 rows}
        [{\textbf{\&}\\\footnotesize 2 rows, 100\% right}, fill=ostrya0!40, yes branch]
        [{\textbf{C}\\\footnotesize 2 rows, 100\% right}, fill=ostrya1!40, no branch]
      ]
    \end{forest}
    """
    words = worded(tree, feature_names, class_names, wording)
    tree = words.tree
    shown = sorted(
        {int(tree.label[n]) for n in range(tree.n_nodes) if words.is_leaf(n)}
    )
    colours = palette(tree.n_classes)
    lines = [
        r"% \usepackage[T1]{fontenc} \usepackage{textcomp} \usepackage{forest}",
        *(
            rf"\definecolor{{ostrya{code}}}{{HTML}}{{{colours[code][1:].upper()}}}"
            for code in shown
        ),
        r"\begin{forest}",
        "  for tree={draw, rounded corners=2pt, align=center, l sep=8mm, s sep=4mm},",
        *(
            rf"  {answer} branch/.style={{edge label={{node[midway, fill=white, inner "
            rf"sep=1pt, font=\footnotesize]{{{answer}}}}}}},"
            for answer in ("yes", "no")
        ),
    ]
    open_splits = 0

    def indent(depth: int) -> str:
        return "  " * min(depth, _MOST_INDENT)

    for node, depth, answer in words.walk():
        while open_splits > depth:
            lines.append(indent(open_splits) + "]")
            open_splits -= 1
        options = f", {answer} branch" if answer else ""
        lines.append(indent(depth + 1) + f"[{{{_content(words, node)}}}")
        if words.is_leaf(node):
            lines[-1] += f", fill={_fill(words, node)}{options}]"
        else:
            lines[-1] += options
            open_splits += 1
    lines += [indent(depth) + "]" for depth in range(open_splits, 0, -1)]
    return "\n".join([*lines, r"\end{forest}"])


def _content(words: WordedTree, node: int) -> str:
    if words.is_leaf(node):
        head = rf"\textbf{{{_escape(words.label(node))}}}"
        return rf"{head}\\\footnotesize {_escape(words.note(node))}"
    question = words.question(node)
    if words.is_plain(node):
        name, sign, number = question.rsplit(" ", 2)
        relation = r"\leq" if sign == "<=" else ">"
        # In a formula a minus is a minus; the braces keep 1e-9 close together.
        number = number if "e" not in number else rf"\mathrm{{{number}}}"
        question = rf"{_escape(name)} ${relation} {number}$"
    else:
        question = _escape(question).replace(r" \textless{}= ", r" $\leq$ ")
    return rf"{question}?\\\footnotesize {_escape(words.rows(node))}"


def _fill(words: WordedTree, node: int) -> str:
    strength = 8 + 32 * (words.right(node) or 0.0)
    return f"ostrya{int(words.tree.label[node])}!{strength:.0f}"


def _escape(text: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in text)
