"""Tables made by someone who knows how the engine once named its row sets.

A row set was known by the exclusive or of 128-bit keys, and the key of a row by its
place in an order that labels and weights decide. Among 129 rows some have keys whose
exclusive or is zero: two row sets that differ by just these had one name, and what was
proved of the one was believed of the other.
"""

from __future__ import annotations

import random

MASK = 2**64 - 1


def mix_bits(x: int) -> int:
    """The finaliser of splitmix64."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def public_keys(n_rows: int) -> list[int]:
    """The keys of rows by their place, the same for every table."""
    return [
        mix_bits(2 * row + 1) | mix_bits(mix_bits(2 * row + 2)) << 64
        for row in range(n_rows)
    ]


def cancelling(keys: list[int], rng: random.Random) -> set[int]:
    """Return rows whose keys cancel, by elimination over bits."""
    basis: dict[int, tuple[int, int]] = {}  # leading bit: key, rows that make it
    rows = list(range(len(keys)))
    rng.shuffle(rows)
    for row in rows:
        key, made_of = keys[row], 1 << row
        while key:
            lead = key.bit_length()
            if lead not in basis:
                basis[lead] = key, made_of
                break
            key ^= basis[lead][0]
            made_of ^= basis[lead][1]
        if key == 0:
            return {row for row in range(len(keys)) if made_of >> row & 1}
    raise ValueError("needs more rows than a key has bits")


def crafted_table(keys: list[int], seed: int):
    """Return rows, labels and weights of a table in which row sets share their names.

    Pairs of columns part off sets that differ by rows whose keys cancel. Weights fall
    from row to row and class 0 comes first, so that rows keep their places.
    """
    rng = random.Random(seed)
    n_rows = len(keys)
    n_zero = n_rows // 2
    labels = [int(row >= n_zero) for row in range(n_rows)]
    weights = [n_rows + 40 - row % n_zero for row in range(n_rows)]
    columns = []
    for _ in range(3):
        gone = cancelling(keys, rng)
        first = {row for row in range(n_rows) if rng.random() < 0.5}
        for part in (first, first ^ gone):
            columns.append([int(row in part) for row in range(n_rows)])
    for _ in range(4):
        # Answers go with the label, in some of the rows only.
        part = columns[rng.randrange(6)]
        columns.append(
            [
                int(rng.random() < ((0.2, 0.8)[label] if part[row] else 0.5))
                for row, label in enumerate(labels)
            ]
        )
    # Rows that differ nowhere would be merged and lose their places.
    numbers = rng.sample(range(n_rows), n_rows)
    for bit in range(n_rows.bit_length()):
        columns.append([number >> bit & 1 for number in numbers])
    return [list(row) for row in zip(*columns, strict=True)], labels, weights
