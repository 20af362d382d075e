"""The command `python -m benchmarks data`: list, fetch or stand in for data sets."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.data import folder
from benchmarks.sources import fetch, stand_in
from benchmarks.sources.catalog import DataSet, catalog


def add_to(commands: Any) -> None:
    """Add the command to those of `python -m benchmarks`."""
    command = commands.add_parser("data", help="list data sets, or fetch them")
    command.set_defaults(call=run)
    command.add_argument(
        "names", nargs="*", metavar="NAME", help="data sets; all by default"
    )
    command.add_argument(
        "--fetch", action="store_true", help="download and prepare what is absent"
    )
    command.add_argument(
        "--server", default=fetch.SERVER, metavar="URL", help="fetch from a mirror"
    )
    command.add_argument(
        "--stand-in",
        type=Path,
        metavar="FOLDER",
        help="write small generated tables of the same form into a folder",
    )


def run(options: argparse.Namespace) -> None:
    """List the data sets, fetch them, or write stand-ins."""
    unknown = sorted(set(options.names) - set(catalog()))
    if unknown:
        raise SystemExit(
            f"NAME must be a data set; got {', '.join(unknown)}. "
            "`python -m benchmarks data` lists them."
        )
    names = options.names or list(catalog())
    if options.stand_in is not None:
        written = stand_in.write(options.stand_in, names)
        print(f"{len(written)} generated tables in {options.stand_in}")
        return
    if options.fetch:
        failed = False
        for line in fetch.fetch(names, options.server):
            print(line, flush=True)
            failed |= ": not fetched." in line
        if failed:
            raise SystemExit(1)
        return
    for line in listing(catalog()[name] for name in names):
        print(line)


def listing(data_sets: Iterable[DataSet]) -> Iterator[str]:
    """Yield the lines of a Markdown table of the data sets."""
    yield f"Folder: {folder()}"
    yield ""
    yield "| data set | state | rows | columns | licence | source | SHA-256 |"
    yield "|---|---|---:|---:|---|---|---|"
    states = []
    for each in data_sets:
        states.append(each.state())
        owner, name, _, path = each.sources[0].split("/", 3)
        more = f" and {len(each.sources) - 1} more" if len(each.sources) > 1 else ""
        yield (
            f"| {each.name} | {states[-1]} | {each.rows:,} | {each.columns} | "
            f"{each.licence} | {owner}/{name} {path}{more} | {each.digest[:12]} |"
        )
    yield ""
    yield f"{states.count('present')} of {len(states)} are present."
    if "differs" in states:
        yield "A table that differs is not the one that the papers and results use."
    if "absent" in states:
        yield "To download the others, run `python -m benchmarks data --fetch`."
