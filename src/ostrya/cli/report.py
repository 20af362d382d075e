"""Print a fitted model: in colour for people, and as JSON for scripts."""

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
    """Return the result of a search as plain data, followed by `more`.

    ``guess`` describes a guess; every proof, also ``proved_optimal``, is limited to its
    ``max_depth``. ``k`` is that of a Top-k search. If ``claimed`` is true, the result
    was read from a file: it is consistent with the tree, but only the training rows
    could prove it.
    """
    report = getattr(model, "guess_", None)
    guess = {} if report is None else {"guess": report.record}
    compression = getattr(model, "compression_", None)
    k = getattr(model, "k_", getattr(model, "k", None))
    return {
        "status": model.status_,
        "proved_optimal": model.status_ == "optimal",
        "claimed": model.result_from_file_,
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
        **({} if compression is None else {"compression": compression.record}),
        **more,
    }


def print_json(content: Any) -> None:
    """Print one JSON document on stdout."""
    print(json.dumps(content, allow_nan=False))


def print_text(content: str, remedy: str) -> None:
    """Print and flush text for other programs; raise if there is no stdout.

    The text is written in UTF-8, independently of the locale.
    """
    if sys.stdout is None:
        raise RefusalError(f"the standard output is closed. {remedy}")
    if sys.stdout.isatty():
        sys.stdout.write(content)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content.encode("utf-8", "surrogateescape"))
    sys.stdout.flush()


def coloured(model: Any) -> Text:
    """Return the drawing of the tree, with labels in the colours of their classes."""
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
    """Return one sentence about what was proved, and whether a file states it."""
    is_proved = model.status_ in PROVED and not model.result_from_file_
    return Text(proof(model), "green" if is_proved else "yellow")


def guess_lines(report: Any) -> list[str]:
    """Return lines about the guess and the comparison with the reference model."""
    before, after = report.reference_score_before, report.reference_score_after
    if report.n_thresholds_after is None:
        lines = [f"Reference model: {before:.2%} of the training weight correct"]
    else:
        lines = [
            f"Thresholds: {report.n_thresholds_after} kept of "
            f"{report.n_thresholds_before} in the reference model",
            f"Reference model: {before:.2%} of the training weight correct, "
            f"{after:.2%} with the kept thresholds",
        ]
    if report.max_depth is not None:
        lines.append(f"Depth: at most {report.max_depth} (guessed)")
    lines.append(f"Guarantee: {report.promise}")
    if report.cut_short:
        lines.append(f"Stopped by the time limit: {', '.join(report.cut_short)}")
    if report.reference_loss is None:
        return [
            *lines,
            "Compared with the reference model: not available for this objective",
        ]
    side = "above" if report.loss_above_reference >= 0 else "below"
    comparison = (
        f"Compared with the reference model: the loss is "
        f"{abs(report.loss_above_reference):.4f} {side} its loss of "
        f"{report.reference_loss:.4f}"
    )
    if report.least_leaves_to_match is not None:
        comparison += (
            "; a tree that makes the same predictions has at least "
            f"{report.least_leaves_to_match} leaves"
        )
    return [*lines, comparison]


def print_model(model: Any, *facts: str, console: Console | None = None) -> None:
    """Print tree, numbers and proof, on stdout by default."""
    console = stdout() if console is None else console
    if console.is_terminal:
        console.print(coloured(model))
    else:  # without rich, which is slow for many lines
        console.file.write(f"{export_text(model)}\n\n")
    report = getattr(model, "guess_", None)
    guessed = [] if report is None else guess_lines(report)
    lines = [*facts, objective_sum(model), *guessed]
    console.print("\n".join(lines), markup=False)
    console.print(verdict(model))
