"""TopKSplits: the restriction of a search to the k best splits of each node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

__all__ = ["TopKSplits"]

CRITERIA = ("entropy", "gini", "sqrt")
CANDIDATES = ("splits", "features")

Width = int | float | Literal["all"]


@dataclass(frozen=True, kw_only=True)
class TopKSplits:
    """Restrict each node to its k best splits by impurity, for ``solve(top_k=...)``.

    The search is exact within this restriction: no tree whose splits are all among the
    k best of their nodes has a lower objective [1]_. ``k=1`` is the greedy tree, pruned
    of splits that do not lower the objective. ``k="all"`` is the optimal tree if splits
    compete; if features compete, even all of them provide only three thresholds each.

    Attributes
    ----------
    k : int, float, "all", or a list of these, default=8
        Number of candidates of each node. A float in (0, 1] is a fraction of all splits
        of the training rows (of the features, if these compete), rounded up. A list
        gives k for the root, its children, and so on; its last entry also applies to
        deeper levels. Increase k for lower training loss at a higher cost.
    criterion : {"entropy", "gini", "sqrt"} or callable, default="entropy"
        Impurity of class frequencies p, weighted by the weight of each child.
        "entropy": ``sum(-p log2 p)``. "gini": ``sum(p (1 - p))``. "sqrt": ``sum(sqrt(p
        (1 - p)))``, for two classes the function of Kearns and Mansour. A function
        receives an array of shape (n, n_classes), whose rows are class frequencies, and
        returns n impurities. It must be concave, symmetric in the classes, and 0 for a
        single class (Def. 2 of [1]_); this is checked before the search. A function is
        slower than a word.
    candidates : {"splits", "features"}, default="splits"
        "splits": the k best splits compete, as in the paper. "features": the k best
        features compete, each with its best threshold and one neighbour on either side.
        Use "features" if most columns have many values, because their best splits are
        often neighbouring thresholds of one feature.

    Notes
    -----
    A split has rows on both sides, and at least `min_samples_leaf` of them. Impurities
    are rounded to multiples of 2**-32; ties go to the column that comes first, then to
    the lower threshold. Different columns compete even if they divide the rows of a
    node in the same way. The order of the rows does not matter.

    References
    ----------
    .. [1] G. Blanc, J. Lange, C. Pabbaraju, C. Sullivan, L.-Y. Tan and M. Tiwari,
       "Harnessing the power of choices in decision tree learning", NeurIPS 2023,
       Lemma 3.2.

    Examples
    --------
    >>> import ostrya
    >>> X = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0], [1, 0, 1]]
    >>> y = [0, 1, 1, 0, 1, 1]
    >>> for k in (1, 2):
    ...     top_k = ostrya.top_k.TopKSplits(k=k)
    ...     outcome = ostrya.solve(X, y, leaf_penalty=0, max_depth=2, top_k=top_k)
    ...     print(outcome.loss)
    0.16666666666666666
    0.0

    An impurity of your own, here the share of rows that the majority misclassifies:

    >>> top_k = ostrya.top_k.TopKSplits(k=2, criterion=lambda p: 1 - p.max(axis=1))
    >>> ostrya.solve(X, y, leaf_penalty=0, max_depth=2, top_k=top_k).loss
    0.0
    """

    k: Width | Sequence[Width] = 8
    criterion: str | Callable[[npt.NDArray[np.float64]], npt.ArrayLike] = "entropy"
    candidates: str = "splits"


def __dir__() -> list[str]:
    return __all__
