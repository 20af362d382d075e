"""`python -m benchmarks guesses-figures`: Figures 1, 2, 5, 10, 11, 21 and Table 7."""

from __future__ import annotations

import argparse
import sys
from statistics import mean
from typing import Any

from benchmarks import ledger
from benchmarks.choices import RESULTS
from benchmarks.folders import PAPERS
from benchmarks.guesses import curve_figures
from benchmarks.guesses.curve_runs import (
    METHODS,
    PENALTIES,
    USUAL_PENALTY,
    Laboratory,
    Run,
    runs_of,
)
from benchmarks.papers.kept import commit, place, save_figure, write_table
from benchmarks.sources.catalog import absent, how_to_get

COLUMNS = (
    *("data", "fold", "method", "reference", "depth", "penalty", "guess_seconds"),
    *("seconds", "train", "test", "leaves", "status"),
)
#: What `--all-penalties` adds is many runs: by default only the penalty of the tables.
DEPTHS: tuple[int | None, ...] = (2, 3, 4, 5, None)


def add_options(command: argparse.ArgumentParser) -> None:
    """Give the command its options."""
    command.add_argument(
        "--sets",
        type=lambda text: tuple(text.split(",")),
        default=tuple(PENALTIES),
        help=f"some of {','.join(PENALTIES)}",
    )
    command.add_argument("--folds", type=int, default=5)
    command.add_argument(
        "--depths",
        type=lambda text: tuple(
            None if word == "none" else int(word) for word in text.split(",")
        ),
        default=DEPTHS,
        help="depth limits, such as 3,5,none",
    )
    command.add_argument(
        "--all-penalties", action="store_true", help="use all penalties of Table 3"
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")


def report(options: argparse.Namespace) -> str:
    """Run what is missing, write the table and the figures, and return a summary."""
    unknown = [name for name in options.sets if name not in PENALTIES]
    if unknown:
        raise SystemExit(
            f"--sets must be some of {', '.join(PENALTIES)}; got {','.join(unknown)}."
        )
    missing = absent(options.sets)
    if missing:
        raise SystemExit(how_to_get(missing))
    runs: list[Run] = []
    for data in options.sets:
        all_of_them = options.all_penalties
        penalties = PENALTIES[data] if all_of_them else (USUAL_PENALTY[data],)
        runs += runs_of(data, options.folds, options.depths, penalties)
    records = _run(runs, options.time_limit)
    words = _words(options)
    written = [
        write_table(
            place("guesses", "curves.csv"),
            COLUMNS,
            records,
            words,
            f"at most {options.time_limit:g} seconds a search; boosting as a black box "
            "of 100 trees of depth 3",
        ),
        write_table(
            place("guesses", "black_box.csv"),
            curve_figures.BLACK_BOX_COLUMNS,
            curve_figures.black_box(records),
            words,
            f"the best trees of at most {curve_figures.MOST_LEAVES} leaves",
        ),
    ]
    figures: dict[str, Any] = {
        "figure2-11": curve_figures.accuracy_over_leaves(records)
    }
    for data in options.sets:
        if data == "spiral":
            figures["figure21"] = curve_figures.poor_reference(records)
            continue
        name = "figure1" if data == "compas" else f"figure10-{data}"
        figures[name] = curve_figures.accuracy_over_time(records, data)
        if data == "compas":
            figures["figure5"] = curve_figures.depth_limits(records, data)
    for name, figure in figures.items():
        written.append(save_figure(figure, place("guesses", f"{name}.svg"), words))
    files = ", ".join(str(path.relative_to(PAPERS)) for path in written)
    return "\n".join([*summary(records), f"written below {PAPERS}: {files}"])


def _words(options: argparse.Namespace) -> str:
    words = f"guesses-figures --sets {','.join(options.sets)} --folds {options.folds}"
    depths = ("none" if d is None else str(d) for d in options.depths)
    words += f" --depths {','.join(depths)} --time-limit {options.time_limit:g}"
    return words + (" --all-penalties" if options.all_penalties else "")


def _run(runs: list[Run], time_limit: float) -> list[dict[str, Any]]:
    """Return the record of each run; those that an earlier call made are not repeated.

    Runs of different code, or with another limit, do not go into one table.
    """
    name = f"guesses-figures-{commit().replace(' ', '-')}-{time_limit:g}s.jsonl"
    file = RESULTS / name
    known = {record["run"]: record for record in ledger.read(file)}
    laboratory = Laboratory(time_limit)
    for number, run in enumerate(runs, start=1):
        if run.key in known:
            continue
        record = laboratory.record(run)
        ledger.append(file, record)
        known[run.key] = record
        print(f"[{number}/{len(runs)}] {run.key}", file=sys.stderr, flush=True)
    return [known[run.key] for run in runs]


def summary(records: list[dict[str, Any]]) -> list[str]:
    """Return means over the folds, a line for each set, method and depth limit."""
    lines = []
    kinds = ("data", "method", "reference", "depth", "penalty")
    for (data, method, model, depth, penalty), runs in curve_figures.groups(
        records, *kinds
    ).items():
        if method not in METHODS:
            shown = f"{data}  {method}"
        else:
            limit = "none" if depth is None else depth
            shown = f"{data}  {method} {model}  depth {limit}  {penalty:g}"
        tests = [r["test"] for r in runs if r["test"] is not None]
        test = f"  test {mean(tests):.3f}" if tests else ""
        lines.append(
            f"{shown}:  train {mean(r['train'] for r in runs):.3f}{test}  "
            f"leaves {mean(r['leaves'] for r in runs):.1f}  "
            f"seconds {mean(map(curve_figures.total_seconds, runs)):.3g}"
        )
    return lines
