"""Validation of what to search for, and how: objective, engine, policy, bounds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ostrya._arguments import (
    check_word,
    is_number,
    picture,
    show,
    to_float,
)
from ostrya._solve.measures import FScore, Measure, Monotone, RocArea
from ostrya._solve.multiples import written_ratio
from ostrya._solve.objective_weights import check_kind, is_sum, objective_name
from ostrya._solve.training_data import TrainingData
from ostrya.bounds import Bounds, LeafSetBounds
from ostrya.objectives import FBeta, PartialAUC

ENGINES = ("columns", "leaf_sets")
POLICIES = (
    "curiosity",
    "lower_bound",
    "objective",
    "entropy",
    "breadth_first",
    "depth_first",
)

# Counts of a step of so many parts are tried to see whether a loss is monotone.
PROBES = (1, 2, 4, 8)
# Seconds that the next of them may take.
MOST_PROBING = 0.1
# Losses of a callable that are remembered, about 200 bytes each.
MOST_REMEMBERED = 2**16


def check_objective(objective: Any) -> Measure | None:
    """Return the measure of an objective, None for a sum over rows, or raise."""
    check_kind(objective)
    if is_sum(objective):
        return None
    if isinstance(objective, PartialAUC):
        return RocArea(written_ratio(float(objective.max_fpr)))
    if isinstance(objective, FBeta):
        return FScore(written_ratio(float(objective.beta)) ** 2)
    if isinstance(objective, str):
        return RocArea(Fraction(1)) if objective == "auc" else FScore(Fraction(1))
    return Monotone(_checked_function(objective))


def check_two_classes(objective: Any, data: TrainingData) -> None:
    """Raise unless both classes, and only two, have rows that weigh."""
    name = objective_name(objective)
    if data.n_classes > 2:
        raise ValueError(
            f"objective={name} requires two classes, 0 negative and 1 positive; y has "
            f"{data.n_classes}. Code one class against the rest"
        )
    masses = data.class_masses
    if not masses.all():
        raise ValueError(
            f"objective={name} requires rows of both classes, 0 and 1, with weights "
            f"above 0; class {int(masses.argmin())} has none"
        )
    if data.costs is not None:
        raise ValueError(
            f"cost_matrix must be None for objective={name}. Use class_weight, or a "
            "callable f(fp, fn)"
        )


def check_monotone(measure: Measure, data: TrainingData) -> None:
    """Raise if a callable falls somewhere as errors grow; a few counts are tried.

    No errors and all of either kind always are: a search needs these itself. More are,
    step by step finer, while the callable is quick.
    """
    if not isinstance(measure, Monotone):
        return
    asked: set[tuple[int, int]] = set()
    fastest = 0.0
    for n_parts in PROBES:
        steps = [_parts(mass, n_parts, data) for mass in data.class_masses]
        pairs = [(fp, fn) for fp in steps[0] for fn in steps[1]]
        new = [pair for pair in pairs if pair not in asked]
        if fastest * len(new) > MOST_PROBING:
            return
        asked.update(new)
        took = [_seconds(measure.function, *pair) for pair in new]
        fastest = min([*took, fastest or math.inf])
        _check_values(measure.function, *steps)


def _parts(mass: float, n_parts: int, data: TrainingData) -> list[Any]:
    """Return counts up to this weight, so many parts apart; whole ones of rows."""
    counts = np.unique((mass * np.arange(n_parts + 1)) // n_parts)
    steps: list[Any] = (counts.astype(int) if data.weights is None else counts).tolist()
    return steps


def _seconds(function: Callable[[int, int], Fraction], fp: int, fn: int) -> float:
    """Return what a loss takes; it is remembered."""
    started = time.perf_counter()
    function(fp, fn)
    return time.perf_counter() - started


def _check_values(
    function: Callable[[int, int], Fraction], of_fp: list[int], of_fn: list[int]
) -> None:
    """Raise if the loss falls from one of these counts to the next."""
    for i, fp in enumerate(of_fp):
        for j, fn in enumerate(of_fn):
            for k, m in ((i - 1, j), (i, j - 1)):
                if min(k, m) < 0:
                    continue
                before, after = function(of_fp[k], of_fn[m]), function(fp, fn)
                if before > after:
                    raise ValueError(
                        "objective must be a callable f(fp, fn) that never decreases "
                        f"when errors increase; got {float(before)} for fp={of_fp[k]}, "
                        f"fn={of_fn[m]} but {float(after)} for fp={fp}, fn={fn}"
                    )


def check_engine(engine: Any, measure: Measure | None) -> str:
    """Return the engine to use, or raise."""
    if engine is None:
        return "leaf_sets" if isinstance(measure, RocArea) else "columns"
    check_word("engine", engine, ENGINES, ", or None")
    if engine == "columns" and isinstance(measure, RocArea):
        raise ValueError(
            "engine='columns' does not support areas under ROC curves. Omit engine, or "
            "use 'leaf_sets', for this objective"
        )
    return str(engine)


def check_policy(policy: Any, engine: str) -> str:
    """Return the policy of a search over leaf sets, or raise."""
    if policy is None:
        return "curiosity"
    check_word("policy", policy, POLICIES, ", or None")
    if engine != "leaf_sets":
        raise ValueError(
            f"policy={policy!r} requires engine='leaf_sets'; got {engine!r}"
        )
    return str(policy)


def check_bounds(bounds: Any, engine: str) -> Bounds | LeafSetBounds:
    """Return the switches of the engine, all on by default, or raise."""
    kind = Bounds if engine == "columns" else LeafSetBounds
    if bounds is None:
        return kind()
    if not isinstance(bounds, kind):
        raise TypeError(
            f"bounds must be an ostrya.bounds.{kind.__name__} or None for "
            f"engine={engine!r}; got {show(bounds)}"
        )
    switches = vars(bounds)
    for name, is_on in switches.items():
        if not isinstance(is_on, (bool, np.bool_)):
            raise TypeError(f"bounds.{name} must be True or False; got {show(is_on)}")
    return kind(**{name: bool(is_on) for name, is_on in switches.items()})


def _checked_function(function: Callable[..., Any]) -> Callable[[int, int], Fraction]:
    """Return the caller's loss as an exact number, or raise if it gives none."""

    # Samples, bounds and recounts ask for the same counts; C++ remembers its own.
    @lru_cache(MOST_REMEMBERED)
    def of_counts(fp: int, fn: int) -> Fraction:
        value = function(fp, fn)
        is_real = is_number(value) or isinstance(value, Fraction)
        if not is_real or not math.isfinite(to_float(value)):
            raise TypeError(
                "objective must be a callable f(fp, fn) that returns a finite number; "
                f"got {picture(value)} for fp={fp}, fn={fn}"
            )
        return value if isinstance(value, Fraction) else Fraction(float(value))

    return of_counts
