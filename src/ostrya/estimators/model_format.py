"""The name and the versions of the model file, and what it may contain.

Since version 2 a file has a digest of all the rest, so that damaged and edited files
are noticed. It is no signature: whoever writes a file can also write its digest.
Version 3 renamed parameters and results; `ostrya.estimators.model_upgrade` translates
older files.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ostrya.export.json_checks import is_bool, is_number, is_text

FORMAT = "ostrya.model"
VERSION = 3
OLDER_VERSIONS = (1, 2)

# What is true of few columns, and left out where it is not.
FLAGS = ("is_zoned", "decimal_comma")
# The same for texts.
NOTES = ("mark", "date_format", "period")
# Most levels of an ordered column, and of a group.
MOST_GROUPED = 1_000_000

NUMBERS = ("objective", "loss", "lower_bound", "gap")
# The numbers of a guess, and which of them may be null.
GUESS_COUNTS = (
    *("n_thresholds_before", "n_thresholds_after", "max_depth"),
    *("least_leaves_to_match", "least_leaves_to_match_refit"),
)
GUESS_LOSSES = (
    *("reference_loss", "loss_above_reference", "refit_loss", "loss_above_refit"),
)
# What files of before have not.
GUESS_BOUNDS = ("lower_bound_of_all_thresholds", "gap_of_all_thresholds")
GUESS_NUMBERS = ("reference_score_before", "reference_score_after", "guarantee")
INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
FLOATS = {f"float{bits}" for bits in (16, 32, 64)}
TEXTS = {"str", "object"}
DTYPES = {"bool", *INTEGERS, *FLOATS, *TEXTS}


def digest(content: dict[str, Any]) -> str:
    """Return the SHA-256 of all that a file holds but its digest.

    Raises
    ------
    ValueError
        When a number is not finite.
    """
    rest = {key: item for key, item in content.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def is_level(item: Any) -> bool:
    """Say whether `item` is something that a column or a label can be in JSON."""
    return is_text(item) or is_bool(item) or is_number(item)
