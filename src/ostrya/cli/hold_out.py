"""Which rows are held out of the training: a share of them, or fold by fold.

Rows are drawn by a fixed seed, evenly from all labels. One row of each label always
trains, so that every tree knows every label.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ostrya.cli.messages import RefusalError

SEED = 0


def held_out_rows(labels: npt.NDArray[np.intp], share: float) -> npt.NDArray[np.bool_]:
    """Return True for the rows of a share to hold out, or refuse.

    Parameters
    ----------
    labels : ndarray of int
        The code of each row's label.
    share : float
        Above 0 and below 1.

    Examples
    --------
    >>> held_out_rows(np.array([0, 0, 0, 0, 1, 1, 1, 1]), 0.5).reshape(2, 4).sum(axis=1)
    array([2, 2])
    """
    if not 0 < share < 1:
        raise RefusalError(
            f"--hold-out {share:g}: a share of the rows lies between 0 and 1, such as "
            "0.2"
        )
    order, is_first = _by_label(labels)
    free = order[~is_first]
    wanted = round(share * len(labels))
    if not 0 < wanted <= len(free):
        raise RefusalError(
            f"--hold-out {share:g} of {len(labels):,} rows: it must hold out at least "
            f"one, and at most {len(free):,}, so that every label has a row to learn "
            "from"
        )
    # At equal distances through rows in the order of their labels.
    places = ((np.arange(wanted) + 0.5) * len(free) / wanted).astype(np.intp)
    is_held_out = np.zeros(len(labels), dtype=bool)
    is_held_out[free[places]] = True
    return is_held_out


def folds_of_rows(labels: npt.NDArray[np.intp], n_folds: int) -> npt.NDArray[np.intp]:
    """Return the fold in which each row is held out, -1 for never; or refuse.

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
            f"--cv {n_folds}: there are {len(dealt):,} rows to hold out, so at most as "
            "many folds"
        )
    fold = np.full(len(labels), -1, dtype=np.intp)
    # Dealt like cards: rows of a label are in different folds as long as there are any.
    fold[dealt] = np.arange(len(dealt)) % n_folds
    return fold


def _by_label(
    labels: npt.NDArray[np.intp],
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """Return rows by label, in chance order within, and which come first in theirs."""
    chance = np.random.default_rng(SEED).permutation(len(labels))
    order = chance[np.argsort(labels[chance], kind="stable")]
    is_first = np.diff(labels[order], prepend=-1) > 0
    return order, is_first
