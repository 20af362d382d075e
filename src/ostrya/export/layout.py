"""Where everything in a picture of a tree stands; shared by all kinds of pictures.

The root is on the left and every leaf has a row of its own, so that questions run along
the line of reading and thirty leaves fit a page. A node stands in the column of its
depth, halfway between its children. Two nodes in one column belong to different
subtrees, hence to different rows: they are at least a row apart and cannot overlap.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import accumulate

from ostrya.export.colours import LINE, SPLIT_FILL, palette, tint
from ostrya.export.wording import WordedTree, percent

# Lengths are in points; y points down.
FONT_SIZE = 12.0
NOTE_SIZE = 10.0
BOX_HEIGHT = 38.0
STRIP_HEIGHT = 4.0
MARGIN = 12.0
_ROW = 46.0
_GAP = 54.0
_PADDING = 10.0
_LEGEND_ROW = 20.0
_LEGEND_SWATCH = 12.0
_LONGEST_TEXT = 40


@dataclass(frozen=True)
class Box:
    """A node: two lines of text over a strip that shows the shares of the classes."""

    node: int
    x: float  # of the left side
    y: float  # of the middle
    width: float
    title: str
    note: str
    full_text: str
    fill: str
    stroke: str
    strip: tuple[tuple[float, float, str], ...]  # start and length in one, colour
    is_leaf: bool


@dataclass(frozen=True)
class Edge:
    """A line from a box to its child, thick where many rows go."""

    x0: float
    y0: float
    x1: float
    y1: float
    answer: str
    thickness: float

    @property
    def word_y(self) -> float:
        """The middle of the answer: on the side that the line does not come from."""
        return self.y1 + (8.0 if self.y1 > self.y0 else -8.0)


@dataclass(frozen=True)
class Entry:
    """A class in the legend: a swatch and a name."""

    x: float
    y: float
    colour: str
    name: str


@dataclass(frozen=True)
class Layout:
    """A picture, ready to be drawn."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    legend: tuple[Entry, ...]


def lay_out(words: WordedTree) -> Layout:
    """Return where everything in the picture of a tree stands."""
    rows = _rows(words)
    boxes = _boxes(words, rows)
    right = max(box.x + box.width for box in boxes.values())
    bottom = max(box.y for box in boxes.values()) + BOX_HEIGHT / 2
    legend = _legend(words, right, bottom + MARGIN + _LEGEND_ROW / 2)
    if legend:
        right = max(right, *(entry.x + _entry_width(entry.name) for entry in legend))
        bottom = legend[-1].y + _LEGEND_ROW / 2
    return Layout(
        right + MARGIN,
        bottom + MARGIN,
        tuple(boxes.values()),
        tuple(_edges(words, boxes)),
        tuple(legend),
    )


def text_width(text: str, size: float) -> float:
    """Return about how long `text` is in a common sans-serif font, rather too long."""
    ems = 0.0
    for char in text:
        if unicodedata.east_asian_width(char) in "WF":
            ems += 1.0
        elif char in "iljI.,:;|!'()[] ":
            ems += 0.4
        elif char in "mwMW@%":
            ems += 0.98
        elif char.isupper() or char in "<>=+~":
            ems += 0.78
        else:
            ems += 0.62
    return size * ems


def _rows(words: WordedTree) -> dict[int, float]:
    """Return the row of each node: its own at a leaf, else halfway."""
    preorder = [node for node, _, _ in words.walk()]
    rows = {}
    n_leaves = 0
    for node in preorder:
        if words.is_leaf(node):
            rows[node] = float(n_leaves)
            n_leaves += 1
    for node in reversed(preorder):  # children before their parent
        if not words.is_leaf(node):
            yes, no = words.children(node)
            rows[node] = (rows[yes] + rows[no]) / 2
    return rows


def _boxes(words: WordedTree, rows: dict[int, float]) -> dict[int, Box]:
    colours = palette(words.tree.n_classes)
    texts = {node: _texts(words, node) for node in rows}
    widths = {
        node: 2 * _PADDING
        + max(
            text_width(title, FONT_SIZE) * (1.08 if words.is_leaf(node) else 1.0),
            text_width(note, NOTE_SIZE),
        )
        for node, (title, note) in texts.items()
    }
    # Leaves are compared with each other, so they are equally wide.
    leaf_width = max(width for node, width in widths.items() if words.is_leaf(node))
    widths = {
        node: leaf_width if words.is_leaf(node) else width
        for node, width in widths.items()
    }
    columns = [0.0] * (words.tree.depth + 1)
    for node, depth, _ in words.walk():
        columns[depth] = max(columns[depth], widths[node])
    lefts = list(accumulate((width + _GAP for width in columns), initial=MARGIN))
    boxes = {}
    for node, depth, _ in words.walk():
        title, note = texts[node]
        is_leaf = words.is_leaf(node)
        colour = colours[int(words.tree.label[node])]
        right = words.right(node)
        boxes[node] = Box(
            node=node,
            x=lefts[depth],
            y=MARGIN + BOX_HEIGHT / 2 + rows[node] * _ROW,
            width=widths[node],
            title=title,
            note=note,
            full_text=_full_text(words, node),
            fill=tint(colour, 0.08 + 0.32 * (right or 0.0)) if is_leaf else SPLIT_FILL,
            stroke=colour if is_leaf else LINE,
            strip=_strip(words, node, colours),
            is_leaf=is_leaf,
        )
    return boxes


def _texts(words: WordedTree, node: int) -> tuple[str, str]:
    if not words.is_leaf(node):
        return f"{_cut(words.question(node))}?", words.rows(node)
    right = words.right(node)
    share = "" if right is None else f", {percent(right)}"
    return _cut(words.label(node)), words.rows(node) + share


def _cut(text: str) -> str:
    """Return `text`, its middle left out when long: a threshold stands at the end."""
    if len(text) <= _LONGEST_TEXT:
        return text
    tail = _LONGEST_TEXT * 2 // 5
    return f"{text[: _LONGEST_TEXT - tail - 1]}…{text[-tail:]}"


def _full_text(words: WordedTree, node: int) -> str:
    """Return everything known of a node, for whoever points at it."""
    tree = words.tree
    lines = [words.label(node) if words.is_leaf(node) else f"{words.question(node)}?"]
    lines.append(words.rows(node))
    lines += [
        f"{name}: {weight:,.6g} ({percent(share)})"
        for name, weight, share in zip(
            words.classes, tree.value[node], words.shares(node), strict=True
        )
        if weight > 0
    ]
    return "\n".join(lines)


def _strip(
    words: WordedTree, node: int, colours: list[str]
) -> tuple[tuple[float, float, str], ...]:
    parts, start = [], 0.0
    for share, colour in zip(words.shares(node).tolist(), colours, strict=True):
        if share > 0:
            parts.append((start, share, colour))
            start += share
    return tuple(parts)


def _edges(words: WordedTree, boxes: dict[int, Box]) -> list[Edge]:
    everyone = max(int(words.tree.n_samples[0]), 1)
    edges = []
    for node, parent in boxes.items():
        if words.is_leaf(node):
            continue
        for child, answer in zip(words.children(node), ("yes", "no"), strict=True):
            share = int(words.tree.n_samples[child]) / everyone
            edges.append(
                Edge(
                    parent.x + parent.width,
                    parent.y,
                    boxes[child].x,
                    boxes[child].y,
                    answer,
                    1.0 + 4.0 * share,
                )
            )
    return edges


def _legend(words: WordedTree, right: float, top: float) -> list[Entry]:
    """Return the classes the tree has rows of, in as many lines as they need."""
    colours = palette(words.tree.n_classes)
    entries: list[Entry] = []
    x, y = MARGIN, top
    for code, name in enumerate(words.classes):
        if words.tree.value[:, code].any():
            name = _cut(name)
            if x > MARGIN and x + _entry_width(name) > right:
                x, y = MARGIN, y + _LEGEND_ROW
            entries.append(Entry(x, y, colours[code], name))
            x += _entry_width(name)
    return entries


def _entry_width(name: str) -> float:
    return _LEGEND_SWATCH + 6.0 + text_width(name, NOTE_SIZE) + 12.0
