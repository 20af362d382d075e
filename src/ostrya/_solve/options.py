"""The table of options: name, default, range, and one line of help for each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Option:
    """One numeric option of a search.

    ``least`` is allowed unless ``least_is_excluded``. None is allowed if ``none_means``
    is set, and "auto" if ``auto_means`` is set.
    """

    name: str
    kind: type[int] | type[float]
    default: float | str | None
    help: str
    least: int | None = None
    least_is_excluded: bool = False
    none_means: str | None = None
    auto_means: str | None = None

    @property
    def allowed(self) -> str:
        """The range in words.

        Examples
        --------
        >>> OPTIONS["max_depth"].allowed
        'an integer >= 0, "auto" (about 1 to 5 seconds of work), or None (no limit)'
        """
        words = "an integer" if self.kind is int else "a finite number"
        if self.least is not None:
            words += f" {'>' if self.least_is_excluded else '>='} {self.least:d}"
        if self.auto_means is not None:
            link = ", or" if self.none_means is None else ","
            words += f'{link} "auto" ({self.auto_means})'
        if self.none_means is not None:
            words += f", or None ({self.none_means})"
        return words


MEBIBYTE = 2**20

# A leaf must correct at least this share of the rows, and at least this many rows.
# With the share alone a leaf of a small table needs to correct one or two rows only,
# and most such leaves fit noise. docs/leaf-penalty.md has the evidence.
LEAST_SHARE = 0.01
LEAST_ROWS = 3

OPTIONS = {
    option.name: option
    for option in (
        Option(
            "leaf_penalty",
            float,
            "auto",
            "penalty for each leaf, in units of the loss",
            least=0,
            auto_means="max(0.01, 3 / rows)",
        ),
        Option(
            "max_depth",
            int,
            None,
            "maximum depth of the tree; a single leaf has depth 0",
            least=0,
            none_means="no limit",
            auto_means="about 1 to 5 seconds of work",
        ),
        Option(
            "max_leaf_nodes",
            int,
            None,
            "maximum number of leaves",
            least=1,
            none_means="no limit",
        ),
        Option(
            "min_samples_leaf",
            int,
            1,
            "minimum number of training rows in a leaf, ignoring weights",
            least=1,
        ),
        Option(
            "time_limit",
            float,
            None,
            "maximum time in seconds; the best tree found so far is returned",
            least=0,
            least_is_excluded=True,
            none_means="no limit",
        ),
        Option(
            "memory_limit",
            int,
            None,
            "maximum memory of the process in bytes, at least 32 MiB",
            least=32 * MEBIBYTE,
            none_means="half of the machine's memory",
        ),
        Option(
            "upper_bound",
            float,
            None,
            "search only for trees with an objective strictly below this",
            none_means="no bound",
        ),
    )
}


def auto_penalty(
    n_rows: int, sample_weight: npt.NDArray[np.float64] | None = None
) -> float:
    """Return the leaf penalty for "auto".

    Parameters
    ----------
    n_rows : int
        Number of training rows, without those of weight 0.
    sample_weight : ndarray, default=None
        The weights passed to ``fit``, without the factors of classes. A row of weight
        2 counts as two rows, so that weights and repeated rows give the same penalty;
        but weights that add up to less than `n_rows`, such as shares, do not make
        the table smaller.

    Examples
    --------
    >>> auto_penalty(1000), auto_penalty(150)
    (0.01, 0.02)
    >>> auto_penalty(2, np.array([100.0, 50.0])), auto_penalty(150, np.ones(150) / 150)
    (0.02, 0.02)
    """
    n: float = n_rows
    if sample_weight is not None and n_rows * LEAST_SHARE < LEAST_ROWS:
        # Rounded once, so that the order of the rows does not matter.
        n = max(n, math.fsum(sample_weight.tolist()))
    return max(LEAST_SHARE, LEAST_ROWS / n)
