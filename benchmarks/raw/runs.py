"""The results of the raw suite, with the bounds of each run over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks import ledger, traces
from benchmarks.suites.raw import RAW, TAGS
from benchmarks.summary import Result, summarise
from benchmarks.table import Results


@dataclass(frozen=True)
class Runs:
    """Results by problem and contender, in the order of the suite."""

    results: Results
    folder: Path  # that traces are told from

    @classmethod
    def read(cls, path: Path) -> Runs:
        """Return what a file of results has of the suite."""
        found = summarise(ledger.read(path))
        return cls({p.name: found[p.name] for p in RAW if p.name in found}, path.parent)

    @property
    def contenders(self) -> list[str]:
        """The contenders, ours first, then in order of appearance."""
        names = dict.fromkeys(name for row in self.results.values() for name in row)
        return sorted(names, key=lambda name: name != "ostrya")

    def tagged(self) -> dict[str, Results]:
        """Return the results of each tag that has any."""
        of = {tag: {p.name for p in RAW if tag in p.tags} for tag in TAGS}
        parts = {
            tag: {name: row for name, row in self.results.items() if name in names}
            for tag, names in of.items()
        }
        return {tag: part for tag, part in parts.items() if part}

    def gap_after(self, result: Result, seconds: float) -> float:
        """Return the gap that stood after so many seconds."""
        if result.seconds is not None and result.seconds <= seconds:
            return gap(result)
        path = result.last.get("trace")
        point = traces.at(traces.read(self.folder / path), seconds) if path else None
        return 1.0 if point is None else share(point[1], point[2])


def share(lower: float | None, upper: float | None) -> float:
    """Return which share of the upper bound lies above the lower one."""
    if lower is None or upper is None:
        return 1.0
    return max(0.0, upper - max(0.0, lower)) / upper if upper > 0 else 0.0


def gap(result: Result) -> float:
    """Return the gap at the end of a run; all of it where there is no tree."""
    if result.proved:
        return 0.0
    return share(result.last.get("lower"), result.objective)
