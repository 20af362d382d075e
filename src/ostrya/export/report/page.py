"""Export a report on a model as one self-contained HTML file.

The page is assembled from the files in this folder: a frame, a style sheet and scripts.
All data about the model are in one JSON object, which the scripts show as text. Text of
the user never becomes part of the markup or of a script.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from ostrya.export.caption import headline
from ostrya.export.report.content import report_content
from ostrya.export.text import export_rules, export_text
from ostrya.export.wording import Grown
from ostrya.tree import Tree

# In the order in which they are run: for a tree, and for a Rashomon set.
SCRIPTS = (
    *("elements.js", "walk.js", "drawing.js", "details.js"),
    *("axes.js", "chart.js", "frontier.js", "scores.js"),
    *("copy.js", "rules.js", "what_if.js", "main.js"),
)
SET_SCRIPTS = (
    *("elements.js", "set_nodes.js", "drawing.js", "details.js", "copy.js"),
    *("axes.js", "set_filters.js", "sunburst.js", "set_list.js", "set_bars.js"),
    *("set_rows.js", "set_main.js"),
)


def export_report(
    model: Grown,
    X: Any = None,
    y: Any = None,
    *,
    title: str | None = None,
    frontier: Any = None,
) -> str:
    """Return an HTML report on a model.

    The page shows an interactive drawing of the tree, what was proved, the search over
    time, scores with a confusion matrix, the rules, and a what-if section that follows
    a case through the tree. It loads no external resources and supports phones, dark
    mode, printing and screen readers.

    Parameters
    ----------
    model : classifier or Outcome
        A fitted classifier of this package, or a result of `ostrya.solve`.
    X, y : table and labels, default=None
        Held-out rows and their labels, on which to score the model.
    title : str, default=None
        The title of the page. If None, it states the number of leaves.
    frontier : Frontier, default=None
        The scores of other tree sizes, from `ostrya.frontier`, for comparison. For an
        `OptimalTreeClassifierCV`, its own scores are used.

    Returns
    -------
    str
        A complete document. If the levels of the model cannot be exported, it contains
        an explanation in place of the what-if section.

    Raises
    ------
    ValueError
        If only one of `X` and `y` is given, or their lengths differ.
    TypeError
        If `model` is not a fitted classifier or an outcome, or `frontier` is not a
        frontier.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_report
    >>> clf = ostrya.OptimalTreeClassifier(leaf_penalty=0.01)
    >>> clf = clf.fit([[1], [2], [3]], ["a", "a", "b"])
    >>> page = export_report(clf, [[0], [9]], ["a", "b"], title="a < b")
    >>> page.splitlines()[0], "<title>a &lt; b</title>" in page
    ('<!DOCTYPE html>', True)
    """
    content = report_content(model, X, y, title, frontier)
    parts = {
        "headline": escape(headline(model)),
        "rules": escape(export_rules(model, caption=True)),
    }
    return _assemble("page.html", ("page.css",), SCRIPTS, content, parts)


def set_page(content: Mapping[str, Any], heading: str, best: Tree) -> str:
    """Return the page on a set; without JavaScript, it shows the best tree as text."""
    parts = {"headline": escape(heading), "best": escape(export_text(best))}
    return _assemble("set.html", ("page.css", "set.css"), SET_SCRIPTS, content, parts)


def _assemble(
    frame: str,
    styles: Sequence[str],
    scripts: Sequence[str],
    content: Mapping[str, Any],
    parts: Mapping[str, str],
) -> str:
    """Return a self-contained page made of files of this folder.

    `parts` are further pieces of markup by their names in the frame. `content` contains
    the title of the page, and everything that the scripts show.
    """
    style = "".join(map(_file, styles))
    script = "\n".join(['"use strict";', "(() => {", *map(_file, scripts), "})();"])
    every = {
        **parts,
        "policy": (
            f"default-src 'none'; style-src '{_digest(style)}'; "
            f"script-src '{_digest(script)}'; img-src data:"
        ),
        "title": escape(content["title"]),
        "drawing": _file("drawing.html"),
        "style": style,
        "content": _as_data(content),
        "script": script,
    }
    pieces = _file(frame).split("@@")  # text and names of parts, alternately
    return "".join(every[p] if i % 2 else p for i, p in enumerate(pieces))


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the hash that allows one script or style in a content security policy."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _as_data(content: Mapping[str, Any]) -> str:
    r"""Return JSON that cannot end a script element, whatever strings it contains.

    Examples
    --------
    >>> _as_data({"level": "</script>"})
    '{"level": "\\u003c/script\\u003e"}'
    """
    text = json.dumps(content, allow_nan=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
