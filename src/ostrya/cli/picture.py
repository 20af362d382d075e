"""Pictures of matplotlib, written to files."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ostrya._whole_file import write_whole
from ostrya.cli.messages import RefusalError, writing_to

DOTS_PER_INCH = 150
DRAWINGS = (".png", ".pdf")


def write_drawing(picture: Path, draw: Callable[[], Any], otherwise: str = "") -> None:
    """Write what `draw` draws on new axes, in the form that the suffix says.

    `otherwise` is what those can do who have no matplotlib.
    """
    try:
        import matplotlib
    except ImportError:
        raise RefusalError(
            f"{picture.suffix} pictures need matplotlib: say pip install "
            f'"ostrya[plot]"{otherwise}'
        ) from None
    matplotlib.use("Agg")  # no window is wanted
    figure = draw().get_figure(root=True)
    assert figure is not None  # a new picture has one
    content = io.BytesIO()
    figure.savefig(content, format=picture.suffix[1:].lower(), dpi=DOTS_PER_INCH)
    with writing_to(picture):
        write_whole(picture, content.getvalue())
