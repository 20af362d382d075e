"""Solver = oracle where columns are counted by histograms.

Columns with few cuts are spread into bit columns, and small problems have no others.
Here the limit is lowered, so that they meet histograms alone, or both kinds at once.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from oracle import optimum
from ostrya import _core
from strategies import build_case, random_problems


@pytest.mark.parametrize("few_cuts", [0, 1, 2])
@pytest.mark.parametrize("seed", [7000, 7100])
def test_histograms_find_the_optimum(seed, few_cuts):
    for case in random_problems(seed + few_cuts, 500):
        found = _core.solve(*case.core_arguments(few_cuts=few_cuts))
        cost = optimum(case.problem).cost
        assert (found.status, found.lower, found.upper) == (
            "optimal",
            cost,
            cost,
        )


@pytest.mark.parametrize("few_cuts", [0, 1])
def test_histograms_keep_budgets(few_cuts):
    for case in random_problems(7300 + few_cuts, 400):
        cost = optimum(case.problem).cost
        found = _core.solve(*case.core_arguments(few_cuts=few_cuts, upper=cost + 1))
        assert (found.status, found.upper) == ("optimal", cost)
        found = _core.solve(*case.core_arguments(few_cuts=few_cuts, upper=cost))
        assert found.lower == cost


def crowded(rng):
    """Many rows and few values: cells hold many rows, and are kept up to date."""
    values = list(product(range(6), range(5), range(7), range(2)))
    rows = [row for row in values if rng.random() < 0.8]
    labels = [int((a + b * c) % 7 > 2 + 3 * rng.random()) for a, b, c, _ in rows]
    weights = [rng.randint(1, 5) for _ in rows]
    penalty = Fraction(rng.choice(["0", "0.005"]))
    return build_case(
        rows, labels, weights=weights, penalty=penalty, max_depth=rng.choice([2, 3])
    )


def scattered(rng):
    """Many rows and many values: rows are summed into blocks of cells."""
    rows = [
        (rng.random(), round(rng.random(), 2), rng.randint(0, 1)) for _ in range(300)
    ]
    labels = [int(a + b * c > 0.4 + rng.random()) for a, b, c in rows]
    return build_case(rows, labels, max_depth=rng.choice([2, 3]))


@pytest.mark.parametrize("kind", [crowded, scattered])
def test_histograms_count_as_bits_do(kind):
    for seed in range(8):
        case = kind(Random(seed))
        by_bits = _core.solve(*case.core_arguments(few_cuts=10**6))
        for few_cuts in (0, 1, 4):
            found = _core.solve(*case.core_arguments(few_cuts=few_cuts))
            assert found.upper == found.lower == by_bits.upper
