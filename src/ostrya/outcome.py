"""What `solve` returns: the tree, what was proved of it, and what it took."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ostrya.tree import Tree

Status = Literal[
    "optimal",
    "optimal_in_top_k",
    "optimal_to_depth",
    "optimal_to_rounding",
    "time_limit",
    "memory_limit",
    "interrupted",
    "guessed",
    "upper_bound",
]
FrontierStatus = Literal[
    "optimal",
    "optimal_to_rounding",
    "work_limit",
    "time_limit",
    "memory_limit",
    "interrupted",
    "guessed",
]


def has_hit_limit(status: Status) -> bool:
    """Return whether the search ran out of time or memory."""
    return status in ("time_limit", "memory_limit")


def is_stopped(status: Status) -> bool:
    """Return whether something ended the search before it was done."""
    return has_hit_limit(status) or status == "interrupted"


def is_settled(status: Status) -> bool:
    """Return whether no tree within the limits is better: than this, or than asked."""
    return status in ("optimal", "optimal_to_rounding", "upper_bound")


def is_closed(status: Status) -> bool:
    """Return whether the search is complete: over all trees, or those of `top_k`."""
    return status in ("optimal", "optimal_in_top_k", "optimal_to_rounding")


class TracePoint(NamedTuple):
    """The state of a search at one moment.

    Attributes
    ----------
    seconds : float
        Time since the search began.
    lower_bound, objective : float
        The proved lower bound and the best objective known. With reference labels the
        objective is one that the best tree so far is not above. Both are in the whole
        numbers of the search: where weights or costs have too many digits for those,
        what the outcome says, counted from the numbers given, differs by the rounding.
    subproblems : int
        Subproblems opened so far.
    memory : int
        Bytes held by the search.
    proved_depth : int
        No tree of this depth or less has a lower objective than the best one known, or
        than the ``upper_bound`` given.
    next_depth_bound : float
        A lower bound on the objective of trees of depth ``proved_depth + 1`` or less.
        It is at least `lower_bound` and at most `objective`.
    work : int
        Words of memory looked at so far, roughly, as in `Statistics`.

    Examples
    --------
    >>> import ostrya
    >>> outcome = ostrya.solve([[0], [1], [2], [3]], [0, 1, 0, 1], leaf_penalty=0.1)
    >>> last = outcome.trace[-1]
    >>> last.lower_bound == last.objective == outcome.objective
    True
    """

    seconds: float
    lower_bound: float
    objective: float
    subproblems: int
    memory: int
    proved_depth: int = 0
    next_depth_bound: float = 0.0
    work: int = 0


Phase = Literal["preparing", "guessing", "searching"]


class Progress(NamedTuple):
    """What ``on_progress`` gets: a `TracePoint`, the leaves of the best tree, a phase.

    Attributes
    ----------
    seconds : float
        Time since the call began.
    lower_bound, objective : float
        As in `TracePoint`; -inf and inf as long as there is no tree.
    subproblems : int
        Subproblems opened so far.
    memory : int
        Bytes held by the search.
    n_leaves : int
        Leaves of the best tree; 0 as long as there is none.
    phase : str
        "preparing": the table is read and encoded, its rows are put in order.
        "guessing": a reference is fitted, and fitted again. "searching": there is a
        tree.
    proved_depth : int
        As in `TracePoint`.

    Examples
    --------
    >>> import ostrya
    >>> seen = []
    >>> outcome = ostrya.solve([[0], [1], [2]], [0, 1, 1], on_progress=seen.append)
    >>> seen[0].phase, seen[0].n_leaves
    ('preparing', 0)
    """

    seconds: float
    lower_bound: float
    objective: float
    subproblems: int
    memory: int
    n_leaves: int
    phase: Phase = "searching"
    proved_depth: int = 0

    @classmethod
    def before_search(cls, seconds: float, phase: Phase) -> Progress:
        """Return the state of a call that has no tree yet."""
        return cls(seconds, -math.inf, math.inf, 0, 0, 0, phase)


@dataclass(frozen=True)
class Statistics:
    """What a search took.

    Attributes
    ----------
    subproblems : int
        Subproblems opened; trees weighed, by the engine over leaf sets.
    memo_entries, memo_hits : int
        Row sets remembered, and lookups that found one; leaves remembered, and trees
        met again.
    first_scans : int
        Nodes, or leaves, whose single splits were all counted.
    pair_rows : int
        First splits whose second splits were all counted.
    seconds : float
        Time spent in the engine.
    work : int
        Words of memory looked at, roughly: the same on every machine for the same
        search, where `seconds` are not. 0 for the engine over leaf sets.
    peak_memory : int
        Most bytes held by the engine at one time, the prepared rows included.
    n_groups : int
        Distinct rows of features.
    n_columns, n_thresholds : int
        Columns that can split the rows, and their thresholds.
    instruction_set : str
        The kernels the processor was given.

    Examples
    --------
    >>> import ostrya
    >>> taken = ostrya.solve([[0], [1], [2]], [0, 1, 1], leaf_penalty=0.01).statistics
    >>> taken.n_groups, taken.n_columns, taken.n_thresholds
    (3, 1, 2)
    """

    subproblems: int
    memo_entries: int
    memo_hits: int
    first_scans: int
    pair_rows: int
    seconds: float
    peak_memory: int
    n_groups: int
    n_columns: int
    n_thresholds: int
    instruction_set: str
    work: int = 0

    def __add__(self, other: Statistics) -> Statistics:
        """Return what two searches took together.

        Work and time are added up; of what is held at one time, entries and bytes, the
        larger counts; what describes the rows is as in the first.
        """
        return replace(
            self,
            subproblems=self.subproblems + other.subproblems,
            memo_hits=self.memo_hits + other.memo_hits,
            first_scans=self.first_scans + other.first_scans,
            pair_rows=self.pair_rows + other.pair_rows,
            seconds=self.seconds + other.seconds,
            work=self.work + other.work,
            memo_entries=max(self.memo_entries, other.memo_entries),
            peak_memory=max(self.peak_memory, other.peak_memory),
        )


@dataclass(frozen=True)
class Outcome:
    """A tree and what was proved of it.

    Attributes
    ----------
    tree : Tree
        The best tree found.
    objective : float
        Loss plus ``leaf_penalty`` per leaf, recounted from the tree with the weights,
        costs and penalty that were given.
    loss : float
        Weighted mean cost of the predictions on the training rows, or what it
        loses by the objective chosen.
    n_leaves : int
        Leaves of the tree.
    lower_bound : float
        No tree within the limits has an objective below this. Where `top_k` was given,
        and the status is not "optimal", it speaks of the trees that it lets in.
    gap : float
        ``objective - lower_bound``: no tree is better by more; exactly 0 if the status
        is "optimal".
    status : str
        "optimal": proved. "optimal_in_top_k": proved among the trees that `top_k`
        lets in; others may be better. "optimal_to_depth": proved among the trees of
        depth ``proved_depth`` or less, as ``max_depth="auto"`` asks for; a deeper tree
        may be better, by ``gap`` at most. "optimal_to_rounding": the search is
        complete, but weights or costs have too many digits for its integers; another
        tree may be better by ``gap`` at most, which is usually less than 1e-12.
        "time_limit", "memory_limit", "interrupted":
        the search stopped there. "guessed": closed under lower bounds guessed from
        ``reference_labels``; the tree is within ``gap`` of the optimum.
        "upper_bound": proved that no tree beats the given ``upper_bound``, with
        ``reference_labels`` too.
    proved_depth : int or None
        No tree within the limits, and of this depth or less, has a lower objective
        than the tree, or than the ``upper_bound`` given. None: no tree of any depth.
    leaf_penalty : float
        The penalty of each leaf.
    trace : tuple of TracePoint
        How the bounds met, or with reference labels how near they came.
    statistics : Statistics
        What the search took.

    Examples
    --------
    >>> import ostrya
    >>> outcome = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01)
    >>> outcome.status, outcome.gap, outcome.n_leaves
    ('optimal', 0.0, 2)
    """

    tree: Tree
    objective: float
    loss: float
    n_leaves: int
    lower_bound: float
    gap: float
    status: Status
    leaf_penalty: float
    trace: tuple[TracePoint, ...]
    statistics: Statistics
    proved_depth: int | None = 0

    @property
    def is_optimal(self) -> bool:
        """True when the tree is proved to be of least objective."""
        return self.status == "optimal"


def over_some_thresholds(outcome: Outcome) -> Outcome:
    """Return what is left of an outcome where a table has other thresholds as well.

    Over those nothing was proved, so that no tree is optimal.
    """
    if outcome.status in ("optimal", "optimal_to_depth", "optimal_to_rounding"):
        return replace(outcome, status="guessed")
    return outcome
