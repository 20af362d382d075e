"""Outcome: the result of `ostrya.solve`, and its progress and statistics."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

from ostrya.results.certificate import Certificate
from ostrya.tree import Tree

Status = Literal[
    "optimal",
    "optimal_in_top_k",
    "optimal_to_depth",
    "optimal_to_rounding",
    "time_limit",
    "memory_limit",
    "interrupted",
    "guessed_bounds",
    "optimal_in_guessed_thresholds",
    "optimal_in_selected_thresholds",
    "upper_bound",
]
FrontierStatus = Literal[
    "optimal",
    "optimal_to_rounding",
    "work_limit",
    "time_limit",
    "memory_limit",
    "interrupted",
    "optimal_in_selected_thresholds",
]
#: Proved over some of the thresholds only: those that a reference model or the
#: reduction of a lazy table has chosen.
OverSomeThresholds = Literal[
    "optimal_in_guessed_thresholds", "optimal_in_selected_thresholds"
]
RESTRICTED = ("guessed_bounds", *get_args(OverSomeThresholds))


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
        The proved lower bound and the best objective so far. With reference labels, the
        best tree has at most this objective. Both are rounded to the integers of the
        search; if weights or costs have many digits, they can differ slightly from
        those of the outcome.
    subproblems : int
        Number of subproblems so far.
    memory : int
        Memory of the search, in bytes.
    proved_depth : int
        No tree of this depth or less has a lower objective than the best one so far, or
        than ``upper_bound``.
    next_depth_bound : float
        A lower bound on the objective of trees of depth ``proved_depth + 1`` or less.
        It is at least `lower_bound` and at most `objective`.
    work : int
        Approximate number of words of memory read so far, as in `Statistics`.

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
    """The state of a search, as ``on_progress`` receives it.

    Attributes
    ----------
    seconds : float
        Time since the call began.
    lower_bound, objective : float
        As in `TracePoint`; -inf and inf until there is a tree.
    subproblems : int
        Number of subproblems so far.
    memory : int
        Memory of the search, in bytes.
    n_leaves : int
        Number of leaves of the best tree; 0 until there is one.
    phase : str
        "preparing": the table is read and encoded. "guessing": reference models are
        fitted. "searching": the search is running and there is a tree.
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
    """Effort of a search.

    Attributes
    ----------
    subproblems : int
        Number of subproblems; for the engine over leaf sets, number of trees evaluated.
    memo_entries, memo_hits : int
        Number of stored row sets, and of lookups that found one; for the engine over
        leaf sets, number of stored leaves, and of trees that were reached again.
    first_scans : int
        Number of nodes, or leaves, whose splits were all evaluated.
    pair_rows : int
        Number of first splits whose second splits were all evaluated.
    seconds : float
        Time in the engine.
    work : int
        Approximate number of words of memory read. Unlike `seconds`, it is the same on
        every machine. 0 for the engine over leaf sets.
    peak_memory : int
        Maximum memory of the engine, in bytes, including the prepared rows.
    n_groups : int
        Number of distinct rows.
    n_columns, n_thresholds : int
        Number of columns that can split the rows, and of their thresholds.
    instruction_set : str
        The vector instructions that were used.

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
    """The result of `ostrya.solve`: a tree, and what was proved about it.

    Attributes
    ----------
    tree : Tree
        The best tree found.
    objective : float
        Loss plus ``leaf_penalty`` per leaf, computed again from the tree with the
        weights, costs and penalty that were passed.
    loss : float
        Weighted mean cost of the predictions on the training rows, or the loss that the
        objective defines.
    n_leaves : int
        Number of leaves of the tree.
    lower_bound : float
        No tree within the limits has an objective below this. With `top_k`, and unless
        the status is "optimal", this refers to trees over the k best splits.
    gap : float
        ``objective - lower_bound``: no tree is better by more; exactly 0 if the status
        is "optimal".
    status : str
        What was proved. "optimal": no tree within the limits has a lower objective.
        "optimal_in_top_k": no tree over the k best splits of each node has.
        "optimal_to_depth", with ``max_depth="auto"``: no tree of depth ``proved_depth``
        or less has, and no deeper tree is better by more than ``gap``.
        "optimal_to_rounding": the search is complete, but weights or costs have too
        many digits for exact integers; no tree is better by more than ``gap``, usually
        less than 1e-12. "time_limit", "memory_limit", "interrupted": the search was
        stopped. "guessed_bounds": the search finished under lower bounds guessed from
        ``reference_labels``; no tree is better by more than ``gap``. "upper_bound": no
        tree is better than the ``upper_bound`` that was passed. Classifiers have two
        more, for searches of some thresholds only; see `OptimalTreeClassifier`.
    proved_depth : int or None
        No tree within the limits and of this depth or less has a lower objective than
        the tree, or than ``upper_bound``. None: no tree of any depth.
    leaf_penalty : float
        Penalty per leaf that was used.
    trace : tuple of TracePoint
        Lower bound and best objective over time.
    statistics : Statistics
        Effort of the search.
    certificate : Certificate or None
        The proof of the lower bound for other programs, if ``certify=True``. None if
        not, or if a limit ended the writing of it.

    Examples
    --------
    >>> import ostrya
    >>> outcome = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01)
    >>> outcome.status, outcome.gap, outcome.n_leaves
    ('optimal', 0.0, 2)
    >>> print(str(outcome).splitlines()[0])  # print(outcome) also draws the tree
    100.00% of 4 training rows correct with 2 leaves; proved: no tree within these \
limits has a lower objective.
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
    certificate: Certificate | None = None

    @property
    def is_optimal(self) -> bool:
        """True if no tree within the limits has a lower objective."""
        return self.status == "optimal"

    def __str__(self) -> str:
        # Exports know outcomes; an outcome by itself needs none of them.
        from ostrya.export import export_text
        from ostrya.export.caption import headline

        return f"{headline(self)}\n\n{export_text(self.tree)}"


def over_some_thresholds(outcome: Outcome, status: OverSomeThresholds) -> Outcome:
    """Return an outcome whose status claims no more than a search of some thresholds.

    Nothing was proved about trees over other thresholds, so no tree is optimal.
    """
    if outcome.status in ("optimal", "optimal_to_depth", "optimal_to_rounding"):
        return replace(outcome, status=status)
    return outcome
