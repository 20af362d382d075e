"""Summarise runs: medians, and reported optima that another contender refutes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log
from statistics import fmean, median

from benchmarks.ledger import Record, current

#: Rounding of two sums of doubles, far below any difference between trees.
ROUNDING = 1e-9
#: Some packages count in float32.
FLOAT32 = 1e-6


@dataclass(frozen=True)
class Result:
    """A contender at a problem: the medians of its seconds, and its last answer."""

    problem: str
    contender: str
    seconds: float | None
    peak_memory: int
    last: Record
    engine_seconds: float | None = None
    processor_seconds: float | None = None

    @property
    def objective(self) -> float | None:
        """Error + penalty * leaves as recounted; None without a tree."""
        return self.last.get("objective")

    @property
    def proved(self) -> bool:
        """Whether the contender claims the optimum, rightly or not."""
        return bool(self.last.get("claims_optimal"))

    @property
    def heuristic(self) -> bool:
        """Whether it does not look for a proof, so that a ratio means little."""
        return self.last["status"] == "heuristic"

    @property
    def spent(self) -> float:
        """Seconds taken; the time limit if the run did not come back."""
        return self.last["time_limit"] if self.seconds is None else self.seconds

    @property
    def worked(self) -> float:
        """Seconds of a processor, which other work on the machine does not add to."""
        return self.spent if self.processor_seconds is None else self.processor_seconds


def summarise(records: list[Record]) -> dict[str, dict[str, Result]]:
    """Return results by problem and contender, in order of first appearance.

    Where settings or versions differ, those run last count.
    """
    latest: dict[tuple[str, str], list[Record]] = {}
    for runs in sorted(current(records).values(), key=lambda runs: runs[-1]["date"]):
        latest[runs[-1]["problem"], runs[-1]["contender"]] = runs
    results: dict[str, dict[str, Result]] = {}
    for record in records:
        problem, contender = record["problem"], record["contender"]
        of_problem = results.setdefault(problem, {})
        if contender not in of_problem:
            of_problem[contender] = result_of(latest[problem, contender])
    return results


def result_of(runs: list[Record]) -> Result:
    """Return the result of the repeats of one run."""
    return Result(
        problem=runs[-1]["problem"],
        contender=runs[-1]["contender"],
        seconds=median_of(runs, "seconds"),
        peak_memory=max(run["peak_memory"] for run in runs),
        last=runs[-1],
        engine_seconds=median_of(runs, "engine_seconds"),
        processor_seconds=median_of(runs, "processor_seconds"),
    )


def median_of(runs: list[Record], name: str) -> float | None:
    """Return the median of a figure over the runs that have it."""
    told = [value for run in runs if (value := run.get(name)) is not None]
    return median(told) if told else None


def geometric_mean(ratios: Iterable[float]) -> float:
    """Return the mean in which a ratio and its inverse cancel."""
    return exp(fmean(map(log, ratios)))


def best_objective(results: dict[str, Result]) -> float | None:
    """Return the least objective that any contender reached on one problem."""
    reached = [r.objective for r in results.values() if r.objective is not None]
    return min(reached, default=None)


def fault(result: Result, best: float | None) -> str | None:
    """Return how a result contradicts the best tree known, or itself; else None."""
    objective, record = result.objective, result.last
    if objective is None or best is None:
        return None
    if result.proved and objective > best + ROUNDING:
        return "WRONG"
    if record.get("lower") is not None and record["lower"] > best + FLOAT32:
        return "WRONG BOUND"
    claimed = record.get("claimed")
    if claimed is not None and abs(claimed - objective) > FLOAT32:
        return "MISCOUNT"
    return None
