"""A report on a model as one file of HTML that needs nothing but itself.

The page is put together of the files beside this one: a frame, a style sheet and
scripts. What it is about is one JSON object in it, which the scripts show as text; no
word of the user's becomes part of the page itself.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib import resources
from typing import Any

from ostrya.export.report.content import report_content
from ostrya.export.text import export_rules
from ostrya.export.wording import Grown

# In the order in which they are read.
SCRIPTS = (
    *("elements.js", "walk.js", "drawing.js", "details.js"),
    *("axes.js", "chart.js", "frontier.js", "scores.js"),
    *("rules.js", "what_if.js", "main.js"),
)


def export_report(
    model: Grown,
    X: Any = None,
    y: Any = None,
    *,
    title: str | None = None,
    frontier: Any = None,
) -> str:
    """Return a page of HTML about a model.

    It has the tree as a drawing to zoom, fold and click, what is proved of it, how the
    search went, scores with a confusion matrix, the rules, and sliders that walk a case
    through the tree. It loads nothing, and shows well on phones, in the dark, on paper
    and to screen readers.

    Parameters
    ----------
    model : classifier or Outcome
        A fitted classifier of ours, or what `ostrya.solve` returned.
    X, y : table and labels, default=None
        Rows that the model has not seen, and their labels, to score it by.
    title : str, default=None
        What stands above. By default how many leaves the tree has.
    frontier : Frontier, default=None
        The scores of other sizes, to show where this one stands; from
        `ostrya.frontier`. An `OptimalTreeClassifierCV` brings its own.

    Returns
    -------
    str
        A complete document. For a model whose levels cannot be written into a program,
        it says so in place of the sliders.

    Raises
    ------
    ValueError
        When only one of `X` and `y` is given, or they differ in length.
    TypeError
        When `model` is no fitted classifier or outcome, or `frontier` no frontier.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_report
    >>> clf = ostrya.OptimalTreeClassifier(0.01).fit([[1], [2], [3]], ["a", "a", "b"])
    >>> page = export_report(clf, [[0], [9]], ["a", "b"], title="a < b")
    >>> page.splitlines()[0], "<title>a &lt; b</title>" in page
    ('<!DOCTYPE html>', True)
    """
    content = report_content(model, X, y, title, frontier)
    style = _file("page.css")
    script = "\n".join(
        ['"use strict";', "(() => {", *map(_file, SCRIPTS), "})();"],
    )
    parts = {
        "policy": (
            f"default-src 'none'; style-src '{_digest(style)}'; "
            f"script-src '{_digest(script)}'; img-src data:"
        ),
        "title": escape(content["title"]),
        "style": style,
        "rules": escape(export_rules(model, caption=True)),
        "content": _as_data(content),
        "script": script,
    }
    pieces = _file("page.html").split("@@")  # text and names of parts by turns
    return "".join(parts[p] if i % 2 else p for i, p in enumerate(pieces))


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the hash by which a policy lets one script or style through."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _as_data(content: dict[str, Any]) -> str:
    r"""Return JSON that ends no script element, whatever texts it holds.

    Examples
    --------
    >>> _as_data({"level": "</script>"})
    '{"level": "\\u003c/script\\u003e"}'
    """
    text = json.dumps(content, allow_nan=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
