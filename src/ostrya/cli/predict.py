"""``ostrya predict``: predict labels and probabilities, and score them."""

from __future__ import annotations

from typing import Annotated, Any, Optional

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import typer

from ostrya.cli.columns import (
    fitted_columns,
    label_names,
    labelled_rows,
    require_writable,
)
from ostrya.cli.encoding import Encoding
from ostrya.cli.fit import Place
from ostrya.cli.messages import (
    RefusalError,
    refusing,
    shown,
    writing_to,
)
from ostrya.cli.report import print_json, print_text
from ostrya.cli.scores import Scores, in_words, scores_of
from ostrya.cli.show import Model, load
from ostrya.cli.speech import Quietness, Speech
from ostrya.cli.table_file import Data, MaxSize, TableFile, write_table

PREDICTION = "prediction"
Name = Optional[str]  # noqa: UP045 (typer reads the older form on every Python)


@refusing
def predict(
    model: Model,
    data: Data,
    output: Annotated[
        Place,
        typer.Option(
            "--output",
            "-o",
            help="Output file: CSV (also .gz) or Parquet. Default: CSV on stdout.",
        ),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Write the columns of the input as well.")
    ] = False,
    target: Annotated[
        Name,
        typer.Option(
            metavar="COLUMN",
            help="The column with the true labels, to score the predictions.",
            show_default="the target of `ostrya fit`, if the table contains it",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print predictions and scores as JSON.")
    ] = False,
    max_size: MaxSize = None,
    encoding: Encoding = None,
    quiet: Quietness = False,
) -> None:
    """Predict the label and the class probabilities of each row of a table.

    If the table contains the true labels, the scores are printed on stderr.
    """
    if str(model) == str(data) == "-":
        raise RefusalError(
            "the model and the table cannot both be the standard input. Pass a file "
            "for one of them"
        )
    output = None if str(output) == "-" else output
    require_writable(output)
    fitted = load(model)
    file = TableFile(data, max_size, encoding)
    rows = fitted_columns(file, fitted)
    labels = fitted.predict(rows)
    is_policy = fitted.tree_.costs is not None
    # A policy chooses actions, so there are no probabilities, and no labels to score.
    shares = None if is_policy else fitted.predict_proba(rows)
    n_scored, scores = 0, Scores()
    if is_policy and target is not None:
        raise RefusalError("--target cannot be used with a policy, which has no labels")
    if not is_policy:
        n_scored, scores = _scored(fitted, file, rows, target)
    names = label_names(fitted)
    if as_json:
        predictions = [{PREDICTION: label} for label in labels.tolist()]
        for place, row in enumerate([] if shares is None else shares.tolist()):
            predictions[place]["probabilities"] = dict(zip(names, row, strict=True))
        told = {"n_rows": n_scored, **scores} if scores else None
        print_json({"predictions": predictions, "scores": told})
    table = _table(labels, shares, names)
    if keep:
        for name in table.column_names:
            if name in file:
                raise RefusalError(
                    f"{data} already has a column {shown(name)}. Rename it, or omit "
                    "--keep"
                )
        columns = [*file.table.columns, *table.columns]
        table = pa.table(columns, [*file.names, *table.column_names])
    speech = Speech(False if quiet else None)
    if output is not None or not as_json:
        with writing_to(output):
            content = write_table(table, output)
        if content is not None:
            # If the reader closes the output here, no scores are printed.
            print_text(content, "Pass an output file with -o")
        else:
            speech.say(f"Wrote {file.n_rows:,} rows to {output}")
    if scores:
        rest = file.n_rows - n_scored
        without = f" (not scored: {rest:,} without a label)" if rest else ""
        rows_told = f"{n_scored:,} {'row' if n_scored == 1 else 'rows'}"
        speech.say(in_words(scores, rows_told) + without)


def _scored(
    fitted: Any, file: TableFile, rows: Any, target: str | None
) -> tuple[int, Scores]:
    """Return the number of rows with a label, and the scores on these rows."""
    kept, labels = labelled_rows(fitted, file, rows, target)
    return len(labels), scores_of(fitted, kept, labels) if labels else {}


def _table(
    labels: npt.NDArray[Any], shares: npt.NDArray[np.float64] | None, names: list[str]
) -> pa.Table:
    # pyarrow does not accept arrays of strings; other arrays keep their type.
    plain = labels.tolist() if labels.dtype.kind in "OUT" else labels
    columns: dict[str, Any] = {PREDICTION: pa.array(plain)}
    if shares is not None:
        for code, name in enumerate(names):
            columns[f"probability of {name}"] = pa.array(shares[:, code])
    return pa.table(columns)
