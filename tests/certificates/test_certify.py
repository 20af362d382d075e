"""`solve(certify=True)`: what it returns, and where there is no certificate."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya
from certified import check_in_python, draw
from ostrya.exceptions import OptimalityWarning


def a_table(n=200, n_values=6):
    rng = np.random.default_rng(1)
    X = rng.integers(0, n_values, (n, 5)).astype(float)
    return X, (X[:, 0] + X[:, 1] > n_values) ^ (rng.random(n) < 0.2)


def test_the_certificate_proves_the_optimum():
    X, y = a_table()
    outcome = ostrya.solve(X, y.astype(int), leaf_penalty=0.01, certify=True)
    assert outcome.status == "optimal"
    made = outcome.certificate
    cost, lower = check_in_python(made.problem, made.proof)
    assert cost == lower
    assert made.lower_bound == pytest.approx(outcome.objective, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_certificates_do_not_depend_on_threads(seed):
    settings = vars(draw(seed)) | {"certify": True}
    one, two = (ostrya.solve(**settings, n_jobs=n).certificate for n in (1, 2))
    assert one.problem == two.problem
    assert one.proof == two.proof


def test_a_stopped_search_has_a_certificate_of_its_lower_bound():
    X, y = a_table(n=2000, n_values=60)
    calls = []
    outcome = ostrya.solve(
        X,
        y.astype(int),
        leaf_penalty=0.02,
        certify=True,
        on_progress=lambda progress: calls.append(progress) or len(calls) > 3,
    )
    if outcome.certificate is not None:
        cost, lower = check_in_python(
            outcome.certificate.problem, outcome.certificate.proof
        )
        assert lower <= cost
        assert outcome.certificate.lower_bound == pytest.approx(outcome.lower_bound)


def test_a_certificate_that_its_time_limit_ends_is_missing_with_a_warning(monkeypatch):
    X, y = a_table()
    monkeypatch.setattr("ostrya._solve.certificate.prove", lambda *args, **more: None)
    with pytest.warns(OptimalityWarning, match="There is no certificate"):
        outcome = ostrya.solve(X, y.astype(int), leaf_penalty=0.05, certify=True)
    assert outcome.status == "optimal"
    assert outcome.certificate is None


def test_a_proof_that_would_be_too_large_is_refused_with_its_size():
    from certified import Case, CertifiedProblem, check_data, prove, to_grid
    from ostrya._solve.certificate import TooLargeError
    from ostrya._solve.limits import Limits

    X, y = a_table()
    case = Case(X, y.astype(int), 0.005)
    outcome = ostrya.solve(**vars(case))
    data = check_data(X, case.y, None, None, None, 0.005)
    problem = CertifiedProblem(data, to_grid(data), Limits())
    with pytest.raises(TooLargeError, match="the certificate would take about"):
        prove(problem, outcome.tree, problem.cost(outcome.tree), most_bytes=50)


def test_costs_per_row_are_certified():
    rng = np.random.default_rng(5)
    X, costs = rng.integers(0, 4, (80, 3)), rng.integers(-3, 9, (80, 3))
    outcome = ostrya.solve(X, costs=costs, leaf_penalty=0.05, certify=True)
    made = outcome.certificate
    cost, lower = check_in_python(made.problem, made.proof)
    assert cost == lower
    assert made.lower_bound == pytest.approx(outcome.objective, abs=1e-12)
    other = ostrya.solve(X, costs=costs + 1, leaf_penalty=0.05, certify=True)
    assert other.certificate.problem == made.problem  # a shift changes no comparison


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"objective": "f1"}, "sum over rows"),
        ({"upper_bound": 0.3}, "cannot be combined with upper_bound"),
        ({"certify": 1}, "certify must be True or False; got 1"),
    ],
)
def test_settings_without_certificates_are_refused(settings, error):
    X, y = a_table()
    with pytest.raises((TypeError, ValueError), match=error):
        ostrya.solve(X, y.astype(int), **({"certify": True} | settings))
