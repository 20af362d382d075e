"""The page about a Rashomon set, of parts of the report on a single tree."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from ostrya.export.report.page import assemble
from ostrya.export.text import export_text
from ostrya.tree import Tree

# In the order in which they are run.
SET_SCRIPTS = (
    *("elements.js", "set_nodes.js", "drawing.js", "details.js", "copy.js"),
    *("axes.js", "set_filters.js", "sunburst.js", "set_list.js", "set_bars.js"),
    *("set_rows.js", "set_main.js"),
)


def set_page(content: Mapping[str, Any], headline: str, best: Tree) -> str:
    """Return the page; without JavaScript, it shows the best tree as text."""
    parts = {"headline": escape(headline), "best": escape(export_text(best))}
    return assemble("set.html", ("page.css", "set.css"), SET_SCRIPTS, content, parts)
