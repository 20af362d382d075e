"""Every instruction set finds the same trees."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

SETS = ["baseline", "avx2", "avx512"]

# Two to forty classes, bit columns, histograms and tables, narrow and wide sums.
SCRIPT = """
import json
import numpy as np
import ostrya
from ostrya import _core

rng = np.random.default_rng(7)
found = [_core.instruction_set()]
# classes, values of a column, and the weight of a row
CASES = [(2, 2, 1), (3, 4, 1), (4, 3, 1), (6, 3, 1), (2, 400, 1), (3, 3, 2**33)]
CASES += [(2, 39, 1), (2, 39, 997), (3, 400, 1), (7, 400, 1), (12, 400, 1)]
CASES += [(20, 400, 1), (40, 400, 2**33)]
for n_classes, n_values, weight in CASES:
    X = rng.integers(0, n_values, (400, 7))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + (rng.random(400) < 0.1)).astype(int) % n_classes
    weights = weight * rng.integers(1, 4, 400)
    depth = 2 if n_values > 100 else 3
    for options in ({"max_depth": depth}, {"max_depth": depth, "min_samples_leaf": 9}):
        outcome = ostrya.solve(
            X, y, leaf_penalty=0.004, sample_weight=weights, **options
        )
        found.append([outcome.status, outcome.objective, outcome.tree.feature.tolist()])
print(json.dumps(found))
"""


def solve_with(instruction_set):
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | {"OSTRYA_INSTRUCTION_SET": instruction_set},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def baseline():
    used, *found = solve_with("baseline")
    assert used == "baseline"
    assert all(status == "optimal" for status, _, _ in found)
    return found


@pytest.mark.parametrize("instruction_set", SETS[1:])
def test_wider_instruction_sets_find_the_same_trees(baseline, instruction_set):
    used, *found = solve_with(instruction_set)
    if used != instruction_set:
        pytest.skip(f"this machine has no {instruction_set}")
    assert found == baseline
