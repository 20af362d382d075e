"""`python -m benchmarks binoct`: OSDT's Figures 7 and 8, and sizes, times and gaps."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import ledger, traces
from benchmarks.binoct.program import program
from benchmarks.campaign import Campaign
from benchmarks.choices import RESULTS
from benchmarks.data import load
from benchmarks.papers.kept import commit, place, save_figure, write_table
from benchmarks.problem import Group, Problem
from benchmarks.sources.catalog import absent, how_to_get

#: Figure 7 has Monk 1 at 0.007; its optimal tree of eight leaves has depth 5.
PROBLEMS = (
    *(Problem("monk1_binary11", Group.BINARY, 0.007, depth) for depth in (2, 3, 4, 5)),
    *(
        Problem(name, Group.BINARY, 0.005, depth)
        for name in ("monk2_binary11", "monk3_binary11", "tic-tac-toe_binary18")
        for depth in (2, 3)
    ),
    Problem("compas_binary12", Group.BINARY, 0.005, 2),
)
COLOURS = {"ostrya": "#1f6f54", "binoct": "#c26a1b"}
CONTENDERS = tuple(COLOURS)
#: Bounds beyond this are HiGHS's way to say that there is none.
INFINITE = 1e6
#: The first moment drawn.
LEAST_SECONDS = 1e-4
COLUMNS = (
    *("problem", "contender", "variables", "integers", "constraints", "status"),
    *("processor_seconds", "objective", "lower", "gap", "leaves"),
)


def add_to(commands: Any) -> None:
    """Add the command to those of `python -m benchmarks`."""
    command = commands.add_parser(
        "binoct", help="regularised BinOCT by HiGHS (OSDT, appendix J)"
    )
    command.set_defaults(call=lambda options: print(report(options)))
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--only", default="", metavar="PART", help="part of a name")
    command.add_argument(
        "--contenders",
        type=lambda text: tuple(text.split(",")),
        default=CONTENDERS,
        help="run only one of ostrya,binoct",
    )


def report(options: argparse.Namespace) -> str:
    """Run both contenders, write the table, and return it."""
    chosen = tuple(p for p in PROBLEMS if options.only in p.name)
    if not chosen:
        names = ", ".join(dict.fromkeys(p.data for p in PROBLEMS))
        raise SystemExit(
            f"--only must be part of a problem on {names}; got {options.only!r}."
        )
    missing = absent(p.data for p in chosen)
    if missing:
        raise SystemExit(how_to_get(missing))
    # Runs of different code do not go into one table.
    runs = RESULTS / f"binoct-{commit().replace(' ', '-')}.jsonl"
    Campaign(
        problems=chosen,
        contenders=options.contenders,
        output=runs,
        time_limit=options.time_limit,
        repeats=1,
        traces=runs.with_suffix(""),
    ).run()
    last = {(r["problem"], r["contender"]): r for r in ledger.read(runs)}
    rows = [row(p, last[p.name, name]) for p in chosen for name in options.contenders]
    command = f"binoct --time-limit {options.time_limit:g}"
    command += f" --only {options.only}" if options.only else ""
    path = write_table(place("osdt", "binoct.csv"), COLUMNS, rows, command)
    written = [path, *draw(chosen, last, runs.parent, command)]
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    for each in rows:
        cells = (each[name] for name in COLUMNS)
        shown = (f"{c:.5g}" if isinstance(c, float) else str(c) for c in cells)
        lines.append("| " + " | ".join(shown) + " |")
    return "\n".join([*lines, f"written: {', '.join(map(str, written))}"])


def draw(
    problems: Sequence[Problem],
    records: Mapping[tuple[str, str], ledger.Record],
    folder: Path,
    command: str,
) -> list[Path]:
    """Draw Figure 8, both bounds of both contenders over time, and keep its points."""
    from benchmarks.topk.plots import panels

    figure, axes = panels(len(problems))
    rows: list[dict[str, Any]] = []
    for axis, problem in zip(axes, problems, strict=False):
        for contender, colour in COLOURS.items():
            record = records.get((problem.name, contender), {})
            trace = record.get("trace")
            points = traces.read(folder / trace) if trace else []
            # Until HiGHS has a tree, its objective is infinite.
            points = [point for point in points if max(map(abs, point)) < INFINITE]
            rows += [
                {"problem": problem.name, "contender": contender}
                | dict(zip(traces.HEADER, point, strict=True))
                for point in points
            ]
            if not points:
                continue
            end = max(points[-1][0], float(record.get("seconds") or 0.0))
            points.append((end, *points[-1][1:]))
            seconds, lower, upper = zip(*points, strict=True)
            seconds = [max(s, LEAST_SECONDS) for s in seconds]
            axis.step(seconds, upper, where="post", color=colour, label=contender)
            axis.step(seconds, lower, where="post", color=colour, linestyle="--")
        axis.set(title=problem.name, xlabel="seconds", xscale="log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    columns = ("problem", "contender", *traces.HEADER)
    return [
        save_figure(figure, place("osdt", "figure8.svg"), command),
        write_table(place("osdt", "figure8.csv"), columns, rows, command),
    ]


def row(problem: Problem, record: ledger.Record) -> dict[str, Any]:
    """Return what is kept of a run, with the size of the program."""
    found = {name: record.get(name) for name in COLUMNS}
    if record["contender"] == "binoct" and problem.depth is not None:
        X, y = load(problem)
        model = program(X.astype(bool), y, problem.depth, problem.penalty)
        found["variables"] = len(model.cost)
        found["integers"] = int(model.is_integer.sum())
        found["constraints"] = len(model.lower)
    if found["objective"] is not None and found["lower"] is not None:
        found["gap"] = found["objective"] - found["lower"]
    return found
