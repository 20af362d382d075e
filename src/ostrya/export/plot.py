"""Draw a tree with matplotlib, which is imported only when it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ostrya.export.caption import caption_lines
from ostrya.export.colours import DARK, LIGHT, Theme, is_dark
from ostrya.export.layout import (
    FONT_SIZE,
    NOTE_SIZE,
    STRIP_HEIGHT,
    Box,
    Edge,
    Entry,
    Layout,
    lay_out,
)
from ostrya.export.new_figure import pyplot_for
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
    caption: bool | str = False,
) -> Axes:
    """Draw `tree` with matplotlib, root on the left.

    Splits show their condition and number of rows. Leaves show their label, number of
    rows and the share of rows with this label. The strip in each box shows the shares
    of all classes. The width of a branch shows how many rows follow it. On a dark
    figure the tree uses dark colours.

    Parameters
    ----------
    tree, feature_names, class_names, wording, caption
        As in `export_text`.
    ax : matplotlib Axes, default=None
        The axes to draw on; the font size is adapted to their size. If None, a new
        figure is created that is large enough for the tree at a font size of 12.

    Returns
    -------
    matplotlib Axes
        The axes of the picture. Save it with ``ax.figure.savefig("tree.png")``.

    Raises
    ------
    ImportError
        If matplotlib is not installed; use ``pip install "ostrya[plot]"``.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import plot_tree
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> ax = plot_tree(tree)  # doctest: +SKIP
    """
    words = worded(tree, feature_names, class_names, wording)
    layout = lay_out(words, caption_lines(tree, caption))
    axes = _new_axes(layout) if ax is None else ax
    axes.set_xlim(0, layout.width)
    axes.set_ylim(layout.height, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    pen = _Pen(axes, 1.0 if ax is None else _scale(axes, layout), _theme(axes))
    for edge in layout.edges:
        pen.draw_edge(edge)
    for box in layout.boxes:
        pen.draw_box(box)
    for entry in layout.legend:
        pen.draw_entry(entry)
    for x, y, text in layout.caption:
        pen.write((x, y), text, "left", NOTE_SIZE)
    return axes


def _new_axes(layout: Layout) -> Axes:
    size = layout.width / _POINTS_PER_INCH, layout.height / _POINTS_PER_INCH
    axes: Axes = (
        pyplot_for("plot_tree").figure(figsize=size).add_axes((0.0, 0.0, 1.0, 1.0))
    )
    return axes


def _scale(axes: Axes, layout: Layout) -> float:
    """Return the number of points on the figure per point of the layout."""
    area = axes.get_window_extent()
    dots = min(area.width / layout.width, area.height / layout.height)
    figure = axes.get_figure(root=True)
    assert figure is not None  # axes without a figure have no extent
    return float(dots * _POINTS_PER_INCH / figure.dpi)


def _theme(axes: Axes) -> Theme:
    """Return the theme that suits the background of the figure."""
    from matplotlib import rcParams
    from matplotlib.colors import to_rgb, to_rgba

    figure = axes.get_figure(root=True)
    assert figure is not None
    *paper, opacity = to_rgba(figure.get_facecolor())
    if opacity < 0.5:  # the background is unknown, but the text colour suits it
        return LIGHT if is_dark(to_rgb(rcParams["text.color"])) else DARK
    return DARK if is_dark(tuple(paper)) else LIGHT


@dataclass(frozen=True)
class _Pen:
    """Draw on axes in the colours of a theme."""

    axes: Axes
    scale: float  # points on the figure per point of the layout
    theme: Theme

    def draw_edge(self, edge: Edge) -> None:
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
        width = edge.thickness * self.scale
        self.axes.add_patch(
            PathPatch(path, fill=False, edgecolor=self.theme.line, linewidth=width)
        )
        self.write((edge.x1 - 5, edge.word_y), edge.answer, "right", NOTE_SIZE)

    def draw_box(self, box: Box) -> None:
        fill, stroke = self.theme.split_fill, self.theme.line
        if box.colour is not None:
            fill, stroke = self.theme.tint(box.colour, box.strength), box.colour
        self._fill((box.x, box.top), box.width, box.height, fill)
        strip_top = box.top + box.height - STRIP_HEIGHT
        for start, share, colour in box.strip:
            corner = (box.x + start * box.width, strip_top)
            self._fill(corner, share * box.width, STRIP_HEIGHT, colour)
        self._frame((box.x, box.top), box.width, box.height, stroke)
        middle = box.x + box.width / 2
        for y, text, is_title in box.texts():
            size = FONT_SIZE if is_title else NOTE_SIZE
            line = self.write((middle, y), text, "center", size)
            if is_title:
                line.set_color(self.theme.ink)
                line.set_fontweight("bold" if box.is_leaf else "normal")

    def draw_entry(self, entry: Entry) -> None:
        self._fill((entry.x, entry.y - 6), 12, 12, entry.colour)
        name = self.write((entry.x + 18, entry.y), entry.name, "left", NOTE_SIZE)
        name.set_color(self.theme.ink)

    def write(
        self, place: tuple[float, float], text: str, side: Side, size: float
    ) -> Text:
        # Without math mode, because names may contain dollar signs.
        return self.axes.text(
            *place,
            text,
            ha=side,
            va="center_baseline",
            fontsize=size * self.scale,
            color=self.theme.pale_ink,
            parse_math=False,
        )

    def _fill(
        self, corner: tuple[float, float], width: float, height: float, colour: str
    ) -> None:
        from matplotlib.patches import Rectangle

        # Without an edge, for which some styles use another colour.
        self.axes.add_patch(
            Rectangle(corner, width, height, facecolor=colour, edgecolor="none")
        )

    def _frame(
        self, corner: tuple[float, float], width: float, height: float, colour: str
    ) -> None:
        from matplotlib.patches import Rectangle

        frame = Rectangle(corner, width, height, fill=False, edgecolor=colour)
        frame.set_linewidth(self.scale)
        self.axes.add_patch(frame)
