"""Objectives of two classes from their definitions, over every tree there is.

A tree counts by the sets of rows in its leaves. Losses are exact fractions.
"""

from __future__ import annotations

import functools
import itertools
from fractions import Fraction

from oracle.problem import splits


def partitions(problem, rows, depth, leaves):
    """Every way in which a tree within the limits parts `rows` into leaves."""
    found = {frozenset([rows])}
    if depth == 0 or leaves <= 1:
        return found
    below = None if depth is None else depth - 1
    for _, _, yes, no in splits(problem, rows):
        for left in partitions(problem, yes, below, leaves - 1):
            for right in partitions(problem, no, below, leaves - len(left)):
                found.add(left | right)
    return found


@functools.cache
def all_partitions(problem):
    most = problem.max_leaf_nodes or len(problem.rows)
    return partitions(problem, problem.all_rows, problem.max_depth, most)


def least_objective(problem, penalty, loss):
    """The least loss + penalty * leaves, the loss given leaves as tuples of rows."""
    return min(
        loss(problem, leaves) + penalty * len(leaves)
        for leaves in all_partitions(problem)
    )


def mass(problem, rows, label):
    return sum(problem.weights[i] for i in rows if problem.labels[i] == label)


@functools.cache
def scores(problem, leaves):
    """The share of positive weight in the leaf of each row."""
    out = {}
    for rows in leaves:
        positive, negative = mass(problem, rows, 1), mass(problem, rows, 0)
        for i in rows:
            out[i] = Fraction(positive, (positive + negative) or 1)
    return out


def auc_loss(problem, leaves):
    """Pairs of a positive and a negative row: the wrong order costs 1, a tie half."""
    score = scores(problem, leaves)
    lost = total = Fraction(0)
    for i, j in itertools.permutations(problem.all_rows, 2):
        if problem.labels[i] == 1 and problem.labels[j] == 0:
            weight = problem.weights[i] * problem.weights[j]
            total += weight
            if score[i] < score[j]:
                lost += weight
            elif score[i] == score[j]:
                lost += Fraction(weight, 2)
    return lost / total


def roc_points(problem, leaves):
    """The (false, true) positive rates as the threshold on the score falls."""
    score = scores(problem, leaves)
    all_positive = mass(problem, problem.all_rows, 1)
    all_negative = mass(problem, problem.all_rows, 0)
    points = [(Fraction(0), Fraction(0))]
    for threshold in sorted(set(score.values()), reverse=True):
        above = [i for i in problem.all_rows if score[i] >= threshold]
        points.append(
            (
                Fraction(mass(problem, above, 0), all_negative),
                Fraction(mass(problem, above, 1), all_positive),
            )
        )
    return points


def partial_auc_loss(max_fpr):
    def loss(problem, leaves):
        """One minus the area under the points up to `max_fpr`, over its width."""
        area = Fraction(0)
        points = roc_points(problem, leaves)
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            end = min(x1, max_fpr)
            if end > x0:
                y_end = y0 + (y1 - y0) * (end - x0) / (x1 - x0)
                area += (end - x0) * (y0 + y_end) / 2
        return 1 - area / max_fpr

    return loss


def labelings(problem, leaves):
    """The (false positives, false negatives) of every choice of labels."""
    counts = [(mass(problem, rows, 0), mass(problem, rows, 1)) for rows in leaves]
    for labels in itertools.product((0, 1), repeat=len(counts)):
        chosen = list(zip(counts, labels, strict=True))
        yield (
            sum(negative for (negative, _), label in chosen if label == 1),
            sum(positive for (_, positive), label in chosen if label == 0),
        )


def f_beta_loss(beta):
    def loss(problem, leaves):
        """One minus (1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP)."""
        positives = mass(problem, problem.all_rows, 1)
        square = beta * beta
        return min(
            1
            - (1 + square)
            * (positives - fn)
            / ((1 + square) * (positives - fn) + square * fn + fp)
            for fp, fn in labelings(problem, leaves)
        )

    return loss


def counted_loss(function):
    def loss(problem, leaves):
        """A function of false positives and false negatives under the best labels."""
        return min(Fraction(function(fp, fn)) for fp, fn in labelings(problem, leaves))

    return loss
