"""LabelLoss: what labels lose under the objective that a tree is fitted for."""

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
    """What labels lose on rows of known labels, counted as the loss of a tree is.

    Examples
    --------
    >>> truth, said = np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0])
    >>> LabelLoss.of("additive")(said, truth)
    0.25
    >>> round(LabelLoss.of("f1")(said, truth), 3)
    0.333
    """

    costs: Floats | None = None  # of an additive loss; None: 1 where labels differ
    measure: Measure | None = None  # None: the loss is additive

    @classmethod
    def of(
        cls,
        objective: Any,
        beta: Any = 1.0,
        max_fpr: Any = 1.0,
        costs: Floats | None = None,
    ) -> LabelLoss:
        """Return the loss that `ostrya.solve` means by an objective."""
        return cls(costs, check_objective(objective, beta, max_fpr))

    @property
    def is_additive(self) -> bool:
        """True when rows are lost one by one."""
        return self.measure is None

    @property
    def is_share(self) -> bool:
        """True when the loss is the share of rows got wrong."""
        return self.is_additive and self.costs is None

    @property
    def is_of_ranks(self) -> bool:
        """True when rows must be ranked: labels alone have no such loss."""
        return isinstance(self.measure, RocArea)

    @property
    def max_fpr(self) -> float:
        """The false positive rate at which a ranking stops to count."""
        assert isinstance(self.measure, RocArea)
        return float(self.measure.max_fpr)

    def __call__(
        self, predicted: ClassCodes, codes: ClassCodes, weights: Floats | None = None
    ) -> float | None:
        """Return what these labels lose; None where labels alone do not say it."""
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
        """Return what each row loses, where the loss is additive."""
        if self.costs is None:
            return np.asarray(predicted != codes, dtype=np.float64)
        return np.asarray(self.costs[codes, predicted])

    def of_one_label(
        self, codes: ClassCodes, weights: Floats | None, n_classes: int
    ) -> int:
        """Return the label that loses least if all rows get it."""
        losses = [
            self(np.full_like(codes, label), codes, weights)
            for label in range(n_classes)
        ]
        return int(np.argmin([0.5 if loss is None else loss for loss in losses]))

    def span(self, codes: ClassCodes, weights: Floats | None) -> float:
        """Return how far losses reach, on these rows."""
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
    """Return the weight of some rows, a whole number where rows are counted."""
    return int(chosen.sum()) if weights is None else float(weights[chosen].sum())
