"""Colours of classes, distinguishable by most readers on light and dark backgrounds."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, except those of the classes."""

    ink: str
    pale_ink: str
    line: str
    paper: str
    split_fill: str

    def tint(self, colour: str, strength: float) -> str:
        """Return `colour` mixed with the background; strength 1 is the pure colour."""
        pairs = zip(_channels(colour), _channels(self.paper), strict=True)
        return _hex(tuple(p + strength * (c - p) for c, p in pairs))


LIGHT = Theme("#1f2430", "#3b414d", "#9aa1ad", "#ffffff", "#f5f6f8")
DARK = Theme("#ffffff", "#e6e9ee", "#767d8a", "#14171c", "#23272f")

INK, PALE_INK, LINE = LIGHT.ink, LIGHT.pale_ink, LIGHT.line
PAPER, SPLIT_FILL = LIGHT.paper, LIGHT.split_fill

# Okabe and Ito 2008, without black; red-green blind readers can distinguish these.
_PALETTE = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7"),
    *("#56b4e9", "#d55e00", "#f0e442", "#8a8f99"),
)


def palette(n_classes: int) -> list[str]:
    """Return one colour per class; for more than eight classes, evenly spaced hues."""
    if n_classes <= len(_PALETTE):
        return list(_PALETTE[:n_classes])
    return [
        _hex(colorsys.hls_to_rgb(i / n_classes, 0.42 if i % 2 else 0.6, 0.65))
        for i in range(n_classes)
    ]


def strength(right: float | None) -> float:
    """Return the colour strength of a leaf with this share of correct rows."""
    return 0.08 + 0.32 * (right or 0.0)


def tint(colour: str, strength: float) -> str:
    """Return `colour` mixed with white; strength 1 is the pure colour."""
    return LIGHT.tint(colour, strength)


def is_dark(colour: tuple[float, ...]) -> bool:
    """Return True if light text is more readable than dark text on an RGB colour."""
    red, green, blue = colour[:3]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.45


def _channels(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))


def _hex(channels: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
