"""Write matplotlib pictures to files."""

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
    """Write the picture that `draw` returns, in the format of the suffix.

    `otherwise` is the alternative to name if matplotlib is not installed.
    """
    try:
        import matplotlib
    except ImportError:
        raise RefusalError(
            f"{picture.suffix} pictures require matplotlib. Install it with: pip "
            f'install "ostrya[plot]"{otherwise}'
        ) from None
    matplotlib.use("Agg")  # without a window
    figure = draw().get_figure(root=True)
    assert figure is not None  # a new picture has one
    content = io.BytesIO()
    figure.savefig(content, format=picture.suffix[1:].lower(), dpi=DOTS_PER_INCH)
    with writing_to(picture):
        write_whole(picture, content.getvalue())
