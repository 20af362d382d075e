"""Compute a depth at which a single tree is as expressive as an ensemble."""

from __future__ import annotations

import math

from ostrya._arguments import check_count, picture


def depth_guess(n_estimators: int, base_depth: int) -> int:
    """Return a depth at which single trees are as expressive as an ensemble.

    Weighted sums of K trees from a class of VC dimension V have a VC dimension of at
    most ``m (3 ln m + 2)`` with ``m = K V + K``, and trees of depth d shatter ``2^d``
    rows. The result is the smallest depth that certainly matches the ensemble [1]_. It
    is an upper limit: good trees often need a much smaller depth.

    Parameters
    ----------
    n_estimators : int
        Number of trees K in the ensemble, at least 1. The theorem requires at least 3
        trees; smaller numbers are treated as 3.
    base_depth : int
        Depth of each tree, at least 1. V is ``2^base_depth``, or 3 for depth 1.

    Returns
    -------
    int
        The depth.

    References
    ----------
    .. [1] H. McTavish, C. Zhong et al., "Fast sparse decision tree optimization via
       reference ensembles", AAAI 2022, Thm. 4.2.

    Examples
    --------
    >>> from ostrya.guesses import depth_guess
    >>> depth_guess(10, 3), depth_guess(100, 3)
    (11, 15)
    """
    trees = max(check_count("n_estimators", n_estimators), 3)
    depth = check_count("base_depth", base_depth)
    if depth > 1000:
        raise ValueError(f"base_depth must be at most 1000; got {picture(depth)}")
    combined = trees * max(2**depth, 3) + trees
    # Two logarithms, because the product may overflow a float.
    return math.ceil(math.log2(combined) + math.log2(3 * math.log(combined) + 2))
