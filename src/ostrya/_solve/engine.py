"""The compiled engines, and what they are told: here alone `_core` is imported."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import ostrya._core as _core
from ostrya._solve.f_score import FScoreSearch, Question
from ostrya._solve.grid import Grid
from ostrya._solve.measure_grid import MeasureGrid
from ostrya._solve.memory import memory_size
from ostrya._solve.options import OPTIONS
from ostrya._solve.recount import exact_loss
from ostrya._solve.training_data import Problem
from ostrya._solve.widths import widths_of
from ostrya.top_k import TopK

# The engine always gets some time, or a tree could not be promised.
LEAST_SECONDS = 0.001
TEN_YEARS = 3.2e8
MOST_MEMORY = 2**62

#: The callback as an engine calls it; True stops the search.
Report = Callable[..., bool]


def search(
    problem: Problem,
    grid: Grid,
    engine: str,
    options: dict[str, Any],
    report: Report | None,
) -> dict[str, Any]:
    """Run the engine that was chosen."""
    data = (problem.X, problem.codes, grid.weights)
    if engine == "leaf_sets":
        told = grid.told if isinstance(grid, MeasureGrid) else {"kind": "additive"}
        integers = (grid.costs, grid.scale, grid.penalty)
        return _core.solve_leaf_sets(*data, *integers, options, told, report)
    if not isinstance(grid, MeasureGrid):
        integers = (grid.costs, grid.scale, grid.penalty)
        return _core.solve(*data, *integers, options, report)
    ends = None
    if options["time_limit"] is not None:
        ends = time.perf_counter() + options["time_limit"]

    def ask(question: Question) -> dict[str, Any]:
        asked = {"upper": question.upper, "max_leaves": question.max_leaves}
        if ends is not None:
            asked["time_limit"] = max(ends - time.perf_counter(), LEAST_SECONDS)

        def tell(seconds: float, lower: int, upper: int, *counts: int) -> bool:
            assert report is not None
            return report(*scores.progress(seconds, *counts))

        return _core.solve(
            *data,
            question.costs,
            1,
            question.penalty,
            options | asked,
            None if report is None else tell,
        )

    def weigh(found: Mapping[str, Any]) -> tuple[Fraction, int]:
        return exact_loss(found, problem, grid)

    scores = FScoreSearch(
        problem, grid, ask, weigh, options["max_leaves"], options["upper"]
    )
    return scores.run()


def engine_limits(
    limits: dict[str, Any], n_samples: int, started: float
) -> dict[str, Any]:
    """Return the limits as the engine takes them, cut where they cannot bind."""
    most = {
        "max_depth": n_samples,
        "max_leaves": n_samples,
        "min_samples_leaf": n_samples,
        "time_limit": TEN_YEARS,
        "memory_limit": MOST_MEMORY,
    }
    cut = {
        name: None if limits[name] is None else min(limits[name], most[name])
        for name in most
    }
    if cut["memory_limit"] is None and (size := memory_size()) is not None:
        cut["memory_limit"] = max(size // 2, OPTIONS["memory_limit"].least or 0)
    if cut["time_limit"] is not None:
        spent = time.perf_counter() - started
        cut["time_limit"] = max(cut["time_limit"] - spent, LEAST_SECONDS)
    return cut


def engine_top_k(top_k: TopK, problem: Problem) -> dict[str, Any] | None:
    """Return the choice of splits as the engine takes it; None where all are let in."""
    widths = widths_of(top_k, problem.X)
    if widths is None:
        return None
    return {
        "widths": widths,
        "criterion": top_k.criterion,
        "ranks_features": top_k.candidates == "features",
    }
