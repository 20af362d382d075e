"""A colour for each class, told apart by most eyes, and light enough for dark text."""

from __future__ import annotations

import colorsys

INK = "#1f2430"
PALE_INK = "#434956"
LINE = "#9aa1ad"
PAPER = "#ffffff"
SPLIT_FILL = "#f5f6f8"

# Okabe and Ito 2008, without black; red-green blind readers tell these apart.
_PALETTE = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7"),
    *("#56b4e9", "#d55e00", "#f0e442", "#8a8f99"),
)


def palette(n_classes: int) -> list[str]:
    """Return one colour per class; beyond eight classes, hues all around the wheel."""
    if n_classes <= len(_PALETTE):
        return list(_PALETTE[:n_classes])
    return [
        _hex(colorsys.hls_to_rgb(i / n_classes, 0.42 if i % 2 else 0.6, 0.65))
        for i in range(n_classes)
    ]


def tint(colour: str, strength: float) -> str:
    """Return `colour` mixed with white; a strength of one leaves it as it is."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return _hex(tuple(1 - strength * (1 - channel) for channel in channels))


def _hex(channels: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
