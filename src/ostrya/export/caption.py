"""Captions and headlines for trees: accuracy, objective and proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrya._arguments import show
from ostrya.export.wording import bare, in_outcomes, one_line
from ostrya.objectives import Objective
from ostrya.tree import Tree

OVER_SOME_THRESHOLDS = (
    "optimal_in_guessed_thresholds",
    "optimal_in_selected_thresholds",
)
# A gap up to this is due to weights of many digits, not to trees that were left out.
ROUNDING = 1e-9
STOPS = {
    "time_limit": "stopped by the time limit",
    "memory_limit": "stopped by the memory limit",
    "interrupted": "stopped by Ctrl-C",
}


@dataclass(frozen=True)
class _Result:
    """The result of a search, from a fitted classifier or an `Outcome`."""

    leaf_penalty: float
    objective: float
    loss: float
    lower_bound: float
    gap: float
    status: str
    proved_depth: int | None
    guess: Any  # the report of a guess, or None
    k: Any  # the k of a Top-k search, or None
    candidates: str  # what Top-k ranks: "splits" or "features"
    cuts: Any  # the selected thresholds of a lazy table, or None
    is_claimed: bool  # the result was read from a file

    @classmethod
    def of(cls, found: Any) -> _Result:
        """Return the result of `found`; raise AttributeError for a `Tree`."""
        # Fitted attributes of classifiers end with an underscore.
        end = "_" if hasattr(found, "tree_") else ""
        names = ("leaf_penalty", "objective", "loss", "lower_bound", "gap", "status")
        return cls(
            **{
                name: getattr(found, f"{name}{end}")
                for name in (*names, "proved_depth")
            },
            guess=getattr(found, "guess_", None),
            k=getattr(found, "k_", getattr(found, "k", None)),
            candidates=getattr(found, "candidates", "splits"),
            cuts=getattr(found, "compression_", None),
            is_claimed=getattr(found, "result_from_file_", False),
        )


def caption_lines(tree: Any, caption: bool | str) -> list[str]:
    """Return the lines of a caption.

    Raises
    ------
    TypeError
        If `caption` is not a string, True or False.
    ValueError
        If `caption` is True and `tree` is a `Tree`, which has no objective or proof.
    """
    if isinstance(caption, str):
        return [one_line(line) for line in caption.splitlines() if line.strip()]
    if not isinstance(caption, (bool, np.bool_)):
        raise TypeError(f"caption must be True, False or a string; got {show(caption)}")
    if not caption:
        return []
    if isinstance(tree, Tree):
        raise ValueError(
            "caption must be a string for a Tree, which has no objective or proof; got "
            "True. Pass the fitted classifier or the Outcome instead of its tree"
        )
    found = bare(tree)
    return [_capitalised(accuracy(found)), objective_sum(tree), proof(tree)]


def accuracy(tree: Tree) -> str:
    """Return a phrase with the training accuracy, or the mean cost or reward."""
    is_leaf = tree.feature < 0
    if tree.costs is not None:
        rows = int(tree.n_samples[0])
        shares = tree.value[is_leaf].sum(axis=1) / tree.value[0].sum()
        chosen = tree.costs[is_leaf, tree.label[is_leaf]]
        told = in_outcomes(float((shares * chosen).sum()), tree)
        return f"{told} on {rows:,} training {_count(rows, 'row')}"
    right = float(tree.value[is_leaf, tree.label[is_leaf]].sum())
    total = float(tree.value[is_leaf].sum())
    rows = int(tree.n_samples[0])
    share = right / total if total else 0.0
    if total == rows:
        return f"{share:.2%} of {rows:,} training {_count(rows, 'row')} correct"
    return (
        f"{share:.2%} of the weight of {rows:,} training {_count(rows, 'row')} correct"
    )


def headline(found: Any) -> str:
    """Return one sentence with the accuracy of a tree and its proof."""
    tree, claim = bare(found), proof(found)
    leaves = "leaf" if tree.n_leaves == 1 else "leaves"
    facts = [f"{accuracy(tree)} with {tree.n_leaves} {leaves}", *_scores(found)]
    return _capitalised(f"{', '.join(facts)}; {claim[0].lower()}{claim[1:]}")


def _capitalised(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _scores(found: Any) -> list[str]:
    """Return the scores of a classifier, except its training accuracy."""
    scores = []
    # The loss is one minus the score, unless it is a cost or a function of the user.
    objective = getattr(found, "objective", None)
    has_costs = getattr(found, "cost_matrix", None) is not None
    if isinstance(objective, (str, Objective)) and not has_costs:
        if isinstance(objective, Objective):
            words = objective.words
        else:
            words = objective.replace("_", " ")
        if words != "accuracy":
            scores.append(f"{words} {1 - found.loss_:.4f}")
    if hasattr(found, "best_score_"):
        scoring = "accuracy" if found.scoring is None else found.scoring
        name = scoring.replace("_", " ") if isinstance(scoring, str) else "score"
        scores.append(f"cross-validated {name} {found.best_score_:.4f}")
    return scores


def objective_sum(found: Any) -> str:
    """Return the number of leaves, and the objective as loss plus penalty."""
    result, n_leaves = _Result.of(found), bare(found).n_leaves
    leaves = "leaf" if n_leaves == 1 else "leaves"
    return (
        f"{n_leaves} {leaves}, objective {result.objective:.4f} = loss "
        f"{result.loss:.4f} + {result.leaf_penalty:.4g} x {n_leaves}"
    )


def leaf_penalty(found: Any) -> float:
    """Return the penalty per leaf that the search used."""
    return _Result.of(found).leaf_penalty


def proof(found: Any) -> str:
    """Return one sentence about what was proved, and whether a file states it."""
    result = _Result.of(found)
    text = _proof(result)
    if not result.is_claimed:
        return text
    return f"According to the model file, {text[0].lower()}{text[1:]}"


def _proof(result: _Result) -> str:
    guess = result.guess
    depth = None if guess is None else guess.max_depth
    depth_limit = "" if depth is None else f"the guessed depth of {depth}"
    within = depth_limit and f"within {depth_limit}"
    if result.status == "optimal":
        proved = f"Proved {within}" if within else "Proved"
        return f"{proved}: no tree within these limits has a lower objective."
    if result.status == "optimal_to_depth":
        return (
            f"Proved up to depth {result.proved_depth}: no tree of this depth or less "
            "has a lower objective; a deeper tree may be better by at most "
            f"{result.gap:.4f} (set max_depth=None to continue the search)."
        )
    if result.status == "optimal_to_rounding":
        return (
            "Proved up to rounding: no tree within these limits is better by more than "
            f"{result.gap:.1g}; the weights or costs have too many digits for an exact "
            "proof."
        )
    if result.status == "optimal_in_top_k":
        k = result.k if isinstance(result.k, int) else "k"
        return (
            f"Proved for the {k} best {result.candidates} of each node: no tree within "
            "these limits that uses only these has a lower objective."
        )
    if result.status == "upper_bound":
        return "Proved: no tree within these limits is better than upper_bound."
    if result.status == "guessed_bounds":
        limits = " and ".join(filter(None, ["within these limits", depth_limit]))
        if result.gap <= ROUNDING:
            return (
                "Proved, although lower bounds were guessed: no tree "
                f"{limits}{_searched(result)} has a lower objective."
            )
        return (
            f"Not proved optimal, because lower bounds were guessed: no tree {limits}"
            f"{_searched(result)} is better by more than {result.gap:.2g}."
        )
    if result.status in OVER_SOME_THRESHOLDS:
        return _proof_over_some_thresholds(result, depth_limit)
    sought = "the optimal objective" if result.k is None else "the best tree for this k"
    sought += _searched(result)
    return (
        f"Not proved ({STOPS[result.status]}): {sought} {within}{within and ' '}"
        f"lies in [{result.lower_bound:.4f}, {result.objective:.4f}], gap "
        f"{result.gap:.4f}."
    )


def _proof_over_some_thresholds(result: _Result, depth_limit: str) -> str:
    """Return what is proved of a tree where other thresholds were not searched."""
    over = _searched(result)
    limits = " and ".join(filter(None, ["within these limits", depth_limit]))
    if result.gap <= ROUNDING:
        proved = (
            f"Proved{over}: no tree over these thresholds {limits} has a lower "
            "objective"
        )
    else:
        proved = (
            f"Proved{over} to depth {result.proved_depth}: no tree over these "
            "thresholds of that depth or less has a lower objective, and no deeper one "
            f"is better by more than {result.gap:.4f}"
        )
    most = None if result.guess is None else result.guess.gap_of_all_thresholds
    if most is None:
        return f"{proved}; a tree over other thresholds may be better."
    if most <= ROUNDING:
        return f"{proved}, and no tree over other thresholds either."
    return (
        f"{proved}; a tree over other thresholds may be better, by at most {most:.4f}."
    )


def _searched(result: _Result) -> str:
    """Return which thresholds were searched, as " over ..."; empty for all."""
    guess, cuts = result.guess, result.cuts
    parts = []
    if guess is not None and guess.n_thresholds_after is not None:
        n = guess.n_thresholds_after
        parts.append(
            f"the {n:,} {_count(n, 'threshold')} that the reference model kept"
        )
    if cuts is not None and not cuts.are_all:
        parts.append(cuts.thresholds_in_words)
    return f" over {' of '.join(parts)}" if parts else ""


def _count(number: int, thing: str) -> str:
    return thing if number == 1 else f"{thing}s"
