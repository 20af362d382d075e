"""`python -m benchmarks topk ...`: one command per figure of the Top-k paper."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.folders import RESULTS
from benchmarks.papers.kept import place, save_figure, write_table
from benchmarks.sources.catalog import absent, how_to_get, require
from benchmarks.topk import large, plots, robustness, scaling, theorems
from benchmarks.topk.accuracy import (
    FIGURE_2,
    FIGURE_4,
    FIGURE_4_SETS,
    GREEDY,
    Plan,
)
from benchmarks.topk.sets import SETS, Set, files

#: What `all` runs; Figure 6 draws the seconds of the fits of Figure 2.
EVERYTHING = ("figure2", "figure3", "figure4", "figure6", "theorems", "large")


def numbers(text: str) -> tuple[int, ...]:
    """Return the integers of a comma-separated list."""
    return tuple(int(part) for part in text.split(",") if part)


def widths(text: str) -> tuple[int | str, ...]:
    """Return the k's of a comma-separated list."""
    names = ("all", GREEDY)
    return tuple(k if k in names else int(k) for k in text.split(",") if k)


def words(text: str) -> tuple[str, ...]:
    """Return the words of a comma-separated list."""
    return tuple(part for part in text.split(",") if part)


def chosen_sets(wanted: tuple[str, ...] | None) -> tuple[Set, ...]:
    """Return the sets of these names, or all; end the command if none has data."""
    names = [s.name for s in SETS]
    unknown = sorted(set(wanted or ()) - set(names))
    if unknown:
        raise SystemExit(
            f"--sets must be names among {', '.join(names)}; got {', '.join(unknown)}."
        )
    chosen = tuple(s for s in SETS if wanted is None or s.name in wanted)
    missing = [absent(files(s)) for s in chosen]
    if all(missing):
        raise SystemExit(how_to_get(name for each in missing for name in each))
    return chosen


def run_accuracy(options: argparse.Namespace, figure: str) -> None:
    """Make the fits of a figure, print the means, and draw it."""
    records = Plan(
        sets=chosen_sets(options.sets),
        splits=options.splits,
        depths=options.depths,
        ks=options.k,
        time_limit=options.time_limit,
        output=options.output or RESULTS / "topk-accuracy.jsonl",
    ).run()
    command = " ".join(
        (
            f"topk {figure} --splits {options.splits}",
            f"--depths {','.join(map(str, options.depths))}",
            f"--k {','.join(map(str, options.k))}",
            f"--time-limit {options.time_limit:g}",
            *([f"--sets {','.join(options.sets)}"] if options.sets else []),
        )
    )
    drawing = options.plot or place("topk", f"{figure}.svg")
    print(plots.table(records, ("train", "test", "seconds")))
    if figure == "figure4":
        drawn = plots.against_k(records)
    else:
        value = "test" if figure == "figure2" else "seconds"
        drawn = plots.against_depth(records, value)
    save_figure(drawn, drawing, command)
    rows = plots.means(records)
    write_table(drawing.with_suffix(".csv"), plots.MEANS, rows, command)
    print(f"drawn: {drawing}")


def run_scaling(options: argparse.Namespace) -> None:
    """Run Figure 3 and draw it."""
    require([scaling.DATA])
    records = scaling.Scaling(
        depths=options.depths,
        columns=options.columns,
        rows=options.rows,
        contenders=options.contenders,
        time_limit=options.time_limit,
        output=options.output or RESULTS / "topk-scaling.jsonl",
    ).run()
    drawing = options.plot or place("topk", "figure3.svg")
    command = f"topk figure3 --time-limit {options.time_limit:g}"
    save_figure(plots.against_size(records), drawing, command)
    columns = ("contender", "depth", "rows", "columns", "status", "seconds", "error")
    rows = [{name: r.get(name) for name in columns} for r in records]
    write_table(drawing.with_suffix(".csv"), columns, rows, command)
    print(f"drawn: {drawing}")


def run_theorems(options: argparse.Namespace) -> None:
    """Print the accuracies of the theorems' distributions."""
    for line in theorems.report():
        print(line, flush=True)


def run_robustness(options: argparse.Namespace) -> None:
    """Print the accuracy with noisy labels and in ensembles."""
    print(robustness.report(chosen_sets(options.sets), options.splits))


def run_large(options: argparse.Namespace) -> None:
    """Print the seconds of large tables."""
    for line in large.report():
        print(line, flush=True)


def run_all(figures: Mapping[str, argparse.ArgumentParser]) -> None:
    """Run all figures and the theorems, each as its command does without options."""
    for name in EVERYTHING:
        print(f"topk {name}", flush=True)
        options = figures[name].parse_args([])
        options.call(options)


def add_to(commands: Any) -> None:
    """Add the commands to those of `python -m benchmarks`."""
    top = commands.add_parser("topk", help="the figures of the Top-k paper")
    figures = top.add_subparsers(required=True)
    for figure, ks, depths, sets in (
        ("figure2", FIGURE_2, (1, 2, 3, 4, 5, 6), None),
        ("figure4", FIGURE_4, (3,), FIGURE_4_SETS),
        ("figure6", FIGURE_2, (1, 2, 3, 4, 5, 6), None),
    ):
        command = figures.add_parser(figure)
        command.set_defaults(
            call=lambda options, figure=figure: run_accuracy(options, figure)
        )
        command.add_argument("--sets", type=words, default=sets)
        command.add_argument("--splits", type=int, default=10)
        command.add_argument("--depths", type=numbers, default=depths)
        command.add_argument("--k", type=widths, default=ks)
        command.add_argument("--time-limit", type=float, default=600.0)
        command.add_argument("--output", type=Path)
        command.add_argument("--plot", type=Path)
    command = figures.add_parser("figure3")
    command.set_defaults(call=run_scaling)
    command.add_argument("--depths", type=numbers, default=(4, 5, 6))
    command.add_argument("--columns", type=numbers, default=scaling.COLUMNS)
    command.add_argument("--rows", type=numbers, default=scaling.ROWS)
    command.add_argument(
        "--contenders",
        type=words,
        default=("ostrya-top1", "ostrya-top8", "ostrya-top16", "pystreed", "gosdt"),
    )
    command.add_argument("--time-limit", type=float, default=600.0)
    command.add_argument("--output", type=Path)
    command.add_argument("--plot", type=Path)
    command = figures.add_parser("theorems")
    command.set_defaults(call=run_theorems)
    command = figures.add_parser("robustness", help="noisy labels, and ensembles")
    command.set_defaults(call=run_robustness)
    command.add_argument("--sets", type=words, default=FIGURE_4_SETS)
    command.add_argument("--splits", type=int, default=10)
    command = figures.add_parser("large", help="50,000 rows and 100 columns")
    command.set_defaults(call=run_large)
    command = figures.add_parser("all", help="every figure, and the theorems")
    command.set_defaults(call=lambda options: run_all(figures.choices))
