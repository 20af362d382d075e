"""The command `python -m benchmarks guesses` and its options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import ledger
from benchmarks.guesses.cases import FOLDS, METHODS, cases_of
from benchmarks.guesses.paper import DATA_SETS
from benchmarks.guesses.report import markdown, write_csv
from benchmarks.guesses.run import Reproduction
from benchmarks.papers.kept import place
from benchmarks.sources.catalog import absent, how_to_get


def add_options(
    command: argparse.ArgumentParser, names: Callable[[str], tuple[str, ...]]
) -> None:
    """Give the command its options; `names` reads a list of contenders."""
    command.add_argument("--with", dest="peers", type=names, default=())
    command.add_argument("--contenders", type=names, help="only these, not ostrya")
    command.add_argument("--only", metavar="PART", default="", help="a substring")
    command.add_argument(
        "--methods",
        type=lambda text: tuple(text.split(",")),
        default=METHODS,
        help=f"a selection of {','.join(METHODS)}",
    )
    command.add_argument(
        "--folds",
        type=int,
        default=FOLDS,
        help="more than five repeat the cross-validation with other folds",
    )
    command.add_argument(
        "--all-penalties", action="store_true", help="use all penalties of Table 3"
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--memory-cap", type=float, default=8.0, metavar="GIB")
    command.add_argument("--fresh", action="store_true", help="repeat all runs")


def reproduce(options: argparse.Namespace, folder: Path) -> str:
    """Run what is missing, write `papers/guesses/runs.csv`, and return the tables."""
    output = folder / "guesses.jsonl"
    missing = absent(data_set.file for data_set in DATA_SETS)
    if len(missing) == len(DATA_SETS):
        raise SystemExit(how_to_get(missing))
    if missing:
        print(f"Some sets are skipped. {how_to_get(missing)}", file=sys.stderr)
    cases = []
    for data_set in DATA_SETS:
        if data_set.file in missing:
            continue
        found = cases_of(
            data_set,
            options.methods,
            options.folds,
            all_penalties=options.all_penalties,
        )
        cases += [case for case in found if options.only in case.name]
    if not cases:
        raise SystemExit(
            f"--only must be part of the name of a case; got {options.only!r}. "
            "A name is, for example, 'compas 40x1 th, 0.001, fold 0'."
        )
    Reproduction(
        cases=tuple(cases),
        contenders=options.contenders or ("ostrya", *options.peers),
        output=output,
        time_limit=options.time_limit,
        memory_cap=int(options.memory_cap * 2**30),
        fresh=options.fresh,
    ).run()
    records = ledger.read(output)
    words = ",".join(options.methods)
    command = f"guesses --methods {words} --folds {options.folds} "
    command += f"--time-limit {options.time_limit:g}"
    command += " --all-penalties" if options.all_penalties else ""
    for option, chosen in (("with", options.peers), ("contenders", options.contenders)):
        command += f" --{option} {','.join(chosen)}" if chosen else ""
    write_csv(records, place("guesses", "runs.csv"), command)
    return markdown(records)
