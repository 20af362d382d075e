"""The switches of the bounds, for research."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Choose which bounds the search may use.

    Switching a bound off changes the time a search takes, never its answer.
    ``docs/bounds.md`` states and proves each of them.

    Attributes
    ----------
    leaf_count : bool, default=True
        A tree with h leaves costs at least the unavoidable loss plus h penalties.
    leaf_optimal : bool, default=True
        Stop where no two leaves can beat one.
    support : bool, default=True
        Skip splits with a child too light to earn its penalty.
    superset : bool, default=True
        Carry bounds from a set of rows to its supersets, along each column.
    similar_support : bool, default=True
        Carry bounds between sets that differ in few rows.
    look_ahead : bool, default=True
        Bound a split by the best splits of its children.
    pairs_close : bool, default=True
        Solve a node from its pairs of splits alone where no deeper tree can win.
    depth_transfer : bool, default=True
        Carry bounds and trees of a row set between depth limits.

    Examples
    --------
    >>> from ostrya import Bounds
    >>> Bounds(look_ahead=False).look_ahead
    False
    """

    leaf_count: bool = True
    leaf_optimal: bool = True
    support: bool = True
    superset: bool = True
    similar_support: bool = True
    look_ahead: bool = True
    pairs_close: bool = True
    depth_transfer: bool = True
