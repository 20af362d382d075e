"""Sentences about a Rashomon set, for printing and for its report."""

from __future__ import annotations

from typing import Any

_STOPS = {
    "time_limit": "stopped by the time limit",
    "memory_limit": "stopped by the memory limit",
    "interrupted": "stopped by Ctrl-C",
}
_LIMITS = {
    "max_depth": "depth at most",
    "max_leaf_nodes": "leaves at most",
    "min_samples_leaf": "rows per leaf at least",
}


def counted(number: int, thing: str) -> str:
    """Return a number and what it counts.

    Examples
    --------
    >>> counted(1, "tree"), counted(2500, "tree")
    ('1 tree', '2,500 trees')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def objective_words(objective: float) -> str:
    """Return an objective with enough digits to tell neighbours apart."""
    return f"{objective:.6g}"


def set_headline(trees: Any) -> str:
    """Return one sentence about the size of a fitted set and its threshold."""
    given = trees.max_objective
    within = objective_words(trees.max_objective_ if given is None else given)
    if trees.status_ != "complete":
        if not trees.n_trees_:
            return f"No trees were counted: {_STOPS[trees.status_]}."
        return (
            f"At least {counted(trees.n_trees_, 'good tree')}: all with an objective "
            f"of at most {objective_words(trees.complete_to_)}; "
            f"{_STOPS[trees.status_]} before {within}."
        )
    if not trees.n_trees_:
        return (
            f"No tree has an objective of at most {within}; the lowest is "
            f"{objective_words(trees.objective_)}."
        )
    verb = "has" if trees.n_trees_ == 1 else "have"
    near = ""
    if given is None:
        near = f", within {100 * trees.epsilon:.4g}% of the lowest"
    return (
        f"{counted(trees.n_trees_, 'tree')} {verb} an objective of at most {within}"
        f"{near} ({objective_words(trees.objective_)}); counted exactly."
    )


def set_text(trees: Any, n_listed: int) -> list[str]:
    """Return what belongs to a set, and which of its trees a report lists."""
    limits = [
        f"{words} {getattr(trees, name)}"
        for name, words in _LIMITS.items()
        if getattr(trees, name) not in (None, 1)
    ]
    text = [
        "The objective of a tree is its training loss plus a penalty of "
        f"{trees.leaf_penalty_:.4g} per leaf. The set contains every tree with an "
        "objective of at most "
        f"{objective_words(trees.complete_to_)}"
        + (f" and {', '.join(limits)}." if limits else ", of any size."),
    ]
    if n_listed == trees.n_trees_:
        text.append("This page lists all of them.")
    else:
        text.append(
            f"This page lists {n_listed:,} of them: the best ones of each number of "
            "leaves. Numbers that refer to all trees are exact."
        )
    return text
