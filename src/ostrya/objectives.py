"""Objectives with a parameter: what a tree optimises besides its number of leaves.

Objectives without a parameter are strings: "accuracy", "balanced_accuracy", "f1" and
"auc". All of them can be passed as ``objective`` to the classifiers and to
`ostrya.solve`. The classes of this module are for two classes, the second of which (in
sorted order) is the positive one.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ostrya._arguments import check_number, picture

__all__ = ["FBeta", "Objective", "PartialAUC", "WeightedAccuracy"]


class Objective:
    """Base class of the objectives that have a parameter.

    Objectives of the same class are equal if their parameter is. They can be pickled,
    cloned by scikit-learn and searched in grids, as ``objective__beta``. Do not change
    one with `set_params` while it is in a set or the key of a dict.

    Examples
    --------
    >>> from ostrya.objectives import FBeta, Objective
    >>> isinstance(FBeta(beta=2), Objective)
    True
    """

    #: The name in model files, scores and on the command line.
    name: ClassVar[str]
    #: The name in sentences.
    _title: ClassVar[str]
    #: The only parameter.
    _parameter: ClassVar[str]

    def __init__(self) -> None:
        raise TypeError(
            "Objective is a base class; use FBeta, PartialAUC or WeightedAccuracy"
        )

    @property
    def words(self) -> str:
        """The name and the parameter for people, such as "F-score (beta=2)"."""
        return f"{self._title} ({self._parameter}={picture(self._value)})"

    @property
    def _value(self) -> Any:
        return getattr(self, self._parameter)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameter and its value, as scikit-learn's estimators do.

        Parameters
        ----------
        deep : bool, default=True
            Has no effect; there are no nested objects.

        Returns
        -------
        dict
            Value by name.
        """
        return {self._parameter: self._value}

    def set_params(self, **params: Any) -> Objective:
        """Change the parameter, as scikit-learn's estimators do.

        Parameters
        ----------
        **params : dict
            The parameter and its new value.

        Returns
        -------
        Objective
            Itself.

        Raises
        ------
        TypeError, ValueError
            If there is no such parameter, or the value is not allowed. The objective is
            then unchanged.
        """
        for name, value in params.items():
            if name != self._parameter:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}; its parameter "
                    f"is {self._parameter!r}"
                )
            type(self)(**{name: value})  # raises if the value is not allowed
            setattr(self, name, value)
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Objective):
            return NotImplemented
        return type(self) is type(other) and bool(self._value == other._value)

    def __hash__(self) -> int:
        return hash((type(self), self._value))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._parameter}={picture(self._value)})"


class FBeta(Objective):
    """F-score in which recall counts `beta` times as much as precision.

    The labels of all leaves are chosen jointly, so that the F-score of the tree is as
    high as possible. ``FBeta(beta=1)`` is the objective "f1".

    Parameters
    ----------
    beta : float, default=1.0
        Importance of recall relative to precision, between 0.001 and 1000. Choose a
        value above 1 if a missed positive is worse than a false alarm, and below 1 if a
        false alarm is worse.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifier
    >>> from ostrya.objectives import FBeta
    >>> clf = OptimalTreeClassifier(objective=FBeta(beta=2))
    >>> clf.set_params(objective__beta=0.5).objective
    FBeta(beta=0.5)
    """

    name = "f_beta"
    _title = "F-score"
    _parameter = "beta"

    def __init__(self, beta: float = 1.0) -> None:
        number = check_number(
            "beta", beta, "a finite number > 0", lambda n: 0 < n < math.inf
        )
        if not 1e-3 <= number <= 1e3:
            raise ValueError(
                f"beta must be between 0.001 and 1000; got {picture(beta)}"
            )
        self.beta = beta


class PartialAUC(Objective):
    """Area under the ROC curve for low false positive rates only.

    The area under the ROC convex hull of the leaves, from a false positive rate of 0 to
    `max_fpr`, as a share of the largest possible area in this range. Use it for ranking
    when only the rows with the highest scores will be looked at.
    ``PartialAUC(max_fpr=1)`` is the objective "auc".

    Parameters
    ----------
    max_fpr : float, default=1.0
        Largest false positive rate that counts, in (0, 1]. Set it to the share of
        negatives that you can afford to check.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifier
    >>> from ostrya.objectives import PartialAUC
    >>> OptimalTreeClassifier(objective=PartialAUC(max_fpr=0.2))
    OptimalTreeClassifier(objective=PartialAUC(max_fpr=0.2))
    """

    name = "partial_auc"
    _title = "partial AUC"
    _parameter = "max_fpr"

    def __init__(self, max_fpr: float = 1.0) -> None:
        check_number("max_fpr", max_fpr, "a number in (0, 1]", lambda n: 0 < n <= 1)
        self.max_fpr = max_fpr


class WeightedAccuracy(Objective):
    """Accuracy in which a positive row counts `omega` times as much as a negative one.

    The score is ``1 - (FP + omega * FN) / (omega * P + N)``, where P and N are the
    weights of positive and negative rows [1]_. Training is the same as with
    ``class_weight={positive: omega}``; the difference is that reports and the command
    line show this score. For more than two classes use `class_weight` or `cost_matrix`.

    Parameters
    ----------
    omega : float, default=1.0
        Cost of a false negative if a false positive costs 1. Must be positive.

    References
    ----------
    .. [1] J. Lin, C. Zhong, D. Hu, C. Rudin and M. Seltzer, "Generalized and scalable
       optimal sparse decision trees", ICML 2020, section 2.

    Examples
    --------
    >>> from ostrya.objectives import WeightedAccuracy
    >>> WeightedAccuracy(omega=5) == WeightedAccuracy(omega=5.0)
    True
    """

    name = "weighted_accuracy"
    _title = "weighted accuracy"
    _parameter = "omega"

    def __init__(self, omega: float = 1.0) -> None:
        check_number("omega", omega, "a finite number > 0", lambda n: 0 < n < math.inf)
        self.omega = omega


def __dir__() -> list[str]:
    return __all__
