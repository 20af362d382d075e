"""`python -m benchmarks gosdt ...`: the tables and figures of the GOSDT paper."""

from __future__ import annotations

import argparse
from typing import Any

from benchmarks.choices import RESULTS, names
from benchmarks.gosdt import (
    bucketization,
    progress,
    scaling,
    schedules,
    tables,
)
from benchmarks.papers.kept import commit


def words(text: str) -> tuple[str, ...]:
    """Return the data sets of a comma-separated list."""
    chosen = tuple(part for part in text.split(",") if part)
    unknown = sorted(set(chosen) - set(scaling.SETS))
    if unknown:
        raise argparse.ArgumentTypeError(
            f"must be names among {', '.join(scaling.SETS)}; got {', '.join(unknown)}"
        )
    return chosen


def run_scaling(options: argparse.Namespace) -> None:
    """Run Figures 5 and 13 to 16."""
    # Runs of different code do not go into one figure.
    runs = RESULTS / f"gosdt-scaling-{commit().replace(' ', '-')}.jsonl"
    print(
        scaling.report(options.time_limit, options.contenders, options.sets, runs),
    )


def add_to(commands: Any) -> None:
    """Add the commands to those of `python -m benchmarks`."""
    top = commands.add_parser("gosdt", help="tables and figures of the GOSDT paper")
    parts = top.add_subparsers(required=True)
    command = parts.add_parser("figure1", help="bucketization loses (Theorem 3.1)")
    command.set_defaults(call=lambda options: print(bucketization.report()))
    command = parts.add_parser("table2", help="sizes of the data sets")
    command.set_defaults(call=lambda options: print(tables.report()))
    command = parts.add_parser("schedules", help="priority queue against other orders")
    command.set_defaults(call=lambda options: print(schedules.report()))
    command = parts.add_parser("figure17", help="objective over time")
    command.set_defaults(
        call=lambda options: print(progress.report(options.time_limit))
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command = parts.add_parser("scaling", help="Figures 5 and 13 to 16")
    command.set_defaults(call=run_scaling)
    command.add_argument("--time-limit", type=float, default=20.0, metavar="SECONDS")
    command.add_argument("--contenders", type=names, default=scaling.CONTENDERS)
    command.add_argument("--sets", type=words, default=tuple(scaling.SETS))
