"""Texts that a language can hold."""

from __future__ import annotations


def require_utf8(language: str, text: str, forbidden: str = "") -> None:
    """Raise ValueError for a name or a level that a language cannot hold."""
    odd = next((letter for letter in text if letter in forbidden), None)
    if odd is None:
        odd = next((letter for letter in text if "\ud800" <= letter <= "\udfff"), None)
    if odd is not None:
        raise ValueError(
            f"{text!r} is the name of a column, a level or a label, and {language} "
            f"cannot hold its letter {odd!r}; rename it before fit"
        )
