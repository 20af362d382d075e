"""A greedy tree before the search over leaf sets changes no answer about areas."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya
from ostrya._solve import area_search
from ostrya.objectives import PartialAUC


def small_problem(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (30, 3)).astype(float)
    y = (rng.random(30) < 0.2 + 0.2 * X[:, 0]).astype(int)
    y[:2] = 0, 1
    given = {
        "objective": PartialAUC(max_fpr=float(rng.choice([0.1, 0.5, 1.0]))),
        "leaf_penalty": float(rng.choice([0.0, 0.01, 0.05, 2.0])),
        "max_depth": int(rng.integers(0, 4)),
        "min_samples_leaf": int(rng.integers(1, 5)),
    }
    if seed % 3 == 0:
        given["sample_weight"] = 10.0 ** rng.uniform(-3, 3, 30)
    return X, y, given


@pytest.mark.parametrize("seed", range(40))
def test_the_optimum_is_the_same_after_a_greedy_tree(seed, monkeypatch):
    X, y, given = small_problem(seed)
    plain = ostrya.solve(X, y, **given)
    monkeypatch.setattr(area_search, "MANY_VALUES", 0)
    found = ostrya.solve(X, y, time_limit=600.0, **given)
    proved = "optimal_to_rounding" if "sample_weight" in given else "optimal"
    assert found.status == plain.status == proved
    assert found.objective == pytest.approx(plain.objective, rel=1e-12)
    assert found.tree.depth <= given["max_depth"]
    assert found.trace[-1].lower_bound == pytest.approx(found.lower_bound)
    bound = plain.objective
    below = ostrya.solve(X, y, time_limit=600.0, upper_bound=bound, **given)
    assert below.status in ("upper_bound", proved)
    assert below.lower_bound >= bound - plain.gap - 1e-12
    above = ostrya.solve(X, y, time_limit=600.0, upper_bound=bound + 1e-6, **given)
    assert above.objective == pytest.approx(bound, rel=1e-12)
    again = ostrya.solve(X, y, time_limit=600.0, warm_start=plain.tree, **given)
    assert (again.status, again.objective) == (proved, plain.objective)


@pytest.mark.parametrize("after", [0, 1, 2, 5])
def test_a_callback_stops_it_before_and_after_the_greedy_tree(after, monkeypatch):
    monkeypatch.setattr(area_search, "MANY_VALUES", 0)
    rng = np.random.default_rng(0)
    X = rng.random((2000, 6))
    y = (X[:, 0] + X[:, 1] + rng.normal(0, 0.3, 2000) > 1).astype(int)
    seen = []

    def stop(progress):
        seen.append(progress)
        return len(seen) > after

    outcome = ostrya.solve(
        X, y, objective="auc", leaf_penalty=1e-4, time_limit=600.0, on_progress=stop
    )
    assert outcome.status == "interrupted"
    assert outcome.lower_bound <= outcome.objective
    told = [(point.lower_bound, -point.objective) for point in seen if point.n_leaves]
    assert told == sorted(told)
