"""Settings: the arguments of `solve` besides the training data, checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._solve.checkpoint import Checkpoint, check_checkpoint
from ostrya._solve.limits import Limits
from ostrya._solve.measures import Measure
from ostrya._solve.objective_validation import (
    check_bounds,
    check_engine,
    check_monotone,
    check_objective,
    check_policy,
    check_two_classes,
)
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import (
    check_n_jobs,
    check_option,
    check_reference,
    check_top_k,
    check_warm_start,
)
from ostrya.bounds import Bounds, LeafSetBounds
from ostrya.results.outcome import Progress
from ostrya.top_k import TopKSplits
from ostrya.tree import Tree

#: What ``max_depth="auto"`` lets a search take, in nanoseconds of a usual processor; up
#: to twice as many until depth 3 is proved. They are counted by a model of the costs,
#: not timed, so that the same table gets the same tree on every machine.
AUTO_EFFORT = 1_200_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Settings:
    """What to search for, how, and within which limits; see `ostrya.solve`."""

    limits: Limits
    n_jobs: int
    effort: int | None  # nanoseconds after which a proof for small depths is enough
    upper_bound: float | None
    warm_start: Tree | None
    reference: npt.NDArray[np.int32] | None  # class codes, one per row
    polish: bool  # whether a guessed tree is improved
    top_k: TopKSplits | None
    on_progress: Callable[[Progress], bool | None] | None
    measure: Measure | None  # None: a sum over rows
    engine: str
    may_choose_engine: bool  # neither an engine nor its bounds were asked for
    policy: str
    bounds: Bounds | LeafSetBounds
    checkpoint: Checkpoint | None
    certify: bool = False  # whether the lower bound is proved to other programs


def check_settings(
    data: TrainingData,
    *,
    max_depth: Any,
    max_leaf_nodes: Any,
    min_samples_leaf: Any,
    time_limit: float | None,
    memory_limit: Any,
    on_progress: Callable[[Progress], bool | None] | None,
    upper_bound: Any = None,
    warm_start: Any = None,
    reference_labels: Any = None,
    polish: Any = True,
    top_k: Any = None,
    objective: Any = "accuracy",
    engine: Any = None,
    policy: Any = None,
    bounds: Any = None,
    n_jobs: Any = None,
    checkpoint: Any = None,
    certify: Any = False,
) -> Settings:
    """Return the settings, or raise; the arguments are those of `ostrya.solve`.

    `time_limit` and `on_progress` come from the `FitMonitor` of the call, which has
    checked what was given.
    """
    depth = check_option("max_depth", max_depth)
    is_auto = depth == "auto"
    limits = Limits(
        max_depth=None if is_auto else depth,
        max_leaf_nodes=check_option("max_leaf_nodes", max_leaf_nodes),
        min_samples_leaf=check_option("min_samples_leaf", min_samples_leaf),
        time_limit=time_limit,
        memory_limit=check_option("memory_limit", memory_limit),
    )
    upper_bound = check_option("upper_bound", upper_bound)
    check_warm_start(warm_start, data, limits)
    reference = check_reference(reference_labels, data)
    measure = check_objective(objective)
    if measure is not None:
        check_two_classes(objective, data)
        check_monotone(measure, data)
    may_choose_engine = engine is None and bounds is None
    engine = check_engine(engine, measure)
    policy = check_policy(policy, engine)
    switches = check_bounds(bounds, engine)
    if data.row_costs is not None:
        _refuse_with_costs(
            top_k=top_k,
            reference_labels=reference,
            engine=None if engine == "columns" else engine,
        )
    if reference is not None and (measure is not None or engine != "columns"):
        raise ValueError(
            "reference_labels must be None unless the objective is a sum over rows "
            "and engine='columns'"
        )
    if not isinstance(polish, (bool, np.bool_)):
        raise TypeError(f"polish must be True or False; got {polish!r}")
    if not polish and reference is None:
        raise ValueError(
            "polish must be True unless reference_labels is set; got False. Only "
            "guessed trees are polished"
        )
    return Settings(
        limits=limits,
        n_jobs=check_n_jobs(n_jobs),
        effort=AUTO_EFFORT if is_auto else None,
        upper_bound=upper_bound,
        warm_start=warm_start,
        reference=reference,
        polish=bool(polish),
        top_k=check_top_k(
            top_k,
            n_classes=data.n_classes,
            upper_bound=upper_bound,
            warm_start=warm_start,
            reference_labels=reference_labels,
            bounds=bounds,
            objective=None if measure is None else objective,
            engine=None if engine == "columns" else engine,
        ),
        on_progress=on_progress,
        measure=measure,
        engine=engine,
        may_choose_engine=may_choose_engine,
        policy=policy,
        bounds=switches,
        checkpoint=check_checkpoint(
            checkpoint,
            top_k=top_k,
            reference_labels=reference,
            objective=None if measure is None else objective,
            engine=None if engine == "columns" else engine,
        ),
        certify=_check_certify(
            certify,
            sums_over_rows=measure is None,
            upper_bound=upper_bound,
            reference_labels=reference,
            top_k=top_k,
        ),
    )


def _refuse_with_costs(**others: Any) -> None:
    """Raise for searches that know rows by their classes alone."""
    for name, value in others.items():
        if value is not None:
            raise ValueError(
                f"{name} cannot be combined with costs per row. Omit one of them"
            )


def _check_certify(certify: Any, *, sums_over_rows: bool, **others: Any) -> bool:
    """Return whether a certificate is wanted, or raise where there can be none."""
    if not isinstance(certify, (bool, np.bool_)):
        raise TypeError(f"certify must be True or False; got {certify!r}")
    if not certify:
        return False
    if not sums_over_rows:
        raise ValueError(
            "certify must be False unless the objective is a sum over rows, such as "
            "accuracy with any weights and costs"
        )
    for name, value in others.items():
        if value is not None:
            raise ValueError(f"certify cannot be combined with {name}. Omit one")
    return True
