"""Figure 3: time against features and rows on FICO, compared with exact solvers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks import ledger
from benchmarks.campaign import Campaign
from benchmarks.problem import Group, Problem

DATA = "fico_1000"
COLUMNS = (25, 50, 100, 200, 300, 500, 700, 1000, 1407)
ROWS = (50, 100, 150, 200, 300, 500, 700, 1000)


@dataclass(frozen=True)
class Scaling:
    """Which depths, sizes and contenders to run, and where records go."""

    depths: tuple[int, ...]
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    contenders: tuple[str, ...]
    time_limit: float
    output: Path

    def problems(self, contender: str) -> tuple[Problem, ...]:
        """Return the problems of a contender; GOSDT is given 2^-depth a leaf."""
        made = []
        for depth in self.depths:
            penalty = 2.0**-depth if contender == "gosdt" else 0.0
            sizes = [(None, n) for n in self.columns] + [(n, None) for n in self.rows]
            made += [
                Problem(
                    DATA, Group.BINARY, penalty, depth, "at-most", rows=n, columns=m
                )
                for n, m in sizes
            ]
        return tuple(made)

    def run(self) -> list[ledger.Record]:
        """Make the runs that are missing; return the last one of each problem."""
        for contender in self.contenders:
            Campaign(
                problems=self.problems(contender),
                contenders=(contender,),
                output=self.output,
                time_limit=self.time_limit,
                repeats=1,
                series=_series,
            ).run()
        last = {
            (record["contender"], record["problem"]): record
            for record in ledger.read(self.output)
        }
        return list(last.values())


def _series(problem: Problem) -> tuple[int | None, bool]:
    """One curve: a depth, and whether rows or columns grow."""
    return problem.depth, problem.rows is None
