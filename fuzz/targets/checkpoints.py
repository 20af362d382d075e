"""Valid and damaged checkpoints: the search finds the optimum or rejects the file.

The digest detects all damage. If the digest of a damaged file is computed again, the
damage reaches the checks of the engine. It may be a false bound, which no reader can
distinguish from a true one, and the search may then miss the best tree. But nothing
crashes or hangs, the tree is valid, and its reported cost is correct.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import ostrya
from fuzz import mutation, problems
from fuzz.soundness import assert_agree, assert_sound, close
from fuzz.target import Case
from ostrya._solve import checkpoint

KINDS = ("whole", "damaged", "repaired", "repaired", "repaired", "of another")
SECONDS = 1.0


def draw(rng: random.Random) -> Case:
    """Return a table, when to stop its search, and how to damage the file."""
    table = problems.table(rng, most_rows=200, most_columns=6)
    return {
        "table": table,
        "limits": problems.tree_limits(rng, table),
        "other": problems.table(rng, most_rows=60, most_columns=3),
        "n_reports": rng.choice([1, 2, 3, 5, 10**9]),
        "kind": rng.choice(KINDS),
        "damage": rng.getrandbits(60),
        "n_jobs": rng.choice([1, 1, 2]),
    }


def check(case: Case, counts: Counter[str]) -> None:
    """Stop a search, damage its checkpoint if the case asks for it, and resume."""
    how = case["limits"] | {"time_limit": SECONDS}
    given = problems.arguments(case["table"]) | how
    kind = case["kind"]
    path = _folder() / "facts"
    content = _written(path, given, case["n_reports"])
    if content is None:
        counts["nothing kept"] += 1
        return
    if kind == "of another":
        given = problems.arguments(case["other"]) | how
    elif kind != "whole":
        content = _damaged(content, kind == "repaired", random.Random(case["damage"]))
    path.write_bytes(content)
    outcome = _resumed(given, path, case["n_jobs"])
    if outcome is None:
        assert kind != "whole"
        assert path.read_bytes() == content
        counts[f"{kind}: refused"] += 1
        return
    alone = ostrya.solve(**given)
    assert_sound(outcome, given)
    if kind == "repaired":
        is_best = close(outcome.objective, alone.objective)
        counts["repaired: as good" if is_best else "repaired: another tree"] += 1
        return
    assert kind != "damaged"
    assert_agree(outcome, alone)
    counts[f"{kind}: {outcome.status}"] += 1


def _written(path: Path, given: dict[str, Any], n_reports: int) -> bytes | None:
    """Return the checkpoint of a search that stops after this many reports."""
    path.unlink(missing_ok=True)
    seen = 0

    def is_enough(progress: ostrya.results.Progress) -> bool:
        nonlocal seen
        seen += 1
        return seen >= n_reports

    ostrya.solve(**given, checkpoint=path, on_progress=is_enough)
    return path.read_bytes() if path.exists() else None


def _resumed(
    given: dict[str, Any], path: Path, n_jobs: int
) -> ostrya.results.Outcome | None:
    """Return the result of a resumed search, or None if it rejects the file."""
    try:
        return ostrya.solve(**given, checkpoint=path, n_jobs=n_jobs)
    except ValueError as error:
        if "cannot be resumed" not in str(error):
            raise
        return None


def _damaged(content: bytes, is_repaired: bool, rng: random.Random) -> bytes:
    if not is_repaired:
        damaged = _mutated(content, rng)
        return damaged if damaged != content else content[:-1]
    start = checkpoint.HEAD.size + checkpoint.DIGEST_BYTES
    damage = _overwritten if rng.random() < 0.7 else _mutated
    facts = damage(content[start:], rng)
    _, form, writer, _ = checkpoint.HEAD.unpack_from(content)
    head = checkpoint.HEAD.pack(checkpoint.MAGIC, form, writer, len(facts))
    return head + checkpoint._digest(head, facts) + facts


def _mutated(content: bytes, rng: random.Random) -> bytes:
    return mutation.mutated_bytes(content, [content], rng)


def _overwritten(facts: bytes, rng: random.Random) -> bytes:
    """Return content of the same length with bits flipped or numbers replaced.

    Content of another length is usually rejected at the first count.
    """
    data = bytearray(facts)
    for _ in range(rng.choice([1, 1, 2, 8])):
        at, other = (4 * rng.randrange(len(facts) // 4) for _ in range(2))
        if rng.random() < 0.6:
            data[at] ^= 1 << rng.randrange(8)
        else:
            number = facts[other : other + 8][: len(data) - at]
            data[at : at + len(number)] = number
    return bytes(data)


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="ostrya-fuzz-"))
