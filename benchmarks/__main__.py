"""Measure Ostrya and compare it with other packages; see benchmarks/README.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import (
    ablation,
    anytime,
    cells,
    certificates,
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
    policies,
    prices,
    rashomon,
    rivals,
    scaling,
    small,
    table,
    threads,
)
from benchmarks.binoct import command as binoct
from benchmarks.campaign import Campaign
from benchmarks.choices import RESULTS, names, part, select
from benchmarks.contenders import CONTENDERS
from benchmarks.gosdt import commands as gosdt
from benchmarks.guesses import dl85
from benchmarks.guesses.command import add_options, reproduce
from benchmarks.guesses.curves import add_options as add_curve_options
from benchmarks.papers.kept import commit
from benchmarks.raw.report import render as render_raw
from benchmarks.raw.runs import Runs
from benchmarks.sources import command as sources
from benchmarks.suites import SUITES
from benchmarks.topk import commands as topk

OSDT_EXPERIMENTS = (
    *("table1", "table2", "figure2", "figure3", "policies", "roc", "incremental"),
)
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
    """Print the share of the optimum that dual prices prove at the root."""
    suites = [options.suite] if options.suite else list(SUITES)
    problems = [p for suite in suites for p in select(suite, options.only)]
    for line in prices.report(problems, options.time_limit):
        print(line, flush=True)


def run_threads(options: argparse.Namespace) -> None:
    """Print the speed-up from a second thread."""
    first, step = options.part
    problems = select(options.suite, options.only)[first::step]
    output = RESULTS / "threads.jsonl"
    limits = (options.time_limit, options.repeats)
    for line in threads.report(problems, options.contender, output, *limits):
        print(line, flush=True)


def run_scaling(options: argparse.Namespace) -> None:
    """Print and plot the simulated speed-up from many threads."""
    problems = select(options.suite, options.only)
    picture = IMAGES / "scaling.svg"
    for line in scaling.report(problems, options.time_limit, options.least, picture):
        print(line, flush=True)


def run_cluster(options: argparse.Namespace) -> None:
    """Print the speed-up from a second cluster worker."""
    problems = select(options.suite, options.only)
    for line in cluster.report(problems, options.workers, options.time_limit):
        print(line, flush=True)


def run_cluster_scaling(options: argparse.Namespace) -> None:
    """Print the simulated speed-up from many cluster workers."""
    problems = select(options.suite, options.only)
    for line in cluster_scaling.report(problems, options.time_limit, options.least):
        print(line, flush=True)


def count_good_trees(options: argparse.Namespace) -> None:
    """Count all trees near the optimum, and keep the table."""
    table = rashomon.run(options.peers, options.repeats, options.time_limit)
    (RESULTS / "rashomon.md").write_text(f"{table}\n", encoding="utf-8")
    print(table)


def show_rivals(options: argparse.Namespace) -> None:
    """Print the fastest competitor for each kind of problem, from result files."""
    print(rivals.render([r for file in options.files for r in ledger.read(file)]))


def run_instructions(options: argparse.Namespace) -> None:
    """Compare the instruction counts of this build and another one."""
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
    """Print how well ostrya keeps its limits on large tables and on a suite."""
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
    runs = looser.Runs(
        options.output or RESULTS / "looser.jsonl", options.max_leaf_nodes
    )
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
    """Compare the default settings with alternatives on raw tables."""
    # It needs pandas, which the other commands do without.
    from benchmarks import first_fit

    first, step = options.part
    output = options.output or RESULTS / "first_fit.jsonl"
    tables = first_fit.TABLES[first::step]
    methods = first_fit.chosen_methods(options.methods)
    for line in first_fit.report(options.splits, output, tables, methods):
        print(line, flush=True)


def run_unseen(options: argparse.Namespace) -> None:
    """Fit raw tables from Python packages with default settings."""
    # It needs pandas, which the other commands do without.
    from benchmarks.unseen import command

    output = options.output or RESULTS / "unseen.jsonl"
    for line in command.run(output, options.part, options.only):
        print(line, flush=True)
    for line in command.summary(output):
        print(line)


def run_rules(options: argparse.Namespace) -> None:
    """Search unseen tables without each rule of the schedule."""
    from benchmarks.unseen import rules

    output = options.output or RESULTS / "rules.jsonl"
    for line in rules.run(output, options.tables, options.cells):
        print(line, flush=True)
    for line in rules.report(output):
        print(line)


def run_lazy(options: argparse.Namespace) -> None:
    """Print time and memory for tables that do not fit in memory, by engine."""
    output = options.output or RESULTS / "lazy.md"
    engines = tuple(options.engines.split(","))
    rest = (options.folder, output, options.keep)
    print(lazy.report(options.rows, engines, *rest))


def run_paired(options: argparse.Namespace) -> None:
    """Time this build and another one in turn."""
    problems = select(options.suite, options.only)
    paired.report(problems, options.other, options.repeats, options.time_limit)


def run_anytime(options: argparse.Namespace) -> None:
    """Compare ostrya's early trees with those of a heuristic."""
    problems = select(options.suite, options.only)
    print(anytime.report(problems, RESULTS / "anytime.jsonl", options.time_limit))


def run_cells(options: argparse.Namespace) -> None:
    """Print the cost of a cell of the pair scan."""
    for line in cells.report():
        print(line, flush=True)


def run_certificates(options: argparse.Namespace) -> None:
    """Print the cost of certificates, and keep the table."""
    first, step = options.part
    problems = select(options.suite, options.only)[first::step]
    file = options.output or RESULTS / f"certificates-{options.suite}.jsonl"
    limits = (options.time_limit, options.python_limit)
    page = RESULTS / f"certificates-{options.suite}.md"
    print(certificates.report(options.suite, problems, limits, file, page))


def run_osdt(options: argparse.Namespace) -> None:
    """Print one of the experiments of the papers on leaf sets."""
    # They need matplotlib, which the other commands do without.
    from benchmarks.osdt import counts, figures, incremental, policies, roc, table2

    if options.experiment == "table1":
        print(counts.report())
        return
    if options.experiment == "incremental":
        print(incremental.report(options.trees))
        return
    experiments = {
        "table2": table2.report,
        "figure2": figures.figure2,
        "figure3": figures.figure3,
        "policies": policies.report,
        "roc": roc.report,
    }
    report = experiments[options.experiment]
    print(report(options.time_limit, options.memory_limit, options.fresh))


def run_ablation(options: argparse.Namespace) -> None:
    """Print what each bound of the main engine is worth."""
    problems = select(options.suite, options.only)
    first, step = options.part
    words = f"ablation {options.suite} --time-limit {options.time_limit:g}"
    if options.only:
        words += f" --only {options.only}"
    if step > 1:
        words += f" --part {first + 1}/{step}"
    chosen = problems[first::step]
    print(ablation.report(options.suite, chosen, options.time_limit, words))


def run_trees(options: argparse.Namespace) -> None:
    """Print the trees of the figures of OSDT and GOSDT."""
    # It needs scikit-learn, which the other commands do without.
    from benchmarks.papers import trees

    print(trees.report(options.folds, options.fifths))


def run_guesses(options: argparse.Namespace) -> None:
    """Run the tables of the guesses paper, write them as CSV, and print them."""
    print(reproduce(options, RESULTS))


def run_guesses_figures(options: argparse.Namespace) -> None:
    """Run and draw the figures of the guesses paper."""
    # It needs scikit-learn and matplotlib, which the other commands do without.
    from benchmarks.guesses import curves

    print(curves.report(options))


def run_guesses_trees(options: argparse.Namespace) -> None:
    """Print and draw the trees of the guesses paper, and the rules of its Table 8."""
    # It needs scikit-learn, which the other commands do without.
    from benchmarks.guesses import trees

    print(trees.report())


def run_guesses_dl85(options: argparse.Namespace) -> None:
    """Run Table 5 of the guesses paper and print it."""
    limits = (options.time_limit, int(options.memory_cap * 2**30))
    # Runs of different code do not go into one table.
    runs = RESULTS / f"guesses-dl85-{commit().replace(' ', '-')}.jsonl"
    rest = (options.folds, options.contenders, *limits, runs)
    print(dl85.report(options.only, *rest))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = top.add_subparsers(required=True)

    command = commands.add_parser("run", help="run a suite and print its table")
    command.set_defaults(call=run)
    command.add_argument("suite", choices=SUITES)
    command.add_argument("--with", dest="peers", type=names, default=())
    command.add_argument(
        "--contenders", type=names, help="run only these, without ostrya"
    )
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--memory-cap", type=float, default=8.0, metavar="GIB")
    command.add_argument("--repeats", type=int, default=3)
    command.add_argument(
        "--part",
        type=part,
        default=(0, 1),
        help="run one share of the problems, such as 1/2",
    )
    command.add_argument("--output", type=Path, metavar="FILE")
    command.add_argument(
        "--fresh", action="store_true", help="repeat runs that have a result"
    )

    command = commands.add_parser("table", help="print the table of a results file")
    command.set_defaults(call=show_table)
    command.add_argument("file", type=Path)

    command = commands.add_parser("raw", help="table and figures of the raw suite")
    command.set_defaults(call=write_raw)
    command.add_argument("file", type=Path, nargs="?", default=RESULTS / "raw.jsonl")

    command = commands.add_parser("rivals", help="fastest competitor by kind")
    command.set_defaults(call=show_rivals)
    command.add_argument("files", type=Path, nargs="+")

    command = commands.add_parser("prices", help="strength of dual prices")
    command.set_defaults(call=show_prices)
    command.add_argument("suite", choices=SUITES, nargs="?")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")

    command = commands.add_parser("threads", help="two threads against one")
    command.set_defaults(call=run_threads)
    command.add_argument("suite", choices=SUITES, nargs="?", default="engine")
    command.add_argument("--contender", choices=threads.PAIRED, default="ostrya")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--repeats", type=int, default=1)
    command.add_argument("--part", type=part, default=(0, 1), metavar="I/N")

    command = commands.add_parser("scaling", help="many threads, simulated")
    command.set_defaults(call=run_scaling)
    command.add_argument("suite", choices=SUITES, nargs="?", default="engine")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--least", type=float, default=1.0, metavar="SECONDS")

    command = commands.add_parser("cluster", help="workers of a Dask cluster")
    command.set_defaults(call=run_cluster)
    command.add_argument("suite", choices=SUITES, nargs="?", default="cluster")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    command.add_argument("--time-limit", type=float, default=600.0, metavar="SECONDS")

    command = commands.add_parser(
        "cluster-scaling", help="many Dask workers, simulated"
    )
    command.set_defaults(call=run_cluster_scaling)
    command.add_argument("suite", choices=SUITES, nargs="?", default="cluster")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
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

    command = commands.add_parser("rashomon", help="count all trees near the optimum")
    command.add_argument(
        "--with",
        dest="peers",
        type=lambda text: text.split(","),
        default=[],
        help=f"other packages: {','.join(rashomon.PEERS)}",
    )
    command.add_argument("--repeats", type=int, default=3)
    command.add_argument("--time-limit", type=float, default=60.0)
    command.set_defaults(call=count_good_trees)

    command = commands.add_parser("policies", help="policy trees for doses of warfarin")
    command.add_argument("--with-pystreed", action="store_true")
    command.add_argument("--repeats", type=int, default=3)
    command.set_defaults(
        call=lambda options: print(policies.run(options.with_pystreed, options.repeats))
    )

    command = commands.add_parser("cells", help="cycles per cell of the pair scan")
    command.set_defaults(call=run_cells)

    command = commands.add_parser(
        "certificates", help="cost of writing and checking certificates"
    )
    command.set_defaults(call=run_certificates)
    command.add_argument("suite", choices=SUITES, nargs="?", default="short")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument(
        "--python-limit",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="time limit of the checker in Python",
    )
    command.add_argument("--part", type=part, default=(0, 1), help="such as 1/2")
    command.add_argument("--output", type=Path, metavar="FILE")

    for name, call, text in (
        ("limits", run_limits, "how well ostrya keeps its limits"),
        ("anytime", run_anytime, "early trees compared with a heuristic's"),
    ):
        command = commands.add_parser(name, help=text)
        command.set_defaults(call=call)
        command.add_argument("suite", choices=SUITES, nargs="?", default="engine")
        command.add_argument(
            "--only", metavar="PATTERN", help="a tag or a substring of the name"
        )
        command.add_argument(
            "--time-limit", type=float, default=20.0, metavar="SECONDS"
        )

    command = commands.add_parser(
        "looser", help="searches without a depth limit against those with one"
    )
    command.set_defaults(call=run_looser)
    command.add_argument("suite", choices=SUITES, nargs="?", default="raw")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--seconds", type=float, nargs="+", default=[0.1, 1.0, 10.0])
    command.add_argument(
        "--with",
        dest="peers",
        type=names,
        default=(),
        help="compare with these packages",
    )
    command.add_argument(
        "--max-leaf-nodes", type=int, help="use this limit and penalty 0"
    )
    command.add_argument("--part", type=part, default=(0, 1), help="such as 1/2")
    command.add_argument("--output", type=Path, metavar="FILE")

    command = commands.add_parser("first-fit", help="default settings on raw tables")
    command.set_defaults(call=run_first_fit)
    command.add_argument("--splits", type=int, default=3)
    command.add_argument(
        "--methods", nargs="+", default=(), help="prefixes of method names"
    )
    command.add_argument("--part", type=part, default=(0, 1), help="such as 1/2")
    command.add_argument("--output", type=Path, metavar="FILE")

    command = commands.add_parser(
        "unseen", help="default fits on hundreds of tables from Python packages"
    )
    command.set_defaults(call=run_unseen)
    command.add_argument("--only", default="", metavar="TEXT", help="part of a name")
    command.add_argument("--part", type=part, default=(0, 1), help="such as 1/2")
    command.add_argument("--output", type=Path, metavar="FILE")

    command = commands.add_parser(
        "rules", help="what each rule of the schedule is worth on the same tables"
    )
    command.set_defaults(call=run_rules)
    command.add_argument("--tables", type=int, default=60, help="about so many")
    command.add_argument("--cells", type=int, default=50_000, help="of a table")
    command.add_argument("--output", type=Path, metavar="FILE")

    command = commands.add_parser(
        "lazy", help="tables that do not fit in memory, engine by engine"
    )
    command.set_defaults(call=run_lazy)
    command.add_argument("--rows", type=int, default=100_000_000)
    command.add_argument("--engines", default=",".join(lazy.ENGINES))
    command.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    command.add_argument("--keep", action="store_true", help="keep the generated table")
    command.add_argument("--output", type=Path, metavar="FILE")

    command = commands.add_parser("paired", help="time this build against another")
    command.set_defaults(call=run_paired)
    command.add_argument("other", help="Python executable of the other build")
    command.add_argument("suite", choices=SUITES, nargs="?", default="short")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--repeats", type=int, default=5)
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")

    command = commands.add_parser(
        "instructions", help="count instructions of two builds with valgrind"
    )
    command.set_defaults(call=run_instructions)
    command.add_argument("other", help="Python executable of the other build")
    command.add_argument("suite", choices=SUITES, nargs="?", default="short")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--most-seconds", type=float, default=1.0, metavar="SECONDS")
    command.add_argument("--folder", type=Path, help="where to keep the counts")

    sources.add_to(commands)
    binoct.add_to(commands)
    gosdt.add_to(commands)
    frontier_commands.add_to(commands)
    topk.add_to(commands)
    command = commands.add_parser("osdt", help="OSDT's ablation, policies and scaling")
    command.set_defaults(call=run_osdt)
    command.add_argument("experiment", choices=OSDT_EXPERIMENTS)
    command.add_argument(
        "--trees", type=int, default=3000, help="of each search of 'incremental'"
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--memory-limit", type=float, default=4.0, metavar="GIB")
    command.add_argument(
        "--fresh", action="store_true", help="repeat runs that have a result"
    )

    command = commands.add_parser("ablation", help="each bound on and off")
    command.set_defaults(call=run_ablation)
    command.add_argument("suite", choices=SUITES, nargs="?", default="short")
    command.add_argument(
        "--only", metavar="PATTERN", help="a tag or a substring of the name"
    )
    command.add_argument("--part", type=part, default=(0, 1), help="such as 1/2")
    command.add_argument("--time-limit", type=float, default=10.0, metavar="SECONDS")

    command = commands.add_parser("trees", help="trees printed by OSDT and GOSDT")
    command.set_defaults(call=run_trees)
    command.add_argument("--folds", type=int, default=10, help="of the folds of OSDT")
    command.add_argument("--fifths", type=int, default=5, help="of the folds of GOSDT")

    command = commands.add_parser("guesses", help="Tables 4 and 6 of the guesses paper")
    command.set_defaults(call=run_guesses)
    add_options(command, names)

    command = commands.add_parser(
        "guesses-figures", help="figures of the guesses paper, with the black box"
    )
    command.set_defaults(call=run_guesses_figures)
    add_curve_options(command)

    command = commands.add_parser(
        "guesses-trees", help="trees and rules that the guesses paper prints"
    )
    command.set_defaults(call=run_guesses_trees)

    command = commands.add_parser("guesses-dl85", help="Table 5 of the guesses paper")
    command.set_defaults(call=run_guesses_dl85)
    command.add_argument("--only", metavar="PART", default="", help="a substring")
    command.add_argument("--folds", type=int, default=5)
    command.add_argument("--contenders", type=names, default=dl85.CONTENDERS)
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--memory-cap", type=float, default=8.0, metavar="GIB")
    return top


if __name__ == "__main__":
    arguments = parser().parse_args()
    try:
        arguments.call(arguments)
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run the same command again to continue.")
