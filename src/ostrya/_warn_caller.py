"""Warnings that point at the line outside of this package that called it."""

from __future__ import annotations

import sys
import warnings

from ostrya.exceptions import TableWarning


def warn_caller(message: str) -> None:
    """Give a `TableWarning`, as from the line outside of this package that called."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, TableWarning, stacklevel=level)


def _is_ours(module: str) -> bool:
    return module == "ostrya" or module.startswith("ostrya.")
