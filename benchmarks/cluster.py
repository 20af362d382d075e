"""Measure searches on a Dask cluster: speed, work, and overhead per task.

Work is counted by the engine, so unlike seconds it does not depend on other load. The
tasks together do more work than a search without a cluster, because each task knows the
bounds of the first splits but otherwise remembers only what its worker has seen.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.data import load
from benchmarks.problem import Problem

HEADER = ("problem", "workers", "s", "speed-up", "work", "tasks", "per task, ms", "")


@dataclass(frozen=True)
class Run:
    """One search."""

    cost: int
    seconds: float
    work: int
    n_tasks: int = 0
    engine_seconds: float = 0.0  # of all tasks


def report(
    problems: tuple[Problem, ...], n_workers: list[int], time_limit: float
) -> Iterator[str]:
    """Yield a Markdown table; without workers first."""
    from distributed import Client, LocalCluster

    yield f"| {' | '.join(HEADER)} |"
    yield f"| {' | '.join('---' for _ in HEADER)} |"
    for problem in problems:
        alone = search(problem, time_limit)
        if alone is None:
            continue
        yield f"| {problem.name} | none | {alone.seconds:.1f} | | | | | |"
        one = None
        for n in n_workers:
            with (
                LocalCluster(
                    n_workers=n, threads_per_worker=1, dashboard_address=":0"
                ) as workers,
                Client(workers) as client,
            ):
                client.run(_warm_up)
                found = search(problem, time_limit, client)
            if found is not None:
                one = found if one is None else one
                cells = _cells(problem, n, found, alone, one)
                yield f"| {' | '.join(cells)} |"


def _warm_up() -> None:
    """Import all that tasks need."""
    from ostrya._cluster import task  # noqa: F401


def search(
    problem: Problem, time_limit: float, client: object | None = None
) -> Run | None:
    """Search a problem, on a cluster if there is one; None without a proof."""
    from ostrya._cluster.search import ClusterSearch
    from ostrya._solve.engine import search_columns
    from ostrya._solve.grid import to_grid
    from ostrya._solve.limits import Limits
    from ostrya._solve.search import SearchOptions
    from ostrya._solve.validation import check_data
    from ostrya.bounds import Bounds

    X, y = load(problem)
    data = check_data(X, y, None, None, None, problem.penalty)
    grid = to_grid(data)
    given = Limits(max_depth=problem.depth, time_limit=time_limit)
    started = time.perf_counter()
    limits = given.remaining(data.n_samples, started)
    options = SearchOptions(limits=limits, bounds=Bounds())
    if client is None:
        found = search_columns(data, grid, options)
        seconds = time.perf_counter() - started
        run = Run(found.upper, seconds, found.statistics.work)
    else:
        shared = ClusterSearch(data, grid, options, given, None, client)
        found = shared.run()
        seconds = time.perf_counter() - started
        run = Run(
            *(found.upper, seconds, found.statistics.work),
            *(shared.n_tasks, shared.engine_seconds),
        )
    return run if found.status == "optimal" else None


def _cells(
    problem: Problem, n_workers: int, run: Run, alone: Run, one: Run
) -> tuple[str, ...]:
    idle = n_workers * run.seconds - run.engine_seconds
    return (
        problem.name,
        str(n_workers),
        f"{run.seconds:.1f}",
        f"{one.seconds / run.seconds:.2f}x",
        f"{run.work / alone.work:.2f}x",
        str(run.n_tasks),
        f"{1000 * idle / max(run.n_tasks, 1):.0f}",
        "" if run.cost == alone.cost else "ANOTHER COST",
    )
