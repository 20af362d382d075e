"""Check that a language can represent a string."""

from __future__ import annotations


def require_utf8(language: str, text: str, forbidden: str = "") -> None:
    """Raise ValueError for a name, level or label that a language does not support."""
    odd = next((letter for letter in text if letter in forbidden), None)
    if odd is None:
        odd = next((letter for letter in text if "\ud800" <= letter <= "\udfff"), None)
    if odd is not None:
        raise ValueError(
            f"column names, levels and labels must not contain {odd!r} to be exported "
            f"to {language}; got {text!r}. Rename it before fit"
        )
