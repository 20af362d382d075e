"""`python -m benchmarks unseen`: default fits on every table, and what they cost."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import ledger
from benchmarks.data import ROOT
from benchmarks.process import environment
from benchmarks.unseen.tables import files

#: Wall-clock seconds after which a fit counts as a fault.
MOST_SECONDS = 300


def record(name: str, path: Path) -> dict[str, Any] | None:
    """Fit a table in its own process; None if it has no column to predict."""
    command = [sys.executable, "-m", "benchmarks.unseen.fit", name, str(path)]
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=MOST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return {"fault": f"not finished after {MOST_SECONDS} s"}
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return {"fault": lines[-1] if lines else f"exit code {done.returncode}"}
    found: dict[str, Any] | None = json.loads(done.stdout.splitlines()[-1])
    return found


def run(output: Path, part: tuple[int, int], only: str = "") -> Iterator[str]:
    """Fit the tables that are not in `output` yet; yield a line for each."""
    known = {each["table"] for each in ledger.read(output)}
    first, step = part
    for name, path in list(files().items())[first::step]:
        if name in known or only not in name:
            continue
        found = record(name, path)
        if found is None:
            continue
        ledger.append(output, {"table": name, **found})
        if "fault" in found:
            yield f"{name}: FAULT {found['fault']}"
        else:
            yield f"{name}: {found['seconds']:.2f} s, {found['status']}"


def summary(output: Path) -> Iterator[str]:
    """Yield the number of tables, faults, and the distribution of processor time."""
    records = ledger.read(output)
    fits = [each for each in records if "fault" not in each]
    yield f"{len(records)} tables, {len(records) - len(fits)} faults"
    if not fits:
        return
    seconds = np.array([each["seconds"] for each in fits])
    yield (
        f"processor seconds: median {np.median(seconds):.2f}, "
        f"95% below {np.quantile(seconds, 0.95):.2f}, longest {seconds.max():.2f}; "
        f"{np.sum(seconds > 5)} above 5"
    )
    for each in sorted(fits, key=lambda each: -each["seconds"])[:10]:
        size = f"{each['rows']} x {each['columns']}, {each['classes']} classes"
        yield f"  {each['table']} ({size}): {each['seconds']:.2f} s"
