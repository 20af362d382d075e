"""Test random problems, limits, failures and files; save failures in fuzz/found."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections import Counter
from pathlib import Path

from fuzz import found, house, worker
from fuzz.target import chance
from fuzz.targets import NAMES


def main() -> None:
    """Run the selected targets; exit with code 1 if a fault was found."""
    options = parser().parse_args()
    if options.replay is not None:
        return replay(options.replay)
    names = options.targets or list(NAMES)
    seed = secrets.randbits(32) if options.seed is None else options.seed
    if options.worker is not None:
        for name in names:
            worker.run(name, seed, options.first, options.seconds, options.worker)
        return None
    print(f"seed {seed}: {', '.join(names)}", flush=True)
    runs = house.run(names, options.seconds, seed)
    print(house.table(runs))
    sys.exit(any(run.faults for run in runs))


def replay(path: Path) -> None:
    """Check a saved case again."""
    content = found.read(path)
    name, case = content["target"], content["case"]
    target = worker.load(name)
    if case is None:
        case = target.draw(chance(name, content["seed"], content["index"]))
    target.check(case, Counter())
    print(f"{path}: passed")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    top.add_argument(
        "targets", nargs="*", metavar="TARGET", help="any of " + ", ".join(NAMES)
    )
    top.add_argument("--seconds", type=float, default=300.0, help="total running time")
    top.add_argument("--seed", type=int, help="default: a random seed")
    top.add_argument("--replay", type=Path, metavar="FILE", help="check a saved case")
    # Used only by the processes that this program starts.
    top.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    top.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    return top


if __name__ == "__main__":
    main()
