"""SetViews: what a Rashomon set prints, its report, and data for other viewers."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ostrya._arguments import check_number
from ostrya._solve.training_data import TrainingData
from ostrya._whole_file import write_whole
from ostrya.estimators.set_report import (
    check_rows_and_labels,
    places_to_list,
    set_report,
)
from ostrya.estimators.set_words import set_headline
from ostrya.export import export_text
from ostrya.export.timbertrek import timbertrek
from ostrya.results.rashomon import ObjectiveCount

# Pages and files with more trees would be too large to open.
MOST_LISTED = 100_000


class SetViews:
    """What `RashomonSet` shows of its trees."""

    n_trees_: int
    classes_: npt.NDArray[Any]
    _data: TrainingData

    if TYPE_CHECKING:  # of RashomonSet
        objective: Callable[[int], float]
        objective_counts: Callable[[], list[ObjectiveCount]]

        def __getitem__(self, index: Any) -> Any: ...

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        *,
        title: str | None = None,
        max_trees: int = 1000,
    ) -> None:
        """Write a self-contained HTML page on which to choose among the trees.

        The page groups trees by their first questions, filters them by size, objective
        and features, draws each of them, and shows which features all trees use and on
        which rows they disagree. It loads no external resources and supports phones,
        dark mode, printing and screen readers. It contains some rows of the table.

        Parameters
        ----------
        path : str or path
            The file to write; an existing file is replaced.
        X : array-like of shape (n_samples, n_features), or a dataframe, default=None
            Rows on which the trees vote. None: the training rows. Of many rows, up to
            2,000 are asked, as many as take about ten seconds.
        y : array-like of shape (n_samples,), default=None
            Labels to show next to these rows.
        title : str, default=None
            Title of the page. None: the number of trees.
        max_trees : int, default=1000
            Most trees to list, up to 100,000. A larger set is represented by the best
            trees of each number of leaves; counts and shares always refer to the whole
            set.

        Raises
        ------
        ValueError
            If the set is empty, or `y` does not have one label per row.
        """
        self._check_listable(max_trees)
        check_rows_and_labels(X, y)
        write_whole(path, set_report(self, X, y, title, max_trees).encode())

    def to_timbertrek(
        self, path: str | os.PathLike[str] | None = None, *, max_trees: int = 1000
    ) -> dict[str, Any]:
        """Return the trees as data for TimberTrek, a viewer of Rashomon sets.

        TimberTrek shows trees of yes/no questions about two classes. It counts the
        last class of ``classes_`` as positive.

        Parameters
        ----------
        path : str or path, default=None
            A JSON file to write, which TimberTrek opens with "My own set".
        max_trees : int, default=1000
            Most trees to include, up to 100,000: the best ones of each number of
            leaves.

        Returns
        -------
        dict
            The ``"trie"`` of decision paths, ``"featureMap"`` and ``"treeMap"``; for
            ``timbertrek.visualize``.

        Raises
        ------
        ValueError
            If there are more than two classes, or the set has no tree with a question.

        Examples
        --------
        >>> from ostrya import RashomonSet
        >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
        >>> y = [0, 0, 1, 1, 1, 0]
        >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, y)
        >>> data = trees.to_timbertrek(max_trees=1)
        >>> data["featureMap"]
        {0: ['x1', '<= 0.5', 'x1 <= 0.5']}
        >>> data["treeMap"][1][0]["c"]
        [{'f': ['-', 3, 3]}, {'f': ['+', 3, 3]}]
        """
        self._check_listable(max_trees)
        places = places_to_list(self.objective_counts(), int(max_trees))
        content = timbertrek(
            [self[place] for place in places],
            [self.objective(place) for place in places],
        )
        if path is not None:
            write_whole(path, json.dumps(content, allow_nan=False).encode())
        return content

    def __str__(self) -> str:
        # Pipelines, grids and logs use repr, so that stays the constructor call.
        if not hasattr(self, "n_trees_"):
            return repr(self)
        best = f"\n\nThe best tree:\n{export_text(self[0])}" if self.n_trees_ else ""
        return f"{set_headline(self)}{best}"

    def _check_listable(self, max_trees: Any) -> None:
        """Raise if no trees can be listed."""
        check_is_fitted(self, "n_trees_")
        check_number(
            "max_trees",
            max_trees,
            f"an integer from 1 to {MOST_LISTED}",
            lambda n: n == int(n) and 1 <= n <= MOST_LISTED,
        )
        if not self.n_trees_:
            raise ValueError(
                "the set contains no trees to show. Increase epsilon, max_objective "
                "or the limit that stopped the fit"
            )

    def _training_labels(self) -> npt.NDArray[Any]:
        labels: npt.NDArray[Any] = self.classes_[self._data.codes]
        return labels
