"""Large tables: 50,000 x 100, k = 8, depth 4, by kind of column."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

ROWS, COLUMNS, K, DEPTH = 50_000, 100, 8, 4
Table = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


def tables(seed: int = 0) -> Iterator[tuple[str, Table, Labels]]:
    """Yield the tables: one rule over normal columns, which are rounded or not."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0.5).astype(np.int64)
    flipped = np.where(rng.random(ROWS) < 0.2, 1 - y, y)
    yield "yes/no columns", (X > 0).astype(float), y
    yield "33 values per column", np.round(4 * X) / 4, y
    yield "126 values per column", np.round(16 * X) / 16, y
    yield "all values distinct", X, y
    yield "the same, every fifth label flipped", X, flipped
    yield "the same, labels by chance", X, (rng.random(ROWS) < 0.4).astype(np.int64)
    yield "all values distinct, four classes", X, y + 2 * (X[:, 3] > 0)


def report() -> Iterator[str]:
    """Yield the lines of a Markdown table, as they come."""
    import ostrya

    yield "| table | seconds | status | errors |"
    yield "|---|---:|---|---:|"
    for name, X, y in tables():
        start = time.perf_counter()
        outcome = ostrya.solve(
            X, y, leaf_penalty=0.0, max_depth=DEPTH, top_k=ostrya.top_k.TopKSplits(k=K)
        )
        seconds = time.perf_counter() - start
        yield f"| {name} | {seconds:.2f} | {outcome.status} | {outcome.loss:.4f} |"
