"""Formulas as MathML, which browsers show by themselves: no script, no network."""

from __future__ import annotations

from html import escape
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)


def written(node: nodes.Element, as_block: bool) -> str:
    """Return a formula in MathML; one that cannot be read is a warning."""
    formula = node.astext()
    try:
        return tex2mathml(formula, as_block=as_block)
    except Exception as error:
        log.warning("formula %r: %s", formula, error, location=node)
        return f"<code>{escape(formula)}</code>"


def visit_inline(writer: Any, node: nodes.Element) -> None:
    """Write a formula within a line."""
    writer.body.append(written(node, as_block=False))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.Element) -> None:
    """Write a formula that stands by itself."""
    writer.body.append(f'<div class="math">{written(node, as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the renderer, and take it for all pages."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.connect("config-inited", choose)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def choose(app: Sphinx, config: Any) -> None:
    """Take this renderer unless the configuration names another."""
    config.html_math_renderer = config.html_math_renderer or "mathml"
