"""Replays of a search by many workers: bounds that hold for any schedule."""

from __future__ import annotations

import random

import pytest

from benchmarks.scaling import Piece, Recording, replay


def drawn_pieces(rng, level=0):
    parts = []
    if level < 2:
        parts = [drawn_pieces(rng, level + 1) for _ in range(rng.randint(0, 8))]
    return Piece(rng.random() + sum(part.work for part in parts), parts)


def drawn_recording(seed):
    rng = random.Random(seed)
    pieces = [drawn_pieces(rng) for _ in range(rng.randint(1, 12))]
    serial = rng.random()
    seconds = serial + sum(piece.work for piece in pieces)
    return Recording("drawn", seconds, serial, 0.0, pieces)


@pytest.mark.parametrize("seed", range(10))
def test_one_worker_takes_what_the_search_took(seed):
    recording = drawn_recording(seed)
    assert replay(recording, 1) == pytest.approx(recording.seconds)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("n_workers", [2, 4, 16, 256])
def test_no_schedule_beats_an_even_share_of_the_work(seed, n_workers):
    recording = drawn_recording(seed)
    shared = recording.seconds - recording.serial
    assert replay(recording, n_workers) >= recording.serial + shared / n_workers - 1e-9


def test_independent_pieces_of_equal_length_are_shared_evenly():
    recording = Recording("even", 8.0, 0.0, 0.0, [Piece(1.0, []) for _ in range(8)])
    assert replay(recording, 4) == pytest.approx(2.0)


def test_whoever_joins_a_piece_repeats_its_own_work_and_shares_its_parts():
    piece = Piece(9.0, [Piece(1.0, []) for _ in range(8)])  # own work of 1
    recording = Recording("one", 9.0, 0.0, 0.0, [piece])
    assert replay(recording, 2) == pytest.approx(5.0)


def test_the_board_serves_one_at_a_time():
    recording = Recording("board", 8.0, 0.0, 0.5, [Piece(1.0, []) for _ in range(8)])
    assert replay(recording, 8) == pytest.approx(0.5 * 8 + 1.0)
