"""Certificates: both checkers verify the optimum, and damage proves nothing false."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import certified
from fuzz.target import Case
from ostrya._solve.certificate import to_varints


def draw(rng: random.Random) -> Case:
    """Return a seed of a small problem, and how to damage its proof."""
    return {
        "seed": rng.getrandbits(40),
        "prices": rng.random() < 0.5,
        "share": rng.choice([1, 1, 1, 0.9, 0.5]),
        "changes": [
            [[rng.random(), rng.choice([-2, -1, 1, 2, 40])] for _ in range(n)]
            for n in (1, 1, 2, 3)
        ],
    }


def check(case: Case, counts: Counter[str]) -> None:
    """Write a certificate, check it, and check what is left of it when damaged."""
    problem = certified.draw(case["seed"])
    work = certified.PRICE_WORK if case["prices"] else 0
    optimum = certified.certify(problem).optimum
    bound = int(case["share"] * optimum)
    made = certified.certify(problem, price_work=work, lower=bound)
    with tempfile.TemporaryDirectory() as name:
        verified = both(made, made.proof, Path(name))
        assert verified[0] == optimum
        assert bound <= verified[1] <= optimum
        body = certified.numbers_of(certified.body_of(made.proof))
        for changes in case["changes"]:
            changed = body.copy()
            for place, step in changes:
                at = int(place * len(changed))
                changed[at] = max(0, changed[at] + step)
            proof = certified.repack(made, to_varints(changed))
            verified = both(made, proof, Path(name))
            counts["refused" if isinstance(verified, str) else "accepted"] += 1
            if not isinstance(verified, str):
                assert verified[1] <= optimum <= verified[0]


def both(made: certified.Certified, proof: bytes, folder: Path) -> Any:
    """Return what both checkers say, which must agree."""
    said = certified.check_in_python(made.problem.file, proof)
    compiled = certified.check_in_c(made.problem.file, proof, folder)
    assert isinstance(said, str) == isinstance(compiled, str), (said, compiled)
    assert isinstance(said, str) or said == compiled
    return said
