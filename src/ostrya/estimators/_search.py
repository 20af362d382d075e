"""What the estimators that search for one tree share: rows in, report out."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import CodedMatrix, Matrix
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.objective_validation import check_objective
from ostrya._solve.objective_weights import (
    is_sum,
    objective_factors,
    require_two,
)
from ostrya._solve.settings import check_settings
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import (
    check_codes,
    check_leaf_penalty,
    check_option,
    check_rows,
)
from ostrya._solver import find_tree
from ostrya._weights import (
    check_cost_matrix,
    check_smoothing,
    multiply_weights,
    require_few_classes,
)
from ostrya.estimators._base import TreeClassifier
from ostrya.estimators.all_rows import count_all_rows
from ostrya.estimators.class_weights import class_factors
from ostrya.estimators.importances import importances
from ostrya.estimators.reading import ONCE, Readings, TableReader
from ostrya.estimators.row_numbers import hint_at_row_numbers
from ostrya.estimators.single_leaf import hint_at_single_leaf
from ostrya.estimators.words import in_words, with_short_thresholds
from ostrya.exceptions import OptimalityWarning
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.checks import feature_names
from ostrya.preprocessing.column import Check
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints
from ostrya.preprocessing.labels import classes_of
from ostrya.preprocessing.table import take_rows
from ostrya.preprocessing.training_table import (
    TrainingTable,
    WholeTable,
    check_training,
)
from ostrya.preprocessing.typical import with_typical_values
from ostrya.results.outcome import Outcome, Phase
from ostrya.tree import Tree

# What can stop a search before its proof is complete, and the remedy.
STOPS = {
    "time_limit": "a longer time_limit",
    "memory_limit": "a larger memory_limit",
    "interrupted": "let the search finish",
}


#: What limits trees, and is checked before a table is read.
OPTIONS_OF_TREES = (
    *("leaf_penalty", "max_depth", "max_leaf_nodes", "min_samples_leaf"),
    "memory_limit",
)


class SearchedTreeClassifier(TreeClassifier):
    """A classifier whose tree is found by searches of `ostrya.solve`."""

    leaf_penalty: float | Literal["auto"]
    max_depth: Any
    max_leaf_nodes: int | None
    min_samples_leaf: int
    memory_limit: int | None
    objective: Any
    class_weight: Any
    cost_matrix: npt.ArrayLike | None
    smoothing: float
    _sought = (
        "the optimal objective"  # what the bounds of an unfinished search are about
    )

    def _read(
        self, X: Any, y: Any, sample_weight: Any, monitor: FitMonitor
    ) -> TrainingTable:
        """Check the training table and encode it; sets ``classes_`` and ``encoder_``.

        Rows of weight 0 are left out.
        """
        monitor.report("preparing")
        self._check_options()
        checked = check_training(self, X, y, sample_weight)
        return self._read_checked(*checked, monitor)

    def _read_checked(
        self,
        X: Any,
        labels: npt.NDArray[Any],
        weights: npt.NDArray[np.float64] | None,
        monitor: FitMonitor,
        readings: Readings = ONCE,
    ) -> TrainingTable:
        """Encode a checked table, or a sample of its rows if limits are tight.

        Sets ``classes_`` and ``encoder_``.
        """
        memory_limit = check_option("memory_limit", self.memory_limit)
        given = weights
        codes, weights, costs = self._labelled(labels, weights)
        classes = ClassWeights(codes, weights)
        names = feature_names(self)
        found = TableReader(X, names, classes, monitor, memory_limit, readings).read()
        found.hints.warn()
        self.encoder_ = found.encoder
        whole = None
        if found.rows is not None:
            assert found.limit is not None
            whole = WholeTable(X, codes, weights, given, found.rows, found.limit)
            X, classes = take_rows(X, found.rows), classes.of_rows(found.rows)
            given = None if given is None else given[found.rows]
        return TrainingTable(
            raw=X,
            encoder=found.encoder,
            matrix=found.matrix,
            classes=self.classes_,
            codes=classes.codes,
            weights=classes.weights,
            sample_weights=given,
            costs=costs,
            names=names,
            whole=whole,
        )

    def _check_options(self) -> None:
        """Raise if an option is invalid for every table."""
        for name in OPTIONS_OF_TREES:
            check_option(name, getattr(self, name))

    def _labelled(
        self, labels: npt.NDArray[Any], weights: npt.NDArray[np.float64] | None
    ) -> tuple[
        npt.NDArray[np.intp],
        npt.NDArray[np.float64] | None,
        npt.NDArray[np.float64] | None,
    ]:
        """Return class codes, weights in the loss and costs; sets ``classes_``."""
        self.classes_, codes = classes_of(labels)
        require_few_classes("y", len(self.classes_))
        costs = check_cost_matrix(self.cost_matrix, len(self.classes_))
        check_smoothing(self.smoothing)
        return codes, self._row_weights(codes, weights), costs

    def _encode(
        self,
        X: Any,
        labels: npt.NDArray[Any],
        weights: npt.NDArray[np.float64] | None,
        report: Callable[[Phase], bool],
        hints: TableHints | None = None,
        check: Check = bool,
    ) -> TrainingTable:
        """Encode a checked table; sets ``classes_`` and ``encoder_``.

        What the owner of the table may not expect is noted in `hints`. None: warn.
        """
        report("preparing")
        given = weights
        codes, weights, costs = self._labelled(labels, weights)
        classes = ClassWeights(codes, weights)
        report("preparing")
        noted = TableHints() if hints is None else hints
        self.encoder_, matrix = TableEncoder.read(
            X, feature_names(self), classes, noted, check
        )
        if hints is None:
            noted.warn()
        report("preparing")
        return TrainingTable(
            raw=X,
            encoder=self.encoder_,
            matrix=matrix,
            classes=self.classes_,
            codes=codes,
            weights=weights,
            sample_weights=given,
            costs=costs,
            names=feature_names(self),
        )

    def _row_weights(
        self, codes: npt.NDArray[np.intp], weights: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64] | None:
        """Return what each row weighs in the loss, or None when all weigh one."""
        masses = np.bincount(codes, weights).astype(np.float64)
        known = self.classes_, masses
        factors = objective_factors(self.objective, *known)
        if not is_sum(self.objective):
            require_two(self.objective, self.classes_)
        if factors is not None:
            weights = multiply_weights("objective", weights, factors[codes])
        factors = class_factors(self.class_weight, *known)
        if factors is not None:
            weights = multiply_weights("class_weight", weights, factors[codes])
        return weights

    def _find_tree(
        self,
        table: TrainingTable,
        columns: Matrix | None = None,
        **settings: Any,
    ) -> Outcome:
        """Do what `ostrya.solve` does; weights and costs of the table are checked.

        `columns` are searched in place of the encoded rows; `settings` are further
        arguments of `ostrya.solve`, as the user gave them.
        """
        started = time.perf_counter()
        data = self._training_data(table, columns)
        checked = check_settings(
            data,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            memory_limit=self.memory_limit,
            **settings,
        )
        return find_tree(data, checked, started)

    def _training_data(
        self, table: TrainingTable, columns: Matrix | None = None
    ) -> TrainingData:
        """Return the table, or `columns` in place of its rows, as searches take it."""
        matrix = table.matrix if columns is None else columns
        if not isinstance(matrix, CodedMatrix):
            matrix = check_rows(matrix)
        codes = check_codes(table.codes, len(matrix), None)
        return TrainingData(
            X=matrix,
            codes=codes,
            # Some of the rows, as folds are, may lack the last classes.
            n_classes=int(codes.max()) + 1 if table.costs is None else len(table.costs),
            weights=table.weights,
            costs=table.costs,
            leaf_penalty=check_leaf_penalty(
                self.leaf_penalty, table.n_rows, table.sample_weights
            ),
            counts=table.counts,
        )

    def _keep(
        self,
        outcome: Outcome,
        table: TrainingTable,
        columns: Matrix | None = None,
    ) -> None:
        """Keep the tree found over `columns`, and its proof; warn if there is none."""
        outcome = self._take(outcome, table, columns)
        self._keep_headline()
        if outcome.status in STOPS:
            message = self._unproved(outcome)
            if table.whole is not None:
                message = self._sampled(table)
            warnings.warn(message, OptimalityWarning, stacklevel=3)
        else:
            hint_at_single_leaf(self, table)
        hint_at_row_numbers(self, table)

    def _take(
        self,
        outcome: Outcome,
        table: TrainingTable,
        columns: Matrix | None = None,
    ) -> Outcome:
        """Set the fitted attributes from the tree found over `columns`.

        Return its outcome, which is counted on all rows if the tree was found on a
        sample of them.
        """
        self._take_tree(outcome.tree, table, columns)
        if table.whole is not None:
            outcome = self._count_all_rows(outcome, table)
        self.tree_ = self._with_probabilities(self.tree_)
        asked = self.tree_.feature[self.tree_.feature >= 0]
        self.encoder_ = with_typical_values(
            self.encoder_, asked.tolist(), table.matrix, table.counts
        )
        self.feature_importances_ = self._importances(table.costs)
        self.leaf_penalty_ = outcome.leaf_penalty
        self.objective_, self.loss_ = outcome.objective, outcome.loss
        self.lower_bound_, self.gap_ = outcome.lower_bound, outcome.gap
        self.status_, self.trace_ = outcome.status, outcome.trace
        self.n_leaves_, self.depth_ = outcome.n_leaves, outcome.tree.depth
        self.proved_depth_ = outcome.proved_depth
        self.compression_ = table.compression
        self.result_from_file_ = False
        self.__dict__.pop("certificate_digest_", None)  # it belonged to an earlier tree
        return outcome

    def _with_probabilities(self, tree: Tree) -> Tree:
        """Return the tree with probabilities that satisfy the constraints, if any."""
        return tree

    def _keeps_labels(self) -> bool:
        """Return whether leaves may be labelled against their majority."""
        return False

    def _count_all_rows(self, outcome: Outcome, table: TrainingTable) -> Outcome:
        """Return the outcome of a sample, counted on all rows; sets ``tree_``.

        The lower bound is that of a single leaf without loss: nothing else is proved
        about all rows.
        """
        whole = table.whole
        assert whole is not None
        measure = check_objective(self.objective)
        data = replace(
            self._training_data(table),
            codes=whole.codes.astype(np.int32),
            n_classes=len(self.classes_),
            weights=whole.weights,
            leaf_penalty=check_leaf_penalty(
                self.leaf_penalty, len(whole.codes), whole.sample_weights
            ),
        )
        tree, loss = count_all_rows(
            *(self.tree_, whole.raw, self.encoder_, data, measure),
            keeps_labels=self._keeps_labels(),
        )
        self.tree_ = in_words(tree, self.encoder_, self.classes_)
        objective = loss + data.leaf_penalty * tree.n_leaves
        least = float(self.objective(0.0, 0.0)) if callable(self.objective) else 0.0
        lower = min(least + data.leaf_penalty, objective)
        is_ended = outcome.status == "interrupted"
        return replace(
            outcome,
            tree=self.tree_,
            objective=objective,
            loss=loss,
            n_leaves=tree.n_leaves,
            lower_bound=lower,
            gap=objective - lower,
            status="interrupted" if is_ended else whole.limit,
            leaf_penalty=data.leaf_penalty,
            trace=(),
            proved_depth=0,
        )

    def _sampled(self, table: TrainingTable) -> str:
        """Return the warning about a tree that was found on a sample of the rows."""
        assert table.whole is not None
        limit = table.whole.limit
        value = getattr(self, limit)
        word = f"{limit}={value}" if value is not None else f"the default {limit}"
        return (
            f"The tree was found on a sample of {len(table.codes):,} of the "
            f"{len(table.whole.codes):,} rows, because {word} does not suffice to read "
            f"all of them. On all rows its objective is {self.objective_:.4g}, and "
            f"the optimal objective lies in [{self.lower_bound_:.4g}, "
            f"{self.objective_:.4g}]. Try, in this order: {STOPS[limit]}; fewer "
            "columns; ostrya.preprocessing.compress, which groups equal rows."
        )

    def _take_tree(
        self,
        found: Tree,
        table: TrainingTable,
        columns: Matrix | None = None,
    ) -> None:
        """Set ``tree_`` to a tree over `columns`, with the names of the table."""
        searched = table.matrix if columns is None else columns
        tree = with_short_thresholds(
            found, searched, table.matrix, self.encoder_, table.least
        )
        tree = replace(tree, smoothing=check_smoothing(self.smoothing))
        self.tree_ = in_words(tree, self.encoder_, self.classes_)

    def _unproved(self, outcome: Outcome) -> str:
        """Return the warning about a search that stopped, with the remedy."""
        return unproved(self, outcome, self._sought, self._shortcuts())

    def _shortcuts(self) -> list[str]:
        """Return what makes a search like this one shorter; try the first one first."""
        is_open = self.max_depth is None or self.max_depth == "auto"
        return ["max_depth=3 or 4"] if is_open else []

    def _importances(
        self, costs: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64]:
        """Return what each input feature's splits save."""
        return importances(self.tree_, self.encoder_.source, self.n_features_in_, costs)


def unproved(
    estimator: Any, outcome: Outcome, sought: str, shortcuts: list[str]
) -> str:
    """Return the warning about a search that stopped before its proof."""
    return (
        f"{ended(estimator, outcome.status)} before its proof was complete. The "
        f"tree is the best one found, and {sought} lies in [{outcome.lower_bound:.4g}, "
        f"{outcome.objective:.4g}]. Try, in this order: "
        f"{'; '.join([*shortcuts, STOPS[outcome.status]])}."
    )


def ended(estimator: Any, status: str, subject: str = "The search") -> str:
    """Return what ended a search, such as "The search reached time_limit=60 s"."""
    if status == "interrupted":
        return f"{subject} was interrupted"
    limit = getattr(estimator, status, None)
    if limit is None:
        return f"{subject} reached the default {status}"
    unit = " s" if status == "time_limit" else ""
    return f"{subject} reached {status}={limit}{unit}"
