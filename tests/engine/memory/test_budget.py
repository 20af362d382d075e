"""The account of memory: what the engine says it held is what the system gave it."""

from __future__ import annotations

import subprocess
import sys

import pytest

MEBIBYTE = 2**20

# Peak memory of the process before and after a search, and what the engine says.
SEARCH = """
import resource, sys
import numpy as np
import ostrya

rng = np.random.default_rng(0)
kind = sys.argv[1]
n, d = {"bits": (1500, 60), "values": (40_000, 8), "tables": (60_000, 6)}[kind]
if kind == "bits":
    X = rng.integers(0, 2, (n, d)).astype(float)
elif kind == "values":
    X = rng.random((n, d))
else:
    X = rng.integers(0, 200, (n, d)).astype(float)
y = rng.integers(0, 2, n)
count = [0]

def stop(progress):
    return progress.subproblems >= 40_000

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

options = {"leaf_penalty": 1e-5, "max_depth": 5 if kind == "bits" else 3}
ostrya.solve(X, y, max_depth=0)  # what Python and the preparation take
before = peak()
outcome = ostrya.solve(X, y, time_limit=20.0, on_progress=stop, **options)
print(peak() - before, outcome.statistics.peak_memory)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs ru_maxrss in KiB")
@pytest.mark.parametrize("kind", ["bits", "values", "tables"])
def test_the_account_agrees_with_the_system(kind):
    run = subprocess.run(
        [sys.executable, "-c", SEARCH, kind],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    grown, counted = map(int, run.stdout.split())
    # The system also counts pages half used, and what Python takes on the way; memory
    # that was there before is used again.
    assert counted >= 2 * MEBIBYTE
    assert grown <= 1.25 * counted + 12 * MEBIBYTE
    assert counted <= 1.25 * grown + 24 * MEBIBYTE
