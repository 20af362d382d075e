"""What the model file calls itself, and what it may hold."""

from __future__ import annotations

from typing import Any

from ostrya.export.json_checks import is_bool, is_number, is_text

FORMAT = "ostrya.model"
VERSION = 1

NUMBERS = ("objective", "loss", "lower_bound", "gap")
INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
FLOATS = {f"float{bits}" for bits in (16, 32, 64)}
TEXTS = {"str", "object"}
DTYPES = {"bool", *INTEGERS, *FLOATS, *TEXTS}


def is_level(item: Any) -> bool:
    """Say whether `item` is something that a column or a label can be in JSON."""
    return is_text(item) or is_bool(item) or is_number(item)
