"""Ranks in 16 bits where they fit: the same answers on both sides of the border."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya

BORDER = 2**16


def fewest_errors(values, y):
    """Return the errors of the best tree of one split, by counting along the values."""
    ones = np.cumsum(y[np.argsort(values)])
    zeros = np.arange(1, len(y) + 1) - ones
    yes = np.minimum(zeros, ones)
    no = np.minimum(zeros[-1] - zeros, ones[-1] - ones)
    return (yes + no).min()


def table(n_values, seed):
    """Return rows in no order whose labels alternate but for the greatest values."""
    rng = np.random.default_rng(seed)
    values = rng.permutation(n_values).astype(float)
    # All cuts matter, and the best one lies where ranks need their last bit.
    y = np.where(values >= n_values - 3, 1, values.astype(int) % 2)
    return values, y


@pytest.mark.parametrize(
    "options",
    [{}, {"engine": "leaf_sets"}, {"top_k": ostrya.top_k.TopKSplits(k=1)}],
    ids=["columns", "leaf_sets", "top_k"],
)
@pytest.mark.parametrize("n_values", [BORDER - 1, BORDER, BORDER + 1])
def test_no_rank_is_cut_off_at_the_border_of_16_bits(n_values, options):
    values, y = table(n_values, n_values)
    outcome = ostrya.solve(values[:, None], y, max_depth=1, leaf_penalty=0.0, **options)
    assert outcome.status in ("optimal", "optimal_in_top_k")
    errors = fewest_errors(values, y)
    if not options.get("top_k"):  # which ranks splits by impurity
        assert outcome.loss == errors / n_values
    wrong = np.count_nonzero(outcome.tree.predict(values[:, None]) != y)
    assert outcome.loss == pytest.approx(wrong / n_values, rel=1e-12)


@pytest.mark.parametrize("engine", ["columns", "leaf_sets"])
def test_columns_of_few_values_are_held_in_two_bytes_a_row(engine):
    """All ranks were four bytes each, the better part of a problem's memory."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (30_000, 60)).astype(float)
    y = rng.integers(0, 2, len(X))
    outcome = ostrya.solve(X, y, max_depth=0, engine=engine)
    assert outcome.statistics.peak_memory < 5 * X.size


@pytest.mark.parametrize("n_questions", [63, 64, 65, 128])
def test_constant_columns_after_a_full_word_of_questions(n_questions):
    # Their ranks, of no bits at all, were shifted by the 64 bits of a word.
    rng = np.random.default_rng(n_questions)
    X = rng.integers(0, 2, (40, n_questions)).astype(float)
    y = rng.integers(0, 2, 40)
    constant = np.full((40, 2), 7.0)
    plain, among = (
        ostrya.solve(each, y, leaf_penalty=0.01, max_depth=2)
        for each in (X, np.hstack([X, constant]))
    )
    assert among.is_optimal
    assert among.objective == plain.objective
