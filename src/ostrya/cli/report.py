"""A fitted model for people, in colour, and for scripts, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from ostrya.cli.messages import RefusalError, stdout
from ostrya.export.caption import objective_sum, proof
from ostrya.export.colours import palette
from ostrya.export.text import drawn_lines, export_text
from ostrya.export.wording import worded

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
PROVED = ("optimal", "optimal_in_top_k", "optimal_to_depth", "optimal_to_rounding")


def summary(model: Any, **more: Any) -> dict[str, Any]:
    """Return the result of a search as plain numbers, and `more` after them.

    ``guess`` holds the numbers of a guess; what is proved, ``proved_optimal`` too, is
    proved within its ``max_depth``. ``k`` is that of a search of the k best splits.
    Where ``claimed`` is true all of this is what a
    file says: it agrees with its tree, but only the training rows could prove it.
    """
    report = getattr(model, "guess_", None)
    guess = {} if report is None else {"guess": report.record}
    cuts = getattr(model, "cuts_", None)
    k = getattr(model, "k_", getattr(model, "k", None))
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
        **({} if k is None else {"k": k}),
        **guess,
        **({} if cuts is None else {"cuts": cuts.record}),
        **more,
    }


def print_json(content: Any) -> None:
    """Print one JSON document on stdout."""
    print(json.dumps(content, allow_nan=False))


def print_text(content: str, remedy: str) -> None:
    """Print what other programs read, and see it out; refuse where there is no stdout.

    They want the text itself, whatever the locale.
    """
    if sys.stdout is None:
        raise RefusalError(f"the standard output is closed; {remedy}")
    if sys.stdout.isatty():
        sys.stdout.write(content)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content.encode("utf-8", "surrogateescape"))
    sys.stdout.flush()


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
    is_proved = model.status_ in PROVED and not model.result_is_claimed_
    return Text(proof(model), "green" if is_proved else "yellow")


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


def print_model(model: Any, *facts: str, console: Console | None = None) -> None:
    """Print tree, numbers and proof for people, on stdout unless told otherwise."""
    console = stdout() if console is None else console
    if console.is_terminal:
        console.print(coloured(model))
    else:  # in no time, however many lines there are
        console.file.write(f"{export_text(model)}\n\n")
    report = getattr(model, "guess_", None)
    guessed = [] if report is None else guess_lines(report)
    lines = [*facts, objective_sum(model), *guessed]
    console.print("\n".join(lines), markup=False)
    console.print(verdict(model))
