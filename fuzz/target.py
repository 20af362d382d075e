"""What a target is: a way to draw a case, and what must be true of it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, Protocol

# What a case is made of: numbers, texts, lists, dictionaries, arrays and bytes.
Case = dict[str, Any]


class Target(Protocol):
    """A module of `fuzz.targets`."""

    def draw(self, rng: random.Random) -> Case:
        """Return a case, the same for the same chance."""

    def check(self, case: Case, counts: Counter[str]) -> None:
        """Raise unless all that is promised holds; count what was tried."""


def chance(name: str, seed: int, index: int) -> random.Random:
    """Return the chance from which one case is drawn."""
    return random.Random(f"{name}/{seed}/{index}")
