"""What a search with a mistake proves is false at times: no checker accepts that."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cases import Case
from certified import check_in_c, check_in_python
from oracle import optimum
from ostrya import _core
from ostrya._core import testing
from ostrya._solve.certificate import CertifiedProblem, pack, to_varints
from ostrya._solve.grid import Grid
from ostrya._solve.limits import Limits
from ostrya._solve.training_data import TrainingData
from strategies import build_case, threshold_labels

# With other mistakes the writer notices that what it is told does not add up.
WRITTEN = ["leaf_optimal", "support", "similar_support"]
NOTICED = ["leaf_count", "look_ahead", "pairs_close", "superset"]

pytestmark = pytest.mark.skipif(
    testing.has_assertions, reason="the engine was built with assertions"
)


def problems(seed, count):
    """Small problems in which one unit of cost matters."""
    for index in range(count):
        rng = random.Random(f"mistakes/{seed}/{index}")
        n_rows, n_columns = rng.randint(6, 16), rng.randint(2, 3)
        rows = [
            tuple(rng.randint(0, 4) for _ in range(n_columns)) for _ in range(n_rows)
        ]
        weights = [rng.randint(1, 2) for _ in rows]
        labels = threshold_labels(rng, rows)
        case = build_case(rows, labels, weights=weights, max_depth=rng.choice([2, 3]))
        penalty = rng.choice([0, 1, 2])
        yield replace(case, problem=replace(case.problem, scale=1, penalty=penalty))


def certified(case: Case) -> CertifiedProblem:
    """The problem file of a case in integers."""
    X, codes, weights, costs, scale, penalty = case.core_data()
    data = TrainingData(
        X=X,
        codes=codes,
        n_classes=len(costs),
        weights=None,
        costs=None,
        leaf_penalty=0.0,
    )
    grid = Grid(weights, costs, scale, penalty, unit=1)
    return CertifiedProblem(data, grid, Limits(max_depth=case.problem.max_depth))


def false_proof(case: Case, slip: str) -> tuple[CertifiedProblem, bytes] | None:
    """The certificate that an engine with a mistake writes of more than the optimum."""
    arguments = case.core_arguments(slips={slip: 1}, time_limit=1.0)
    truth = optimum(case.problem).cost
    wrong = _core.solve(*arguments)
    if wrong.upper <= truth and wrong.lower <= truth:
        return None
    bound = max(wrong.upper, wrong.lower)
    try:
        claims, _ = _core.prove(*arguments, bound, 2**20, 0)
    except Exception:  # the writer noticed
        return None
    if claims is None:
        return None
    problem = certified(case)
    _, codes, weights, costs, scale, penalty = case.core_data()
    cost = scale * int(weights @ costs[codes, 0]) + penalty
    body = to_varints([0, 0, cost]) + claims  # a leaf as the tree
    return problem, pack(problem.digest, body)


@pytest.mark.parametrize("slip", [*WRITTEN, *NOTICED])
def test_a_false_bound_is_never_verified(slip, tmp_path):
    n_refused = 0
    for case in problems(slip, 300):
        made = false_proof(case, slip)
        if made is None:
            continue
        problem, proof = made
        said = check_in_python(problem.file, proof)
        compiled = check_in_c(problem.file, proof, tmp_path)
        n_refused += isinstance(said, str)
        assert isinstance(said, str) == isinstance(compiled, str)
        # A mistake in the preparation of the problem can leave a bound that is true.
        assert isinstance(said, str) or said[1] <= optimum(case.problem).cost
    assert n_refused > 0 or slip in NOTICED
