"""``--cv`` and ``--hold-out``: score trees on rows that were not used for training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Optional

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import typer

from ostrya.cli.hold_out import folds_of_rows, held_out_rows
from ostrya.cli.messages import RefusalError
from ostrya.cli.scores import Scores, in_words, mean_of, scores_of
from ostrya.cli.speech import Speech
from ostrya.results.outcome import is_stopped

PANEL = "Validation"
Folds = Annotated[
    Optional[int],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        "--cv",
        metavar="FOLDS",
        min=2,
        rich_help_panel=PANEL,
        help="Choose the number of leaves by cross-validation, as shown by `ostrya "
        "frontier`. If --leaf-penalty, --guess, --top-k or an objective such as auc "
        "determines the tree, score this tree instead, with one more search per fold; "
        "--time-limit applies to each search.",
    ),
]
Share = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option(
        "--hold-out",
        metavar="SHARE",
        rich_help_panel=PANEL,
        help="Hold out this share of the rows, such as 0.2, to score the tree, and "
        "train on the others.",
    ),
]
# A function that fits a new model to rows and labels.
Fit = Callable[[pa.Table, npt.NDArray[Any]], Any]


@dataclass(frozen=True)
class Rows:
    """A table, or a part of it, with its labels."""

    table: pa.Table
    labels: npt.NDArray[Any]

    def part(self, kept: npt.NDArray[np.bool_]) -> Rows:
        """Return the rows where `kept` is True."""
        return Rows(self.table.filter(pa.array(kept)), self.labels[kept])

    @property
    def codes(self) -> npt.NDArray[np.intp]:
        """The index of each label among the distinct labels."""
        codes: npt.NDArray[np.intp]
        codes = np.unique(self.labels, return_inverse=True)[1].astype(np.intp)
        return codes

    def scores(self, model: Any) -> Scores:
        """Return the scores of a model on these rows."""
        return scores_of(model, self.table, self.labels.tolist())


@dataclass(frozen=True)
class Report:
    """The result of a validation, as text and as data."""

    lines: list[str] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)


def refuse_both(folds: int | None, share: float | None) -> None:
    """Raise if two kinds of validation are requested."""
    if folds is not None and share is not None:
        raise RefusalError("--cv cannot be combined with --hold-out. Omit one of them")


def parted(rows: Rows, share: float | None) -> tuple[Rows, Rows | None]:
    """Return the training rows, and the held-out rows or None."""
    if share is None:
        return rows, None
    is_held_out = held_out_rows(rows.codes, share)
    return rows.part(~is_held_out), rows.part(is_held_out)


def held_out_report(model: Any, rows: Rows | None) -> Report:
    """Return the scores of a model on held-out rows, if there are any."""
    if rows is None:
        return Report()
    scores, n_rows = rows.scores(model), len(rows.labels)
    told = in_words(scores, f"{n_rows:,} held-out {'row' if n_rows == 1 else 'rows'}")
    return Report([told], {"hold_out": {"n_rows": n_rows, **scores}})


def cross_validated(rows: Rows, n_folds: int, fit: Fit, speech: Speech) -> Report:
    """Return the mean scores over folds; none if Ctrl-C stops one of the searches."""
    fold = folds_of_rows(rows.codes, n_folds)
    parts: list[Scores] = []
    numbers: list[dict[str, Any]] = []
    for number in range(n_folds):
        learnt, held_out = rows.part(fold != number), rows.part(fold == number)
        model = fit(learnt.table, learnt.labels)
        if model.status_ == "interrupted":
            told = f"No cross-validation: stopped by Ctrl-C in fold {number + 1}"
            return Report([told], {"cross_validation": None})
        scores, n_rows = held_out.scores(model), len(held_out.labels)
        parts.append(scores)
        found = {"status": model.status_, "n_leaves": model.n_leaves_}
        numbers.append({"n_rows": n_rows, **found, **scores})
        leaves = "leaf" if model.n_leaves_ == 1 else "leaves"
        right = in_words(scores, f"{n_rows:,} held-out rows")
        speech.accompany(
            f"Fold {number + 1} of {n_folds}: {right} ({model.n_leaves_} {leaves}, "
            f"{model.status_})"
        )
    mean = mean_of(parts)
    spread = float(np.std([part["accuracy"] for part in parts]))
    told = (
        f"{in_words(mean, 'held-out rows')}, mean of {n_folds} folds (standard "
        f"deviation {spread:.2%})"
    )
    n_stopped = sum(is_stopped(part["status"]) for part in numbers)
    if n_stopped:
        told = f"{told}; {n_stopped} of the folds stopped before a proof"
    found = {"n_folds": n_folds, **mean, "accuracy_std": spread, "folds": numbers}
    return Report([told], {"cross_validation": found})
