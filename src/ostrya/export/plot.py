"""A tree as a picture in matplotlib, which is imported only when one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ostrya.export.colours import INK, LINE, PALE_INK
from ostrya.export.layout import (
    BOX_HEIGHT,
    FONT_SIZE,
    NOTE_SIZE,
    STRIP_HEIGHT,
    Box,
    Edge,
    Entry,
    Layout,
    lay_out,
)
from ostrya.export.wording import Grown, Wording, worded
from ostrya.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Side = Literal["left", "center", "right"]
_POINTS_PER_INCH = 72.0


def plot_tree(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw `tree` with matplotlib, root on the left.

    Splits show their question and rows, leaves their label, rows and the share that
    has the label; the strip below shows the shares of all classes. Lines are thick
    where many rows go.

    Parameters
    ----------
    tree, feature_names, class_names, wording
        As in `export_text`.
    ax : matplotlib Axes, default=None
        Where to draw; letters shrink or grow to fit. By default a new figure, as
        large as the tree needs at 12 points a letter.

    Returns
    -------
    matplotlib Axes
        What was drawn on; ``ax.figure.savefig("tree.png")`` keeps it.

    Raises
    ------
    ImportError
        Without matplotlib; ``pip install "ostrya[plot]"`` brings it.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import plot_tree
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1]).tree
    >>> ax = plot_tree(tree)  # doctest: +SKIP
    """
    layout = lay_out(worded(tree, feature_names, class_names, wording))
    axes = _new_axes(layout) if ax is None else ax
    axes.set_xlim(0, layout.width)
    axes.set_ylim(layout.height, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    scale = 1.0 if ax is None else _scale(axes, layout)
    for edge in layout.edges:
        _draw_edge(axes, edge, scale)
    for box in layout.boxes:
        _draw_box(axes, box, scale)
    for entry in layout.legend:
        _draw_entry(axes, entry, scale)
    return axes


def _new_axes(layout: Layout) -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            'plot_tree needs matplotlib: pip install "ostrya[plot]"'
        ) from error
    figure = pyplot.figure(
        figsize=(layout.width / _POINTS_PER_INCH, layout.height / _POINTS_PER_INCH)
    )
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def _scale(axes: Axes, layout: Layout) -> float:
    """Return how many points on the figure a point of the layout takes."""
    area = axes.get_window_extent()
    dots = min(area.width / layout.width, area.height / layout.height)
    figure = axes.get_figure(root=True)
    assert figure is not None  # axes without a figure have no extent either
    return float(dots * _POINTS_PER_INCH / figure.dpi)


def _draw_edge(axes: Axes, edge: Edge, scale: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    middle = (edge.x0 + edge.x1) / 2
    stations = [
        (edge.x0, edge.y0),
        (middle, edge.y0),
        (middle, edge.y1),
        (edge.x1, edge.y1),
    ]
    path = Path(stations, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
    axes.add_patch(
        PathPatch(path, fill=False, edgecolor=LINE, linewidth=edge.thickness * scale)
    )
    _write(axes, (edge.x1 - 5, edge.word_y), edge.answer, "right", NOTE_SIZE * scale)


def _draw_box(axes: Axes, box: Box, scale: float) -> None:
    from matplotlib.patches import Rectangle

    top = box.y - BOX_HEIGHT / 2
    body = Rectangle((box.x, top), box.width, BOX_HEIGHT, facecolor=box.fill)
    axes.add_patch(body)
    for start, share, colour in box.strip:
        corner = (box.x + start * box.width, top + BOX_HEIGHT - STRIP_HEIGHT)
        axes.add_patch(
            Rectangle(corner, share * box.width, STRIP_HEIGHT, facecolor=colour)
        )
    axes.add_patch(
        Rectangle(
            (box.x, top),
            box.width,
            BOX_HEIGHT,
            fill=False,
            edgecolor=box.stroke,
            linewidth=scale,
        )
    )
    middle = box.x + box.width / 2
    title = _write(axes, (middle, top + 10.5), box.title, "center", FONT_SIZE * scale)
    title.set_color(INK)
    title.set_fontweight("bold" if box.is_leaf else "normal")
    _write(axes, (middle, top + 25.0), box.note, "center", NOTE_SIZE * scale)


def _draw_entry(axes: Axes, entry: Entry, scale: float) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((entry.x, entry.y - 6), 12, 12, facecolor=entry.colour))
    name = _write(axes, (entry.x + 18, entry.y), entry.name, "left", NOTE_SIZE * scale)
    name.set_color(INK)


def _write(
    axes: Axes, place: tuple[float, float], text: str, side: Side, size: float
) -> Text:
    # A name with two dollar signs is no formula.
    return axes.text(
        *place,
        text,
        ha=side,
        va="center_baseline",
        fontsize=size,
        color=PALE_INK,
        parse_math=False,
    )
