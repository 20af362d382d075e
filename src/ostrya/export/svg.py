"""Export a tree as an SVG picture, alone or in an HTML page.

The picture contains no scripts, identifiers or external resources, so it looks the same
in a notebook, in a page with other pictures, and as a file. All text is escaped. A
style sheet selects dark colours for readers who prefer them; programs without style
sheets show light colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ostrya.export.caption import caption_lines, headline
from ostrya.export.colours import DARK, LIGHT
from ostrya.export.layout import (
    FONT_SIZE,
    NOTE_SIZE,
    STRIP_HEIGHT,
    Box,
    Edge,
    Entry,
    lay_out,
)
from ostrya.export.wording import Grown, WordedTree, Wording, bare, worded
from ostrya.tree import Tree

_FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
_IN_THE_DARK = "@media (prefers-color-scheme: dark)"
# CSS classes apply to the whole page, hence the prefix.
_STYLE = f"""<style>{_IN_THE_DARK} {{
.ostrya-ink {{ fill: {DARK.ink} }}
.ostrya-pale {{ fill: {DARK.pale_ink} }}
.ostrya-line {{ stroke: {DARK.line} }}
.ostrya-paper {{ fill: {DARK.paper} }}
.ostrya-split {{ fill: {DARK.split_fill} }}
}}</style>"""
_PAGE_STYLE = f"""<style>
:root {{ color-scheme: light dark }}
body {{ background: {LIGHT.paper} }}
{_IN_THE_DARK} {{ body {{ background: {DARK.paper} }} }}
</style>"""


def export_svg(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
    caption: bool | str = False,
) -> str:
    """Return a picture of `tree`, root on the left.

    Splits show their condition and number of rows. Leaves show their label, number of
    rows and the share of rows with this label. The strip in each box shows the shares
    of all classes. The width of a branch shows how many rows follow it. Pointing at a
    node shows its details. The picture uses dark colours if the reader prefers them.

    Parameters
    ----------
    tree, feature_names, class_names, wording, caption
        As in `export_text`.

    Returns
    -------
    str
        An ``<svg>`` element that is also a complete file.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_svg
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> picture = export_svg(tree, ["a < b"])
    >>> picture[:4], "a &lt; b &lt;= 1.5?" in picture
    ('<svg', True)
    """
    words = worded(tree, feature_names, class_names, wording)
    return _svg(words, caption_lines(tree, caption))


def export_html(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
    caption: bool | str = False,
) -> str:
    """Return an HTML page with a picture of `tree`.

    Parameters
    ----------
    tree, feature_names, class_names, wording, caption
        As in `export_text`.

    Returns
    -------
    str
        A complete, self-contained document.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import export_html
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> export_html(tree).splitlines()[0]
    '<!DOCTYPE html>'
    """
    words = worded(tree, feature_names, class_names, wording)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{_headline(words)}</title>\n{_PAGE_STYLE}\n</head>\n<body>\n"
        f"{_frame(words, caption_lines(tree, caption))}\n</body>\n</html>\n"
    )


def notebook_html(tree: Tree | Grown) -> str:
    """Return a picture of `tree` as an HTML fragment, for ``_repr_html_``.

    Above the ``tree_`` of a classifier, a sentence says how good it is and what was
    proved of it.
    """
    picture = _frame(worded(tree, None, None, None), [])
    told = bare(tree).headline
    return f"<p>{escape(told)}</p>\n{picture}" if told else picture


def model_html(model: Grown, diagram: str) -> str:
    """Return a fitted classifier as an HTML fragment, for notebooks.

    The first line states the accuracy of the tree and the proof; the picture follows.
    Below it is scikit-learn's diagram of the estimator, folded under its constructor.
    """
    return (
        f"<p>{escape(headline(model))}</p>\n"
        f"{_frame(worded(model, None, None, None), [])}\n"
        f"<details><summary>{escape(repr(model))}</summary>{diagram}</details>"
    )


def _frame(words: WordedTree, caption: list[str]) -> str:
    return f'<div style="overflow-x: auto">{_svg(words, caption)}</div>'


def _headline(words: WordedTree) -> str:
    n_leaves = words.tree.n_leaves
    return f"Decision tree with {n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}"


def _svg(words: WordedTree, caption: list[str]) -> str:
    layout = lay_out(words, caption)
    width, height = f"{layout.width:.0f}", f"{layout.height:.0f}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{_FONT}" '
        f'font-size="{NOTE_SIZE:g}" fill="{LIGHT.ink}" class="ostrya-ink">',
        f"<title>{_headline(words)}</title>",
        _STYLE,
        f'<rect width="{width}" height="{height}" fill="{LIGHT.paper}" '
        'class="ostrya-paper"/>',
        *(_edge(edge) for edge in layout.edges),
        *(_box(box) for box in layout.boxes),
        *(_entry(entry) for entry in layout.legend),
        *(
            f'<text x="{x:.1f}" y="{y + 3.5:.1f}" {_PALE}>{escape(text)}</text>'
            for x, y, text in layout.caption
        ),
        "</svg>",
    ]
    return "\n".join(lines)


_PALE = f'fill="{LIGHT.pale_ink}" class="ostrya-pale"'
_LINE = f'stroke="{LIGHT.line}" class="ostrya-line"'


def _edge(edge: Edge) -> str:
    middle = (edge.x0 + edge.x1) / 2
    return (
        f'<path d="M{edge.x0:.1f} {edge.y0:.1f}C{middle:.1f} {edge.y0:.1f} '
        f'{middle:.1f} {edge.y1:.1f} {edge.x1:.1f} {edge.y1:.1f}" fill="none" '
        f'{_LINE} stroke-width="{edge.thickness:.1f}"/>'
        f'<text x="{edge.x1 - 5:.1f}" y="{edge.word_y + 3.5:.1f}" text-anchor="end" '
        f"{_PALE}>{edge.answer}</text>"
    )


def _box(box: Box) -> str:
    middle = box.x + box.width / 2
    place = (
        f'x="{box.x:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:g}"'
    )
    if box.colour is None:
        body = f'<rect {place} fill="{LIGHT.split_fill}" class="ostrya-split"/>'
        border = _LINE
    else:
        # Drawn over an opaque background, so that branches end below the box.
        body = (
            f'<rect {place} fill="{LIGHT.paper}" class="ostrya-paper"/>'
            f'<rect {place} fill="{box.colour}" fill-opacity="{box.strength:.3f}"/>'
        )
        border = f'stroke="{box.colour}"'
    strip = "".join(
        f'<rect x="{box.x + start * box.width:.1f}" '
        f'y="{box.top + box.height - STRIP_HEIGHT:.1f}" '
        f'width="{share * box.width:.2f}" height="{STRIP_HEIGHT:g}" fill="{colour}"/>'
        for start, share, colour in box.strip
    )
    weight = ' font-weight="bold"' if box.is_leaf else ""
    texts = "".join(
        f'<text x="{middle:.1f}" y="{y + 4:.1f}" text-anchor="middle" '
        f'font-size="{FONT_SIZE:g}"{weight}>{escape(text)}</text>'
        if is_title
        else f'<text x="{middle:.1f}" y="{y + 3.5:.1f}" text-anchor="middle" '
        f"{_PALE}>{escape(text)}</text>"
        for y, text, is_title in box.texts()
    )
    return (
        f"<g><title>{escape(box.full_text)}</title>{body}{strip}"
        f'<rect {place} rx="1.5" fill="none" {border}/>{texts}</g>'
    )


def _entry(entry: Entry) -> str:
    return (
        f'<rect x="{entry.x:.1f}" y="{entry.y - 6:.1f}" width="12" height="12" '
        f'rx="2" fill="{entry.colour}"/>'
        f'<text x="{entry.x + 18:.1f}" y="{entry.y + 3.5:.1f}">'
        f"{escape(entry.name)}</text>"
    )
