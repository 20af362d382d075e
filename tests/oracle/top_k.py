"""Top-k by plain recursion: at each node, every tree over its k best splits.

A split's score is the impurity that it leaves, computed to forty digits and rounded to
multiples of 2**-32. Rows of weight 0 are as if absent. A criterion is a word, or a
function of the masses of a side that returns its impurity times its mass as a Fraction.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache

from oracle.costs import leaf_cost
from oracle.problem import splits

DIGITS = Context(prec=40)


@cache
def entropy_part(mass):
    """mass * log2(mass)."""
    if mass == 0:
        return Decimal(0)
    log2 = DIGITS.divide(DIGITS.ln(Decimal(mass)), DIGITS.ln(Decimal(2)))
    return DIGITS.multiply(Decimal(mass), log2)


def side_impurity(masses, criterion):
    """The impurity of a side times its mass."""
    n = sum(masses)
    if callable(criterion):
        return criterion(masses)
    if criterion == "entropy":
        return entropy_part(n) - sum(map(entropy_part, masses))
    if criterion == "gini":
        return Fraction(n) - sum(Fraction(m * m, n) for m in masses)
    return sum(DIGITS.sqrt(Decimal(m * (n - m))) for m in masses)


def masses_of(problem, rows):
    masses = [0] * problem.n_classes
    for i in rows:
        masses[problem.labels[i]] += problem.weights[i]
    return masses


def score(problem, yes, no, criterion):
    left = [side_impurity(masses_of(problem, side), criterion) for side in (yes, no)]
    total = sum(problem.weights[i] for i in (*yes, *no))
    if criterion == "gini" or callable(criterion):
        return round((left[0] + left[1]) / total * 2**32)
    scaled = DIGITS.multiply(DIGITS.add(*left), Decimal(2**32))
    return int(DIGITS.divide(scaled, Decimal(total)).to_integral_value())


def candidates(problem, rows, k, criterion, by_feature):
    """The splits a node may use, best first: (feature, threshold, yes, no)."""
    ranked = [
        (score(problem, yes, no, criterion), feature, threshold, yes, no)
        for feature, threshold, yes, no in splits(problem, rows)
    ]
    if not by_feature:
        return [split[1:] for split in sorted(ranked)[:k]]
    columns = {}
    for split in ranked:
        columns.setdefault(split[1], []).append(split)
    chosen = []
    for column in sorted(columns.values(), key=min)[:k]:
        best = column.index(min(column))
        chosen += [split[1:] for split in column[max(best - 1, 0) : best + 2]]
    return chosen


class TopKOracle:
    """The least cost of a Top-k tree; `widths` is k for each level, the last stays."""

    def __init__(self, problem, widths, criterion, *, by_feature=False):
        kept = [i for i, weight in enumerate(problem.weights) if weight > 0]
        self.problem = replace(
            problem,
            rows=tuple(problem.rows[i] for i in kept),
            labels=tuple(problem.labels[i] for i in kept),
            weights=tuple(problem.weights[i] for i in kept),
        )
        self.widths = widths
        self.criterion = criterion
        self.by_feature = by_feature
        self.lists, self.known = {}, {}

    def cost(self):
        problem = self.problem
        depth = len(problem.rows) if problem.max_depth is None else problem.max_depth
        leaves = problem.max_leaf_nodes or len(problem.rows)
        return self.least(problem.all_rows, 0, depth, leaves)

    def least(self, rows, level, depth, leaves):
        leaves = min(leaves, 2**depth, len(rows))
        key = rows, level, depth, leaves
        if key not in self.known:
            costs = [leaf_cost(self.problem, rows)]
            for yes, no in self.children(rows, level) if leaves > 1 else ():
                costs += [
                    self.least(yes, level + 1, depth - 1, share)
                    + self.least(no, level + 1, depth - 1, leaves - share)
                    for share in range(1, leaves)
                ]
            self.known[key] = min(costs)
        return self.known[key]

    def children(self, rows, level):
        k = self.widths[min(level, len(self.widths) - 1)]
        if (rows, k) not in self.lists:
            found = candidates(self.problem, rows, k, self.criterion, self.by_feature)
            self.lists[rows, k] = [split[2:] for split in found]
        return self.lists[rows, k]
