"""``ostrya fit``: a table in, the best tree out."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any, Optional

import numpy as np
import typer

from ostrya.cli.columns import require_writable, training_columns
from ostrya.cli.live import Watch
from ostrya.cli.messages import (
    NO_PROOF,
    refusing,
    stderr,
    warned_plainly,
    writing_to,
)
from ostrya.cli.options import make_estimator, taking_estimator_options
from ostrya.cli.report import print_json, print_model, summary
from ostrya.cli.table_file import Data, MaxSize, TableFile

Names = Optional[list[str]]  # noqa: UP045 (typer reads the older form on every Python)
Place = Optional[Path]  # noqa: UP045


@refusing
@taking_estimator_options
def fit(
    data: Data,
    target: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column of the labels.")
    ],
    output: Annotated[
        Place, typer.Option("--output", "-o", help="Where to write the model, as JSON.")
    ] = None,
    drop: Annotated[
        Names, typer.Option(metavar="COLUMN", help="Leave it out; may be given again.")
    ] = None,
    category: Annotated[
        Names,
        typer.Option(
            metavar="COLUMN", help="Take cells as categories; may be given again."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON.")
    ] = False,
    require_proof: Annotated[
        bool,
        typer.Option(
            "--require-proof",
            help="Exit with code 3 when the tree is not proved.",
        ),
    ] = False,
    max_size: MaxSize = None,
    **parameters: Any,
) -> None:
    """Find the best decision tree for a table, and prove it or say the gap.

    Ctrl-C stops the search and keeps the best tree so far. Exit codes: 0 a tree was
    found, 2 bad input, 3 see --require-proof, 130 Ctrl-C before there was a tree.
    """
    require_writable(output)
    if require_proof and parameters["max_depth"] == "auto":
        parameters["max_depth"] = None  # a proof to some depth is not what is asked for
    file = TableFile(data, max_size)
    features, labels = training_columns(file, target, drop or (), category or ())
    y = labels.to_numpy()
    started = time.perf_counter()
    with Watch() as watch, warned_plainly():
        model = make_estimator(parameters, np.unique(y).tolist(), watch)
        model.fit(features, y)
    seconds = time.perf_counter() - started
    if output is not None:
        with writing_to(output):
            model.save(output)
    accuracy = float(model.score(features, y))
    if as_json:
        place = None if output is None else str(output)
        facts = {"accuracy": accuracy, "n_rows": file.n_rows, "seconds": seconds}
        print_json(summary(model, **facts, file=place, tree=model.tree_.to_dict()))
    else:
        print_model(
            model,
            f"{accuracy:.2%} of {file.n_rows:,} training rows right ({seconds:.1f} s)",
        )
        if output is not None:
            stderr().print(f"Wrote {output}", markup=False)
    if require_proof and model.status_ != "optimal":
        raise typer.Exit(NO_PROOF)
