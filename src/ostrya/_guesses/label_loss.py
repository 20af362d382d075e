"""LabelLoss: the loss of predicted labels under the objective of a search."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._solve.measures import FScore, Measure, Monotone, RocArea
from ostrya._solve.objective_validation import check_objective

ClassCodes = npt.NDArray[np.signedinteger[Any]]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LabelLoss:
    """The loss of predicted labels, defined as for a tree.

    Examples
    --------
    >>> truth, said = np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0])
    >>> LabelLoss.of("accuracy")(said, truth)
    0.25
    >>> round(LabelLoss.of("f1")(said, truth), 3)
    0.333
    """

    costs: Floats | None = None  # of an additive loss; None means 1 per error
    measure: Measure | None = None  # None means an additive loss

    @classmethod
    def of(cls, objective: Any, costs: Floats | None = None) -> LabelLoss:
        """Return the loss of an objective of `ostrya.solve`."""
        return cls(costs, check_objective(objective))

    @property
    def is_additive(self) -> bool:
        """True if the loss is a sum over rows."""
        return self.measure is None

    @property
    def is_share(self) -> bool:
        """True if the loss is the share of misclassified rows."""
        return self.is_additive and self.costs is None

    @property
    def is_of_ranks(self) -> bool:
        """True if the loss needs a ranking of rows, so that labels are not enough."""
        return isinstance(self.measure, RocArea)

    @property
    def max_fpr(self) -> float:
        """The largest false positive rate that counts."""
        assert isinstance(self.measure, RocArea)
        return float(self.measure.max_fpr)

    def __call__(
        self, predicted: ClassCodes, codes: ClassCodes, weights: Floats | None = None
    ) -> float | None:
        """Return the loss of labels; None if the loss needs a ranking."""
        if self.is_of_ranks:
            return None
        if self.is_additive:
            return float(np.average(self.of_rows(predicted, codes), weights=weights))
        wrong = [
            _weight((codes == 1 - said) & (predicted == said), weights)
            for said in (1, 0)
        ]
        return self._of_errors(wrong, _weight(codes == 1, weights))

    def of_rows(self, predicted: ClassCodes, codes: ClassCodes) -> Floats:
        """Return the loss of each row, for an additive loss."""
        if self.costs is None:
            return np.asarray(predicted != codes, dtype=np.float64)
        return np.asarray(self.costs[codes, predicted])

    def of_one_label(
        self, codes: ClassCodes, weights: Floats | None, n_classes: int
    ) -> int:
        """Return the label with the lowest loss if it is predicted for all rows."""
        losses = [
            self(np.full_like(codes, label), codes, weights)
            for label in range(n_classes)
        ]
        return int(np.argmin([0.5 if loss is None else loss for loss in losses]))

    def span(self, codes: ClassCodes, weights: Floats | None) -> float:
        """Return the range of the loss on these rows."""
        if self.is_additive and self.costs is not None:
            return float(np.max(self.costs))
        if isinstance(self.measure, Monotone):
            positives = _weight(codes == 1, weights)
            every = [_weight(codes == 0, weights), positives]
            none = [type(each)(0) for each in every]
            least = self._of_errors(none, positives)
            return max(self._of_errors(every, positives) - least, 0.0)
        return 1.0

    def _of_errors(self, wrong: list[Any], positives: Any) -> float:
        if isinstance(self.measure, FScore):
            fp, fn = map(Fraction, wrong)
            return float(self.measure.of_errors(fp, fn, Fraction(positives)))
        assert isinstance(self.measure, Monotone)
        return float(self.measure.function(*wrong))


def _weight(chosen: npt.NDArray[np.bool_], weights: Floats | None) -> Any:
    """Return the weight of some rows; without weights, their number as an int."""
    return int(chosen.sum()) if weights is None else float(weights[chosen].sum())
