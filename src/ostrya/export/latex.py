"""Export a tree as LaTeX source for the forest package."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ostrya.export.caption import caption_lines
from ostrya.export.colours import palette, strength
from ostrya.export.shortening import LONGEST_LINE, wrapped
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
    # Two adjacent dashes or quotes would be combined into one character.
    "-": "{-}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
}

# The default condition of a split; its number contains no spaces.
_COMPARISON = re.compile(r"(.* |)(<=|>) (\S+)")
_AT_MOST = re.compile(r"(^| )\\textless\{\}= ")
# Deeper nodes are not indented further; otherwise the source would be mostly spaces.
_MOST_INDENT = 40


def export_latex(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
    caption: bool | str = False,
) -> str:
    r"""Return `tree` as a ``forest`` environment.

    The preamble needs ``\usepackage[T1]{fontenc}``, ``\usepackage{textcomp}`` and
    ``\usepackage{forest}``; the first line of the source repeats this as a comment.

    Parameters
    ----------
    tree, feature_names, class_names, wording, caption
        As in `export_text`. Special characters of LaTeX are escaped.

    Returns
    -------
    str
        LaTeX source.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_latex
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> source = export_latex(tree, ["net_worth"], ["&", "C"])
    >>> for line in source.splitlines()[-5:]:
    ...     print(line.strip())
    [{net\_worth $\leq 1.5$?\\\footnotesize 4 rows}
    [{\textbf{\&}\\\footnotesize 2 rows, 100\% correct}, fill=ostrya0!40, yes branch]
    [{\textbf{C}\\\footnotesize 2 rows, 100\% correct}, fill=ostrya1!40, no branch]
    ]
    \end{forest}
    """
    words = worded(tree, feature_names, class_names, wording)
    told = caption_lines(tree, caption)
    tree = words.tree
    shown = sorted(
        {int(tree.label[n]) for n in range(tree.n_nodes) if words.is_leaf(n)}
    )
    colours = palette(tree.n_classes)
    splits = [node for node in range(tree.n_nodes) if not words.is_leaf(node)]
    if_no = sorted({"no", *(words.answers(node)[1] for node in splits)})
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
            for answer in ("yes", *if_no)
        ),
    ]
    open_splits = 0
    parents: list[int] = []  # the split at each depth above the node

    def indent(depth: int) -> str:
        return "  " * min(depth, _MOST_INDENT)

    for node, depth, answer in words.walk():
        while open_splits > depth:
            lines.append(indent(open_splits) + "]")
            open_splits -= 1
        del parents[depth:]
        if answer == "no":
            answer = words.answers(parents[-1])[1]
        parents.append(node)
        options = f", {answer} branch" if answer else ""
        lines.append(indent(depth + 1) + f"[{{{_content(words, node)}}}")
        if words.is_leaf(node):
            lines[-1] += f", fill={_fill(words, node)}{options}]"
        else:
            lines[-1] += options
            open_splits += 1
    lines += [indent(depth) + "]" for depth in range(open_splits, 0, -1)]
    lines.append(r"\end{forest}")
    if told:
        body = r"\\".join(map(_escape, told))
        lines.append(rf"{{\par\medskip\noindent\footnotesize {body}\par}}")
    return "\n".join(lines)


def _content(words: WordedTree, node: int) -> str:
    if words.is_leaf(node):
        labels = wrapped(words.label(node), LONGEST_LINE)
        head = r"\\".join(rf"\textbf{{{_escape(line)}}}" for line in labels)
        return rf"{head}\\\footnotesize {_escape(words.note(node))}"
    *lines, last = wrapped(words.question(node), LONGEST_LINE)
    comparison = _COMPARISON.fullmatch(last)
    if words.is_plain(node) and comparison is not None:
        name, sign, number = comparison.groups()
        relation = r"\leq" if sign == "<=" else ">"
        # In math mode "-" is a minus sign; \mathrm avoids spaces around it in 1e-9.
        number = number if "e" not in number else rf"\mathrm{{{number}}}"
        end = rf"{_escape(name)}${relation} {number}$"
    else:
        end = _with_signs(last)
    question = r"\\".join([*map(_with_signs, lines), end])
    return rf"{question}?\\\footnotesize {_escape(words.rows(node))}"


def _with_signs(text: str) -> str:
    return _AT_MOST.sub(lambda found: rf"{found[1]}$\leq$ ", _escape(text))


def _fill(words: WordedTree, node: int) -> str:
    share = 100 * strength(words.right(node))
    return f"ostrya{int(words.tree.label[node])}!{share:.0f}"


def _escape(text: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in text)
