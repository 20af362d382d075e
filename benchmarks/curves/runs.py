"""Run every method on every selection of rows, and save each result immediately."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks import ledger
from benchmarks.contenders import CONTENDERS
from benchmarks.data import ROOT
from benchmarks.environments import interpreter
from benchmarks.papers.kept import commit
from benchmarks.process import environment


def run_all(
    methods: Mapping[str, float],
    sets: Iterable[str],
    folds: Iterable[int],
    output: Path,
) -> list[dict[str, Any]]:
    """Return one record per method, set and fold, run now or before by this commit.

    `methods` has the time limit of each method.
    """
    folds = list(folds)
    kept = {_key(record): record for record in ledger.read(output)}
    wanted = []
    for name in sets:
        for method, limit in methods.items():
            keys = {fold: (method, name, fold, limit, commit()) for fold in folds}
            missing = [fold for fold, key in keys.items() if key not in kept]
            for record in run(method, name, missing, limit) if missing else ():
                ledger.append(output, record)
                kept[_key(record)] = record
            wanted += keys.values()
    return [kept[key] for key in wanted]


def run(
    method: str, name: str, folds: Iterable[int], limit: float
) -> Iterator[dict[str, Any]]:
    """Run one child, and yield a record for each of the folds as it comes to it."""
    is_own = method in ("ostrya", "cart")  # scikit-learn is there beside ours
    python = sys.executable if is_own else interpreter(CONTENDERS[method])
    arguments = (method, name, ",".join(map(str, folds)), str(limit))
    child = subprocess.Popen(
        [python, "-m", "benchmarks.curves.worker", *arguments],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdout is not None
    try:
        for line in child.stdout:
            found = json.loads(line)
            told = f"{name}, fold {found['fold']}: {method}"
            print(told, file=sys.stderr, flush=True)
            named = {"method": method, "set": name, "limit": limit}
            yield {**named, "commit": commit(), **found}
    except BaseException:
        child.kill()
        raise
    if child.wait() != 0:
        raise SystemExit(f"{method} failed on {name}; leave it out of --with")


def _key(record: dict[str, Any]) -> tuple[Any, ...]:
    names = ("method", "set", "fold", "limit", "commit")
    return tuple(record.get(name) for name in names)
