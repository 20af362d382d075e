"""What `frontier` returns: the least loss for every number of leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ostrya._arguments import check_count, check_number
from ostrya.outcome import FrontierStatus, Statistics
from ostrya.tree import Tree


@dataclass(frozen=True)
class FrontierPoint:
    """The best tree of at most so many leaves, and what was proved of it.

    Attributes
    ----------
    max_leaves : int
        Most leaves that the tree may have.
    tree : Tree
        The best tree found. Of trees that lose the same, one of the fewest leaves.
    n_leaves : int
        Leaves of the tree; fewer than `max_leaves` where more do not lower the loss.
    loss : float
        Weighted mean cost of the predictions on the training rows.
    lower_bound : float
        No tree of at most `max_leaves` leaves loses less than this.
    gap : float
        ``loss - lower_bound``: no tree is better by more; exactly 0 when optimal.
    status : str
        "optimal": proved. "optimal_to_rounding": proved, except that weights or costs
        have too many digits for exact integers and another tree may be better by the
        gap. "time_limit", "memory_limit", "interrupted": the search stopped there.
        "work_limit": the search ended after a fixed amount of counted work, as inside
        `OptimalTreeClassifierCV`. "guessed": proved over some of the thresholds of a
        lazy table, which has others as well.

    Examples
    --------
    >>> import ostrya
    >>> frontier = ostrya.frontier([[1], [2], [3], [4]], [0, 1, 1, 0])
    >>> point = frontier.at_leaves(2)
    >>> point.n_leaves, point.loss, point.status
    (2, 0.25, 'optimal')
    """

    max_leaves: int
    tree: Tree
    n_leaves: int
    loss: float
    lower_bound: float
    gap: float
    status: FrontierStatus

    @property
    def is_optimal(self) -> bool:
        """True when no tree of at most `max_leaves` leaves loses less."""
        return self.status == "optimal"


@dataclass(frozen=True)
class PenaltyInterval:
    """The penalties for which one tree is the best of all sizes.

    Attributes
    ----------
    least_penalty, most_penalty : float
        The ends of the interval; the last one is inf. At an end that two intervals
        share both trees are equally good.
    tree : Tree
        The tree of least ``loss + leaf_penalty * leaves`` for these penalties.
    n_leaves : int
        Its leaves.
    loss : float
        Its loss.
    is_optimal : bool
        True when it is proved: no tree within the limits is better, for any penalty
        of the interval.

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
    """The least loss for every number of leaves, with the trees that have it.

    Attributes
    ----------
    points : tuple of FrontierPoint
        ``points[h - 1]`` has the best tree of at most h leaves. Losses never rise from
        one point to the next. Where nothing changes beyond some size, the points end
        there: what the last one says holds for all sizes up to `max_leaves`.
    hull : tuple of PenaltyInterval
        The trees that are best for some penalty, from the fewest leaves to the most;
        their penalties fall from inf to 0 and leave no hole.
    max_leaves : int
        The largest size that was asked for, or that the other limits allow.
    status : str
        "optimal" if every point is proved, "optimal_to_rounding" if some are proved
        up to rounding only; otherwise why the search stopped: "work_limit",
        "time_limit", "memory_limit" or "interrupted".
    statistics : Statistics
        What the search took.
    classes : ndarray
        The label of each class code: a tree that predicts code k predicts
        ``classes[k]``.
    encoder : TableEncoder
        Turns tables like the training table into the columns that the trees ask about:
        ``tree.predict(frontier.encoder.encode(X))`` gives class codes.

    Examples
    --------
    >>> import ostrya
    >>> frontier = ostrya.frontier([[1], [2], [3], [4]], [0, 1, 1, 0])
    >>> [(point.max_leaves, point.loss) for point in frontier.points]
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
    max_leaves: int
    status: FrontierStatus
    statistics: Statistics
    classes: Any = field(default=None, repr=False, compare=False)
    encoder: Any = field(default=None, repr=False, compare=False)

    @property
    def is_optimal(self) -> bool:
        """True when every point is proved."""
        return self.status == "optimal"

    def __str__(self) -> str:
        """Return a table: sizes, losses, what is proved, and penalties."""
        lines = [f"{'leaves':>6}  {'loss':>8}  {'proved':<13}  best for penalties"]
        intervals = {each.n_leaves: each for each in self.hull}
        for point in self.points:
            proved = "yes" if point.is_optimal else f"within {point.gap:.4f}"
            each = intervals.get(point.max_leaves)
            penalties = "never"
            if each is not None:
                penalties = f"{each.least_penalty:.4g} to {each.most_penalty:.4g}"
            lines.append(
                f"{point.max_leaves:>6}  {point.loss:>8.4f}  {proved:<13}  {penalties}"
            )
        return "\n".join(lines)

    def at_leaves(self, max_leaves: int) -> FrontierPoint:
        """Return the point with the best tree of at most this many leaves.

        Parameters
        ----------
        max_leaves : int
            At least 1, at most that of the frontier.

        Returns
        -------
        FrontierPoint
            Its ``max_leaves`` is lower than asked for where the points end before.
        """
        size = check_count("max_leaves", max_leaves)
        if size > self.max_leaves:
            raise ValueError(
                f"max_leaves must be at most {self.max_leaves}, as this frontier goes; "
                f"got {size}. Call ostrya.frontier with a larger max_leaves"
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
