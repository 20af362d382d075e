"""A fitted model for people, in colour, and for scripts, as JSON."""

from __future__ import annotations

import json
from typing import Any

from rich.text import Text

from ostrya.cli.messages import stdout
from ostrya.export.colours import palette
from ostrya.export.text import drawn_lines, export_text
from ostrya.export.wording import worded

VERDICTS = {
    "time_limit": "stopped by the time limit",
    "memory_limit": "stopped by the memory limit",
    "interrupted": "stopped by Ctrl-C",
    "upper_bound": "no tree beats the upper bound given",
}


def summary(model: Any, **more: Any) -> dict[str, Any]:
    """Return the result of a search as plain numbers, and `more` after them.

    ``guess`` holds the numbers of a guess; what is proved, ``proved_optimal`` too, is
    proved within its ``max_depth``. Where ``claimed`` is true all of this is what a
    file says: it agrees with its tree, but only the training rows could prove it.
    """
    report = getattr(model, "guess_", None)
    guess = {} if report is None else {"guess": report.record}
    return {
        "status": model.status_,
        "proved_optimal": model.status_ == "optimal",
        "claimed": model.result_is_claimed_,
        "objective": model.objective_,
        "lower_bound": model.lower_bound_,
        "gap": model.gap_,
        "proved_depth": model.proved_depth_,
        "loss": model.loss_,
        "n_leaves": model.n_leaves_,
        "depth": model.depth_,
        "classes": model.classes_.tolist(),
        **guess,
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
    """Return in one sentence what is proved of the tree, or who says so."""
    text, colour = _verdict(model)
    if not model.result_is_claimed_:
        return Text(text, colour)
    return Text(f"As the file claims: {text[0].lower()}{text[1:]}", "yellow")


def _verdict(model: Any) -> tuple[str, str]:
    report = getattr(model, "guess_", None)
    depth = None if report is None else report.max_depth
    within = "" if depth is None else f"within the guessed depth of {depth}"
    if model.status_ == "optimal":
        proved = f"Proved {within}" if within else "Proved"
        return (
            f"{proved}: no tree within these limits has a lower objective.",
            "green",
        )
    if model.status_ == "optimal_to_depth":
        return (
            f"Proved to depth {model.proved_depth_}: no tree of that depth or less has "
            f"a lower objective, and a deeper one is better by {model.gap_:.4f} at "
            "most. --max-depth none searches on.",
            "green",
        )
    if model.status_ == "guessed":
        searched = "over the thresholds searched"
        if report is not None and report.n_thresholds_after is None:
            searched = "within these limits"
        return (
            f"Guessed: of the trees {searched}{within and f', {within},'} none is "
            f"better by more than {model.gap_:.4f}.",
            "yellow",
        )
    return (
        f"Not proved ({VERDICTS[model.status_]}): the optimum {within}{within and ' '}"
        f"lies in [{model.lower_bound_:.4f}, {model.objective_:.4f}], gap "
        f"{model.gap_:.4f}.",
        "yellow",
    )


def guess_lines(report: Any) -> list[str]:
    """Return what was guessed, and how the tree compares with the reference."""
    before, after = report.reference_score_before, report.reference_score_after
    if report.n_thresholds_after is None:
        lines = [f"Reference: {before:.2%} of the training weight right"]
    else:
        lines = [
            f"Thresholds: {report.n_thresholds_before} of the reference, "
            f"{report.n_thresholds_after} kept",
            f"Reference: {before:.2%} of the training weight right, {after:.2%} on the "
            "thresholds kept",
        ]
    if report.max_depth is not None:
        lines.append(f"Depth: guessed to be at most {report.max_depth}")
    lines.append(f"Guarantee: {report.promise}")
    if report.cut_short:
        lines.append(f"No time to finish: {', '.join(report.cut_short)}")
    if report.reference_loss is None:
        return [
            *lines,
            "Beside the reference: no comparison, its labels are not ranked",
        ]
    side = "above" if report.loss_above_reference >= 0 else "below"
    beside = (
        f"Beside the reference: loss {abs(report.loss_above_reference):.4f} {side} its "
        f"{report.reference_loss:.4f}"
    )
    if report.least_leaves_to_match is not None:
        beside += f"; a tree like it has at least {report.least_leaves_to_match} leaves"
    return [*lines, beside]


def print_model(model: Any, *facts: str) -> None:
    """Print tree, numbers and proof for people."""
    console = stdout()
    if console.is_terminal:
        console.print(coloured(model))
    else:  # in no time, however many lines there are
        console.file.write(f"{export_text(model)}\n\n")
    penalty = f"{model.leaf_penalty:g}"
    leaves = "leaf" if model.n_leaves_ == 1 else "leaves"
    numbers = (
        f"{model.n_leaves_} {leaves}, objective {model.objective_:.4f} = loss "
        f"{model.loss_:.4f} + {penalty} x {model.n_leaves_}"
    )
    report = getattr(model, "guess_", None)
    guessed = [] if report is None else guess_lines(report)
    console.print("\n".join([*facts, numbers, *guessed]), markup=False)
    console.print(verdict(model))
