"""Damage valid files at random: their bytes, or the values of JSON."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

TOKENS = (
    *(
        b",",
        b";",
        b"\t",
        b'"',
        b"'",
        b"\n",
        b"\r\n",
        b"\r",
        b"\x00",
        b"\xff",
        b"\xef\xbb",
    ),
    *(
        b"nan",
        b"inf",
        b"-inf",
        b"1e999",
        b"-0",
        b"NA",
        b"true",
        b"null",
        b"1_0",
        b"0x1",
    ),
    *(b"99999999999999999999", b"-1", b"0.1", b"1,5", b"{}", b"[]", b"[[", b"\\u0000"),
    *(
        "é".encode(),
        "\u0661".encode(),
        "\u202e".encode(),
        b"\x1b[31m",
        b" " * 50,
        b"a" * 300,
    ),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 2**31, 2**53 + 1, 2**64, -(2**63), 10**400),
    *(0.5, -0.5, 1e308, -1e308, 5e-324, float("nan"), float("inf"), float("-inf")),
    *("", "x", "a" * 5000, "\x00", "\x1b[31m", "\ud800", "<b>", "number", "optimal"),
    *([], [0], [[]], {}, {"x": 1}, [None], [1.5, "x"], [[0.0, 1.0]]),
)


def mutated_bytes(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Return the content with random damage."""
    data = bytearray(content)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.choice([1, 1, 2, 8, 64, 1000]))
        kind = rng.randrange(7)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at:at] = rng.choice(TOKENS)
        elif kind == 2:
            data[at:to] = rng.choice(TOKENS)
        elif kind == 3:
            del data[at:to]
        elif kind == 4:
            data[at:at] = data[at:to] * rng.choice([1, 2, 30])
        elif kind == 5:
            data[at:to] = rng.randbytes(to - at)
        else:
            other = rng.choice(others)
            start = rng.randrange(len(other))
            data[at:to] = other[start : start + rng.choice([1, 8, 64])]
    if rng.random() < 0.1:
        del data[rng.randrange(len(data) + 1) :]
    return bytes(data)


def mutated_json(content: bytes, rng: random.Random) -> Any:
    """Return the value of a JSON text with some entries replaced."""
    root = [json.loads(content)]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        place, key = rng.choice(list(_places(root)))
        kind = rng.randrange(8)
        value = place[key]
        if kind <= 1:
            place[key] = rng.choice(VALUES)
        elif kind == 2 and isinstance(value, int | float) and value == value:
            place[key] = value + rng.choice([1, -1, 0.5, 1e-9])
        elif kind == 3 and isinstance(place, dict):
            del place[key]
        elif kind == 4 and isinstance(place, dict):
            place[rng.choice(["x", "format", "value", key + "_"])] = value
        elif kind == 5 and isinstance(value, list):
            rng.shuffle(value)
        elif kind == 6 and isinstance(value, list) and value:
            value.append(copy.deepcopy(rng.choice(value)))
        else:
            other, name = rng.choice(list(_places(root)))
            place[key] = copy.deepcopy(other[name])
    return root[0]


def _places(value: Any) -> Any:
    """Return every position inside a value, as a container and a key."""
    keys = value if isinstance(value, dict) else range(len(value))
    for key in list(keys):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])
