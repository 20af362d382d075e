"""Regularised BinOCT, solved by HiGHS; the OSDT paper solved it with CPLEX."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from benchmarks.binoct.program import Program, leaf_of, program
from benchmarks.contenders.base import Answer, Contender
from benchmarks.data import thresholds
from benchmarks.problem import Group, Problem
from benchmarks.task import Task


class Found(NamedTuple):
    """What HiGHS found: None for the solution if there is none in time."""

    model: Program
    solution: np.ndarray | None
    objective: float
    bound: float
    is_optimal: bool
    trace: tuple[tuple[float, float, float], ...]


class BinOct(Contender):
    """The program of appendix J on yes/no columns, with one thread of HiGHS.

    The penalty counts leaves that some row reaches. A program of depth 6 or more has
    too many variables to be worth building.
    """

    name = "binoct"
    requirements = ("highspy==1.15.1", "numpy==2.4.6")
    groups = frozenset({Group.BINARY, Group.THRESHOLDS})
    deepest = 5

    def __init__(self) -> None:
        import highspy

        self.highspy = highspy

    @classmethod
    def takes(cls, problem: Problem) -> bool:
        """Tell whether there is a depth for the complete tree."""
        depth = problem.depth
        return (
            super().takes(problem) and depth is not None and 1 <= depth <= cls.deepest
        )

    def version(self) -> str:
        """Return the version of HiGHS."""
        return version("highspy")

    def matrix(self, X: np.ndarray) -> np.ndarray:
        """Return truth values."""
        return thresholds(X).astype(bool)

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Build the program and solve it within the time limit."""
        assert task.problem.depth is not None
        model = program(X, y, task.problem.depth, task.problem.penalty)
        solver = self._solver(model, task.time_limit)
        trace: list[tuple[float, float, float]] = []

        def keep(event: Any) -> None:
            out = event.data_out
            trace.append(
                (
                    out.running_time,
                    out.mip_dual_bound / len(y),
                    out.objective_function_value / len(y),
                )
            )

        solver.cbMipImprovingSolution.subscribe(keep)
        solver.run()
        info = solver.getInfo()
        has_solution = info.primal_solution_status == 2
        status = solver.getModelStatus()
        return Found(
            model,
            np.array(solver.getSolution().col_value) if has_solution else None,
            info.objective_function_value / len(y),
            info.mip_dual_bound / len(y),
            status == self.highspy.HighsModelStatus.kOptimal,
            tuple(trace),
        )

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Route the rows; count the leaves that some of them reach."""
        if result.solution is None:
            raise RuntimeError("HiGHS found no tree within the time limit.")
        features, classes = result.model.tree(result.solution)
        leaves = leaf_of(X, features, result.model.depth)
        return Answer(
            predictions=classes[leaves],
            leaves=len(np.unique(leaves)),
            status="optimal" if result.is_optimal else "time_limit",
            claims_optimal=result.is_optimal,
            claimed=result.objective,
            lower=result.bound,
            trace=result.trace,
        )

    def _solver(self, model: Program, time_limit: float) -> Any:
        """Return HiGHS with the program, one thread, and no gap allowed."""
        highspy = self.highspy
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(model.cost), len(model.lower)
        lp.col_cost_ = model.cost
        lp.col_lower_, lp.col_upper_ = np.zeros(lp.num_col_), model.top
        lp.row_lower_, lp.row_upper_ = model.lower, model.upper
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.num_col_, lp.a_matrix_.num_row_ = lp.num_col_, lp.num_row_
        lp.a_matrix_.start_ = model.starts
        lp.a_matrix_.index_ = model.places
        lp.a_matrix_.value_ = model.values
        kinds = highspy.HighsVarType
        lp.integrality_ = [
            kinds.kInteger if each else kinds.kContinuous for each in model.is_integer
        ]
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("time_limit", time_limit)
        solver.setOptionValue("mip_rel_gap", 0.0)
        solver.setOptionValue("mip_abs_gap", 1e-6)
        solver.passModel(lp)
        return solver
