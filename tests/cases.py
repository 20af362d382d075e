"""A problem with both its faces, the oracle's integers and the solver's arguments."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from oracle import Leaf, Problem, Split, tree_cost, tree_depth, tree_leaves
from oracle.costs import is_legal
from ostrya import _core

# Seconds after which a search that should take a millisecond counts as hung.
PATIENCE = 10.0


@dataclass(frozen=True)
class Case:
    """`sample_weight` is weights / weight_unit, `cost_matrix` costs / cost_unit."""

    problem: Problem
    weight_unit: int = 1
    cost_unit: int = 1

    @property
    def unit(self) -> int:
        """Integer costs divided by this are objectives."""
        return self.problem.scale * self.cost_unit * sum(self.problem.weights)

    def objective(self, cost: int) -> Fraction:
        return Fraction(cost, self.unit)

    @property
    def leaf_penalty(self) -> Fraction:
        return self.objective(self.problem.penalty)

    def arguments(self) -> dict:
        """What `ostrya.solve` is called with, by name."""
        problem = self.problem
        arguments = {
            "X": np.array(problem.rows, dtype=float),
            "y": np.array(problem.labels),
            "leaf_penalty": float(self.leaf_penalty),
            "max_depth": problem.max_depth,
            "max_leaf_nodes": problem.max_leaf_nodes,
            "min_samples_leaf": problem.min_samples_leaf,
            "time_limit": PATIENCE,
        }
        if any(weight != self.weight_unit for weight in problem.weights):
            weights = np.array(problem.weights, dtype=float)
            arguments["sample_weight"] = weights / self.weight_unit
        # Plain costs are left out; they would say nothing of a class that no row has.
        plain = zero_one(max(problem.labels) + 1)
        if self.cost_unit != 1 or problem.costs != plain:
            costs = np.array(problem.costs, dtype=float)
            arguments["cost_matrix"] = costs / self.cost_unit
        return arguments

    def core_data(self) -> tuple:
        """The rows as both engines take them, by position."""
        problem = self.problem
        return (
            np.asfortranarray(problem.rows, dtype=np.float64),
            np.array(problem.labels, dtype=np.int32),
            np.array(problem.weights, dtype=np.int64),
            np.array(problem.costs, dtype=np.int64),
            problem.scale,
            problem.penalty,
        )

    def core_limits(self, time_limit: float = PATIENCE) -> _core.Limits:
        """The limits as both engines take them."""
        return _core.Limits(
            max_depth=self.problem.max_depth,
            max_leaf_nodes=self.problem.max_leaf_nodes,
            min_samples_leaf=self.problem.min_samples_leaf,
            time_limit=time_limit,
        )

    def core_arguments(
        self,
        bounds=(),
        slips=(),
        time_limit: float = PATIENCE,
        *,
        turns_after: int | None = None,
        threads_after: int | None = None,
        **options,
    ) -> tuple:
        """What `ostrya._core.solve` is called with, by position."""
        if turns_after is not None or threads_after is not None:
            options["tuning"] = eager(turns_after, threads_after)
        switches = switched(_core.Bounds(), bounds, slips)
        limits = self.core_limits(time_limit)
        return *self.core_data(), _core.Options(limits, bounds=switches, **options)

    def leaf_set_arguments(self, measure=None, bounds=(), slips=(), **options) -> tuple:
        """What `ostrya._core.solve_leaf_sets` is called with, by position."""
        switches = switched(_core.LeafSetBounds(), bounds, slips)
        chosen = _core.LeafSetOptions(self.core_limits(), bounds=switches, **options)
        return *self.core_data(), chosen, measure or _core.Additive()


def eager(turns_after: int | None = None, threads_after: int | None = None):
    """A schedule in which small problems meet what only long searches do.

    Dual prices are sought after so many words, whatever the depth, and small depths and
    other sources of trees have turns from the first words on. Threads are started after
    so many words, and trees are chosen as in a long search.
    """
    tuning = _core.Tuning()
    if turns_after is not None:
        prices, deepening = tuning.prices, tuning.deepening
        prices.least_work, prices.least_boxes = turns_after, 0
        prices.least_depth, prices.least_turn, prices.most_wait = 0, 2**25, 0
        prices.lone_work = prices.turn_work = 1
        prices.always_calls_for_help = True
        deepening.first_turn = deepening.first_turn_of_questions = 16
        deepening.before_promising = 0
        tuning.incumbents.first_turn = 16
    if threads_after is not None:
        tuning.search.long_work = tuning.top_k.share_start = threads_after
    return tuning


def switched(target, bounds, slips):
    """Bounds of an engine with some switched on or off, some with a mistake."""
    for name, is_on in dict(bounds).items():
        getattr(target, name).is_on = is_on
    for name, slip in dict(slips).items():
        getattr(target, name).slip = slip
    return target


def zero_one(n_classes: int) -> tuple[tuple[int, ...], ...]:
    """The costs of plain errors."""
    codes = range(n_classes)
    return tuple(tuple(int(true != k) for k in codes) for true in codes)


def nested(tree, node: int = 0) -> Leaf | Split:
    """A solver's tree as the oracle writes trees."""
    if tree.feature[node] < 0:
        return Leaf(int(tree.label[node]))
    yes, no = nested(tree, int(tree.yes[node])), nested(tree, int(tree.no[node]))
    return Split(int(tree.feature[node]), float(tree.threshold[node]), yes, no)


def assert_within_limits(problem: Problem, tree: Leaf | Split) -> None:
    assert problem.max_depth is None or tree_depth(tree) <= problem.max_depth
    assert problem.max_leaf_nodes is None or tree_leaves(tree) <= problem.max_leaf_nodes
    assert is_legal(problem, tree, problem.all_rows)


def predicted_cost(problem: Problem, tree) -> int:
    """The integer cost of a solver's tree by its own predictions."""
    predicted = tree.predict(np.array(problem.rows, dtype=float)).tolist()
    rows = zip(problem.labels, predicted, problem.weights, strict=True)
    loss = sum(weight * problem.costs[label][k] for label, k, weight in rows)
    return problem.scale * loss + problem.penalty * tree.n_leaves


def recounted(case: Case, outcome) -> int:
    """The integer cost of the returned tree, after checking all that was said of it."""
    tree = nested(outcome.tree)
    assert_within_limits(case.problem, tree)
    cost = tree_cost(case.problem, tree)
    assert predicted_cost(case.problem, outcome.tree) == cost
    assert outcome.n_leaves == tree_leaves(tree)
    assert np.isclose(outcome.objective, float(case.objective(cost)), rtol=1e-9)
    assert outcome.gap == max(outcome.objective - outcome.lower_bound, 0.0)
    return cost


def assert_optimal(case: Case, outcome, cost: int) -> None:
    """`cost` is the oracle's optimum; the solver must have proved just that."""
    assert recounted(case, outcome) == cost
    assert outcome.status == "optimal"
    assert outcome.is_optimal
    assert outcome.gap == 0.0
    assert outcome.lower_bound == outcome.objective
