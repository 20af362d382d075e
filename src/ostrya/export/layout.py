"""Compute the layout of a picture of a tree, for all picture formats.

The root is on the left and every leaf has a row of its own, so that conditions are read
from left to right and thirty leaves fit on a page. A node is in the column of its
depth, halfway between its children. Two nodes in one column belong to different
subtrees and hence to different rows, so they cannot overlap. Long names are wrapped,
and all rows are as high as the highest box.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ostrya.export.colours import palette, strength
from ostrya.export.shortening import (
    LONGEST_LINE,
    shortened,
    shortened_questions,
    wrapped,
)
from ostrya.export.wording import WordedTree, percent

# Lengths are in points; y points down.
FONT_SIZE = 12.0
NOTE_SIZE = 10.0
BOX_HEIGHT = 38.0  # with a title of one line
LINE_HEIGHT = 14.0
STRIP_HEIGHT = 4.0
MARGIN = 12.0
_SPACE = 8.0  # between boxes
_GAP = 54.0
_BESIDE_ANSWER = 30.0
_PADDING = 10.0
_LEGEND_ROW = 20.0
_LEGEND_SWATCH = 12.0
_MOST_LINES = 3
# A picture may be wider than its tree for caption lines of this many characters.
_CAPTION_LETTERS = 60


@dataclass(frozen=True)
class Box:
    """A node: a title, a note, and a strip that shows the shares of the classes."""

    node: int
    x: float  # the left side
    y: float  # the middle
    width: float
    titles: tuple[str, ...]  # the lines of the title
    note: str
    full_text: str
    colour: str | None  # the colour of the class of a leaf; None for a split
    strength: float  # of that colour, over the background
    strip: tuple[tuple[float, float, str], ...]  # start, length (sum 1) and colour

    @property
    def is_leaf(self) -> bool:
        """True for a leaf."""
        return self.colour is not None

    @property
    def height(self) -> float:
        """The height, which depends on the number of title lines."""
        return BOX_HEIGHT + LINE_HEIGHT * (len(self.titles) - 1)

    @property
    def top(self) -> float:
        """The y coordinate of the upper side."""
        return self.y - self.height / 2

    def texts(self) -> list[tuple[float, str, bool]]:
        """Return the middle of each line, its text, and whether it is a title line."""
        lines = [
            (self.top + 10.5 + LINE_HEIGHT * place, text, True)
            for place, text in enumerate(self.titles)
        ]
        return [*lines, (lines[-1][0] + 14.5, self.note, False)]


@dataclass(frozen=True)
class Edge:
    """A line from a box to its child; its width shows how many rows follow it."""

    x0: float
    y0: float
    x1: float
    y1: float
    answer: str
    thickness: float

    @property
    def word_y(self) -> float:
        """The middle of the answer, which is on the far side of the line."""
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
    """The complete layout of a picture."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    legend: tuple[Entry, ...]
    caption: tuple[tuple[float, float, str], ...]  # x, y of the middle, text


def lay_out(words: WordedTree, caption: Sequence[str] = ()) -> Layout:
    """Return the layout of the picture of a tree, including its caption."""
    rows = _rows(words)
    boxes = _boxes(words, rows)
    right = max(box.x + box.width for box in boxes.values())
    bottom = max(box.y + box.height / 2 for box in boxes.values())
    legend = _legend(words, right, bottom + MARGIN + _LEGEND_ROW / 2)
    if legend:
        right = max(right, *(entry.x + _entry_width(entry.name) for entry in legend))
        bottom = legend[-1].y + _LEGEND_ROW / 2
    told = _caption(caption, right, bottom + MARGIN / 2)
    if told:
        width = max(text_width(text, NOTE_SIZE) for _, _, text in told)
        right, bottom = max(right, MARGIN + width), told[-1][1] + LINE_HEIGHT / 2
    return Layout(
        right + MARGIN,
        bottom + MARGIN,
        tuple(boxes.values()),
        tuple(_edges(words, boxes)),
        tuple(legend),
        told,
    )


def text_width(text: str, size: float) -> float:
    """Estimate the width of `text` in a common sans-serif font, on the high side."""
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
    """Return the row of each node; that of a split is halfway between its children."""
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
    titles = _titles(words)
    notes = {node: _note(words, node) for node in rows}
    widths = {
        node: 2 * _PADDING
        + max(
            *(
                text_width(line, FONT_SIZE) * (1.08 if words.is_leaf(node) else 1.0)
                for line in titles[node]
            ),
            text_width(notes[node], NOTE_SIZE),
        )
        for node in rows
    }
    # Leaves have equal widths, so that they are easy to compare.
    leaf_width = max(width for node, width in widths.items() if words.is_leaf(node))
    widths = {
        node: leaf_width if words.is_leaf(node) else width
        for node, width in widths.items()
    }
    columns = [0.0] * (words.tree.depth + 1)
    for node, depth, _ in words.walk():
        columns[depth] = max(columns[depth], widths[node])
    gap = _gap(words)
    lefts = list(accumulate((width + gap for width in columns), initial=MARGIN))
    most_lines = max(map(len, titles.values()))
    height = BOX_HEIGHT + LINE_HEIGHT * (most_lines - 1)
    boxes = {}
    for node, depth, _ in words.walk():
        colour = colours[int(words.tree.label[node])]
        boxes[node] = Box(
            node=node,
            x=lefts[depth],
            y=MARGIN + height / 2 + rows[node] * (height + _SPACE),
            width=widths[node],
            titles=titles[node],
            note=notes[node],
            full_text=_full_text(words, node),
            colour=colour if words.is_leaf(node) else None,
            strength=strength(words.right(node)),
            strip=_strip(words, node, colours),
        )
    return boxes


def _gap(words: WordedTree) -> float:
    """Return the space between two columns of boxes, which contains the answers."""
    splits = (n for n in range(words.tree.n_nodes) if not words.is_leaf(n))
    answers = {answer for node in splits for answer in words.answers(node)}
    widest = max((text_width(answer, NOTE_SIZE) for answer in answers), default=0.0)
    return max(_GAP, widest + _BESIDE_ANSWER)


def _titles(words: WordedTree) -> dict[int, tuple[str, ...]]:
    """Return the lines of each condition and label; different ones stay different."""
    nodes = range(words.tree.n_nodes)
    full = {
        node: words.label(node) if words.is_leaf(node) else f"{words.question(node)}?"
        for node in nodes
    }
    # Lines break at spaces, so three lines hold less than three times one line.
    most = LONGEST_LINE * _MOST_LINES - LONGEST_LINE // 2
    short = shortened_questions(full.values(), most)
    lines = {text: wrapped(short[text], LONGEST_LINE) for text in short}
    return {node: lines[full[node]] for node in nodes}


def _note(words: WordedTree, node: int) -> str:
    if words.tree.costs is not None and words.is_leaf(node):
        return words.note(node)
    right = words.right(node) if words.is_leaf(node) else None
    return words.rows(node) + ("" if right is None else f", {percent(right)}")


def _full_text(words: WordedTree, node: int) -> str:
    """Return all details of a node, shown when the reader points at it."""
    tree = words.tree
    lines = [words.label(node) if words.is_leaf(node) else f"{words.question(node)}?"]
    lines.append(words.rows(node))
    if tree.costs is not None:
        labels = enumerate(words.classes)
        lines += [f"{name}: {words.outcome(node, code)}" for code, name in labels]
        return "\n".join(lines)
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
        for child, answer in zip(
            words.children(node), words.answers(node), strict=True
        ):
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
    """Return legend entries for the classes that occur, in as many lines as needed."""
    colours = palette(words.tree.n_classes)
    names = shortened(words.classes, LONGEST_LINE)
    entries: list[Entry] = []
    x, y = MARGIN, top
    for code, name in enumerate(words.classes):
        if words.shares_ever(code):
            name = names[name]
            if x > MARGIN and x + _entry_width(name) > right:
                x, y = MARGIN, y + _LEGEND_ROW
            entries.append(Entry(x, y, colours[code], name))
            x += _entry_width(name)
    return entries


def _entry_width(name: str) -> float:
    return _LEGEND_SWATCH + 6.0 + text_width(name, NOTE_SIZE) + 12.0


def _caption(
    lines: Sequence[str], right: float, top: float
) -> tuple[tuple[float, float, str], ...]:
    """Return the caption, wrapped to about the width of the picture."""
    letters = max(int((right - MARGIN) / (0.58 * NOTE_SIZE)), _CAPTION_LETTERS)
    told = [part for line in lines for part in wrapped(line, letters)]
    return tuple(
        (MARGIN, top + LINE_HEIGHT * (place + 0.5), text)
        for place, text in enumerate(told)
    )
