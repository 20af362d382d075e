"""Prices of rows as the engine finds them, and every box that may not exceed them."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from cases import PATIENCE
from ostrya import _core
from ostrya._core import testing
from strategies import build_case, threshold_labels

#: Cuts up to which boxes are searched condition by condition: all of a test's or none.
BY_CONDITIONS, BY_SIDES = 1000, 0
both_searches = pytest.mark.parametrize("most_cuts", [BY_CONDITIONS, BY_SIDES])


def found_prices(case, cost, most_cuts, n_threads=1):
    """Prices for trees below a cost; nothing where there is no split or no penalty."""
    if case.problem.penalty == 0:
        return {}
    tuning = _core.Tuning()
    tuning.prices.few_cuts = most_cuts
    # A search for boxes is shared at once, and a turn is one step.
    tuning.prices.lone_work, tuning.prices.turn_work = 0, 1
    options = _core.Options(case.core_limits(PATIENCE), tuning=tuning)
    return testing.row_prices(*case.core_data(), options, cost, n_threads)


def larger_case(seed, n_columns=None):
    """Hundreds of rows, with weights up to a thousand million in every other one."""
    rng = random.Random(f"prices/{seed}")
    n_rows, n_columns = rng.randint(100, 300), n_columns or rng.randint(2, 4)
    rows = [tuple(rng.randint(0, 12) for _ in range(n_columns)) for _ in range(n_rows)]
    labels = threshold_labels(rng, rows)
    heaviest = 10**9 if seed % 2 else 3
    weights = [rng.randint(1, heaviest) for _ in rows]
    return build_case(rows, labels, weights=weights, penalty=Fraction(1, 40))


def assert_feasible(case, found):
    """No box of row groups pays more than it costs as a leaf, under any label."""
    ranks, gains = np.array(found["ranks"]), np.array(found["gains"], dtype=object)
    prices = np.array(found["prices"], dtype=object)
    losses = gains.max(axis=1)[:, None] - gains
    problem = case.problem
    intervals = [
        itertools.combinations_with_replacement(range(column.max() + 1), 2)
        for column in ranks.T
    ]
    unit = 2 ** max(found["shift"], 0)
    coarse = 2 ** max(-found["shift"], 0)
    for box in itertools.product(*intervals):
        low, high = np.array(box).T
        inside = ((ranks >= low) & (ranks <= high)).all(axis=1)
        cheapest = problem.scale * losses[inside].sum(axis=0).min(initial=10**18)
        assert prices[inside].sum() * coarse <= unit * (cheapest + problem.penalty)
