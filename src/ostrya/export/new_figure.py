"""Create matplotlib figures; matplotlib is imported only when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def new_axes(caller: str, figsize: tuple[float, float]) -> Axes:
    """Return the axes of a new figure for the function `caller`."""
    axes: Axes = pyplot_for(caller).subplots(figsize=figsize, layout="constrained")[1]
    return axes


def pyplot_for(caller: str) -> Any:
    """Return `matplotlib.pyplot`, or raise an ImportError that names the caller."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            f'{caller} requires matplotlib. Install it with: pip install "ostrya[plot]"'
        ) from error
    return pyplot
