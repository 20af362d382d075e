"""Solver = oracle where columns are counted by histograms.

Columns with few cuts are spread into bit columns, and small problems have no others.
Here the limit is lowered, so that they meet histograms alone, or both kinds at once.
"""

from __future__ import annotations

import pytest

from oracle import optimum
from ostrya import _core
from strategies import random_problems


@pytest.mark.parametrize("few_cuts", [0, 1, 2])
@pytest.mark.parametrize("seed", [7000, 7100])
def test_histograms_find_the_optimum(seed, few_cuts):
    for case in random_problems(seed + few_cuts, 500):
        found = _core.solve(*case.core_arguments(few_cuts=few_cuts))
        cost = optimum(case.problem).cost
        assert (found["status"], found["lower"], found["upper"]) == (
            "optimal",
            cost,
            cost,
        )


@pytest.mark.parametrize("few_cuts", [0, 1])
def test_histograms_keep_budgets(few_cuts):
    for case in random_problems(7300 + few_cuts, 400):
        cost = optimum(case.problem).cost
        found = _core.solve(*case.core_arguments(few_cuts=few_cuts, upper=cost + 1))
        assert (found["status"], found["upper"]) == ("optimal", cost)
        found = _core.solve(*case.core_arguments(few_cuts=few_cuts, upper=cost))
        assert found["lower"] == cost
