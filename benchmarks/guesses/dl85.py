"""Table 5: guessed thresholds for DL8.5, which has no penalty.

Both solvers get the same columns of a fold and minimise the error at depth 5. Table 7
needs the authors' modified DL8.5, which no package contains.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from benchmarks import ledger
from benchmarks.guesses.cases import Case
from benchmarks.guesses.paper import DATA_SETS, REFERENCES
from benchmarks.guesses.report import CLOSED
from benchmarks.guesses.run import Reproduction, key
from benchmarks.papers.kept import place, write_table
from benchmarks.sources.catalog import absent, how_to_get

CONTENDERS = ("ostrya", "pydl8.5")


class Printed(NamedTuple):
    """Seconds, None for a time-out, training and test accuracy."""

    seconds: float | None
    train: float
    test: float


#: Column dl8.5+th of Table 5, by data set, in the order of `REFERENCES`.
TABLE_5 = {
    "COMPAS": (
        Printed(1.642, 0.688, 0.677),
        Printed(26.356, 0.696, 0.676),
        Printed(92.019, 0.697, 0.674),
        Printed(70.623, 0.697, 0.679),
    ),
    "Broward": (
        Printed(0.991, 0.67, 0.584),
        Printed(57.767, 0.7, 0.587),
        Printed(633.444, 0.706, 0.572),
        Printed(None, 0.712, 0.588),
    ),
    "Netherlands": (
        Printed(1.309, 0.704, 0.702),
        Printed(292.535, 0.726, 0.716),
        Printed(None, 0.729, 0.718),
        Printed(None, 0.729, 0.717),
    ),
    "FICO": (
        Printed(21.517, 0.73, 0.711),
        Printed(None, 0.737, 0.711),
        Printed(None, 0.737, 0.711),
        Printed(None, 0.736, 0.706),
    ),
    "Takeaway": (
        Printed(0.063, 0.738, 0.735),
        Printed(7.404, 0.768, 0.74),
        Printed(112.648, 0.781, 0.734),
        Printed(257.187, 0.797, 0.743),
    ),
    "Restaurant": (
        Printed(0.085, 0.768, 0.756),
        Printed(21.292, 0.797, 0.756),
        Printed(106.846, 0.799, 0.751),
        Printed(119.682, 0.801, 0.752),
    ),
}
COLUMNS = (
    *("data", "reference", "printed_seconds", "printed_train", "printed_test"),
    *("contender", "folds", "complete", "seconds", "train", "test"),
)


def cases(only: str, folds: int) -> Iterator[Case]:
    """Yield the cases with data, easy references first."""
    for data_set in DATA_SETS:
        for reference in REFERENCES:
            for fold in range(folds):
                case = Case(data_set.file, 0.0, reference, "th", fold)
                if only in case.name and not absent([data_set.file]):
                    yield case


def summary(records: Iterable[ledger.Record], folds: int) -> list[dict[str, Any]]:
    """Return one row per data set, reference and contender that was run."""
    last = {key(record): record for record in records}
    rows = []
    for data_set in DATA_SETS:
        printed_rows = zip(REFERENCES, TABLE_5[data_set.name], strict=True)
        for reference, printed in printed_rows:
            for contender in CONTENDERS:
                names = (
                    Case(data_set.file, 0.0, reference, "th", fold).name
                    for fold in range(folds)
                )
                own = [last[n, contender] for n in names if (n, contender) in last]
                ended = [r for r in own if r.get("train") is not None]
                if not own:
                    continue
                rows.append(
                    {"data": data_set.name, "contender": contender}
                    | {"reference": "{} x depth {}".format(*reference)}
                    | {f"printed_{k}": v for k, v in printed._asdict().items()}
                    | {"folds": len(own)}
                    | {"complete": sum(r["status"] in CLOSED for r in own)}
                    | {
                        name: mean(r[name] for r in ended) if ended else None
                        for name in ("seconds", "train", "test")
                    }
                )
    return rows


def report(
    only: str,
    folds: int,
    contenders: tuple[str, ...],
    time_limit: float,
    memory_cap: int,
    output: Path,
) -> str:
    """Run what is missing, write the table, and return it."""
    missing = absent(data_set.file for data_set in DATA_SETS)
    if len(missing) == len(DATA_SETS):
        raise SystemExit(how_to_get(missing))
    if missing:
        print(f"Some sets are skipped. {how_to_get(missing)}", file=sys.stderr)
    chosen = tuple(cases(only, folds))
    if not chosen:
        raise SystemExit(
            f"--only must be part of the name of a case; got {only!r}. "
            "A name is, for example, 'compas 40x1 th, 0, fold 0'."
        )
    Reproduction(chosen, contenders, output, time_limit, memory_cap).run()
    rows = summary(ledger.read(output), folds)
    command = f"guesses-dl85 --folds {folds} --time-limit {time_limit:g}"
    command += f" --only {only}" if only else ""
    path = write_table(place("guesses", "table5.csv"), COLUMNS, rows, command)
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    for row in rows:
        cells = (row[name] for name in COLUMNS)
        shown = (f"{c:.4g}" if isinstance(c, float) else str(c) for c in cells)
        lines.append("| " + " | ".join(shown) + " |")
    return "\n".join([*lines, f"written: {path}"])
