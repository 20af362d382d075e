"""Frontier: the result of `ostrya.frontier`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ostrya._arguments import check_count, check_number
from ostrya.results.outcome import FrontierStatus, Statistics
from ostrya.tree import Tree


@dataclass(frozen=True)
class FrontierPoint:
    """The best tree with a limited number of leaves, and what was proved about it.

    Attributes
    ----------
    max_leaf_nodes : int
        Maximum number of leaves of the tree.
    tree : Tree
        The best tree found. If several have the same loss, one with the fewest leaves.
    n_leaves : int
        Number of leaves; below `max_leaf_nodes` if more do not lower the loss.
    loss : float
        Weighted mean cost of the predictions on the training rows.
    lower_bound : float
        No tree with at most `max_leaf_nodes` leaves has a lower loss than this.
    gap : float
        ``loss - lower_bound``: no tree is better by more; exactly 0 if optimal.
    status : str
        "optimal": proved. "optimal_to_rounding": proved up to ``gap``, because weights
        or costs have too many digits for exact integers. "time_limit", "memory_limit",
        "interrupted": the search was stopped. "work_limit": the search ended after a
        fixed amount of counted work, as inside `OptimalTreeClassifierCV`.
        "optimal_in_selected_thresholds": proved for trees over the thresholds that a
        lazy or compressed table kept.

    Examples
    --------
    >>> import ostrya
    >>> frontier = ostrya.frontier([[1], [2], [3], [4]], [0, 1, 1, 0])
    >>> point = frontier.at_leaves(2)
    >>> point.n_leaves, point.loss, point.status
    (2, 0.25, 'optimal')
    """

    max_leaf_nodes: int
    tree: Tree
    n_leaves: int
    loss: float
    lower_bound: float
    gap: float
    status: FrontierStatus

    @property
    def is_optimal(self) -> bool:
        """True if no tree with at most `max_leaf_nodes` leaves has a lower loss."""
        return self.status == "optimal"


@dataclass(frozen=True)
class PenaltyInterval:
    """The leaf penalties for which one tree has the lowest objective.

    Attributes
    ----------
    least_penalty, most_penalty : float
        The ends of the interval; the largest one is inf. Where two intervals meet, both
        trees are equally good.
    tree : Tree
        The tree with the lowest ``loss + leaf_penalty * n_leaves`` for these penalties.
    n_leaves : int
        Its number of leaves.
    loss : float
        Its loss.
    is_optimal : bool
        True if no tree within the limits is better for any penalty in the interval.

    Examples
    --------
    >>> import ostrya
    >>> frontier = ostrya.frontier([[1], [2], [3], [4]], [0, 1, 1, 0])
    >>> for each in frontier.hull:
    ...     print(each.n_leaves, each.least_penalty, each.most_penalty)
    1 0.25 inf
    3 0.0 0.25
    """

    least_penalty: float
    most_penalty: float
    tree: Tree
    n_leaves: int
    loss: float
    is_optimal: bool


@dataclass(frozen=True)
class Frontier:
    """The best tree for every number of leaves.

    Attributes
    ----------
    points : tuple of FrontierPoint
        ``points[h - 1]`` contains the best tree with at most h leaves. Losses never
        increase from one point to the next. If larger sizes change nothing, the points
        end early, and the last one holds for all sizes up to `max_leaf_nodes`.
    hull : tuple of PenaltyInterval
        The trees that are optimal for some penalty, from the fewest leaves to the most.
        Their intervals cover all penalties from inf down to 0.
    max_leaf_nodes : int
        The largest size that was searched.
    status : str
        "optimal" if every point is proved, "optimal_to_rounding" if some are proved
        only up to rounding, "optimal_in_selected_thresholds" for a lazy or compressed
        table that kept some thresholds; otherwise the reason why the search stopped:
        "work_limit", "time_limit", "memory_limit" or "interrupted".
    statistics : Statistics
        Effort of the search.
    classes : ndarray
        The label of each class code: class code k stands for ``classes[k]``.
    encoder : TableEncoder
        Converts tables for the trees: ``tree.predict(frontier.encoder.encode(X))``
        returns class codes.

    Examples
    --------
    >>> import ostrya
    >>> frontier = ostrya.frontier([[1], [2], [3], [4]], [0, 1, 1, 0])
    >>> [(point.max_leaf_nodes, point.loss) for point in frontier.points]
    [(1, 0.5), (2, 0.25), (3, 0.0)]
    >>> print(frontier)
    leaves      loss  proved         best for penalties
         1    0.5000  yes            0.25 to inf
         2    0.2500  yes            never
         3    0.0000  yes            0 to 0.25
    >>> frontier.at_leaves(2).tree.n_leaves, frontier.at_penalty(0.05).n_leaves
    (2, 3)
    """

    points: tuple[FrontierPoint, ...]
    hull: tuple[PenaltyInterval, ...]
    max_leaf_nodes: int
    status: FrontierStatus
    statistics: Statistics
    classes: Any = field(default=None, repr=False, compare=False)
    encoder: Any = field(default=None, repr=False, compare=False)

    @property
    def is_optimal(self) -> bool:
        """True if every point is proved optimal."""
        return self.status == "optimal"

    def __str__(self) -> str:
        """Return a table: sizes, losses, what is proved, and penalties."""
        lines = [f"{'leaves':>6}  {'loss':>8}  {'proved':<13}  best for penalties"]
        intervals = {each.n_leaves: each for each in self.hull}
        for point in self.points:
            proved = "yes" if point.is_optimal else f"within {point.gap:.4f}"
            each = intervals.get(point.max_leaf_nodes)
            penalties = "never"
            if each is not None:
                penalties = f"{each.least_penalty:.4g} to {each.most_penalty:.4g}"
            lines.append(
                f"{point.max_leaf_nodes:>6}  {point.loss:>8.4f}  "
                f"{proved:<13}  {penalties}"
            )
        return "\n".join(lines)

    def at_leaves(self, max_leaf_nodes: int) -> FrontierPoint:
        """Return the point with the best tree of at most this many leaves.

        Parameters
        ----------
        max_leaf_nodes : int
            At least 1, at most that of the frontier.

        Returns
        -------
        FrontierPoint
            Its ``max_leaf_nodes`` is lower than asked for where the points end before.
        """
        size = check_count("max_leaf_nodes", max_leaf_nodes)
        if size > self.max_leaf_nodes:
            raise ValueError(
                f"max_leaf_nodes must be at most {self.max_leaf_nodes}, the largest "
                f"size of this frontier; got {size}. Call ostrya.frontier with a "
                "larger max_leaf_nodes"
            )
        return self.points[min(size, len(self.points)) - 1]

    def at_penalty(self, leaf_penalty: float) -> PenaltyInterval:
        """Return the interval with the best tree for this penalty.

        Parameters
        ----------
        leaf_penalty : float
            At least 0. Where two trees are equally good, the smaller one is taken.

        Returns
        -------
        PenaltyInterval
            ``ostrya.solve`` with this ``leaf_penalty`` and the same limits finds a
            tree of the same objective.
        """
        penalty = check_number(
            "leaf_penalty", leaf_penalty, "a number >= 0", lambda number: number >= 0
        )
        return next(each for each in self.hull if penalty >= each.least_penalty)
