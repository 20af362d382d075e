"""The interface of a target: how to draw a case and how to check it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, Protocol

# What a case is made of: numbers, texts, lists, dictionaries, arrays and bytes.
Case = dict[str, Any]


class Target(Protocol):
    """A module of `fuzz.targets`."""

    def draw(self, rng: random.Random) -> Case:
        """Return a case that depends only on the generator."""

    def check(self, case: Case, counts: Counter[str]) -> None:
        """Raise if a property does not hold; count what was tested."""


def chance(name: str, seed: int, index: int) -> random.Random:
    """Return the random generator from which one case is drawn."""
    return random.Random(f"{name}/{seed}/{index}")
