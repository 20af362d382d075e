"""``ostrya plot``: draw the tree of a model file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrya._whole_file import write_whole
from ostrya.cli.columns import require_writable
from ostrya.cli.messages import RefusalError, refusing, writing_to
from ostrya.cli.picture import DRAWINGS, write_drawing
from ostrya.cli.show import Model, load
from ostrya.cli.speech import Quietness, Speech
from ostrya.export import (
    export_graphviz,
    export_html,
    export_latex,
    export_svg,
    plot_tree,
)

# Larger pictures take minutes to create, and few programs can show them.
MOST_LEAVES_DRAWN = 500
MOST_LEVELS_DRAWN = 60

SOURCES: dict[str, Callable[..., str]] = {
    ".svg": export_svg,
    ".html": export_html,
    ".dot": export_graphviz,
    ".tex": export_latex,
}


@refusing
def plot(
    model: Model,
    picture: Annotated[
        Path,
        typer.Argument(
            help="Output file, with the suffix .png, .pdf, .svg, .html, .dot or .tex."
        ),
    ],
    caption: Annotated[
        bool,
        typer.Option(
            "--caption", help="Write accuracy, objective and proof below the tree."
        ),
    ] = False,
    quiet: Quietness = False,
) -> None:
    """Draw the tree of a model; the suffix of the file determines the format."""
    suffix = picture.suffix.lower()
    if suffix not in (*SOURCES, *DRAWINGS):
        raise RefusalError(
            f"{picture}: the suffix must be one of {', '.join((*DRAWINGS, *SOURCES))}"
        )
    fitted = load(model)
    require_writable(picture)
    if suffix in SOURCES:
        source = SOURCES[suffix](fitted, caption=caption)
        with writing_to(picture):
            write_whole(picture, f"{source}\n".encode())
    else:
        _require_drawable(fitted, picture)
        write_drawing(
            picture,
            lambda: plot_tree(fitted, caption=caption),
            otherwise=", or write .svg or .html",
        )
    Speech(False if quiet else None).say(f"Wrote {picture}")


def _require_drawable(fitted: Any, picture: Path) -> None:
    tree = fitted.tree_
    if tree.n_leaves > MOST_LEAVES_DRAWN or tree.depth > MOST_LEVELS_DRAWN:
        raise RefusalError(
            f"trees must have at most {MOST_LEAVES_DRAWN} leaves and depth "
            f"{MOST_LEVELS_DRAWN} for {picture.suffix} pictures; got {tree.n_leaves:,} "
            f"leaves and depth {tree.depth:,}. Write .svg or .html instead"
        )
