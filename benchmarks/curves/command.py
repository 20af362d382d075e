"""`python -m benchmarks figures`: run, check, draw, and write as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.curves.cases import ALL_ROWS, FOLDS, SETS, problem
from benchmarks.curves.claims import known_trees, points_above
from benchmarks.curves.plots import STYLES, draw_folds, draw_training
from benchmarks.curves.runs import run_all
from benchmarks.data import available

COLUMNS = (
    *("set", "fold", "method", "config", "leaves", "train", "test"),
    *("seconds", "is_proved"),
)


def _short(point: dict[str, Any]) -> dict[str, Any]:
    """Return the point with numbers of few digits, for a file that is kept."""
    return {
        name: f"{value:.5g}" if isinstance(value, float) else value
        for name, value in point.items()
    }


def report(
    results: Path, limit: float, n_folds: int, only: str | None, peers: Sequence[str]
) -> str:
    """Return what was found in words; raise where a claim does not hold."""
    here = {each.data for each in available(problem(name) for name in SETS)}
    sets = [name for name in SETS if name in here and (only or "") in name]
    folds = [ALL_ROWS, *range(1, min(n_folds, FOLDS) + 1)]
    methods = [m for m in STYLES if m in ("ostrya", "cart") or m in peers]
    folder = results / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    records = run_all(methods, sets, folds, limit, folder / "runs.jsonl")
    with (folder / "points.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for record in records:
            named = {name: record[name] for name in ("set", "fold", "method")}
            writer.writerows({**named, **_short(point)} for point in record["points"])
    draw_training(records, folder / "training.png")
    if n_folds:
        draw_folds(records, "train", folder / "training-folds.png")
        draw_folds(records, "test", folder / "test-folds.png")
    faults = [*points_above(records), *known_trees(records)]
    if faults:
        raise SystemExit("\n".join(faults))
    n_others = sum(len(r["points"]) for r in records if r["method"] != "ostrya")
    n_ours = sum(len(r["points"]) for r in records if r["method"] == "ostrya")
    return (
        f"{n_others:,} trees of other methods on {len(sets)} data sets and "
        f"{len(folds)} parts of each: none above our curve ({n_ours:,} trees) on "
        f"training rows; the trees of the papers are on it.\nwritten: {folder}"
    )
