"""Run the experiments, and save each result immediately."""

from __future__ import annotations

import csv
import json
import sys
import time
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import ostrya
from benchmarks import ledger
from benchmarks.data import find
from benchmarks.folders import RESULTS
from benchmarks.machine import machine
from benchmarks.papers.kept import commit
from benchmarks.sources.catalog import require
from ostrya import _core

DATA = "compas_binary12"
PENALTY = 0.005
LEDGER = RESULTS / "osdt.jsonl"
# The trace of a long run, thinned to so many points.
MOST_POINTS = 2000


def compas() -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return columns, labels and column names of the recidivism data."""
    require([DATA])
    with find(DATA).open(encoding="utf-8", newline="") as file:
        names, *cells = list(csv.reader(file))
    table = np.array(cells).astype(float)
    return table[:, :-1], table[:, -1].astype(int), names[:-1]


def run(
    what: dict[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    *,
    off: tuple[str, ...] = (),
    policy: str = "curiosity",
    time_limit: float = 60.0,
    memory_limit: float = 4.0,
    fresh: bool = False,
) -> dict[str, Any]:
    """Solve once, or return the run of the same name that was kept.

    `what` names the run; `off` are the bounds left out, on top of a cold start;
    `memory_limit` is in gibibytes.
    """
    key = what | {
        "off": list(off),
        "policy": policy,
        "commit": commit(),
        "limits": [time_limit, memory_limit],
        "version": ostrya_version(),
        "machine": machine(),
    }
    if not fresh:
        for record in reversed(ledger.read(LEDGER)):
            if all(record.get(name) == value for name, value in key.items()):
                return record
    print(f"{json.dumps(what)} ...", end=" ", file=sys.stderr, flush=True)
    switches = dict.fromkeys((*off, "greedy_start"), False)
    started = time.perf_counter()
    outcome = ostrya.solve(
        X,
        y,
        leaf_penalty=PENALTY,
        engine="leaf_sets",
        policy=policy,
        bounds=ostrya.bounds.LeafSetBounds(**switches),
        time_limit=time_limit,
        memory_limit=int(memory_limit * 2**30),
    )
    seconds = time.perf_counter() - started
    optimum = next(
        p for p in outcome.trace if p.objective == outcome.trace[-1].objective
    )
    step = max(1, len(outcome.trace) // MOST_POINTS)
    record = key | {
        "status": outcome.status,
        "objective": outcome.objective,
        "lower_bound": outcome.lower_bound,
        "seconds": seconds,
        "seconds_to_optimum": optimum.seconds,
        "trees": outcome.statistics.subproblems,
        "trees_to_optimum": optimum.subproblems,
        "memory": outcome.statistics.peak_memory,
        "features": sorted({int(f) for f in outcome.tree.feature if f >= 0}),
        "trace": [list(point[:4]) for point in outcome.trace[::step]],
    }
    ledger.append(LEDGER, record)
    print(f"{outcome.status}, {seconds:.3g} s", file=sys.stderr, flush=True)
    return record


def ostrya_version() -> str:
    """Return the version, with a digest of the engine's build."""
    digest = sha256(Path(_core.__file__).read_bytes()).hexdigest()[:12]
    return f"{version('ostrya')}+{digest}"
