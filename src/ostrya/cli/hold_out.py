"""Choose the held-out rows: a share of the rows, or the rows of each fold.

Rows are chosen randomly with a fixed seed, stratified by label. At least one row of
each label is used for training, so that every tree knows every label.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ostrya.cli.messages import RefusalError

SEED = 0


def held_out_rows(labels: npt.NDArray[np.intp], share: float) -> npt.NDArray[np.bool_]:
    """Return True for the held-out rows, or raise.

    Parameters
    ----------
    labels : ndarray of int
        The label code of each row.
    share : float
        The share of rows to hold out, greater than 0 and less than 1.

    Examples
    --------
    >>> held_out_rows(np.array([0, 0, 0, 0, 1, 1, 1, 1]), 0.5).reshape(2, 4).sum(axis=1)
    array([2, 2])
    """
    if not 0 < share < 1:
        raise RefusalError(
            "--hold-out must be a share of the rows between 0 and 1, such as 0.2; got "
            f"{share:g}"
        )
    order, is_first = _by_label(labels)
    free = order[~is_first]
    wanted = round(share * len(labels))
    if not 0 < wanted <= len(free):
        raise RefusalError(
            f"--hold-out must leave at least one row and at most {len(free):,} of "
            f"{len(labels):,} rows for scoring, so that every label has a training "
            f"row; got {share:g}"
        )
    # At equal distances in the rows sorted by label, which stratifies them.
    places = ((np.arange(wanted) + 0.5) * len(free) / wanted).astype(np.intp)
    is_held_out = np.zeros(len(labels), dtype=bool)
    is_held_out[free[places]] = True
    return is_held_out


def folds_of_rows(labels: npt.NDArray[np.intp], n_folds: int) -> npt.NDArray[np.intp]:
    """Return the fold in which each row is held out, or -1 for none; or raise.

    Examples
    --------
    >>> sorted(folds_of_rows(np.array([0, 0, 0, 1, 1, 1, 2]), 3).tolist())
    [-1, 0, 0, 1, 1, 2, 2]
    """
    order, _ = _by_label(labels)
    is_lone = np.bincount(labels)[labels] == 1
    dealt = order[~is_lone[order]]
    if n_folds > len(dealt):
        raise RefusalError(
            f"--cv must be at most {len(dealt):,}, the number of rows that can be held "
            f"out; got {n_folds}"
        )
    fold = np.full(len(labels), -1, dtype=np.intp)
    # Assigned in turn, so that the rows of each label are spread over all folds.
    fold[dealt] = np.arange(len(dealt)) % n_folds
    return fold


def _by_label(
    labels: npt.NDArray[np.intp],
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """Return rows sorted by label, shuffled within, and which are first in theirs."""
    chance = np.random.default_rng(SEED).permutation(len(labels))
    order = chance[np.argsort(labels[chance], kind="stable")]
    is_first = np.diff(labels[order], prepend=-1) > 0
    return order, is_first
