"""A tree as a picture in SVG, alone or in a page of HTML.

There are no scripts, style sheets, identifiers or outside resources in it, so it shows
the same in a notebook, on a page beside others, and as a file; every word of the user's
is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ostrya.export.colours import INK, LINE, PALE_INK, PAPER
from ostrya.export.layout import (
    BOX_HEIGHT,
    FONT_SIZE,
    NOTE_SIZE,
    STRIP_HEIGHT,
    Box,
    Edge,
    Entry,
    lay_out,
)
from ostrya.export.wording import Grown, WordedTree, Wording, worded
from ostrya.tree import Tree

_FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


def export_svg(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
) -> str:
    """Return a picture of `tree`, root on the left.

    Splits show their question and rows, leaves their label, rows and the share that
    has the label; the strip below shows the shares of all classes. Lines are thick
    where many rows go. Pointing at a node tells all about it.

    Parameters
    ----------
    tree, feature_names, class_names, wording
        As in `export_text`.

    Returns
    -------
    str
        An ``<svg>`` element that is also a complete file.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_svg
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1]).tree
    >>> picture = export_svg(tree, ["a < b"])
    >>> picture[:4], "a &lt; b &lt;= 1.5?" in picture
    ('<svg', True)
    """
    return _svg(worded(tree, feature_names, class_names, wording))


def export_html(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
) -> str:
    """Return a page of HTML with the picture of `tree`.

    Parameters
    ----------
    tree, feature_names, class_names, wording
        As in `export_text`.

    Returns
    -------
    str
        A complete document that needs nothing but itself.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_html
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1]).tree
    >>> export_html(tree).splitlines()[0]
    '<!DOCTYPE html>'
    """
    words = worded(tree, feature_names, class_names, wording)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{_headline(words)}</title>\n</head>\n<body>\n"
        f"{_frame(words)}\n</body>\n</html>\n"
    )


def notebook_html(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
) -> str:
    """Return the picture of `tree` as part of a page, for ``_repr_html_``."""
    return _frame(worded(tree, feature_names, class_names, wording))


def _frame(words: WordedTree) -> str:
    return f'<div style="overflow-x: auto">{_svg(words)}</div>'


def _headline(words: WordedTree) -> str:
    n_leaves = words.tree.n_leaves
    return f"Decision tree with {n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}"


def _svg(words: WordedTree) -> str:
    layout = lay_out(words)
    width, height = f"{layout.width:.0f}", f"{layout.height:.0f}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{_FONT}" '
        f'font-size="{NOTE_SIZE:g}" fill="{INK}">',
        f"<title>{_headline(words)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        *(_edge(edge) for edge in layout.edges),
        *(_box(box) for box in layout.boxes),
        *(_entry(entry) for entry in layout.legend),
        "</svg>",
    ]
    return "\n".join(lines)


def _edge(edge: Edge) -> str:
    middle = (edge.x0 + edge.x1) / 2
    return (
        f'<path d="M{edge.x0:.1f} {edge.y0:.1f}C{middle:.1f} {edge.y0:.1f} '
        f'{middle:.1f} {edge.y1:.1f} {edge.x1:.1f} {edge.y1:.1f}" fill="none" '
        f'stroke="{LINE}" stroke-width="{edge.thickness:.1f}"/>'
        f'<text x="{edge.x1 - 5:.1f}" y="{edge.word_y + 3.5:.1f}" text-anchor="end" '
        f'fill="{PALE_INK}">{edge.answer}</text>'
    )


def _box(box: Box) -> str:
    top = box.y - BOX_HEIGHT / 2
    middle = box.x + box.width / 2
    weight = ' font-weight="bold"' if box.is_leaf else ""
    strip = "".join(
        f'<rect x="{box.x + start * box.width:.1f}" '
        f'y="{top + BOX_HEIGHT - STRIP_HEIGHT:.1f}" width="{share * box.width:.2f}" '
        f'height="{STRIP_HEIGHT:g}" fill="{colour}"/>'
        for start, share, colour in box.strip
    )
    return (
        f"<g><title>{escape(box.full_text)}</title>"
        f'<rect x="{box.x:.1f}" y="{top:.1f}" width="{box.width:.1f}" '
        f'height="{BOX_HEIGHT:g}" fill="{box.fill}"/>{strip}'
        f'<rect x="{box.x:.1f}" y="{top:.1f}" width="{box.width:.1f}" '
        f'height="{BOX_HEIGHT:g}" rx="1.5" fill="none" stroke="{box.stroke}"/>'
        f'<text x="{middle:.1f}" y="{top + 14.5:.1f}" text-anchor="middle" '
        f'font-size="{FONT_SIZE:g}"{weight}>{escape(box.title)}</text>'
        f'<text x="{middle:.1f}" y="{top + 28.5:.1f}" text-anchor="middle" '
        f'fill="{PALE_INK}">{escape(box.note)}</text></g>'
    )


def _entry(entry: Entry) -> str:
    return (
        f'<rect x="{entry.x:.1f}" y="{entry.y - 6:.1f}" width="12" height="12" '
        f'rx="2" fill="{entry.colour}"/>'
        f'<text x="{entry.x + 18:.1f}" y="{entry.y + 3.5:.1f}">'
        f"{escape(entry.name)}</text>"
    )
