"""What stands under a picture when asked for: accuracy, objective and proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrya.export.wording import bare, one_line
from ostrya.tree import Tree

STOPS = {
    "time_limit": "stopped by the time limit",
    "memory_limit": "stopped by the memory limit",
    "interrupted": "stopped by Ctrl-C",
}


@dataclass(frozen=True)
class _Result:
    """What a search found, of a fitted classifier or of an `Outcome`."""

    leaf_penalty: float
    objective: float
    loss: float
    lower_bound: float
    gap: float
    status: str
    proved_depth: int | None
    guess: Any  # the report of a guess, or None
    k: Any  # of a search of the k best candidates, or None
    candidates: str  # what they are: splits or features
    cuts: Any  # which thresholds of a lazy table were searched, or None
    is_claimed: bool  # by a file

    @classmethod
    def of(cls, found: Any) -> _Result:
        """Return what is known of `found`; a bare tree raises AttributeError."""
        # What fit learns has an underscore at its end; an outcome has none.
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
            cuts=getattr(found, "cuts_", None),
            is_claimed=getattr(found, "result_is_claimed_", False),
        )


def caption_lines(tree: Any, caption: bool | str) -> list[str]:
    """Return the lines that an exporter puts under what it was given.

    Raises
    ------
    TypeError
        When `caption` is neither a text nor True or False.
    ValueError
        When it is True and `tree` is a bare tree, of which there is little to tell.
    """
    if isinstance(caption, str):
        return [one_line(line) for line in caption.splitlines() if line.strip()]
    if not isinstance(caption, (bool, np.bool_)):
        kind = type(caption).__name__
        raise TypeError(f"caption is a {kind}; want True, False or a text")
    if not caption:
        return []
    if isinstance(tree, Tree):
        raise ValueError(
            "caption=True wants a fitted classifier or an Outcome, which know "
            "objective and proof; with a bare tree give the text: caption='...'"
        )
    found = bare(tree)
    return [accuracy(found), objective_sum(tree), proof(tree)]


def accuracy(tree: Tree) -> str:
    """Return in words what share of the training rows, or their weight, is right."""
    is_leaf = tree.feature < 0
    right = float(tree.value[is_leaf, tree.label[is_leaf]].sum())
    total = float(tree.value[is_leaf].sum())
    rows = int(tree.n_samples[0])
    share = right / total if total else 0.0
    if total == rows:
        return f"{share:.2%} of {rows:,} training {_count(rows, 'row')} right"
    return f"{share:.2%} of the weight of {rows:,} training {_count(rows, 'row')} right"


def headline(found: Any) -> str:
    """Return in one sentence how good a tree is and what was proved of it."""
    tree, claim = bare(found), proof(found)
    leaves = "leaf" if tree.n_leaves == 1 else "leaves"
    facts = [f"{accuracy(tree)} with {tree.n_leaves} {leaves}", *_scores(found)]
    return f"{', '.join(facts)}; {claim[0].lower()}{claim[1:]}"


def _scores(found: Any) -> list[str]:
    """Return the scores of a classifier other than its accuracy in training."""
    scores = []
    # The loss is one minus the score, except where it is a cost or the user's own.
    objective = getattr(found, "objective", None)
    has_costs = getattr(found, "cost_matrix", None) is not None
    if isinstance(objective, str) and objective != "accuracy" and not has_costs:
        scores.append(f"{objective.replace('_', ' ')} {1 - found.loss_:.4f}")
    if hasattr(found, "best_score_"):
        scoring = "accuracy" if found.scoring is None else found.scoring
        name = scoring.replace("_", " ") if isinstance(scoring, str) else "score"
        scores.append(f"cross-validated {name} {found.best_score_:.4f}")
    return scores


def objective_sum(found: Any) -> str:
    """Return the leaves and the objective, as the sum that it is."""
    result, n_leaves = _Result.of(found), bare(found).n_leaves
    leaves = "leaf" if n_leaves == 1 else "leaves"
    return (
        f"{n_leaves} {leaves}, objective {result.objective:.4f} = loss "
        f"{result.loss:.4f} + {result.leaf_penalty:.4g} x {n_leaves}"
    )


def leaf_penalty(found: Any) -> float:
    """Return the penalty for each leaf that the search used."""
    return _Result.of(found).leaf_penalty


def proof(found: Any) -> str:
    """Return in one sentence what is proved of a tree, or who says so."""
    result = _Result.of(found)
    text = _proof(result)
    if not result.is_claimed:
        return text
    return f"As the file claims: {text[0].lower()}{text[1:]}"


def _proof(result: _Result) -> str:
    guess = result.guess
    depth = None if guess is None else guess.max_depth
    within = "" if depth is None else f"within the guessed depth of {depth}"
    if result.status == "optimal":
        proved = f"Proved {within}" if within else "Proved"
        return f"{proved}: no tree within these limits has a lower objective."
    if result.status == "optimal_to_depth":
        return (
            f"Proved to depth {result.proved_depth}: no tree of that depth or less has "
            "a lower objective; a deeper one may, by "
            f"{result.gap:.4f} at most (max_depth=None searches on)."
        )
    if result.status == "optimal_to_rounding":
        return (
            f"Proved to within {result.gap:.1g}: no tree within these limits has an "
            "objective that is lower by more; weights or costs have too many digits "
            "for an exact proof."
        )
    if result.status == "optimal_in_top_k":
        k = result.k if isinstance(result.k, int) else "k"
        return (
            f"Proved among trees over the {k} best {result.candidates} of each node: "
            "none within these limits has a lower objective."
        )
    if result.status == "upper_bound":
        return "Proved: no tree within these limits beats the upper bound given."
    if result.status == "guessed":
        searched = "over the thresholds searched"
        if guess is not None and guess.n_thresholds_after is None:
            searched = "within these limits"
        if result.cuts is not None and not result.cuts.are_all:
            searched = f"over {result.cuts.thresholds_in_words}"
            if result.gap == 0:
                return f"Proved: of the trees {searched} none has a lower objective."
        return (
            f"Guessed: of the trees {searched}{within and f', {within},'} none is "
            f"better by more than {result.gap:.4f}."
        )
    sought = "the optimum" if result.k is None else "the best tree that k lets in"
    if result.cuts is not None and not result.cuts.are_all:
        sought += f" over {result.cuts.thresholds_in_words}"
    return (
        f"Not proved ({STOPS[result.status]}): {sought} {within}{within and ' '}"
        f"lies in [{result.lower_bound:.4f}, {result.objective:.4f}], gap "
        f"{result.gap:.4f}."
    )


def _count(number: int, thing: str) -> str:
    return thing if number == 1 else f"{thing}s"
