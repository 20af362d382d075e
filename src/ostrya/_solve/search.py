"""What a search is given, what it reports while it runs, and what it returns.

Costs are integers on the grid of `ostrya._solve.grid`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._ctrl_c import CtrlC
from ostrya._solve.checkpoint import Checkpoint
from ostrya._solve.limits import Limits
from ostrya._solve.ranked_splits import RankedSplits
from ostrya._solve.ranking import Ranking
from ostrya._solve.root_part import RootPart, SplitTable
from ostrya._tree_shape import TreeShape
from ostrya.bounds import Bounds, LeafSetBounds
from ostrya.results.outcome import FrontierStatus, Statistics, Status


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchOptions:
    """What a search is given besides the training data."""

    limits: Limits  # what is left of them when the search begins
    n_jobs: int = 1  # threads that the search may use
    effort: int | None = None  # nanoseconds after which small depths will do
    max_work: int | None = None  # work after which it ends with what it has
    upper: int | None = None  # only trees cheaper than this are wanted
    reference: npt.NDArray[np.int32] | None = None  # class codes to guess bounds from
    bounds: Bounds | LeafSetBounds  # the switches of the engine
    top_k: RankedSplits | None = None  # which splits may compete; None: all
    ranking: Ranking | None = None  # of the rows, where several searches share it
    checkpoint: Checkpoint | None = None  # resumed from, and written to
    hand_over: float | None = None  # seconds until others take over
    part: RootPart | None = None  # splits that others leave to it; None: all
    optimum: int | None = None  # proved by all parts: only the tree is chosen
    policy: str = "curiosity"  # the order of leaf sets, for the engine over them
    ctrl_c: CtrlC = field(default_factory=CtrlC)  # ends the search when pressed


class SearchPoint(NamedTuple):
    """The state of a search at one moment."""

    seconds: float  # since the search began
    lower: int
    upper: int
    subproblems: int
    memory: int
    n_leaves: int  # of the best tree so far
    proved_depth: int = 0  # no tree of this depth is better
    next_depth_lower: int = 0  # no tree one level deeper costs less
    work: int = 0  # counted so far


#: Called while a search runs; True stops it.
Report = Callable[[SearchPoint], bool]


@dataclass(frozen=True, eq=False)
class SearchResult:
    """A tree, and what was proved of it."""

    shape: TreeShape
    lower: int
    upper: int
    status: Status
    trace: tuple[SearchPoint, ...]
    statistics: Statistics
    proved_depth: int = 0  # where it is open: no tree of this depth is better
    splits: SplitTable | None = None  # of the root, where others go on


class SizeBracket(NamedTuple):
    """The best tree known of at most so many leaves, and what was proved of it."""

    shape: TreeShape
    lower: int
    upper: int


@dataclass(frozen=True, eq=False)
class FrontierResult:
    """What was proved of every number of leaves, from 1 on."""

    sizes: tuple[SizeBracket, ...]  # what the last says holds for all that follow
    status: FrontierStatus  # "optimal" where every size is solved
    statistics: Statistics
