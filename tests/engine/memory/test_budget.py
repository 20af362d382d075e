"""The account of memory: what the engine says it held is what the system gave it."""

from __future__ import annotations

import subprocess
import sys

import pytest

MEBIBYTE = 2**20

# What a search adds to the peak memory of a process, and what the engine says it held.
SEARCH = """
import sys
import numpy as np
import ostrya

kind, depth = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(0)
if kind == "bits":
    X = rng.integers(0, 2, (1500, 60)).astype(float)
elif kind == "values":
    X = rng.random((40_000, 8))
else:
    X = rng.integers(0, 200, (60_000, 6)).astype(float)
y = rng.integers(0, 2, len(X))
calls = []

def stop(progress):
    calls.append(progress)
    return progress.subproblems >= 20_000 or (kind != "bits" and len(calls) >= 12)

def peak():
    # Not ru_maxrss, which a process has from the one that started it.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if "VmHWM" in line)

ostrya.solve(X[:9], y[:9])
before = peak()
outcome = ostrya.solve(X, y, leaf_penalty=1e-5, max_depth=depth, on_progress=stop)
print(peak() - before, outcome.statistics.peak_memory)
"""


def measured(kind, depth):
    run = subprocess.run(
        [sys.executable, "-c", SEARCH, kind, str(depth)],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    grown, counted = map(int, run.stdout.split())
    return grown, counted


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc/self/status")
@pytest.mark.parametrize("kind", ["bits", "values", "tables"])
def test_the_account_agrees_with_the_system(kind):
    grown, counted = measured(kind, 5 if kind == "bits" else 3)
    assert counted >= MEBIBYTE
    # Nothing is missing: the system counts pages half used and what Python takes.
    assert grown <= 1.25 * counted + 16 * MEBIBYTE
    # And nothing is made up.
    assert counted <= 1.1 * grown + 8 * MEBIBYTE
