"""Names of parameters as options of the command line, also inside messages."""

from __future__ import annotations

import re

#: Options whose name is not that of the parameter.
FLAGS = {"n_jobs": "--jobs", "cost_matrix": "--cost"}
# Parameters whose names are words of English only count if a value follows.
_NAMES = (
    *("leaf_penalty", "max_depth", "max_leaf_nodes", "min_samples_leaf"),
    *("class_weight", "cost_matrix", "time_limit", "memory_limit", "n_jobs"),
    *("epsilon", "max_objective", "max_trees"),
)
_WORDS = ("objective", "smoothing", "guess", "cv")
# Not in quotes, in a path or in an option: these may come from the user.
_PARAMETER = re.compile(
    rf"(?<![\w'\"./\\-])(?:({'|'.join(_NAMES)})(?:=(\"?)([\w.+-]+)\2)?"
    rf"|({'|'.join(_WORDS)})=(\"?)([\w.+-]+)\5)(?![\w'\"/\\(]|\.\w)"
)
_VALUE = re.compile(r"\"auto\"|\bNone\b")
_VALUES = {"None": "none", "True": "true", "False": "false"}


def flag(name: str) -> str:
    """Return the option for a parameter."""
    return FLAGS.get(name, f"--{name.replace('_', '-')}")


def in_flags(message: str) -> str:
    """Return a message about parameters as a message about options."""

    def option(match: re.Match[str]) -> str:
        name, value = match[1] or match[4], match[3] or match[6]
        # A sentence may end after the value.
        end = "." if value is not None and value.endswith(".") else ""
        if value is None:
            return flag(name)
        value = value.removesuffix(".")
        return f"{flag(name)} {_VALUES.get(value, value)}{end}"

    told = _PARAMETER.sub(option, message)
    if told == message:
        return message
    return _VALUE.sub(lambda match: match[0].strip('"').lower(), told)
