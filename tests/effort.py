"""How many cases a test tries: all of them, or few in a quick run."""

from __future__ import annotations

_share = 1


def be_quick() -> None:
    """Try one case in ten from now on; called before tests are collected."""
    global _share
    _share = 10


def cases(count: int) -> int:
    """Return how many of `count` cases to try."""
    return max(10, count // _share) if _share > 1 else count
