"""The commands about sizes and their cost: frontiers, figures, estimates, reach."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmarks import estimates, frontier, reach
from benchmarks.choices import RESULTS, names, part, select
from benchmarks.suites import SUITES


def run_frontier(options: argparse.Namespace) -> None:
    """Print what whole frontiers cost beside the hardest single solve on them."""
    chosen = {
        problem: leaves
        for problem, leaves in frontier.problems().items()
        if options.only is None or options.only in problem.name
    }
    for line in frontier.report(chosen, options.time_limit, options.peers):
        print(line, flush=True)


def run_reach(options: argparse.Namespace) -> None:
    """Print which sizes each method is done with in a second, a minute, an hour."""
    for line in reach.report(options.longest):
        print(line, flush=True)


def run_estimates(options: argparse.Namespace) -> None:
    """Print what searches take beside what was estimated before."""
    problems = estimates.without_repeats(
        problem for suite in SUITES for problem in select(suite, options.only)
    )
    first, step = options.part
    output = options.output or RESULTS / "estimates.jsonl"
    for line in estimates.report(problems[first::step], options.time_limit, output):
        print(line, flush=True)


def run_figures(options: argparse.Namespace) -> None:
    """Write accuracy against leaves as the papers have it, and check it."""
    # It needs matplotlib, which the other commands do without.
    from benchmarks.curves.command import Limits, report

    limits = Limits(options.own_time_limit or options.time_limit, options.time_limit)
    print(report(RESULTS, limits, options.folds, options.only, options.peers))


def add_to(commands: Any) -> None:
    """Add them to the parser of the command line."""
    command = commands.add_parser(
        "frontier", help="one frontier search against single solves"
    )
    command.set_defaults(call=run_frontier)
    command.add_argument("--with", dest="peers", type=names, default=("pystreed",))
    command.add_argument("--only", metavar="PART", help="a substring of the name")
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")

    command = commands.add_parser(
        "reach", help="largest sizes solved in a second, a minute, an hour"
    )
    command.set_defaults(call=run_reach)
    command.add_argument("--longest", type=float, default=20.0, metavar="SECONDS")

    command = commands.add_parser(
        "estimate", help="predicted running times against measured ones"
    )
    command.set_defaults(call=run_estimates)
    command.add_argument("--only", metavar="PATTERN", help="a tag or a substring")
    command.add_argument("--part", type=part, default=(0, 1), help="such as 1/2")
    command.add_argument("--output", type=Path, metavar="FILE")
    command.add_argument("--time-limit", type=float, default=20.0, metavar="SECONDS")

    command = commands.add_parser(
        "figures", help="accuracy against leaves, as in the OSDT and GOSDT papers"
    )
    command.set_defaults(call=run_figures)
    command.add_argument(
        "--with", dest="peers", type=names, default=("gosdt", "pydl8.5")
    )
    command.add_argument("--only", metavar="PART", help="a substring of the data set")
    command.add_argument(
        "--folds", type=int, default=10, help="how many of the ten folds"
    )
    command.add_argument("--time-limit", type=float, default=10.0, metavar="SECONDS")
    command.add_argument(
        "--own-time-limit",
        type=float,
        metavar="SECONDS",
        help="for ostrya, whose curve is what others are compared with",
    )
