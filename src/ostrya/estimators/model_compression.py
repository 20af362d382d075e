"""Read the compression of a lazy table from a model file: rows, groups, thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ostrya.export.json_checks import FlawError, check_keys, is_int
from ostrya.preprocessing import Feature
from ostrya.preprocessing.compression import CompressionSummary


def read_compression(
    content: Any, features: Sequence[Feature]
) -> CompressionSummary | None:
    """Return what was searched of a lazy table; None where there was none."""
    if content is None:
        return None
    if not isinstance(content, dict):
        raise FlawError("result.compression must be an object")
    check_keys(
        "result.compression.", content, {"n_rows", "n_groups", "n_thresholds"}, set()
    )
    for name in ("n_rows", "n_groups"):
        if not (is_int(content[name]) and 1 <= content[name] < 2**63):
            raise FlawError(f"result.compression.{name} must be an integer >= 1")
    by_name = content["n_thresholds"]
    if not isinstance(by_name, dict):
        raise FlawError("result.compression.n_thresholds must be an object")
    names = {feature.name for feature in features}
    for name, number in by_name.items():
        if name not in names or not (is_int(number) and 0 <= number < 2**63):
            raise FlawError(
                "result.compression.n_thresholds must have integers >= 0 by names of "
                "columns"
            )
    return CompressionSummary(**content)


def check_compression(estimator: Any) -> None:
    """Raise unless the rows of a lazy table are those that the tree counts."""
    found, n_rows = estimator.compression_, int(estimator.tree_.n_samples[0])
    if found is not None and not found.n_groups <= found.n_rows == n_rows:
        raise FlawError(
            f"result.compression must have {n_rows} rows, as the tree has, and at most "
            f"as many groups; got {found.n_rows} rows and {found.n_groups} groups"
        )
