"""Top-k: the trees between the greedy one and the optimal one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

CRITERIA = ("entropy", "gini", "sqrt")
CANDIDATES = ("splits", "features")

Width = int | float | Literal["all"]


@dataclass(frozen=True, kw_only=True)
class TopK:
    """Let each node use only its k best splits by impurity.

    The search inside is exact: no tree whose every split is among the k best of the
    node it splits has a lower objective [1]_. ``k=1`` is the greedy tree, pruned
    of the splits that do not pay for their leaves; ``k="all"`` is the optimum, where
    splits compete (``candidates="splits"``). Where features do, even all of them bring
    only three thresholds each, and the optimum may need another.

    Attributes
    ----------
    k : int, float, "all", or a list of these, default=8
        How many splits a node may choose from. A float in (0, 1] is a share of all
        splits of the training rows (of the features, where these compete), rounded
        up. A list gives k for the root, its children, and so on; the last one holds
        further down; a range or an array of one dimension is as good. More than there
        are is all of them.
    criterion : str, default="entropy"
        The impurity G of class shares p; a side weighs what its rows weigh.
        "entropy": ``sum(-p log2 p)``. "gini": ``sum(p (1 - p))``.
        "sqrt": ``sum(sqrt(p (1 - p)))``, for two classes the ``2 sqrt(p (1 - p))`` of
        Kearns and Mansour.
    candidates : str, default="splits"
        "splits": the k best splits compete, as in the paper. "features": the k best
        features do, each with its best threshold and the next one on either side.
        With many-valued columns the best splits are often neighbours of one
        threshold; features then give more choice for the same k.

    Notes
    -----
    A split has rows on both sides, and `min_samples_leaf` of them. Impurities are
    rounded to multiples of 2**-32; of equal ones the lower column goes first, then
    the lower threshold. Different columns compete even where they part the rows of a
    node alike. The order of the rows plays no part.

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
    ...     top_k = ostrya.TopK(k=k)
    ...     outcome = ostrya.solve(X, y, leaf_penalty=0, max_depth=2, top_k=top_k)
    ...     print(outcome.loss)
    0.16666666666666666
    0.0
    """

    k: Width | Sequence[Width] = 8
    criterion: str = "entropy"
    candidates: str = "splits"
