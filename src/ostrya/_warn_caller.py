"""Issue warnings that point to the calling line outside of this package."""

from __future__ import annotations

import sys
import warnings

from ostrya.exceptions import TableWarning


def warn_caller(message: str, category: type[Warning] = TableWarning) -> None:
    """Issue a warning for the first calling line outside of this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def _is_ours(module: str) -> bool:
    return module == "ostrya" or module.startswith("ostrya.")
