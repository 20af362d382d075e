"""Check that Ostrya keeps its limits on tables that are too large for them.

The tables are generated here: random numbers, with labels from a rule with noise. With
few columns the labels are random, so that trees have hundreds of thousands of leaves.
`python -m benchmarks.large run CASE` is the child process of one run.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import ledger
from benchmarks.contenders import CONTENDERS
from benchmarks.environments import interpreter
from benchmarks.process import measure
from benchmarks.worker import resident, serve
from ostrya.objectives import PartialAUC

#: Not a limit of the engine: a run this large is broken, and killed.
MEMORY_CAP = 8 << 30
HEADER = ("table", "limit s", "took s", "status", "leaves", "table MB", "peak MB")


@dataclass(frozen=True)
class LargeCase:
    """A table and the limits it is solved under."""

    rows: int
    columns: int
    classes: int
    time_limit: float
    memory_limit: int | None = None
    depth: int | None = 3
    penalty: float = 1e-4
    objective: str = "accuracy"

    @property
    def name(self) -> str:
        """The words that identify the case."""
        limit = self.memory_limit
        memory = "" if limit is None else f", {limit >> 20} MiB"
        measure = "" if self.objective == "accuracy" else f", {self.objective}"
        return (
            f"{self.rows:,} x {self.columns}, {self.classes} classes{memory}{measure}"
        )

    def to_json(self) -> str:
        """Return the case as one line."""
        return json.dumps(asdict(self))


#: Objectives that are not strings, by the name in a case.
OBJECTIVES = {"callable": max, "partial_auc": PartialAUC(max_fpr=0.2)}
CASES = (
    LargeCase(100_000, 5, 1000, 3.0, 512 << 20),
    LargeCase(1_000_000, 20, 2, 10.0),
    LargeCase(1_000_000, 20, 2, 1.0),
    LargeCase(5_000_000, 5, 2, 10.0),
    LargeCase(100_000, 1, 2, 1.0, depth=None, penalty=0.0),
    LargeCase(1_000_000, 1, 2, 5.0, depth=None, penalty=0.0),
    *(
        LargeCase(rows, columns, 2, 1.0, None, None, 0.0, objective)
        for rows, columns in ((3_000, 1), (300_000, 5))
        for objective in ("auc", "partial_auc", "f1", "callable")
    ),
)


def make(case: LargeCase) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns and the labels of a case."""
    rng = np.random.default_rng(0)
    X = rng.random((case.rows, case.columns))
    if case.columns < 4:
        return X, rng.integers(0, case.classes, case.rows)
    y = ((X[:, 1] > 0.3) ^ (X[:, 3] > 0.6)).astype(np.int64)
    noisy = rng.random(case.rows) < (0.1 if case.classes == 2 else 0.9)
    y[noisy] = rng.integers(0, case.classes, np.count_nonzero(noisy))
    return X, y


def run(case: LargeCase) -> dict[str, Any]:
    """Return what one run found; only `solve` is inside the clock."""
    import ostrya

    ostrya.solve([[0.0], [1.0]], [0, 1])
    X, y = make(case)
    before = resident()
    start = time.perf_counter()
    outcome = ostrya.solve(
        X,
        y,
        leaf_penalty=case.penalty,
        max_depth=case.depth,
        time_limit=case.time_limit,
        memory_limit=case.memory_limit,
        objective=OBJECTIVES.get(case.objective, case.objective),
    )
    return {
        "seconds": time.perf_counter() - start,
        "status": outcome.status,
        "leaves": outcome.n_leaves,
        "objective": outcome.objective,
        "lower": outcome.lower_bound,
        "memory_before": before,
    }


def row(case: LargeCase, found: dict[str, Any]) -> tuple[str, ...]:
    """Return the cells of one case."""
    before = found.get("memory_before") or 0
    return (
        case.name,
        f"{case.time_limit:g}",
        f"{found.get('seconds', 0.0):.2f}",
        found["status"],
        str(found.get("leaves", "")),
        f"{before / 1e6:.0f}",
        f"{found['peak_memory'] / 1e6:.0f}",
    )


def report(output: Path) -> str:
    """Run every case, record it, and return a Markdown table."""
    python = interpreter(CONTENDERS["ostrya"])
    lines = [" | ".join(HEADER), " | ".join("---" for _ in HEADER)]
    for case in CASES:
        found = measure(case, python, MEMORY_CAP, lambda: None, "benchmarks.large")
        ledger.append(output, {**asdict(case), **found})
        lines.append(" | ".join(row(case, found)))
    return "\n".join(f"| {line} |" for line in lines)


if __name__ == "__main__":
    serve(sys.argv[1:], lambda line: run(LargeCase(**json.loads(line))))
