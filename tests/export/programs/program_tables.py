"""Tables with a column of every kind, and new rows for them."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd

UTC = datetime.timezone.utc
START = datetime.datetime(2023, 1, 1)
CITIES = ["Bonn", "Kiel", "Ulm", "Trier", "Gera", "Mainz"]
SIZES = ["S", "M", "L", "XL"]


def _days(chance, n):
    hours = chance.integers(0, 24 * 300, n).tolist()
    return [START + datetime.timedelta(hours=h, milliseconds=5 * h) for h in hours]


# How each kind of column is drawn, and what is new in rows to predict.
KINDS = {
    "number": (lambda c, n: (c.integers(-20, 20, n) / 4).tolist(), [99.5, -7.25]),
    "whole": (lambda c, n: c.integers(-5, 5, n).tolist(), [77]),
    "text": (lambda c, n: c.choice(CITIES, n).tolist(), ["Rome", ""]),
    "pair": (lambda c, n: c.choice(["u", "v"], n).tolist(), ["w"]),
    "flag": (lambda c, n: (c.random(n) < 0.5).tolist(), []),
    "time": (_days, [START, START + datetime.timedelta(days=150, seconds=1)]),
    "zoned": (
        lambda c, n: [t.replace(tzinfo=UTC) for t in _days(c, n)],
        [START.replace(tzinfo=UTC)],
    ),
    "wait": (
        lambda c, n: [
            datetime.timedelta(seconds=s) for s in c.integers(-99, 9999, n).tolist()
        ],
        [datetime.timedelta(microseconds=1)],
    ),
    "size": (lambda c, n: c.choice(SIZES, n).tolist(), ["XXL"]),
    "code": (lambda c, n: c.integers(1, 7, n).tolist(), [9]),
}
DTYPES = {
    "number": "float64",
    "whole": "float64",
    "time": "datetime64[us]",
    "zoned": "datetime64[us, UTC]",
    "wait": "timedelta64[us]",
}


def draw_table(seed: int, n: int = 60):
    """Return columns of some kinds, with missing values in some, and labels."""
    chance = np.random.default_rng(seed)
    kinds = chance.choice(list(KINDS), 4, replace=False).tolist()
    table, answers = {}, np.zeros(n, dtype=int)
    for place, kind in enumerate(kinds):
        values = KINDS[kind][0](chance, n)
        if place < 2:
            order = sorted(set(map(str, values)))
            low = set(order[: len(order) // 2])
            answers += [str(value) in low for value in values]
        if chance.random() < 0.5:
            gone = chance.random(n) < 0.25
            values = [None if g else v for g, v in zip(gone, values, strict=True)]
            answers[gone] += place % 2
        table[kind] = values
    noise = chance.random(n) < 0.1
    labels = np.where(noise, chance.integers(0, 3, n), answers % 3)
    return table, labels


def new_rows(table, seed: int):
    """Return rows with values of the table, new ones, and none at all."""
    chance = np.random.default_rng(seed)
    drawn = {}
    for kind, values in table.items():
        choices = [*values, *KINDS[kind][1], None]
        places = chance.integers(0, len(choices), 40).tolist()
        drawn[kind] = [choices[place] for place in places] + [None]
    return drawn


def as_frame(table, names=None):
    """Return a table as a dataframe that has the types of its kinds."""
    columns = {}
    for kind, values in table.items():
        if kind == "size":
            levels = [*SIZES, "XXL"] if "XXL" in values else SIZES
            made = pd.Categorical(values, categories=levels, ordered=True)
        elif kind == "code":
            made = pd.Categorical(values, categories=range(1, 10))
        elif kind in DTYPES:
            made = pd.Series(values, dtype="object").astype(DTYPES[kind])
        else:
            made = pd.Series(values, dtype="object")
        columns[kind if names is None else names[kind]] = made
    return pd.DataFrame(columns)


def as_rows(table, names=None):
    """Return a table as a list of dicts of plain values."""
    keys = [kind if names is None else names[kind] for kind in table]
    return [
        dict(zip(keys, row, strict=True)) for row in zip(*table.values(), strict=True)
    ]
