"""Replays of a search by the workers of a cluster."""

from __future__ import annotations

import pytest

pytest.importorskip("distributed")

from benchmarks.cluster_scaling import replay
from benchmarks.scaling import Piece, Recording
from ostrya._cluster.search import ALONE


def recording(*pieces):
    return Recording("drawn", sum(p.work for p in pieces), 0.0, 0.0, list(pieces))


def nested(n_pieces, n_parts, seconds):
    parts = [[Piece(seconds, []) for _ in range(n_parts)] for _ in range(n_pieces)]
    return [Piece(n_parts * seconds, each) for each in parts]


@pytest.mark.parametrize("n_workers", [1, 2, 16, 256])
@pytest.mark.parametrize("n_parts", [1, 50])
def test_no_schedule_beats_an_even_share_of_the_work(n_workers, n_parts):
    search = recording(*nested(20, n_parts, 2.0))
    took = replay(search, n_workers, 0.02, 0.05)
    assert took >= search.seconds / n_workers


def test_a_search_that_is_soon_over_needs_no_worker():
    assert replay(recording(Piece(0.4, []), Piece(0.5, [])), 8, 0.1, 0.1) == ALONE


def test_long_splits_are_parted():
    search = recording(*nested(2, 200, 1.0))
    assert replay(search, 64, 0.02, 0.05) < search.seconds / 8


def test_delays_cost_time():
    search = recording(*nested(40, 4, 1.0))
    assert replay(search, 16, 1.0, 0.0) > replay(search, 16, 0.0, 0.0)
