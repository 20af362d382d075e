"""Switches for the bounds of both search engines, for research."""

from dataclasses import dataclass

__all__ = ["Bounds", "LeafSetBounds"]


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Bounds that the main search engine uses, for ``solve(bounds=...)``.

    Switching a bound off changes the time of a search, never its result.
    ``docs/explanation/bounds.md`` states and proves each of them.

    Attributes
    ----------
    leaf_count : bool, default=True
        A tree with h leaves costs at least the unavoidable loss plus h penalties.
    leaf_optimal : bool, default=True
        Do not split a node if no two leaves can be better than one.
    support : bool, default=True
        Skip splits with a child whose weight cannot pay for a leaf.
    superset : bool, default=True
        Reuse the bound of a set of rows for its supersets, along each column.
    similar_support : bool, default=True
        Reuse bounds between sets that differ in few rows.
    look_ahead : bool, default=True
        Bound a split by the best splits of its children.
    pairs_close : bool, default=True
        Solve a node from its pairs of splits if no deeper tree can be better.
    depth_transfer : bool, default=True
        Reuse bounds and trees of a set of rows between depth limits.
    dual_prices : bool, default=True
        Bound every set of rows by the dual prices of its rows (B10).

    Examples
    --------
    >>> from ostrya.bounds import Bounds
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
    dual_prices: bool = True


@dataclass(frozen=True, kw_only=True)
class LeafSetBounds:
    """Bounds that the search over leaf sets uses, for ``solve(engine="leaf_sets")``.

    Switching a bound off changes the time of a search, never its result.
    ``docs/explanation/bounds.md`` states and proves each bound and lists the objectives
    for which it holds; for other objectives its switch has no effect.

    Attributes
    ----------
    hierarchical : bool, default=True
        Discard a tree if its fixed leaves alone cost as much as the best tree.
    look_ahead : bool, default=True
        Include the penalty of the leaf that the next split adds.
    equivalent_points : bool, default=True
        Include the loss of rows with equal features and different labels.
    node_support : bool, default=True
        Do not split leaves whose weight cannot pay for another leaf.
    incremental_accuracy : bool, default=True
        Discard a tree in which two leaves are no better than their parent.
    leaf_accuracy : bool, default=True
        Skip splits with a child that classifies too few rows correctly.
    permutation : bool, default=True
        Visit a set of leaves once, whatever the order of its splits.
    leaf_count : bool, default=True
        Discard trees whose leaves alone cost as much as the best tree.
    similar_support : bool, default=True
        Reuse bounds between splits that differ in few rows.
    tangent : bool, default=True
        Bound ROC areas by sums over leaves.
    greedy_start : bool, default=True
        Start with a greedy tree, as CART grows it. Not a bound, but without it the
        search starts without an incumbent.

    Examples
    --------
    >>> from ostrya.bounds import LeafSetBounds
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


def __dir__() -> list[str]:
    return __all__
