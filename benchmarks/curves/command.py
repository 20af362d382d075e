"""`python -m benchmarks figures`: run, check, draw, and write as CSV."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.curves.cases import ALL_ROWS, FOLDS, SETS, folds_of
from benchmarks.curves.claims import known_trees, points_above
from benchmarks.curves.plots import (
    STYLES,
    draw_each_fold,
    draw_folds,
    draw_training,
)
from benchmarks.curves.runs import run_all
from benchmarks.papers.kept import save_figure, write_table
from benchmarks.sources.catalog import absent, catalog, how_to_get

COLUMNS = (
    *("set", "fold", "method", "config", "leaves", "train", "test"),
    *("seconds", "is_proved"),
)


class Limits(NamedTuple):
    """Seconds for each tree of ours and for each tree of the others."""

    own: float
    peers: float


def chosen_sets(only: str | None) -> list[str]:
    """Return the sets with data and folds; end the command if there are none."""
    wanted = [name for name in SETS if (only or "") in name]
    if not wanted:
        raise SystemExit(
            f"--only must be part of one of {', '.join(SETS)}; got {only!r}."
        )
    missing = {name: absent([name, folds_of(name)]) for name in wanted}
    lacking = [each for names in missing.values() for each in names]
    if all(missing.values()):
        raise SystemExit(how_to_get(lacking))
    if lacking:
        print(f"Some sets are skipped. {how_to_get(lacking)}", file=sys.stderr)
    return [name for name in wanted if not missing[name]]


def report(
    results: Path, limits: Limits, n_folds: int, only: str | None, peers: Sequence[str]
) -> str:
    """Return what was found in words; raise where a claim does not hold.

    The table and all pictures come from the same records.
    """
    sets = chosen_sets(only)
    folds = [ALL_ROWS, *range(1, min(n_folds, FOLDS) + 1)]
    methods = [m for m in STYLES if m in ("ostrya", "cart") or m in peers]
    folder = results / "papers" / "accuracy"
    by_method = {m: limits.own if m == "ostrya" else limits.peers for m in methods}
    records = run_all(by_method, sets, folds, results / "figures" / "runs.jsonl")
    words = [f"--time-limit {limits.peers:g}", f"--own-time-limit {limits.own:g}"]
    words += [f"--folds {n_folds}"]
    words += [f"--only {only}"] if only else []
    words += [f"--with {','.join(peers)}"] if peers else []
    command = " ".join(("figures", *words))
    rows = [
        {**{name: record[name] for name in ("set", "fold", "method")}, **point}
        for record in records
        for point in record["points"]
    ]
    write_table(
        folder / "points.csv",
        COLUMNS,
        rows,
        command,
        f"fold 0: all rows; at most {limits.peers:g} seconds per tree, "
        f"{limits.own:g} for ostrya",
    )
    save_figure(draw_training(records), folder / "training.svg", command)
    if n_folds:
        for part in ("train", "test"):
            figure = draw_folds(records, part)
            save_figure(figure, folder / f"{part}-medians.svg", command)
        for name in sets:
            figure = draw_each_fold(records, name, n_folds)
            save_figure(figure, folder / f"folds-{name}.svg", command)
    # Only the papers' own tables must have the papers' trees, not stand-ins.
    true = [r for r in records if catalog()[r["set"]].state() == "present"]
    faults = [*points_above(records), *known_trees(true)]
    if faults:
        raise SystemExit("\n".join(faults))
    n_others = sum(len(r["points"]) for r in records if r["method"] != "ostrya")
    n_ours = sum(len(r["points"]) for r in records if r["method"] == "ostrya")
    return (
        f"{n_others:,} trees of other methods on {len(sets)} data sets and "
        f"{len(folds)} parts of each: none above our curve ({n_ours:,} trees) on "
        f"training rows; the trees of the papers are on it.\nwritten: {folder}"
    )
