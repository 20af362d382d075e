"""The results: one JSON line per run, appended as runs end, never rewritten."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Record = dict[str, Any]
#: What must agree for an earlier run to stand for one now asked for.
KEY = ("problem", "contender", "version", "time_limit", "memory_cap", "machine")
#: A run of more seconds than this is not repeated.
LONG = 20.0


def read(path: Path) -> list[Record]:
    """Return the records of a file, oldest first; a line cut short is left out."""
    if not path.exists():
        return []
    records = []
    for line in path.read_text().splitlines():
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return records


def append(path: Path, record: Record) -> None:
    """Add one record to the file, on a line of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        end = file.tell()
        file.seek(max(0, end - 1))
        cut_short = file.read(1) not in (b"", b"\n")
        file.write((b"\n" if cut_short else b"") + json.dumps(record).encode() + b"\n")


def key(record: Record) -> tuple[str, ...]:
    """Return what identifies the runs that repeat each other."""
    return tuple(json.dumps(record[name], sort_keys=True) for name in KEY)


def ended(record: Record) -> bool:
    """Tell whether the search came to its own end, within all limits."""
    return record.get("status") in ("optimal", "optimal_in_top_k", "heuristic")


def suffices_once(record: Record) -> bool:
    """Tell whether a repeat would only cost time: a long run, or a failed one."""
    seconds = record.get("seconds")
    return seconds is None or seconds > LONG


def current(records: list[Record]) -> dict[tuple[str, ...], list[Record]]:
    """Return the runs of each key that stand; run number 1 sets aside those before."""
    standing: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        if record["run"] == 1:
            standing[key(record)] = []
        standing.setdefault(key(record), []).append(record)
    return standing


def missing(runs: list[Record], repeats: int) -> int:
    """Return how many more runs are wanted beside these."""
    if any(suffices_once(run) for run in runs):
        return 0
    return max(0, repeats - len(runs))
