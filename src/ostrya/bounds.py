"""The switches of the bounds, for research."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Choose which bounds the search may use.

    Switching a bound off changes the time a search takes, never its answer.
    ``docs/explanation/bounds.md`` states and proves each of them.

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
    row_prices : bool, default=True
        Bound every set of rows by prices that no leaf pays more of than it costs.

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
    row_prices: bool = True


@dataclass(frozen=True, kw_only=True)
class LeafSetBounds:
    """Choose which bounds a search over leaf sets may use.

    Switching a bound off changes the time a search takes, never its answer.
    ``docs/explanation/bounds.md`` states and proves each bound and lists the objectives
    for which it holds; for other objectives its switch has no effect.

    Attributes
    ----------
    hierarchical : bool, default=True
        Drop a tree when its fixed leaves alone cost as much as the best tree.
    look_ahead : bool, default=True
        Charge the leaf that the next split adds.
    equivalent_points : bool, default=True
        Charge what rows with equal features and different labels lose in any tree.
    node_support : bool, default=True
        Do not split leaves too light to pay for it.
    incremental_accuracy : bool, default=True
        Drop a tree in which a pair of leaves is no better than their parent.
    leaf_accuracy : bool, default=True
        Skip splits with a child that gets too little right.
    permutation : bool, default=True
        Look at a set of leaves once, whatever the order of its splits.
    leaf_count : bool, default=True
        Drop trees whose leaves alone cost as much as the best tree.
    similar_support : bool, default=True
        Carry bounds between splits that differ in few rows.
    tangent : bool, default=True
        Bound ROC areas by sums over leaves.
    greedy_start : bool, default=True
        Start from a tree grown greedily, as CART does; no bound, but without it the
        search starts cold.

    Examples
    --------
    >>> from ostrya import LeafSetBounds
    >>> LeafSetBounds(permutation=False).permutation
    False
    """

    hierarchical: bool = True
    look_ahead: bool = True
    equivalent_points: bool = True
    node_support: bool = True
    incremental_accuracy: bool = True
    leaf_accuracy: bool = True
    permutation: bool = True
    leaf_count: bool = True
    similar_support: bool = True
    tangent: bool = True
    greedy_start: bool = True
