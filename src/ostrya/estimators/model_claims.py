"""Hold what a model file claims to its own tree.

A file carries its tree with the weight of every class in every node, so loss,
objective, labels, gap and importances follow from it, and a file that says otherwise is
refused. What does not follow, and only the training rows could prove, stays a claim:
that the counts are those of the rows, and that no tree is better than the lower bound.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ostrya._guesses.report import GuessReport
from ostrya._solve.options import LEAST_SHARE, auto_penalty
from ostrya.estimators.model_loss import Loss, RowCosts
from ostrya.export.json_checks import FlawError, is_int, is_number, short
from ostrya.preprocessing import TableEncoder
from ostrya.results.outcome import is_closed
from ostrya.tree import Tree

# Sums of floats may differ in their last digits from one machine to the next.
SLACK = 1e-9
# Above this the importances of a measure, whose time grows with the square of the
# leaves, are not counted again.
MOST_LEAVES_RANKED = 300


def check_counts(tree: Tree) -> None:
    """Raise unless rows and weights of every split are those of its children."""
    # Weights are never below 0, so a huge one cannot be taken back by another.
    with np.errstate(over="ignore"):
        total = float(tree.value[0].sum())
    if not 0 < total < math.inf:
        raise FlawError(f"tree.value[0] must have a sum above 0; got {total}")
    split = np.flatnonzero(tree.feature >= 0)
    yes, no = tree.yes[split], tree.no[split]
    rows = tree.n_samples[yes].astype(object) + tree.n_samples[no].astype(object)
    for node in split[rows != tree.n_samples[split].astype(object)][:1]:
        raise FlawError(
            f"tree.n_samples[{node}] must be the sum of those of its children "
            f"{tree.yes[node]} and {tree.no[node]}; got {tree.n_samples[node]} for "
            f"{tree.n_samples[tree.yes[node]]} and {tree.n_samples[tree.no[node]]}"
        )
    with np.errstate(over="ignore"):
        weights = tree.value[yes] + tree.value[no]
    far = np.abs(weights - tree.value[split]) > 1e-12 * tree.value[split]
    for node in split[far.any(axis=1)][:1]:
        raise FlawError(
            f"tree.value[{node}] must be the sum of the values of its children "
            f"{tree.yes[node]} and {tree.no[node]}"
        )
    for node in np.flatnonzero(tree.n_samples == 0)[:1]:
        raise FlawError(f"tree.n_samples[{node}] must be at least 1; got 0")


def check_costs(tree: Tree) -> None:
    """Raise unless the mean costs of every split are those of its children."""
    assert tree.costs is not None
    sums = tree.costs * tree.value.sum(axis=1, keepdims=True)
    split = np.flatnonzero(tree.feature >= 0)
    children = sums[tree.yes[split]] + sums[tree.no[split]]
    sizes = np.abs(tree.costs).max() * tree.value[0].sum()
    far = np.abs(children - sums[split]) > SLACK * sizes
    for node in split[far.any(axis=1)][:1]:
        raise FlawError(
            f"tree.costs[{node}] must be the mean of the costs of its children "
            f"{tree.yes[node]} and {tree.no[node]}"
        )


def check_limits(estimator: Any, tree: Tree, guess: GuessReport | None) -> None:
    """Raise unless the tree satisfies the limits of the search in the file."""
    rows = int(tree.n_samples[tree.feature < 0].min())
    limits = [
        ("max_depth", estimator.max_depth, tree.depth, "levels deep"),
        ("max_leaf_nodes", estimator.max_leaf_nodes, tree.n_leaves, "leaves large"),
    ]
    if guess is not None:
        depth = guess.max_depth
        limits.append(("result.guess.max_depth", depth, tree.depth, "levels deep"))
    for name, limit, got, things in limits:
        where = name if "." in name else f"parameters.{name}"
        if limit is None or (name == "max_depth" and limit == "auto"):
            continue
        if not is_int(limit):
            raise FlawError(f"{where} must be an integer, null or auto")
        if got > limit:
            raise FlawError(
                f"the tree must be at most {limit} {things}, by {where}; got {got}"
            )
    fewest = estimator.min_samples_leaf
    if not is_int(fewest):
        raise FlawError("parameters.min_samples_leaf must be an integer")
    if rows < fewest:
        raise FlawError(
            f"leaves must contain parameters.min_samples_leaf={fewest} rows; got a "
            f"leaf of {rows}"
        )


def check_leaf_penalty(estimator: Any, penalty: Any, tree: Tree) -> None:
    """Raise unless the penalty used can come from the parameter and the tree's rows."""
    if not (is_number(penalty) and 0 <= penalty < math.inf):
        raise FlawError("result.leaf_penalty must be a finite number >= 0")
    given = estimator.leaf_penalty
    if given == "auto":
        # Sample weights, which a file does not hold, can only make it smaller.
        least, most = LEAST_SHARE, auto_penalty(int(tree.n_samples[0]))
        if tree.costs is not None:  # times the mean range of the rewards of a row
            least, most = 0.0, math.inf
    elif is_number(given) and 0 <= given < math.inf:
        least = most = given
    else:
        raise FlawError(
            "parameters.leaf_penalty must be a finite number >= 0, or auto; got "
            f"{short(given)}"
        )
    # Searches round the penalty to their grid of integers.
    slack = SLACK * max(most, 1.0)
    if not least - slack <= penalty <= most + slack:
        raise FlawError(
            f"result.leaf_penalty must follow from parameters.leaf_penalty={given!r}; "
            f"got {penalty!r}"
        )


def check_questions(tree: Tree, encoder: TableEncoder) -> None:
    """Raise unless every question of the tree can be answered yes and no."""
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        column, threshold = int(tree.feature[node]), float(tree.threshold[node])
        if encoder.is_yes_no(column):
            if not 0 <= threshold < 1:
                raise FlawError(
                    f"tree.threshold[{node}] must be between 0 (yes) and 1 (no); got "
                    f"{threshold}"
                )
            continue
        place = int(encoder.source[column])
        largest = encoder.largest(column)
        if not threshold < largest:
            what = "largest" if encoder.features[place].largest == largest else "groups"
            raise FlawError(
                f"tree.threshold[{node}] must be below columns[{place}].{what}, "
                f"{largest}; got {threshold}"
            )
        if not encoder.least(column) <= threshold:
            raise FlawError(
                f"tree.threshold[{node}] must not be below every level of "
                f"columns[{place}]; got {threshold}"
            )


def check_result(estimator: Any, tree: Tree, loss: Loss | RowCosts) -> None:
    """Raise unless loss, objective, bound, gap and status agree, and fit the tree."""
    check_labels(estimator, tree, loss)
    counted, allowed = loss.of_tree(tree), loss.slack(tree)
    if not abs(counted - estimator.loss_) <= allowed:
        raise FlawError(
            f"result.loss must be {counted!r}, by the counts in the tree; got "
            f"{estimator.loss_!r}"
        )
    penalty = estimator.leaf_penalty_
    objective = estimator.loss_ + penalty * tree.n_leaves
    if not abs(objective - estimator.objective_) <= SLACK * (
        abs(objective) + loss.dearest
    ):
        raise FlawError(
            f"result.objective must be {objective!r}, which is loss "
            f"{estimator.loss_!r} + leaf_penalty {penalty!r} x {tree.n_leaves} leaves; "
            f"got {estimator.objective_!r}"
        )
    _check_bounds(estimator)


def _check_bounds(estimator: Any) -> None:
    objective, lower = estimator.objective_, estimator.lower_bound_
    status, gap = estimator.status_, max(objective - lower, 0.0)
    if estimator.gap_ != gap:
        raise FlawError(
            f"result.gap must be {gap!r}, which is objective {objective!r} - "
            f"lower_bound {lower!r}; got {estimator.gap_!r}"
        )
    # An upper bound of the caller may be above the objective of the tree.
    if lower > objective and status != "upper_bound":
        raise FlawError(
            f"result.lower_bound must be at most result.objective, {objective!r}; got "
            f"{lower!r}"
        )
    if status == "optimal" and lower != objective:
        raise FlawError(
            f"result.status is {status!r}, but the lower bound {lower!r} is below the "
            f"objective {objective!r}"
        )
    if status == "optimal_to_depth" and estimator.max_depth != "auto":
        raise FlawError(
            f"result.status is {status!r}, but parameters.max_depth is not auto"
        )
    if status == "optimal_in_top_k" and not hasattr(estimator, "k"):
        raise FlawError(f"result.status is {status!r}, which is for top-k trees")
    is_cut = estimator.compression_ is not None and not estimator.compression_.are_all
    guess = getattr(estimator, "guess_", None)
    if status == "guessed_bounds" and guess is None:
        raise FlawError(f"result.status is {status!r}, but result.guess is missing")
    if status == "optimal_in_guessed_thresholds" and (
        guess is None or guess.n_thresholds_after is None
    ):
        raise FlawError(
            f"result.status is {status!r}, but by result.guess no thresholds were "
            "guessed"
        )
    if status == "optimal_in_selected_thresholds" and not is_cut:
        raise FlawError(
            f"result.status is {status!r}, but by result.compression all thresholds "
            "were searched"
        )
    if is_cut and is_closed(status):
        raise FlawError(
            f"result.status is {status!r}, but by result.compression not all "
            "thresholds were searched"
        )


def check_labels(estimator: Any, tree: Tree, loss: Loss | RowCosts) -> None:
    """Raise unless every node has the label of least loss.

    A leaf may have another one if a feature has a direction.
    """
    is_free = getattr(estimator, "monotonic_cst", None) is not None
    for node, label in loss.better_labels(tree):
        if is_free and tree.feature[node] < 0:
            continue
        raise FlawError(
            f"tree.label[{node}] must be {label}, the first label with the lowest loss "
            f"by tree.value[{node}]; got {tree.label[node]}"
        )


def check_importances(estimator: Any, tree: Tree, loss: Loss | RowCosts) -> None:
    """Raise unless the shares of the features are those of the splits of the tree."""
    shares = estimator.feature_importances_
    asked = set(estimator.encoder_.source[tree.feature[tree.feature >= 0]].tolist())
    for place, share in enumerate(shares.tolist()):
        if not (-SLACK <= share <= 1 + SLACK) or (share and place not in asked):
            raise FlawError(
                f"result.feature_importances[{place}] must be "
                f"{'from 0 to 1' if place in asked else '0, as the tree ignores it'}; "
                f"got {share!r}"
            )
    is_noise = loss.as_one_leaf(tree) - loss.of_tree(tree) <= loss.slack(tree)
    if is_noise or not (loss.is_additive or tree.n_leaves <= MOST_LEAVES_RANKED):
        return
    counted = estimator._importances(loss.costs)
    for place in np.flatnonzero(np.abs(counted - shares) > 1e-6).tolist()[:1]:
        raise FlawError(
            f"result.feature_importances[{place}] must be {float(counted[place])!r}, "
            f"by the counts in the tree; got {float(shares[place])!r}"
        )


def check_trace(estimator: Any, loss: Loss | RowCosts) -> None:
    """Raise unless the bounds that a search passed could lead to its result."""
    seconds, slack = 0.0, 1e-4 * (abs(estimator.objective_) + loss.dearest)
    is_policy = isinstance(loss, RowCosts)  # their bounds may be negative
    for place, point in enumerate(estimator.trace_):
        counts = (point[0], *point[3:6], *point[7:])
        is_finite = all(map(math.isfinite, point))
        if not is_finite or min(counts) < 0 or (not is_policy and point[6] < 0):
            raise FlawError(f"result.trace[{place}] must contain finite numbers >= 0")
        if point.seconds < seconds:
            raise FlawError(
                f"result.trace[{place}] must not be before the previous one"
            )
        seconds = point.seconds
        if not point.lower_bound <= point.objective + slack:
            raise FlawError(
                f"result.trace[{place}] must have a lower bound of at most its "
                "objective"
            )
        is_bound = estimator.status_ != "upper_bound"
        if is_bound and point.lower_bound > estimator.objective_ + slack:
            raise FlawError(
                f"result.trace[{place}] must have a lower bound of at most "
                f"result.objective, {estimator.objective_!r}; got {point.lower_bound!r}"
            )


def check_guess(estimator: Any, guess: GuessReport | None) -> None:
    """Raise unless the numbers of a guess agree with the result."""
    if guess is None:
        return
    if guess.guarantee != estimator.gap_:
        raise FlawError(
            f"result.guess.guarantee must be equal to result.gap, {estimator.gap_!r}; "
            f"got {guess.guarantee!r}"
        )
    lower, gap = guess.lower_bound_of_all_thresholds, guess.gap_of_all_thresholds
    if (lower is None) != (gap is None):
        raise FlawError(
            "result.guess.lower_bound_of_all_thresholds and gap_of_all_thresholds must "
            "both be numbers, or both null"
        )
    if lower is not None and gap is not None:
        known = max(estimator.objective_ - lower, 0.0)
        if abs(known - gap) > SLACK:
            raise FlawError(
                f"result.guess.gap_of_all_thresholds must be {known!r}, which is "
                f"objective {estimator.objective_!r} - lower bound; got {gap!r}"
            )
    for name in ("reference", "refit"):
        lost, above = (
            getattr(guess, f"{name}_loss"),
            getattr(guess, f"loss_above_{name}"),
        )
        if (lost is None) != (above is None):
            raise FlawError(
                f"result.guess.{name}_loss and loss_above_{name} must both be numbers, "
                "or both null"
            )
        if lost is not None and abs(estimator.loss_ - lost - above) > SLACK:
            raise FlawError(
                f"result.guess.loss_above_{name} must be {estimator.loss_ - lost!r}, "
                f"which is loss {estimator.loss_!r} - {name}_loss {lost!r}; got "
                f"{above!r}"
            )
    for name in ("reference_score_before", "reference_score_after"):
        if not -SLACK <= getattr(guess, name) <= 1 + SLACK:
            raise FlawError(f"result.guess.{name} must lie between 0 and 1")
