"""What each bound claims, as pairs (bound, truth) with bound <= truth.

A claim asks the compiled bound and the oracle; `slip` is a deliberate mistake of that
many units. The ids B1 to B10 are those of docs/explanation/bounds.md.
"""

from __future__ import annotations

import itertools

from cases import Case, switched
from oracle import (
    AtLeast,
    Oracle,
    Problem,
    dearest_loss,
    leaf_loss,
    splits,
    unavoidable_loss,
)
from oracle.problem import parts
from ostrya import _core
from ostrya._core import testing


def potential(problem: Problem, rows) -> int:
    """What the choice of labels decides, in units of weight: worst minus best."""
    decided = dearest_loss(problem, rows) - unavoidable_loss(problem, rows)
    return decided // problem.scale


def chains(problem: Problem):
    """Pairs (smaller, larger) of row sets on the same side of one column's cuts."""
    rows = problem.all_rows
    for feature in range(problem.n_features):
        cuts = sorted({row[feature] for row in problem.rows})[:-1]
        sides = [parts(problem, rows, feature, cut) for cut in cuts]
        for (yes, no), (later_yes, later_no) in itertools.combinations(sides, 2):
            yield yes, later_yes
            yield later_no, no


def leaf_count(problem: Problem, slip: int = 0):
    """B1: a tree under the budget has at most `most_leaves_under` leaves."""
    oracle = Oracle(problem)
    base = unavoidable_loss(problem, problem.all_rows)
    if problem.penalty == 0:
        return
    for limit in range(1, 7):
        best = oracle.best(problem.all_rows, leaves=limit)
        budget = best.cost - base + 1
        yield best.leaves, testing.most_leaves_under(budget, problem.penalty, slip)


def leaf_optimal(problem: Problem, slip: int = 0):
    """B2: where the leaf is called optimal no split beats it."""
    oracle = Oracle(problem)
    for rows in _row_sets(problem):
        base = unavoidable_loss(problem, rows)
        loss = (leaf_loss(problem, rows) - base) // problem.scale
        split = oracle.best_split(rows)
        if split is not None and testing.leaf_is_optimal(
            loss, problem.scale, problem.penalty, slip
        ):
            yield oracle.leaf(rows).cost, split.cost


class Supported(Oracle):
    """An oracle that makes no split with a child of too small a potential."""

    def __init__(self, problem: Problem, floor: int) -> None:
        super().__init__(problem)
        self.floor = floor

    def splits(self, rows):
        return [
            (feature, threshold, yes, no)
            for feature, threshold, yes, no in splits(self.problem, rows)
            if min(potential(self.problem, part) for part in (yes, no)) > self.floor
        ]


def support(problem: Problem, slip: int = 0):
    """B3: without the splits ruled out the optimum is as good as with them."""
    floor = testing.support_floor(problem.scale, problem.penalty, slip)
    limits = problem.all_rows, problem.max_depth, problem.max_leaf_nodes
    yield (
        Supported(problem, floor).best(*limits).cost,
        Oracle(problem).best(*limits).cost,
    )


def superset(problem: Problem, slip: int = 0):
    """B4: a larger row set costs no less."""
    oracle = Oracle(problem)
    for smaller, larger in chains(problem):
        for depth in (1, 2, None):
            lower = oracle.best(smaller, depth).cost
            yield testing.superset_lower(lower, slip), oracle.best(larger, depth).cost


def similar_support(problem: Problem, slip: int = 0):
    """B5: a smaller row set costs no less than the larger, less all it lacks."""
    oracle = Oracle(problem)
    for smaller, larger in chains(problem):
        lacking = tuple(set(larger) - set(smaller))
        difference = dearest_loss(problem, lacking) // problem.scale
        for depth in (1, 2, None):
            lower = oracle.best(larger, depth).cost
            bound = testing.similar_lower(lower, difference, problem.scale, slip)
            yield bound, oracle.best(smaller, depth).cost


def look_ahead(problem: Problem, slip: int = 0):
    """B6: trees of three leaves or more cost at least what two levels show."""
    oracle = Oracle(problem)
    larger = AtLeast(oracle)
    for rows in _row_sets(problem):
        costs = _scanned(problem, oracle, rows, slip)
        if costs is not None:
            base = unavoidable_loss(problem, rows)
            yield costs[2], larger.leaves(rows, 3) - base


def _scanned(problem: Problem, oracle: Oracle, rows, slip: int = 0):
    """What a scan of pairs says a child costs with one, two and more leaves.

    None where the rows cannot be split.
    """
    scale, penalty = problem.scale, problem.penalty
    two = oracle.best_split(rows, depth=1)
    if two is None:
        return None
    base = unavoidable_loss(problem, rows)
    leaf = leaf_loss(problem, rows) - base
    loss = two.cost - 2 * penalty - base
    cell = min(_seen_ahead(problem, part) for part in _partings(problem, rows))
    costs = testing.child_costs(
        leaf // scale, loss // scale, cell, scale, penalty, slip
    )
    assert costs[:2] == (leaf + penalty, loss + 2 * penalty)
    return costs


def _seen_ahead(problem: Problem, parting) -> int:
    """What the better part loses beyond its base as a leaf, in weight.

    One part of a tree with three leaves splits; the other costs this or splits too.
    """
    return min(
        (leaf_loss(problem, part) - unavoidable_loss(problem, part)) // problem.scale
        for part in parting
    )


def pairs_close(problem: Problem, slip: int = 0):
    """B7: where a child has three leaves or more, the tree costs what is claimed."""
    oracle = Oracle(problem)
    larger = AtLeast(oracle)
    base = unavoidable_loss(problem, problem.all_rows)
    for _, _, yes, no in splits(problem, problem.all_rows):
        costs = [_scanned(problem, oracle, rows) for rows in (yes, no)]
        if None in costs:
            continue
        truth = min(
            larger.leaves(yes, 3) + oracle.best(no).cost,
            oracle.best(yes).cost + larger.leaves(no, 3),
        )
        yield testing.deeper_lower(*costs, slip), truth - base


def depth_transfer(problem: Problem, slip: int = 0):
    """B8: what bounds a larger depth from below bounds a smaller one too."""
    oracle = Oracle(problem)
    for rows in _row_sets(problem):
        for asked in range(3):
            for proved in (asked, asked + 1, None):
                lower = oracle.best(rows, proved).cost
                bound = testing.transferred_lower(lower, proved, asked, slip)
                yield bound, oracle.best(rows, asked).cost
            # A bound of fewer trees says nothing of more.
            lower = oracle.best(rows, asked).cost
            assert testing.transferred_lower(lower, asked, asked + 1, slip) == 0


def _row_sets(problem: Problem):
    """All rows, and the children of every first split."""
    yield problem.all_rows
    for _, _, yes, no in splits(problem, problem.all_rows):
        yield yes
        yield no


def _partings(problem: Problem, rows):
    return [(yes, no) for _, _, yes, no in splits(problem, rows)]


def row_prices(problem: Problem, slip: int = 0):
    """B10: no tree costs less than all rows pay together."""
    if problem.penalty == 0:
        return
    case = Case(problem)
    truth = Oracle(problem).best(problem.all_rows).cost
    bounds = switched(_core.Bounds(), (), {"dual_prices": slip})
    options = _core.Options(case.core_limits(), bounds=bounds)
    found = testing.row_prices(*case.core_data(), options, truth)
    if found:
        yield found["lower"], truth


CLAIMS = {
    claim.__name__: claim
    for claim in (
        leaf_count,
        leaf_optimal,
        support,
        superset,
        similar_support,
        look_ahead,
        pairs_close,
        depth_transfer,
        row_prices,
    )
}
