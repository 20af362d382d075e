"""Parts of a root's splits, searched apart: their bounds are true and make a proof."""

from __future__ import annotations

import numpy as np
import pytest

from cases import eager
from ostrya import _core

DEPTH = 3
PENALTY = 3


def drawn(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (90, 5)).astype(float)
    y = (X[:, 0] * X[:, 1] + X[:, 2] + 3 * rng.random(90) > 7).astype(np.int32)
    return X, y, rng.integers(1, 4, 90)


def run(rows, depth=DEPTH, **options):
    X, y, weights = rows
    costs = np.array([[0, 1], [1, 0]])
    limits = _core.Limits(max_depth=depth)
    return _core.solve(
        *(X, y, weights, costs, 1, PENALTY), _core.Options(limits, **options)
    )


def opened(seed):
    """Return a problem, and what is known of it when its splits have bounds."""
    rows = drawn(seed)
    found = run(rows, hand_over=0.0, tuning=eager(threads_after=0))
    if found.splits is None:
        pytest.skip("solved before its splits had bounds")
    return rows, found


def part_of(found, is_mine, upper):
    table = found.splits
    shared = _core.SharedUpper(upper)
    return _core.RootPart(is_mine, table.yes, table.no, table.rest, shared)


def least_with(rows, feature, cut):
    """Return what the best tree with this first split costs."""
    is_yes = rows[0][:, feature] <= cut
    return sum(
        run([each[side] for each in rows], DEPTH - 1).upper
        for side in (is_yes, ~is_yes)
    )


SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_of_splits_are_true(seed):
    rows, found = opened(seed)
    table = found.splits
    for at, split in enumerate(zip(table.feature, table.cut, strict=True)):
        truth = least_with(rows, *split)
        # What costs no less than the best tree may be accounted for.
        assert truth >= found.upper or table.rest[at] + table.base <= truth


@pytest.mark.parametrize("seed", SEEDS)
def test_a_part_settles_its_splits(seed):
    rows, found = opened(seed)
    n = len(found.splits.rest)
    optimum = run(rows).upper
    is_mine = np.arange(n) % 3 == seed % 3
    part = run(rows, part=part_of(found, is_mine, found.upper))
    mine = np.array(part.splits.rest)[is_mine] + part.splits.base
    assert mine.min() >= min(found.upper, part.upper)
    assert part.upper >= optimum
    assert (np.array(part.splits.rest) >= found.splits.rest).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_all_parts_make_the_proof_and_the_tree_is_chosen(seed):
    rows, found = opened(seed)
    n = len(found.splits.rest)
    alone = run(rows)
    lower, upper = found.upper, found.upper
    for third in range(3):
        is_mine = np.arange(n) % 3 == third
        part = run(rows, part=part_of(found, is_mine, upper))
        upper = min(upper, part.upper)
        lower = min(lower, *(part.splits.rest[is_mine] + part.splits.base))
    assert min(lower, upper) == alone.upper == upper
    known = part_of(found, np.zeros(n, dtype=bool), upper)
    chosen = run(rows, part=known, optimum=upper)
    assert (chosen.status, chosen.upper) == ("optimal", upper)


def told_by(rows, found, is_mine, told=(), most_bytes=2**20):
    """Search a part that is told things; return what it found, and what it tells."""
    news = []
    checkpoint = _core.Checkpoint(
        *(None, lambda facts: None, 60.0),
        *(list(told), lambda facts: news.append(bytes(facts)), most_bytes),
    )
    # At depth 4 sides of first splits have subproblems of their own to remember.
    part = part_of(found, is_mine, found.upper)
    return run(rows, DEPTH + 1, part=part, checkpoint=checkpoint), *news


def opened_deeper(seed):
    rows = drawn(seed)
    found = run(rows, DEPTH + 1, hand_over=0.0, tuning=eager(threads_after=0))
    if found.splits is None:
        pytest.skip("solved before its splits had bounds")
    return rows, found, np.arange(len(found.splits.rest)) % 2 == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_part_that_is_told_what_another_proved_need_not_search_it(seed):
    rows, found, is_mine = opened_deeper(seed)
    alone, _ = told_by(rows, found, ~is_mine)
    _, news = told_by(rows, found, is_mine)
    told, own = told_by(rows, found, ~is_mine, [news])
    assert told.statistics.subproblems <= alone.statistics.subproblems
    least = [
        min(part.upper, *(part.splits.rest[~is_mine] + part.splits.base))
        for part in (alone, told)
    ]
    assert least[0] == least[1]
    # What it was told it does not tell again.
    again, nothing = told_by(rows, found, ~is_mine, [news, own])
    assert again.statistics.subproblems <= told.statistics.subproblems
    assert len(nothing) <= len(own)


def test_what_parts_are_told_saves_them_work():
    n_alone = n_told = 0
    for seed in SEEDS:
        rows, found, is_mine = opened_deeper(seed)
        _, news = told_by(rows, found, is_mine)
        n_alone += told_by(rows, found, ~is_mine)[0].statistics.subproblems
        n_told += told_by(rows, found, ~is_mine, [news])[0].statistics.subproblems
    assert n_told < 0.9 * n_alone


def test_a_part_tells_no_more_than_it_may():
    rows, found, is_mine = opened_deeper(0)
    _, much = told_by(rows, found, is_mine)
    _, little = told_by(rows, found, is_mine, most_bytes=1)
    assert len(little) <= len(much) < 2**20


@pytest.mark.parametrize("change", ["truncated", "of another problem"])
def test_a_part_refuses_what_is_not_of_its_problem(change):
    rows, found, is_mine = opened_deeper(0)
    _, news = told_by(rows, found, is_mine)
    if change == "truncated":
        news = news[:-1]
    else:
        rows, found, is_mine = opened_deeper(1)
    with pytest.raises(_core.SavedFactsError):
        told_by(rows, found, is_mine, [news])


def test_a_part_hears_of_better_trees_elsewhere():
    rows, found = opened(0)
    upper = _core.SharedUpper(found.upper)
    upper.lower_to(found.splits.base)  # nothing costs less
    table = found.splits
    all_mine = np.ones(len(table.rest), dtype=bool)
    part = _core.RootPart(all_mine, table.yes, table.no, table.rest, upper)
    assert run(rows, part=part).statistics.subproblems == 0
    upper.lower_to(10**9)
    assert upper.cost == table.base


def test_a_part_of_another_root_is_refused():
    rows, _ = opened(0)
    few = np.zeros(3, dtype=np.int64)
    part = _core.RootPart(few.astype(bool), few, few, few, _core.SharedUpper(1))
    with pytest.raises(ValueError, match="another root"):
        run(rows, part=part)
