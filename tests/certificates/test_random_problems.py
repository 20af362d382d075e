"""Certificates of random problems pass both checkers, with the optimum as bound."""

from __future__ import annotations

import pytest

from certified import PRICE_WORK, certify, check_in_c, check_in_python, draw


@pytest.mark.parametrize("first", range(0, 200, 20))
@pytest.mark.parametrize("price_work", [0, PRICE_WORK], ids=["claims", "prices"])
def test_both_checkers_verify_the_optimum(first, price_work, tmp_path):
    for seed in range(first, first + 20):
        made = certify(draw(seed), price_work=price_work)
        verified = made.optimum, made.optimum
        assert check_in_python(made.problem.file, made.proof) == verified, seed
        assert check_in_c(made.problem.file, made.proof, tmp_path) == verified, seed


@pytest.mark.parametrize("seed", range(20))
def test_a_lower_bound_below_the_optimum_is_verified_with_its_gap(seed, tmp_path):
    optimum = certify(draw(seed)).optimum
    made = certify(draw(seed), lower=optimum * 4 // 5)
    cost, lower = check_in_python(made.problem.file, made.proof)
    assert cost == optimum
    assert optimum * 4 // 5 <= lower <= optimum
    assert check_in_c(made.problem.file, made.proof, tmp_path) == (cost, lower)


def test_certificates_do_not_depend_on_the_order_of_rows():
    case = draw(11)
    made = certify(case)
    for name in ("X", "y", "sample_weight"):
        if getattr(case, name) is not None:
            setattr(case, name, getattr(case, name)[::-1].copy())
    assert certify(case).problem.file == made.problem.file


def test_a_bound_that_is_not_true_is_not_written():
    made = certify(draw(5))
    with pytest.raises(Exception, match="not true"):
        certify(draw(5), lower=made.optimum + 1)
