"""What a model file says of a lazy table: its rows, groups and thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ostrya.export.json_checks import FlawError, check_keys, is_int
from ostrya.preprocessing import Feature
from ostrya.preprocessing.compression import Cuts


def read_cuts(content: Any, features: Sequence[Feature]) -> Cuts | None:
    """Return what was searched of a lazy table; None where there was none."""
    if content is None:
        return None
    if not isinstance(content, dict):
        raise FlawError("result.cuts must be an object")
    check_keys("result.cuts.", content, {"n_rows", "n_groups", "n_thresholds"}, set())
    for name in ("n_rows", "n_groups"):
        if not (is_int(content[name]) and 1 <= content[name] < 2**63):
            raise FlawError(f"result.cuts.{name} must be an integer >= 1")
    by_name = content["n_thresholds"]
    if not isinstance(by_name, dict):
        raise FlawError("result.cuts.n_thresholds must be an object")
    names = {feature.name for feature in features}
    for name, number in by_name.items():
        if name not in names or not (is_int(number) and 0 <= number < 2**63):
            raise FlawError(
                "result.cuts.n_thresholds must have integers >= 0 by names of columns"
            )
    return Cuts(**content)


def check_cuts(estimator: Any) -> None:
    """Raise unless the rows of a lazy table are those that the tree counts."""
    cuts, n_rows = estimator.cuts_, int(estimator.tree_.n_samples[0])
    if cuts is not None and not cuts.n_groups <= cuts.n_rows == n_rows:
        raise FlawError(
            f"result.cuts has {cuts.n_rows} rows in {cuts.n_groups} groups; the tree "
            f"counts {n_rows} rows"
        )
