"""The command line: `python -m benchmarks --help`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import (
    anytime,
    cells,
    cluster,
    cluster_scaling,
    equal_time,
    frontier_commands,
    growth,
    instructions,
    large,
    lazy,
    ledger,
    limits,
    looser,
    paired,
    prices,
    rivals,
    scaling,
    small,
    table,
    threads,
)
from benchmarks.campaign import Campaign
from benchmarks.choices import RESULTS, names, part, select
from benchmarks.contenders import CONTENDERS
from benchmarks.guesses.command import add_options, reproduce
from benchmarks.raw.report import render as render_raw
from benchmarks.raw.runs import Runs
from benchmarks.suites import SUITES
from benchmarks.topk import commands as topk

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"


def run(options: argparse.Namespace) -> None:
    """Run a suite and print its table."""
    output = options.output or RESULTS / f"{options.suite}.jsonl"
    contenders = options.contenders or ("ostrya", *options.peers)
    first, step = options.part
    Campaign(
        problems=select(options.suite, options.only)[first::step],
        contenders=tuple(dict.fromkeys(contenders)),
        output=output,
        time_limit=options.time_limit,
        memory_cap=int(options.memory_cap * 2**30),
        repeats=options.repeats,
        fresh=options.fresh,
        traces=output.with_suffix("") if options.suite == "raw" else None,
    ).run()
    if options.suite == "raw":
        print(render_raw(Runs.read(output)))
    else:
        print(table.render(ledger.read(output)))


def write_raw(options: argparse.Namespace) -> None:
    """Write the table and the figures of the suite of raw tables."""
    # It needs matplotlib, which the other commands do without.
    from benchmarks.raw.command import write

    print(write(options.file, RESULTS / "raw.md", IMAGES))


def show_prices(options: argparse.Namespace) -> None:
    """Print the share of the optimum that row prices reach at the root."""
    suites = [options.suite] if options.suite else list(SUITES)
    problems = [p for suite in suites for p in select(suite, options.only)]
    for line in prices.report(problems, options.time_limit):
        print(line, flush=True)


def run_threads(options: argparse.Namespace) -> None:
    """Print what a second thread is worth."""
    first, step = options.part
    problems = select(options.suite, options.only)[first::step]
    output = RESULTS / "threads.jsonl"
    limits = (options.time_limit, options.repeats)
    for line in threads.report(problems, options.contender, output, *limits):
        print(line, flush=True)


def run_scaling(options: argparse.Namespace) -> None:
    """Print and draw what many threads would be worth, by simulation."""
    problems = select(options.suite, options.only)
    picture = IMAGES / "scaling.svg"
    for line in scaling.report(problems, options.time_limit, options.least, picture):
        print(line, flush=True)


def run_cluster(options: argparse.Namespace) -> None:
    """Print what a second worker of a cluster is worth."""
    problems = select(options.suite, options.only)
    for line in cluster.report(problems, options.workers, options.time_limit):
        print(line, flush=True)


def run_cluster_scaling(options: argparse.Namespace) -> None:
    """Print what many workers of a cluster would be worth, by simulation."""
    problems = select(options.suite, options.only)
    for line in cluster_scaling.report(problems, options.time_limit, options.least):
        print(line, flush=True)


def show_rivals(options: argparse.Namespace) -> None:
    """Print the fastest rival of each kind of problem, from files of results."""
    print(rivals.render([r for file in options.files for r in ledger.read(file)]))


def run_instructions(options: argparse.Namespace) -> None:
    """Print how many instructions this build takes beside another one."""
    problems = select(options.suite, options.only)
    instructions.report(problems, options.other, options.most_seconds, options.folder)


def show_table(options: argparse.Namespace) -> None:
    """Print the table of a file of results."""
    print(table.render(ledger.read(options.file)))


def show_list(options: argparse.Namespace) -> None:
    """Print the problems of every suite, by group, and the contenders."""
    for suite, problems in SUITES.items():
        print(f"{suite}: {len(problems)} problems")
        for problem in problems:
            print(f"  {problem.name}  ({problem.group.value})")
    print("contenders:", ", ".join(CONTENDERS))


def run_limits(options: argparse.Namespace) -> None:
    """Print how ostrya keeps to its limits on large tables and on a suite."""
    if options.only is None or options.only == "large":
        print(large.report(RESULTS / "large.jsonl"), end="\n\n")
    if options.only == "large":
        return
    problems = select(options.suite, options.only)
    print(limits.report(problems, RESULTS / "limits.jsonl", options.time_limit))


def run_looser(options: argparse.Namespace) -> None:
    """Print whether trees without a depth limit are as good as with one."""
    more = looser.MORE_TABLES.get(options.suite, ())
    problems = [*select(options.suite, options.only)]
    problems += [p for p in more if options.only is None or options.only in p.name]
    first, step = options.part
    runs = looser.Runs(options.output or RESULTS / "looser.jsonl", options.max_leaves)
    chosen = problems[first::step]
    lines = looser.report(chosen, options.seconds, runs)
    if options.peers:
        file = (options.output or RESULTS / "looser.jsonl").with_suffix(".peers.jsonl")
        of_peers = equal_time.PeerRuns(file, max(options.seconds))
        free = looser.tables(chosen)
        lines = equal_time.report(free, options.peers, runs, of_peers)
    for line in lines:
        print(line, flush=True)


def run_first_fit(options: argparse.Namespace) -> None:
    """Print what the default gives on raw tables, beside other candidates for it."""
    # It needs pandas, which the other commands do without.
    from benchmarks import first_fit

    first, step = options.part
    output = options.output or RESULTS / "first_fit.jsonl"
    tables = first_fit.TABLES[first::step]
    methods = first_fit.chosen_methods(options.methods)
    for line in first_fit.report(options.splits, output, tables, methods):
        print(line, flush=True)


def run_lazy(options: argparse.Namespace) -> None:
    """Print what tables that do not fit in memory take, engine by engine."""
    output = options.output or RESULTS / "lazy.md"
    engines = tuple(options.engines.split(","))
    rest = (options.folder, output, options.keep)
    print(lazy.report(options.rows, engines, *rest))


def run_paired(options: argparse.Namespace) -> None:
    """Print how this build compares with another one, by turns."""
    problems = select(options.suite, options.only)
    paired.report(problems, options.other, options.repeats, options.time_limit)


def run_anytime(options: argparse.Namespace) -> None:
    """Print how good ostrya's trees are as early as a heuristic's."""
    problems = select(options.suite, options.only)
    print(anytime.report(problems, RESULTS / "anytime.jsonl", options.time_limit))


def run_cells(options: argparse.Namespace) -> None:
    """Print what a cell of the scan of pairs costs."""
    for line in cells.report():
        print(line, flush=True)


def run_osdt(options: argparse.Namespace) -> None:
    """Print one of the experiments of the papers on leaf sets."""
    # They need matplotlib, which the other commands do without.
    from benchmarks.osdt import figures, roc, table2

    experiments = {
        "table2": table2.report,
        "figure2": figures.figure2,
        "figure3": figures.figure3,
        "roc": roc.report,
    }
    report = experiments[options.experiment]
    print(report(options.time_limit, options.memory_limit, options.fresh))


def run_guesses(options: argparse.Namespace) -> None:
    """Run the tables of the guesses paper, write them as CSV, and print them."""
    print(reproduce(options, RESULTS))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = top.add_subparsers(required=True)

    command = commands.add_parser("run", help="run a suite and print its table")
    command.set_defaults(call=run)
    command.add_argument("suite", choices=SUITES)
    command.add_argument("--with", dest="peers", type=names, default=())
    command.add_argument("--contenders", type=names, help="these only, without ostrya")
    command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--memory-cap", type=float, default=8.0, metavar="GIB")
    command.add_argument("--repeats", type=int, default=3)
    command.add_argument(
        "--part", type=part, default=(0, 1), help="every n-th problem, such as 1/2"
    )
    command.add_argument("--output", type=Path, metavar="FILE")
    command.add_argument("--fresh", action="store_true", help="run all anew")

    command = commands.add_parser("table", help="print the table of a results file")
    command.set_defaults(call=show_table)
    command.add_argument("file", type=Path)

    command = commands.add_parser("raw", help="table and figures of the raw suite")
    command.set_defaults(call=write_raw)
    command.add_argument("file", type=Path, nargs="?", default=RESULTS / "raw.jsonl")

    command = commands.add_parser("rivals", help="the fastest rival by kind of problem")
    command.set_defaults(call=show_rivals)
    command.add_argument("files", type=Path, nargs="+")

    command = commands.add_parser("prices", help="share of the optimum by row prices")
    command.set_defaults(call=show_prices)
    command.add_argument("suite", choices=SUITES, nargs="?")
    command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")

    command = commands.add_parser("threads", help="two threads beside one")
    command.set_defaults(call=run_threads)
    command.add_argument("suite", choices=SUITES, nargs="?", default="engine")
    command.add_argument("--contender", choices=threads.PAIRED, default="ostrya")
    command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--repeats", type=int, default=1)
    command.add_argument("--part", type=part, default=(0, 1), metavar="I/N")

    command = commands.add_parser("scaling", help="many threads, by simulation")
    command.set_defaults(call=run_scaling)
    command.add_argument("suite", choices=SUITES, nargs="?", default="engine")
    command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--least", type=float, default=1.0, metavar="SECONDS")

    command = commands.add_parser("cluster", help="workers of a cluster of Dask")
    command.set_defaults(call=run_cluster)
    command.add_argument("suite", choices=SUITES, nargs="?", default="cluster")
    command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
    command.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    command.add_argument("--time-limit", type=float, default=600.0, metavar="SECONDS")

    command = commands.add_parser("cluster-scaling", help="the same, simulated")
    command.set_defaults(call=run_cluster_scaling)
    command.add_argument("suite", choices=SUITES, nargs="?", default="cluster")
    command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
    command.add_argument("--time-limit", type=float, default=600.0, metavar="SECONDS")
    command.add_argument("--least", type=float, default=1.0, metavar="SECONDS")

    command = commands.add_parser("list", help="print suites and contenders")
    command.set_defaults(call=show_list)

    command = commands.add_parser("growth", help="time by rows, columns, depth ...")
    command.set_defaults(
        call=lambda options: print(growth.report(RESULTS / "growth.svg"))
    )

    command = commands.add_parser("small", help="time of a 150-row solve from Python")
    command.set_defaults(call=lambda options: print(small.report()))

    command = commands.add_parser("cells", help="cycles per cell of the scan of pairs")
    command.set_defaults(call=run_cells)

    for name, call, text in (
        ("limits", run_limits, "how ostrya keeps to its limits"),
        ("anytime", run_anytime, "how good its trees are early, beside a heuristic's"),
    ):
        command = commands.add_parser(name, help=text)
        command.set_defaults(call=call)
        command.add_argument("suite", choices=SUITES, nargs="?", default="engine")
        command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
        command.add_argument(
            "--time-limit", type=float, default=20.0, metavar="SECONDS"
        )

    command = commands.add_parser(
        "looser", help="trees without a depth limit beside those with one"
    )
    command.set_defaults(call=run_looser)
    command.add_argument("suite", choices=SUITES, nargs="?", default="raw")
    command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
    command.add_argument("--seconds", type=float, nargs="+", default=[0.1, 1.0, 10.0])
    command.add_argument(
        "--with", dest="peers", type=names, default=(), help="these instead of depths"
    )
    command.add_argument("--max-leaves", type=int, help="that many, and they are free")
    command.add_argument("--part", type=part, default=(0, 1), help="such as 1/2")
    command.add_argument("--output", type=Path, metavar="FILE")

    command = commands.add_parser(
        "first-fit", help="the default on raw tables, beside other candidates for it"
    )
    command.set_defaults(call=run_first_fit)
    command.add_argument("--splits", type=int, default=3)
    command.add_argument(
        "--methods", nargs="+", default=(), help="how their names begin"
    )
    command.add_argument("--part", type=part, default=(0, 1), help="such as 1/2")
    command.add_argument("--output", type=Path, metavar="FILE")

    command = commands.add_parser(
        "lazy", help="tables that do not fit in memory, engine by engine"
    )
    command.set_defaults(call=run_lazy)
    command.add_argument("--rows", type=int, default=100_000_000)
    command.add_argument("--engines", default=",".join(lazy.ENGINES))
    command.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    command.add_argument("--keep", action="store_true", help="leave the table there")
    command.add_argument("--output", type=Path, metavar="FILE")

    command = commands.add_parser("paired", help="this build beside another, by turns")
    command.set_defaults(call=run_paired)
    command.add_argument("other", help="the Python that has the other build")
    command.add_argument("suite", choices=SUITES, nargs="?", default="short")
    command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
    command.add_argument("--repeats", type=int, default=5)
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")

    command = commands.add_parser(
        "instructions", help="this build beside another, counted by valgrind"
    )
    command.set_defaults(call=run_instructions)
    command.add_argument("other", help="the Python that has the other build")
    command.add_argument("suite", choices=SUITES, nargs="?", default="short")
    command.add_argument("--only", metavar="PATTERN", help="tag, or part of a name")
    command.add_argument("--most-seconds", type=float, default=1.0, metavar="SECONDS")
    command.add_argument("--folder", type=Path, help="where to keep what it counts")

    frontier_commands.add_to(commands)
    topk.add_to(commands)
    command = commands.add_parser("osdt", help="OSDT's ablation, policies and scaling")
    command.set_defaults(call=run_osdt)
    command.add_argument("experiment", choices=("table2", "figure2", "figure3", "roc"))
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--memory-limit", type=float, default=4.0, metavar="GIB")
    command.add_argument("--fresh", action="store_true", help="run all anew")

    command = commands.add_parser("guesses", help="Tables 4 and 6 of the guesses paper")
    command.set_defaults(call=run_guesses)
    add_options(command, names)
    return top


if __name__ == "__main__":
    arguments = parser().parse_args()
    try:
        arguments.call(arguments)
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from here")
