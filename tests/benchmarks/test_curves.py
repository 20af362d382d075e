"""The figures of accuracy against leaves: what they must show, and how it is read."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.curves.cases import PENALTIES, Part
from benchmarks.curves.claims import best_of_ours, known_trees, points_above
from benchmarks.curves.methods import cart, ours
from benchmarks.estimates import Case, summary
from benchmarks.reach import reached


def point(leaves, train, config="penalty 0.005"):
    return {"leaves": leaves, "train": train, "config": config}


def record(method, *points, name="monk1_binary11", fold=0):
    return {"method": method, "set": name, "fold": fold, "points": list(points)}


def test_there_are_29_penalties_that_fall():
    assert len(PENALTIES) == 29
    assert list(PENALTIES) == sorted(PENALTIES, reverse=True)


def test_points_above_our_curve_are_told():
    ours_ = record("ostrya", point(2, 0.7), point(8, 1.0))
    below = record("cart", point(3, 0.7), point(9, 1.0))
    assert best_of_ours(ours_["points"], 7) == 0.7
    assert list(points_above([ours_, below])) == []
    (told,) = points_above([ours_, record("gosdt", point(4, 0.75))])
    assert "gosdt" in told
    assert "4 leaves" in told


def test_trees_of_the_papers_are_looked_for():
    assert list(known_trees([record("ostrya", point(8, 1.0))])) == []
    assert list(known_trees([record("ostrya", point(9, 1.0))]))
    right = record("ostrya", point(4, 0.66903), name="compas_binary12")
    wrong = record("ostrya", point(4, 0.66), name="compas_binary12")
    assert list(known_trees([right])) == []
    assert list(known_trees([wrong]))


def test_our_trees_are_never_below_carts():
    chance = np.random.default_rng(0)
    X = chance.integers(0, 2, (60, 4)).astype(float)
    y = (X[:, 0].astype(int) ^ X[:, 1].astype(int)) | (chance.random(60) < 0.1)
    part = Part(X[:40], y[:40], X[40:], y[40:])
    found = [each._asdict() for each in ours(part, 30.0)]
    assert found
    for each in cart(part):
        assert best_of_ours(found, each.leaves) >= each.train
        assert 0 <= each.test <= 1


def test_reach_is_read_between_sizes_and_beyond_them():
    took = {10: 0.1, 20: 0.4, 40: 1.6}
    assert reached(took, 1.0, 1000) == "32"
    assert reached(took, 6.4, 1000) == "(80)"
    assert reached({10: 0.1, 20: 0.1}, 1.0, 20) == "20 or more"
    assert reached({}, 1.0, 20) == "none"
    assert reached(took, 0.05, 1000) == "under 10"
    assert reached(took, 1e9, 1000) == "(over 320)"


def test_errors_are_summed_up_as_factors():
    def case(estimated, is_proved=True):
        numbers = (100.0, estimated) * 4
        return Case("exact", "p", is_proved, *numbers)

    told = list(summary("exact", [case(1000.0), case(10.0), case(1.0, False)]))
    assert told[0].startswith("- exact, work: off by 10 in the geometric mean of 2, 10")
    assert told[-1] == "- exact: of 1 not over, 1 took over ten times as much"
    assert list(summary("exact", [])) == []


@pytest.mark.parametrize("fold", [0, 10])
def test_folds_are_those_of_the_files(fold):
    from benchmarks.curves.cases import parts
    from benchmarks.data import folder

    if not (folder() / "osdt_folds").exists():
        pytest.skip("the folds of OSDT are not here")
    by_fold = parts("monk1_binary11")
    sizes = [len(by_fold[i].y_test) for i in range(1, 11)]
    assert sum(sizes) == len(by_fold[0].y) == 124
    assert len(by_fold[fold].y) + len(by_fold[fold].y_test) == 124
