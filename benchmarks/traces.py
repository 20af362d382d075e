"""Bounds over time: one CSV file per run, with a point for each change of a bound."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from benchmarks.ledger import Record

#: Seconds, lower bound, objective.
Point = tuple[float, float, float]
HEADER = ("seconds", "lower", "upper")
#: A point this much later than the one before, or more, is always kept.
STEP = 1.02


def thinned(trace: Iterable[Point]) -> list[Point]:
    """Return the last point of every fiftieth part of the time, and the very last."""
    out: list[Point] = []
    began = 0.0  # when the time of the last point kept began
    for point in trace:
        if out and point[0] < STEP * began:
            out[-1] = point
        else:
            out.append(point)
            began = point[0]
    return out


def keep(folder: Path, record: Record) -> None:
    """Move the trace of a record to a file, whose path the record has instead."""
    trace = record.pop("trace", None)
    if not trace:
        return
    words = (record["problem"], record["contender"], record["version"], record["run"])
    name = "-".join(re.sub(r"[^\w.+]+", "_", str(word)) for word in words)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        writer.writerows(trace)
    record["trace"] = f"{folder.name}/{name}.csv"


def read(path: Path) -> list[Point]:
    """Return the points of a file; none where it is gone."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [(float(row[0]), float(row[1]), float(row[2])) for row in rows]


def at(trace: list[Point], seconds: float) -> Point | None:
    """Return the bounds that stood after so many seconds; None before the first."""
    earlier = [point for point in trace if point[0] <= seconds]
    return earlier[-1] if earlier else None
