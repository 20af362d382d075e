"""``ostrya frontier``: find and score the best tree for every number of leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ostrya.cli.columns import (
    Categories,
    Dropped,
    Target,
    require_writable,
    training_columns,
)
from ostrya.cli.encoding import Encoding
from ostrya.cli.fit import Place, given_options
from ostrya.cli.live import Watch
from ostrya.cli.messages import RefusalError, refusing, stdout, warned_plainly
from ostrya.cli.options import make_chooser, taking_estimator_options
from ostrya.cli.picture import DRAWINGS, write_drawing
from ostrya.cli.report import AsJson, print_json
from ostrya.cli.size_choice import choice_numbers, fold_places, told_choice
from ostrya.cli.speech import Loudness, Speech
from ostrya.cli.table_file import Data, MaxSize, TableFile
from ostrya.cli.validation import Rows
from ostrya.estimators import OptimalTreeClassifierCV
from ostrya.export import plot_frontier

SUFFIXES = (*DRAWINGS, ".svg")


@refusing
@taking_estimator_options(OptimalTreeClassifierCV)
def frontier(
    context: typer.Context,
    data: Data,
    target: Target,
    plot: Annotated[
        Place,
        typer.Option(
            "--plot",
            help="Output file for a plot of the scores: .png, .pdf or .svg.",
        ),
    ] = None,
    drop: Dropped = None,
    category: Categories = None,
    as_json: AsJson = False,
    cv: Annotated[
        int,
        typer.Option(
            "--cv", metavar="FOLDS", min=2, help="Number of cross-validation folds."
        ),
    ] = 5,
    loudness: Loudness = None,
    max_size: MaxSize = None,
    encoding: Encoding = None,
    **parameters: Any,
) -> None:
    """Find the best tree for every number of leaves, and score it on held-out rows.

    The table marks the smallest tree with the best score, which is also the choice of
    ``ostrya fit --cv``. Ctrl-C keeps the finished folds.
    """
    speech = Speech(loudness)
    if speech.is_quiet and plot is None and not as_json:
        raise RefusalError(
            "--quiet requires --plot with a file, or --json; otherwise there is no "
            "output"
        )
    _require_drawing(plot)
    file = TableFile(data, max_size, encoding)
    features, labels = training_columns(file, target, drop or (), category or ())
    rows = Rows(features, labels.to_numpy())
    with Watch(speech.live_console()) as watch, warned_plainly():
        model = make_chooser(
            parameters,
            given_options(context, parameters),
            rows.labels.tolist(),
            cv=fold_places(rows, cv),
            return_train_score=True,
            return_cart_score=True,
        )
        model.fit(rows.table, rows.labels, on_progress=speech.logged(watch))
    if plot is not None:
        write_drawing(plot, lambda: plot_frontier(model))
        if not as_json:
            speech.say(f"Wrote {plot}")
    if as_json:
        picture = None if plot is None else str(plot)
        print_json(
            {**choice_numbers(model), "n_rows": len(rows.labels), "file": picture}
        )
    elif not speech.is_quiet:
        stdout().print(told_choice(model), markup=False)


def _require_drawing(plot: Path | None) -> None:
    if plot is not None and plot.suffix.lower() not in SUFFIXES:
        raise RefusalError(f"{plot}: the suffix must be one of {', '.join(SUFFIXES)}")
    require_writable(plot)
