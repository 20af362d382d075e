"""The command `python -m benchmarks guesses`: its options, and what it does."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import ledger
from benchmarks.data import find
from benchmarks.guesses.cases import FOLDS, METHODS, cases_of
from benchmarks.guesses.paper import DATA_SETS
from benchmarks.guesses.report import markdown, write_csv
from benchmarks.guesses.run import Reproduction


def add_options(
    command: argparse.ArgumentParser, names: Callable[[str], tuple[str, ...]]
) -> None:
    """Give the command its options; `names` reads a list of contenders."""
    command.add_argument("--with", dest="peers", type=names, default=())
    command.add_argument("--contenders", type=names, help="these only, without ostrya")
    command.add_argument("--only", metavar="PART", default="", help="part of a name")
    command.add_argument(
        "--methods",
        type=lambda text: tuple(text.split(",")),
        default=METHODS,
        help=f"of {','.join(METHODS)}",
    )
    command.add_argument(
        "--folds",
        type=int,
        default=FOLDS,
        help="more than five repeat the cross-validation with other folds",
    )
    command.add_argument(
        "--all-penalties", action="store_true", help="all those of Table 3"
    )
    command.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    command.add_argument("--memory-cap", type=float, default=8.0, metavar="GIB")
    command.add_argument("--fresh", action="store_true", help="run all anew")


def reproduce(options: argparse.Namespace, folder: Path) -> str:
    """Run what is missing, write `guesses.csv`, and return the tables."""
    output = folder / "guesses.jsonl"
    cases = []
    for data_set in DATA_SETS:
        try:
            find(data_set.file)
        except FileNotFoundError as missing:
            print(f"skipped: {missing}", file=sys.stderr)
            continue
        found = cases_of(
            data_set,
            options.methods,
            options.folds,
            all_penalties=options.all_penalties,
        )
        cases += [case for case in found if options.only in case.name]
    Reproduction(
        cases=tuple(cases),
        contenders=options.contenders or ("ostrya", *options.peers),
        output=output,
        time_limit=options.time_limit,
        memory_cap=int(options.memory_cap * 2**30),
        fresh=options.fresh,
    ).run()
    records = ledger.read(output)
    write_csv(records, folder / "guesses.csv")
    return markdown(records)
