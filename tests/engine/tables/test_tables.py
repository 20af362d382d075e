"""Solver = oracle where pairs of cuts are counted in cross tables.

Tables are made where columns have many values and values many rows, which small
problems do not have. Here they are asked for.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from oracle import optimum
from ostrya import _core
from strategies import build_case, random_problems


@pytest.mark.parametrize("seed", [8100, 8200, 8300])
def test_cross_tables_find_the_optimum(seed):
    for case in random_problems(seed, 500):
        found = _core.solve(*case.core_arguments(cross_tables=True))
        cost = optimum(case.problem).cost
        assert (found.status, found.lower, found.upper) == (
            "optimal",
            cost,
            cost,
        )


def test_cross_tables_keep_budgets():
    for case in random_problems(8400, 400):
        cost = optimum(case.problem).cost
        found = _core.solve(*case.core_arguments(cross_tables=True, upper=cost + 1))
        assert (found.status, found.upper) == ("optimal", cost)
        found = _core.solve(*case.core_arguments(cross_tables=True, upper=cost))
        assert found.lower == cost


def many_valued(rng, heaviest):
    """Columns of up to 90 values, 600 rows, labels that follow them loosely."""
    rows = [
        (rng.randint(0, 89), rng.randint(0, 40), rng.randint(0, 12), rng.randint(0, 1))
        for _ in range(600)
    ]
    labels = [
        int(a + 2 * b * d + 3 * c > 60 + 60 * rng.random()) for a, b, c, d in rows
    ]
    weights = [rng.randint(1, heaviest) for _ in rows]
    return build_case(
        rows,
        labels,
        weights=weights,
        penalty=Fraction(rng.choice(["0", "0.002", "0.01"])),
        max_depth=rng.choice([2, 3]),
    )


# Up to 109 the weight of all rows fits 16 bits, beyond it takes 32, and with millions
# sums take 64: cells that were not looked at were priced there, and overflowed.
@pytest.mark.parametrize("heaviest", [1, 109, 3000, 3_000_000])
def test_cross_tables_count_as_bits_do(heaviest):
    for seed in range(6):
        case = many_valued(Random(seed), heaviest)
        by_bits = _core.solve(*case.core_arguments(few_cuts=10**6))
        by_tables = _core.solve(*case.core_arguments(cross_tables=True))
        assert by_tables.lower == by_tables.upper == by_bits.upper


def test_tables_that_are_chosen_find_the_same_tree():
    rng = Random(5)
    rows = [tuple(rng.randint(0, 60) for _ in range(4)) for _ in range(1500)]
    labels = [int(a + b > c + d + rng.randint(-30, 30)) for a, b, c, d in rows]
    case = build_case(rows, labels, penalty=Fraction("0.001"), max_depth=3)
    chosen = _core.solve(*case.core_arguments())
    without = _core.solve(*case.core_arguments(cross_tables=False))
    assert chosen.upper == without.upper == without.lower
    assert chosen.status == "optimal"
