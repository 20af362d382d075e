"""A fitted model for people, in colour, and for scripts, as JSON."""

from __future__ import annotations

import json
from typing import Any

from rich.text import Text

from ostrya.cli.messages import stdout
from ostrya.export.colours import palette
from ostrya.export.text import drawn_lines
from ostrya.export.wording import worded

PROOF = "Proved: no tree within these limits has a lower objective."
VERDICTS = {
    "time_limit": "stopped by the time limit",
    "memory_limit": "stopped by the memory limit",
    "interrupted": "stopped by Ctrl-C",
    "upper_bound": "no tree beats the upper bound given",
}


def summary(model: Any, **more: Any) -> dict[str, Any]:
    """Return the result of a search as plain numbers, and `more` after them."""
    return {
        "status": model.status_,
        "proved_optimal": model.status_ == "optimal",
        "objective": model.objective_,
        "lower_bound": model.lower_bound_,
        "gap": model.gap_,
        "loss": model.loss_,
        "n_leaves": model.n_leaves_,
        "depth": model.depth_,
        "classes": model.classes_.tolist(),
        **more,
    }


def print_json(content: Any) -> None:
    """Print one JSON document on stdout."""
    print(json.dumps(content, allow_nan=False))


def coloured(model: Any) -> Text:
    """Return the drawing of the tree, labels in the colours of their classes."""
    words = worded(model, None, None, None)
    colours = palette(words.tree.n_classes)
    text = Text()
    for node, stem, body, note in drawn_lines(words):
        text.append(stem, "dim")
        if note:
            text.append(body, f"bold {colours[int(words.tree.label[node])]}")
            text.append(note, "dim")
        else:
            text.append(body)
        text.append("\n")
    return text


def verdict(model: Any) -> Text:
    """Return in one sentence what is proved of the tree."""
    if model.status_ == "optimal":
        return Text(
            "Proved: no tree within these limits has a lower objective.", "green"
        )
    if model.status_ == "guessed":
        return Text(
            "Guessed: of the trees over the thresholds searched none is better by more "
            f"than {model.gap_:.4f}.",
            "yellow",
        )
    return Text(
        f"Not proved ({VERDICTS[model.status_]}): the optimum lies in "
        f"[{model.lower_bound_:.4f}, {model.objective_:.4f}], gap {model.gap_:.4f}.",
        "yellow",
    )


def print_model(model: Any, *facts: str) -> None:
    """Print tree, numbers and proof for people."""
    console = stdout()
    console.print(coloured(model))
    penalty = f"{model.leaf_penalty:g}"
    leaves = "leaf" if model.n_leaves_ == 1 else "leaves"
    numbers = (
        f"{model.n_leaves_} {leaves}, objective {model.objective_:.4f} = loss "
        f"{model.loss_:.4f} + {penalty} x {model.n_leaves_}"
    )
    console.print("\n".join([*facts, numbers]), markup=False)
    console.print(verdict(model))
