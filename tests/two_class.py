"""Small two-class problems for objectives whose oracle writes down every tree."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from cases import Case
from strategies import build_case

PENALTIES = tuple(map(Fraction, ("0", "0.01", "0.05", "0.1", "1/30", "1/8")))


def two_class_problems(seed: int, count: int) -> Iterator[tuple[Case, Fraction]]:
    """Cases of both classes, each with the leaf penalty to use."""
    for index in range(count):
        rng = random.Random(f"two/{seed}/{index}")
        n_rows = rng.randint(2, 9)
        kinds = rng.choice([[1, 1], [1, 1, 1], [2, 1], [3], [6], [2, 2]])
        rows = [tuple(rng.randint(0, k) for k in kinds) for _ in range(n_rows)]
        labels = [rng.randint(0, 1) for _ in rows]
        labels[:2] = [0, 1]
        weights = [rng.choice(rng.choice([[1], [1, 2, 3]])) for _ in rows]
        case = build_case(
            rows,
            labels,
            weights=weights,
            max_depth=rng.choice([None, None, None, 1, 2, 3]),
            max_leaf_nodes=rng.choice([None, None, None, 2, 3, 4]),
            min_samples_leaf=1,
        )
        yield case, rng.choice(PENALTIES)


def arguments(case: Case, penalty: Fraction) -> dict:
    """What `ostrya.solve` is called with."""
    return case.arguments() | {"leaf_penalty": float(penalty)}
