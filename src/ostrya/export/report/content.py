"""Collect the content of a report as plain data."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ostrya.export.caption import accuracy, leaf_penalty, objective_sum, proof
from ostrya.export.colours import palette
from ostrya.export.programs.decisions import Decisions
from ostrya.export.report.frontier import frontier_content
from ostrya.export.report.inputs import inputs_of, plain_condition
from ostrya.export.report.score import (
    check_rows,
    given_score,
    outcome_scores,
    training_score,
)
from ostrya.export.text import leaf_rules
from ostrya.export.wording import Grown, WordedTree, one_line, percent, worded
from ostrya.tree import Tree

# Most points of the search trace that a report shows.
MOST_MOMENTS = 400
_LIMITS = {
    "max_depth": "depth at most",
    "max_leaf_nodes": "number of leaves at most",
    "min_samples_leaf": "rows per leaf at least",
    "time_limit": "seconds at most",
}


def report_content(
    model: Grown, X: Any, y: Any, title: str | None, frontier: Any
) -> dict[str, Any]:
    """Return the content of a report; the parameters are those of `export_report`."""
    if isinstance(model, Tree):
        raise TypeError(
            "model must be a fitted classifier of Ostrya or an Outcome; got a Tree, "
            "which has no proof to report"
        )
    words = worded(model, None, None, None)
    check_rows(model, X, y)
    n_leaves = words.tree.n_leaves
    told = f"Decision tree with {n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}"
    if words.tree.costs is not None:
        scores = outcome_scores(model, words.tree, X, y)
    else:
        scores = [training_score(words.tree)]
        if X is not None:
            scores.append(given_score(model, X, y))
    sliders = _sliders(model)
    return {
        "title": told if title is None else one_line(title),
        "labels": words.classes,
        "colours": palette(words.tree.n_classes),
        "summary": _summary(words, scores),
        "proof": _proof(model, words.tree),
        "frontier": frontier_content(model, frontier),
        "search": _search(model),
        "scores": scores,
        "nodes": _nodes(words),
        "outcome": "Mean reward" if words.tree.shows_rewards else "Mean cost",
        **sliders,
    }


def _summary(words: WordedTree, scores: list[dict[str, Any]]) -> list[list[str]]:
    """Return the figures at the top of the page, each with its name."""
    right = [
        [f"{score['name']}, {score['outcome']}", f"{score['mean']:.4g}"]
        if "mean" in score
        else [f"{score['name']} correct", percent(score["right"])]
        for score in scores
    ]
    tree = words.tree
    return [
        *right,
        ["Leaves", f"{tree.n_leaves:,}"],
        ["Depth", f"{tree.depth:,}"],
        ["Training rows", f"{int(tree.n_samples[0]):,}"],
    ]


def _proof(model: Any, tree: Tree) -> list[str]:
    """Return sentences about what is proved, and for which trees."""
    # If the size was chosen by cross-validation, the proof is for trees of this size.
    searched = getattr(model, "best_estimator_", model)
    limits = [
        f"{words} {getattr(searched, name)}"
        for name, words in _LIMITS.items()
        if getattr(searched, name, None) not in (None, 0, 1, "auto")
    ]
    charge = leaf_penalty(model)
    penalty = (
        f" plus a penalty of {charge:.4g} per leaf, so every leaf must reduce the loss "
        "by at least this amount"
        if charge
        else "; leaves are not penalised"
    )
    return [
        proof(model),
        f"The objective is the training loss{penalty}. This tree: "
        f"{objective_sum(model)}; {accuracy(tree)}.",
        f"Limits: {', '.join(limits)}."
        if limits
        else "Limits: none; trees of any size were allowed.",
        *_certificate(searched),
    ]


def _certificate(model: Any) -> list[str]:
    """Return the sentence about the certificate, if there is one."""
    digest = getattr(model, "certificate_digest_", None)
    if digest is None:
        return []
    return [
        "Verified: when the model was saved, ostrya-check, a program that shares no "
        "code with Ostrya, confirmed the lower bound from a certificate. To repeat the "
        "check, run: ostrya verify TABLE MODEL CERTIFICATE. The SHA-256 checksum of "
        f"the certificate is {digest}."
    ]


def _search(model: Any) -> dict[str, Any]:
    """Return the bounds over time, if they are known."""
    trace = getattr(model, "trace_", None) or getattr(model, "trace", None) or ()
    step = -(-len(trace) // MOST_MOMENTS) or 1
    moments = [m[:3] for m in (*trace[:-1:step], *trace[-1:])]
    return {
        # Bounds may be infinite until the first tree is found.
        "moments": [list(m) for m in moments if all(map(math.isfinite, m))],
        "claimed": bool(getattr(model, "result_from_file_", False)),
    }


def _sliders(model: Grown) -> dict[str, Any]:
    """Return the inputs of the what-if section, or why there are none."""
    try:
        decisions = Decisions(model)
        conditions = {
            node: plain_condition(decisions.condition(node))
            for node in decisions.splits
        }
        return {"inputs": inputs_of(model, decisions), "conditions": conditions}
    except (TypeError, ValueError) as error:
        return {"inputs": None, "conditions": {}, "no_inputs": str(error)}


def _nodes(words: WordedTree) -> list[dict[str, Any]]:
    tree, rules = words.tree, dict(leaf_rules(words))
    shares = replace(tree, smoothing=0.0).shares().tolist()
    intervals, probabilities = tree.intervals().tolist(), tree.shares().tolist()
    nodes = []
    for node in range(tree.n_nodes):
        told: dict[str, Any] = {
            "label": int(tree.label[node]),
            "rows": int(tree.n_samples[node]),
            "shares": shares[node],
        }
        if tree.costs is not None:
            sign = -1.0 if tree.shows_rewards else 1.0
            told |= {
                "note": words.note(node),
                "outcomes": (sign * tree.costs[node] + 0.0).tolist(),
            }
        if words.is_leaf(node):
            told |= {"rule": rules[node], "intervals": intervals[node]}
            if tree.smoothing:
                told["probabilities"] = probabilities[node]
        else:
            yes, no = words.children(node)
            told |= {
                "question": f"{words.question(node)}?",
                "whole_question": words.whole_question(node),
                "yes": yes,
                "no": no,
                "answers": list(words.answers(node)),
                # For flipped conditions, "yes" in the tree is "no" in the wording.
                "if_holds": int(tree.yes[node]),
            }
        nodes.append(told)
    return nodes
