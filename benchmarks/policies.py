"""Compare optimal policy trees with those of STreeD, and time both.

The table is that of warfarin doses: three treatments and 29 yes/no columns, with
propensities and predicted outcomes. Rewards are the predictions of the direct method,
inverse propensity weights, or doubly robust scores. Seconds are those of the processor,
in one thread, the least of several repeats.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.contenders.pystreed import PyStreed
from benchmarks.data import read_rows
from benchmarks.environments import interpreter

WORKER = Path(__file__).with_name("policies_worker.py")
DATA = "tasks/warfarin_train"
N_TREATMENTS = 3
METHODS = ("DM", "IPW", "DR")
DEPTHS = (2, 3, 4)


def run(with_pystreed: bool, repeats: int) -> str:
    """Return a Markdown table of all kinds of rewards and depths."""
    lines = [
        "| rewards | depth | mean reward | ostrya (s) | pystreed | pystreed (s) |",
        "|---|---|---|---|---|---|",
    ]
    for method, depth, ours, theirs in measure(with_pystreed, repeats):
        cells = ["-", "-"]
        if theirs is not None:
            cells = [f"{theirs['reward']:.6f}", f"{theirs['seconds']:.4f}"]
        lines.append(
            f"| {method} | {depth} | {ours['reward']:.6f} | {ours['seconds']:.4f} | "
            f"{' | '.join(cells)} |"
        )
    lines.append(f"\nostrya, simulated, 40,000 x 5 at depth 3: {_simulated()}")
    return "\n".join(lines)


def measure(
    with_pystreed: bool, repeats: int
) -> Iterator[tuple[str, int, dict[str, float], dict[str, float] | None]]:
    """Yield the mean reward and the seconds of each package for each problem."""
    rows = read_rows(DATA)
    table = dict(zip(rows[0], np.array(rows[1:], dtype=float).T, strict=True))
    for method in METHODS:
        scores = rewards(table, method)
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            X = np.array([table[f"x{place}"] for place in range(29)]).T
            names = ["treatment", "outcome", "propensity"]
            names += [f"yhat{k}" for k in range(N_TREATMENTS)]
            np.savez(file, X=X, rewards=scores, y=np.array([table[n] for n in names]).T)
            file.flush()
            for depth in DEPTHS:
                task = {"file": file.name, "method": method, "depth": depth}
                ours = _answer(sys.executable, task, "ostrya", repeats)
                theirs = None
                if with_pystreed:
                    python = interpreter(PyStreed)
                    theirs = _answer(python, task, "pystreed", repeats)
                yield method, depth, ours, theirs


def rewards(table: dict[str, np.ndarray], method: str) -> np.ndarray:
    """Return the estimated reward of each treatment for each patient."""
    predicted = np.array([table[f"yhat{k}"] for k in range(N_TREATMENTS)]).T
    scores = np.zeros_like(predicted) if method == "IPW" else predicted.copy()
    rows, given = np.arange(len(predicted)), table["treatment"].astype(int)
    weight = 1 / table["propensity"]
    if method == "DR":
        scores[rows, given] += (table["outcome"] - predicted[rows, given]) * weight
    elif method == "IPW":
        scores[rows, given] = table["outcome"] * weight
    return scores


def _answer(
    python: str | Path, task: dict[str, object], package: str, repeats: int
) -> dict[str, float]:
    full = {**task, "package": package, "repeats": repeats}
    done = subprocess.run(
        [python, WORKER, json.dumps(full)], capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _simulated() -> str:
    """Return the seconds for 40,000 rows with five columns and three actions."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40_000, 5)).round(1)
    scores = rng.normal(size=(40_000, 3))
    scores[:, 1] += np.where(X[:, 0] > 0, 0.5, -0.5)
    scores[:, 2] += np.where(X[:, 1] > 0.5, 1.0, -0.5)
    told = []
    for penalty in (0.0, "auto"):
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            np.savez(file, X=X, rewards=scores, y=scores)
            file.flush()
            task = {"file": file.name, "method": "", "depth": 3, "penalty": penalty}
            seconds = _answer(sys.executable, task, "ostrya", 1)["seconds"]
        told.append(f"{seconds:.2f} s with leaf_penalty={penalty}")
    return ", ".join(told)
